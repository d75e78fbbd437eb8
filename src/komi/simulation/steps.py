"""One step of a game, for compiled code: simulation, learning and search take the same steps.

A game is played by these pieces and those of `compile.rulebook`, in this order until `over`:

    moves, action = pick(rules, state, luck)
    if moves > 0:
        action = ask(rules, view(rules, state), policy, carried, luck)
    step = advance(rules, state, seat, seats, action, luck of another stream)

where 0 moves are those of chance. None of them counts anything, and none keeps anything: whoever plays says what is to
be counted (`counting`, for a simulation) or remembered.
"""

from typing import Any, NamedTuple

from komi.compile.inline import inlined
from komi.compile.rulebook import leader, legal, reward, sample, seat_payoff

TOLERANCE = 1e-9  # by which payoffs may sum to other than 1


class Step(NamedTuple):
    """What an action has led to."""

    after: Any  # the state then
    seat: int  # who is to move then
    passes: int  # by how many seats the turn has passed on; negative if the rules are broken
    gain: float  # what the mover has gained on the way
    thrown: bool  # whether luck had a say


@inlined
def advance(rules: Any, state: Any, seat: int, seats: int, action: int, luck: float) -> Step:
    """Take an action, or have chance move; luck, from 0 to 1, decides what comes of it."""
    probability, after, passes = sample(rules, state, action, luck)
    gain = reward(rules, state, action, after)
    then = seat + passes
    then -= seats * (then >= seats)  # without a branch, as far as that goes: few turns end as predicted
    while then >= seats:
        then -= seats
    return Step(after, then, passes, gain, probability < 1.0)


@inlined
def lead(rules: Any, step: Step, seats: int) -> int:
    """The seat that is ahead after a step; -1 if there is none."""
    place = leader(rules, step.after)
    if place < 0:
        return place
    place += step.seat
    return place - seats * (place >= seats)


@inlined
def is_legal(rules: Any, state: Any, action: int) -> bool:
    """Whether the player to move can take the action."""
    for open_action in legal(rules, state):  # noqa: SIM110  compiled code has no any()
        if open_action == action:
            return True
    return False


@inlined
def pay(rules: Any, state: Any, seat: int, payoffs: Any) -> bool:
    """Fill in float64[seats], what each seat gets in a state where the game is over; whether these can be payoffs.

    Each is from 0 to 1, and where several play they sum to 1.
    """
    seats = len(payoffs)
    total, sound = 0.0, True
    for place in range(seats):
        share = seat_payoff(rules, state, place)
        sound &= (share >= 0.0) & (share <= 1.0)  # no branches: a game is over in a microsecond
        total += share
        then = seat + place
        payoffs[then - seats * (then >= seats)] = share
    return sound and (seats == 1 or abs(total - 1.0) <= TOLERANCE)
