"""The legal actions of one state and the outcomes of one action, listed by running the rules inside rolls."""

from typing import Any

import numpy as np

from komi.graph.reachability_kernel import (
    ACTION,
    DEFICIT_UNITS,
    IMPOSSIBLE,
    PASSES,
    PAYOFF,
    PROBABILITY,
    PROBABILITY_TOLERANCE,
)
from komi.graph.summation import two_sum_error
from komi.rules.interface import legal, outcomes, over, payoff, possible, record_witness, reward, seat_payoff, transient
from komi.transient.roll_graph import Listing
from komi.transient.violations import NO_ROOM, SPARE


def list_actions(rules: Any, known: int, state: Any, listing: Listing, witness: Any) -> Any:
    """List the legal actions; return their number, or -1 less the violation.

    Every call of the rules compiles another copy of them, so all callers use this function.

    Args:
        rules: the rules.
        known: the upper bound on action numbers, exclusive.
        state: the state.
        listing: filled in.
        witness: filled with the fields of a state, and the action, if the rules are broken.
    """
    count = 0
    for action in legal(rules, state):
        if not -1 <= action < known:
            record_witness(state, action, witness)
            return -1 - ACTION
        if count >= len(listing.action):
            return -1 - NO_ROOM
        listing.action[count] = action
        count += 1
    return count


def list_outcomes(
    rules: Any, seats: int, state: Any, action: Any, listing: Listing, first: int, turned: int, witness: Any
) -> Any:
    """List the outcomes, from index `first` on; return one past the last, or -1 less the violation.

    Args:
        rules, state, listing, witness: see `list_actions`.
        seats: the number of seats.
        action: the action.
        first: the index of the first outcome.
        turned: the number of seats by which the turn had passed before.
    """
    width = len(state)
    place = first
    total = rest = 0.0
    for probability, after, passes in outcomes(rules, state, action):
        if place + SPARE >= len(listing.gain):
            return -1 - NO_ROOM
        rest += two_sum_error(total, probability)
        total += probability
        if not probability >= 0.0:
            record_witness(state, action, witness)
            return -1 - PROBABILITY
        if passes < 0:
            record_witness(state, action, witness)
            return -1 - PASSES
        turn = turned + passes
        while turn > seats:
            turn -= seats
        gain = reward(rules, state, action, after)
        ends = over(rules, after)
        if ends:
            if not 0.0 <= payoff(rules, after) <= 1.0:
                record_witness(after, -1, witness)
                return -1 - PAYOFF
            gain += seat_payoff(rules, after, (seats - turn) % seats)
        elif not possible(rules, after):
            record_witness(after, -1, witness)
            return -1 - IMPOSSIBLE
        for i in range(width):
            listing.fields[place, i] = after[i]
        listing.fields[place, width] = ends
        listing.fields[place, width + 1] = turn
        listing.probability[place] = probability
        listing.gain[place] = gain
        listing.transient[place] = not ends and transient(rules, after)
        place += 1
    if abs(total - 1.0) > PROBABILITY_TOLERANCE:
        record_witness(state, action, witness)
        return -1 - PROBABILITY
    listing.deficit[0] = max(listing.deficit[0], np.int64(np.ceil(abs(total - 1.0 + rest) * DEFICIT_UNITS)))
    return place
