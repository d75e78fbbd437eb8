"""The centipede game: two piles of coins double with every pass, and who stops takes the larger one.

Robert Rosenthal, 1981. Both players would get far more if they passed a few times, and yet backward induction stops at
once: who passes leaves the other player more to take than is left for the one who passed.
"""

from collections.abc import Iterator
from typing import NamedTuple

STOP, PASS = range(2)

players = 2
actions = ("stop", "pass")


class Rules(NamedTuple):
    """The numbers in the rules."""

    large: int = 4  # coins in the larger pile
    small: int = 1  # coins in the smaller pile
    passes: int = 6  # after so many the other player gets the larger pile


class State(NamedTuple):
    """The game as the player to move sees it."""

    passed: int = 0  # how often the piles have been passed
    stopped: int = 0  # 1 if the opponent has stopped


def limits(rules: Rules) -> Rules:
    """Return the least and the greatest value of each number."""
    return Rules((1, 100), (0, 100), (1, 20))


def payoff_range(rules: Rules) -> tuple[int, int]:
    """Return the lowest and the highest payoff."""
    return 0, max(rules.large, rules.small) << rules.passes


def objective(rules: Rules) -> str:
    """Return the name of the value of the game."""
    return "expected coins"


def start(rules: Rules) -> State:
    """Return the state at the beginning."""
    return State()


def legal(rules: Rules, state: State) -> Iterator[int]:
    """Yield both actions."""
    yield STOP
    yield PASS


def outcomes(rules: Rules, state: State, action: int) -> Iterator[tuple[float, State, int]]:
    """Yield what an action leads to."""
    if action == STOP:
        yield 1.0, State(state.passed, 1), 1
    else:
        yield 1.0, State(state.passed + 1), 1


def over(rules: Rules, state: State) -> bool:
    """Return whether a player has stopped, or the piles have been passed often enough."""
    return state.stopped == 1 or state.passed == rules.passes


def payoff(rules: Rules, state: State, seat: int) -> int:
    """Return the coins of a seat: who has stopped gets the larger pile, and after the last pass the player to move."""
    gets_large = (seat == 0) == (state.stopped == 0)
    return (rules.large if gets_large else rules.small) << state.passed
