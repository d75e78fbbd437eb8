"""A game of coalitions: three players share coins, and who proposes needs the vote of one of the others.

After David Baron and John Ferejohn, "Bargaining in Legislatures" (1989). A proposal names a partner, and the coins for
it; the proposer keeps the rest, and the third player gets nothing. If the partner turns it down, a part of the coins is
lost, and the next player proposes; after the last round nobody gets anything. Payoffs do not sum to a constant, because
coins are lost.
"""

from collections.abc import Iterator
from typing import NamedTuple

players = 3


class Rules(NamedTuple):
    """The numbers in the rules."""

    coins: int = 12
    lost: int = 3  # coins that are lost whenever a proposal is turned down
    rounds: int = 3  # proposals


class State(NamedTuple):
    """The game as the player to move sees it."""

    round: int = 0  # proposals that were turned down
    offer: int = -1  # coins offered to the player to move; -1 if that player proposes
    proposer: int = 0  # seats from the player to move on to the one who proposed
    agreed: int = 0  # 1 if the offer was taken


def limits(rules: Rules) -> Rules:
    """Return the least and the greatest value of each number."""
    return Rules((2, 60), (0, 60), (1, 9))


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
    """Return the name of an action: an answer, or the coins for the next player or the one after."""
    if state.offer >= 0:
        return "agree" if action == 1 else "turn down"
    return f"{action // 2} to the {'second' if action % 2 else 'next'} player"


def action_count(rules: Rules) -> int:
    """Return a number that all actions are below."""
    return 2 * rules.coins + 2


def legal(rules: Rules, state: State) -> Iterator[int]:
    """Yield both answers, or all proposals."""
    yield from range(2 if state.offer >= 0 else 2 * _left(rules, state) + 2)


def outcomes(rules: Rules, state: State, action: int) -> Iterator[tuple[float, State, int]]:
    """Yield what an action leads to; after an answer the turn goes to the player after the one who proposed."""
    if state.offer < 0:
        yield 1.0, State(state.round, action // 2, 2 - action % 2), 1 + action % 2
    elif action == 1:
        yield 1.0, State(state.round, state.offer, state.proposer, 1), 0
    else:
        yield 1.0, State(state.round + 1), (state.proposer + 1) % 3


def over(rules: Rules, state: State) -> bool:
    """Return whether a proposal was agreed to, or the last one was turned down."""
    return state.agreed == 1 or state.round == rules.rounds


def payoff(rules: Rules, state: State, seat: int) -> int:
    """Return the coins of a seat; the partner is to move where they have agreed."""
    if state.agreed == 0:
        return 0
    if seat == 0:
        return state.offer
    return _left(rules, state) - state.offer if seat == state.proposer else 0


def _left(rules: Rules, state: State) -> int:
    """Return the coins that are not lost yet."""
    return max(rules.coins - rules.lost * state.round, 0)
