"""Searchers by their specifications."""

from komi.policies.determinizing import DETERMINIZING
from komi.policies.searchers import OPEN_SEARCHERS, FindPolicy, Searcher
from komi.rules.game import Game
from komi.search.specification import Specification
from komi.typing import Rules

SEARCHERS = OPEN_SEARCHERS | DETERMINIZING
"""The kinds of searchers by name."""


def find_searcher(text: str, game: Game, rules: Rules, find_leaf: FindPolicy) -> Searcher:
    """Return the searcher with this specification.

    Args:
        text: the specification, whose name is one of SEARCHERS.
        game: the game.
        rules: its rules.
        find_leaf: finds the named leaf policy.

    Raises:
        InputError: for a malformed specification, or a game that it does not fit.
    """
    kind = SEARCHERS[text.partition(":")[0].partition(",")[0]]
    return kind.create(Specification.parse(text, kind.options), game, rules, find_leaf)


def is_searcher(text: str) -> bool:
    """Return whether this is the specification of a searcher."""
    return text.partition(":")[0].partition(",")[0] in SEARCHERS
