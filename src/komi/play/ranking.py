"""The order of a game's opponents, kept when their strengths have been found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from komi import catalog
from komi.cache import put
from komi.compile.cache import fingerprint, folder, is_any_kept
from komi.errors import StorageError
from komi.game import Game

Policies = tuple[str, ...]

KIND = "opponents"


def kept(game: Game, rules: Any, policies: Policies) -> Policies:
    """The policies from the weakest to the strongest, as far as that was found; else as they are given."""
    if not is_any_kept(KIND, f"{game.name}-"):
        return policies
    try:
        order = tuple(json.loads(_path(game, rules, policies).read_text()))
    except (OSError, ValueError, StorageError):
        return policies
    return order if sorted(order) == sorted(policies) else policies


def is_kept(game: Game, rules: Any, policies: Policies) -> bool:
    """Whether their strengths have been found."""
    try:
        return _path(game, rules, policies).is_file()
    except StorageError:
        return False


def keep(game: Game, rules: Any, policies: Policies, order: Policies) -> None:
    """Keep the order that was found of these policies.

    Raises:
        StorageError: if the cache folder cannot be written to.
    """
    put(_path(game, rules, policies), json.dumps(order).encode())


def ranked(policies: Policies, beats: Callable[[str, str], bool]) -> Policies:
    """The policies in an order in which none beats the one after it.

    There is always one, even where each of three beats another: each policy is put before the first that beats it.

    Args:
        policies: in the order that is taken where none beats the other.
        beats: whether one policy beats another.
    """
    order: list[str] = []
    for policy in policies:
        place = next((place for place, other in enumerate(order) if beats(other, policy)), len(order))
        order.insert(place, policy)
    return tuple(order)


def _path(game: Game, rules: Any, policies: Policies) -> Path:
    mark = fingerprint(catalog.digest(game.module), repr(tuple(rules)), *policies)
    return folder(KIND) / f"{game.name}-{mark}.json"
