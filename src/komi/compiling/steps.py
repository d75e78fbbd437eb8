"""One step of a game, for compiled code; simulation, learning and search share it.

A game is played by these functions and those of `rules.interface`, in this order until `over`:

    moves, action = pick(rules, state, uniform)
    if moves > 0:
        action = call_policy(rules, view(rules, state), policy, data, uniform)
    step = advance(rules, state, seat, seats, action, number of another stream)

where 0 moves denote a chance node. These functions count and store nothing: the caller does.
"""

from typing import NamedTuple

from komi.arrays import F64
from komi.jit.specialization import always_inline
from komi.rules.interface import is_opposed, leader, legal, reward, sample, seat_payoff
from komi.typing import Rules, State

TOLERANCE = 1e-9  # maximum deviation of the sum of payoffs from 1


class Step(NamedTuple):
    """The result of an action."""

    after: State  # the next state
    seat: int  # the seat to move next
    passes: int  # number of seats by which the turn has passed; negative if the rules are broken
    gain: float  # the mover's reward
    is_random: bool  # True if the outcome was random


@always_inline
def advance(rules: Rules, state: State, seat: int, seats: int, action: int, uniform: float) -> Step:
    """Take an action or a chance move; a uniform random number in [0, 1) selects the outcome."""
    probability, after, passes = sample(rules, state, action, uniform)
    gain = reward(rules, state, action, after)
    next_seat = seat + passes
    next_seat -= seats * (next_seat >= seats)  # branchless where possible, because the end of a turn is hard to predict
    while next_seat >= seats:
        next_seat -= seats
    return Step(after, next_seat, passes, gain, probability < 1.0)


@always_inline
def lead(rules: Rules, step: Step, seats: int) -> int:
    """Return the seat that is ahead after a step, or -1."""
    seat = leader(rules, step.after)  # counted from the player to move
    if seat < 0:
        return seat
    seat += step.seat
    return seat - seats * (seat >= seats)


@always_inline
def is_legal(rules: Rules, state: State, action: int) -> bool:
    """Return whether the player to move can take the action."""
    for open_action in legal(rules, state):  # noqa: SIM110  compiled code has no any()
        if open_action == action:
            return True
    return False


@always_inline
def pay(rules: Rules, state: State, seat: int, payoffs: F64) -> bool:
    """Fill float64[seats] with each seat's payoff in a terminal state; return whether the payoffs are valid.

    Each payoff must be from 0 to 1, and with two or more seats whose interests are opposed they must sum to 1.
    """
    seats = len(payoffs)
    total, is_sound = 0.0, True
    for offset in range(seats):
        share = seat_payoff(rules, state, offset)
        is_sound &= (share >= 0.0) & (share <= 1.0)  # branchless: a game takes a microsecond
        total += share
        paid = seat + offset
        payoffs[paid - seats * (paid >= seats)] = share
    return is_sound and (seats == 1 or abs(total - 1.0) <= TOLERANCE or not is_opposed(rules, seats))
