"""Checks of the kind of game that each evaluation of policies supports, with error messages that give the reason."""

from typing import Any

from komi.errors import SolveError
from komi.rules.kind import Kind
from komi.solvers.solution import Solution


def is_duel(kind: Kind) -> bool:
    """Return whether a game is a two-player zero-sum game of perfect information without rewards during play."""
    return kind.seats == 2 and not (kind.rewards or kind.hidden)


def check_duel(solution: Solution[Any]) -> None:
    """Check that a game is a two-player zero-sum game of perfect information.

    Raises:
        SolveError: if it is not.
    """
    if not is_duel(solution.kind):
        raise SolveError(
            "this works for games of two players who see everything, one of whom wins what the other loses: "
            f"{_why(solution.kind)}."
        )


def check_followed(solution: Solution[Any]) -> None:
    """Check that a game can be followed state by state: single-player, or two-player with perfect information.

    Raises:
        SolveError: if it is not.
    """
    if not is_duel(solution.kind) and solution.kind.seats != 1:
        raise SolveError(
            "this works for games of one player, and of two who see everything, one of whom wins what the other loses: "
            f"{_why(solution.kind)}."
        )


def _why(kind: Kind) -> str:
    if kind.seats != 2:
        return f"{kind.name} is for {kind.seats} player{'s' * (kind.seats != 1)}"
    return f"{kind.name} has rewards on the way" if kind.rewards else f"{kind.name} hides something"
