"""The cached order of a game's opponents by measured strength."""

import json
from collections.abc import Callable
from pathlib import Path

from komi.cache import folder, has_entries, put
from komi.errors import StorageError
from komi.jit.cache_keys import fingerprint
from komi.rules import loading
from komi.rules.game import Game
from komi.typing import Rules

Policies = tuple[str, ...]

KIND = "opponents"


def cached_order(game: Game, rules: Rules, policies: Policies) -> Policies:
    """Return the policies from the weakest to the strongest if that is cached; else as given."""
    if not has_entries(KIND, f"{game.name}-"):
        return policies
    try:
        order = tuple(json.loads(_path(game, rules, policies).read_text()))
    except (OSError, ValueError, StorageError):
        return policies
    return order if sorted(order) == sorted(policies) else policies


def is_cached(game: Game, rules: Rules, policies: Policies) -> bool:
    """Return whether their strengths have been measured."""
    try:
        return _path(game, rules, policies).is_file()
    except StorageError:
        return False


def store(game: Game, rules: Rules, policies: Policies, order: Policies) -> None:
    """Store the measured order of these policies.

    Raises:
        StorageError: if the cache folder cannot be written to.
    """
    put(_path(game, rules, policies), json.dumps(order).encode())


def order_by_strength(policies: Policies, beats: Callable[[str, str], bool]) -> Policies:
    """Return the policies in an order in which none beats the one after it.

    Such an order exists even if the relation has cycles: each policy is inserted before the first that beats it.

    Args:
        policies: in the order to keep where neither beats the other.
        beats: returns whether one policy beats another.
    """
    order: list[str] = []
    for policy in policies:
        position = next((index for index, other in enumerate(order) if beats(other, policy)), len(order))
        order.insert(position, policy)
    return tuple(order)


def _path(game: Game, rules: Rules, policies: Policies) -> Path:
    key = fingerprint(
        loading.digest(game.module), repr(tuple(rules)), *sorted(policies)
    )  # in whatever order: it changes once they are ranked
    return folder(KIND) / f"{game.name}-{key}.json"
