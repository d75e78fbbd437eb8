"""One step of a game, for compiled code; simulation, learning and search share it.

A game is played by these functions and those of `rules.interface`, in this order until `over`:

    moves, action = pick(rules, state, luck)
    if moves > 0:
        action = ask(rules, view(rules, state), policy, carried, luck)
    step = advance(rules, state, seat, seats, action, luck of another stream)

where 0 moves denote a chance node. These functions count and store nothing: the caller does (`counting`, for a
simulation).
"""

from typing import Any, NamedTuple

from komi.jit.specialization import always_inline
from komi.rules.interface import leader, legal, reward, sample, seat_payoff

TOLERANCE = 1e-9  # maximum deviation of the sum of payoffs from 1


class Step(NamedTuple):
    """The result of an action."""

    after: Any  # the next state
    seat: int  # the seat to move next
    passes: int  # number of seats by which the turn has passed; negative if the rules are broken
    gain: float  # the mover's reward
    thrown: bool  # True if the outcome was random


@always_inline
def advance(rules: Any, state: Any, seat: int, seats: int, action: int, luck: float) -> Step:
    """Take an action or a chance move; `luck`, a uniform random number, selects the outcome."""
    probability, after, passes = sample(rules, state, action, luck)
    gain = reward(rules, state, action, after)
    then = seat + passes
    then -= seats * (then >= seats)  # branchless where possible, because the end of a turn is hard to predict
    while then >= seats:
        then -= seats
    return Step(after, then, passes, gain, probability < 1.0)


@always_inline
def lead(rules: Any, step: Step, seats: int) -> int:
    """Return the seat that is ahead after a step; -1 if there is none."""
    place = leader(rules, step.after)
    if place < 0:
        return place
    place += step.seat
    return place - seats * (place >= seats)


@always_inline
def is_legal(rules: Any, state: Any, action: int) -> bool:
    """Return whether the player to move can take the action."""
    for open_action in legal(rules, state):  # noqa: SIM110  compiled code has no any()
        if open_action == action:
            return True
    return False


@always_inline
def pay(rules: Any, state: Any, seat: int, payoffs: Any) -> bool:
    """Fill float64[seats] with each seat's payoff in a terminal state; return whether the payoffs are valid.

    Each payoff must be from 0 to 1, and with two or more seats they must sum to 1.
    """
    seats = len(payoffs)
    total, sound = 0.0, True
    for place in range(seats):
        share = seat_payoff(rules, state, place)
        sound &= (share >= 0.0) & (share <= 1.0)  # branchless: a game takes a microsecond
        total += share
        then = seat + place
        payoffs[then - seats * (then >= seats)] = share
    return sound and (seats == 1 or abs(total - 1.0) <= TOLERANCE)
