"""The ultimatum game: one player proposes how to share some coins, and the other takes the offer or nobody gets any.

Werner Güth, Rolf Schmittberger and Bernd Schwarze, 1982. A player who wants coins alone takes every offer of at least
one, so the first player offers one, or nothing, as an offer of nothing can be taken as well.
"""

from collections.abc import Iterator
from typing import NamedTuple

players = 2


class Rules(NamedTuple):
    """The numbers in the rules."""

    coins: int = 10


class State(NamedTuple):
    """The game as the player to move sees it."""

    offer: int = -1  # what the first player offers to the second; -1 before
    answer: int = 0  # 1 if the offer is turned down, 2 if it is taken


def limits(rules: Rules) -> Rules:
    """Return the least and the greatest number of coins."""
    return Rules((2, 100))


def payoff_range(rules: Rules) -> tuple[int, int]:
    """Return the lowest and the highest payoff."""
    return 0, rules.coins


def objective(rules: Rules) -> str:
    """Return the name of the value of the game."""
    return "expected coins"


def start(rules: Rules) -> State:
    """Return the state at the beginning."""
    return State()


def label(rules: Rules, state: State, action: int) -> str:
    """Return the name of an action."""
    if state.offer < 0:
        return f"offer {action}"
    return "take" if action == 1 else "turn down"


def action_count(rules: Rules) -> int:
    """Return a number that all actions are below."""
    return max(2, rules.coins + 1)


def legal(rules: Rules, state: State) -> Iterator[int]:
    """Yield each offer, or each answer."""
    for action in range(rules.coins + 1 if state.offer < 0 else 2):  # noqa: UP028
        yield action


def outcomes(rules: Rules, state: State, action: int) -> Iterator[tuple[float, State, int]]:
    """Yield what an action leads to."""
    if state.offer < 0:
        yield 1.0, State(action), 1
    else:
        yield 1.0, State(state.offer, action + 1), 1


def over(rules: Rules, state: State) -> bool:
    """Return whether the offer is answered."""
    return state.answer > 0


def payoff(rules: Rules, state: State, seat: int) -> int:
    """Return the coins of a seat; when the offer is answered, the turn is the first player's again."""
    if state.answer == 1:
        return 0
    return rules.coins - state.offer if seat == 0 else state.offer
