"""Playouts from a state to the end of the game, whose results estimate the values of states."""

from enum import IntEnum

from komi.arrays import F64
from komi.compiling.steps import advance, is_legal, pay
from komi.game import CHANCE
from komi.jit.specialization import never_inline
from komi.rules.interface import legal, over, pick, view
from komi.streams import Stream, begin_turn, next_number
from komi.typing import PolicyData, Rules, State

MAX_PLAYOUT = 10_000
"""Actions and chance moves after which a playout stops: the players then share the win."""
MIN_ANSWER = -(1 << 62)
"""The lowest number that a policy's function returns to its caller: lower ones are statuses in place of actions."""


class PolicyStatus(IntEnum):
    """Returned by the code of a policy in place of an action."""

    UNKNOWN = MIN_ANSWER - 1  # the policy does not cover the state
    ENDLESS = MIN_ANSWER - 2  # no playout has reached an end of the game
    UNREACHABLE = MIN_ANSWER - 3  # play never leads to the observation, so that what is hidden cannot be drawn


def leaf_action(rules: Rules, state: State, uniform: float, data: PolicyData) -> int:  # noqa: ARG001
    """Return the action of the leaf policy, which replaces this function; by default CHANCE: any legal action."""
    return CHANCE


@never_inline
def play_out(rules: Rules, state: State, seat: int, leaf: PolicyData, stream: Stream, returns: F64) -> bool:
    """Play a game to its end by the leaf policy, and at random where that names no legal action.

    Args:
        rules: the rules.
        state: the state from which to play.
        seat: the seat to move.
        leaf: the data of the leaf policy.
        stream: the source of random numbers.
        returns: float64[seats], modified in place: what each seat receives; see `settle`.

    Returns:
        Whether the game has ended within MAX_PLAYOUT steps.
    """
    seats, gain = len(returns), 0.0
    for _ in range(MAX_PLAYOUT):
        if over(rules, state):
            settle(rules, state, seat, gain, returns)
            return True
        number = next_number(stream)
        moves, action = pick(rules, state, number)
        if moves > 0:
            chosen = leaf_action(rules, view(rules, state), number, leaf)
            if chosen >= 0 and is_legal(rules, state, chosen):
                action = chosen
        step = advance(rules, state, seat, seats, action, next_number(stream))
        gain += step.gain
        if step.passes > 0:
            begin_turn(stream)
        state, seat = step.after, step.seat
    share(gain, returns)
    return False


def settle(rules: Rules, state: State, seat: int, gain: float, returns: F64) -> None:
    """Fill float64[seats] with each seat's payoff in a terminal state; one player also receives the rewards before."""
    pay(rules, state, seat, returns)
    if len(returns) == 1:
        returns[0] += gain


def share(gain: float, returns: F64) -> None:
    """Fill float64[seats] with what each seat receives from a game without an end; one player receives the rewards."""
    returns[:] = gain if len(returns) == 1 else 1.0 / len(returns)


def is_chance_node(rules: Rules, state: State) -> bool:
    """Return whether chance moves in a state that is not terminal."""
    for action in legal(rules, state):
        return bool(action == CHANCE)
    return False


def is_forced(rules: Rules, state: State) -> bool:
    """Return whether a player has only one legal action."""
    return bool(pick(rules, state, 0.0)[0] == 1)
