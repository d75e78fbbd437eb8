"""The proof of a multiplayer equilibrium: a bound on the gain of one seat from deviating, and on the error of values.

If all seats follow the policy, values are those of a Markov chain; if one seat is free and all others follow it, the
game is a one-player problem. Both are proved by a certificate (see `bellman.certificate`). Let V be the values found, W
those of the best response, computed from V in one pass, and E and F the error bounds of the two certificates: no seat
can gain more than max(W - V) + E + F by any deviation.
"""

from typing import Any

import numpy as np

from komi.bellman.backup import round_up
from komi.bellman.certificate import certify
from komi.bellman.equations import rounding_error
from komi.graph.transitions import begin
from komi.solvers.multiplayer.seat_equations import lay_out_roles

FAR = 64.0  # multiple of the rounding error of one backup beyond which a difference is not rounding


def prove(
    batch: Any,
    first: int,
    size: int,
    seats: int,
    objective: Any,
    scratch: Any,
    rows: Any,
    feedback: Any,
    results: Any,
    stop: Any,
) -> bool:
    """Store the solution of a component and prove it, by a single certificate where that is enough.

    With one seat free, the upper bound holds for the policy too, and the lower bound for the free seat's policy in the
    certificate: where the two policies agree, nothing else has to be proved.

    Args:
        batch, first, size, seats: see `lay_out_vectors`.
        objective: an `Objective` without flips.
        scratch: a `Workspace`, whose values of states * seats are those found.
        rows: `VectorRows`, whose shares are the policy's.
        feedback: int32[.], the indices of the equations that are read before they are written.
        findings: `Vectors`, filled in.
        stop: bool[1], set from outside to end early.

    Returns:
        whether the bound is due to rounding alone; if not, this is no equilibrium, or play takes too long to end.
    """
    states, order = batch.state, scratch.order
    _note(batch, first, size, seats, scratch, rows, results)
    worst = np.float32(0.0)
    for free in (1, 0):
        exits_bound = lay_out_roles(batch, first, size, seats, free, scratch, rows, results)
        slack = rounding_error(objective, 1.0)
        for i in range(size):
            for role in range(seats):
                scratch.value[i * seats + role] = results.value[states[first + order[i]], role]
        actions_end = scratch.actions_end[: size * seats]
        distance, longest = certify(
            (actions_end, scratch.constant, scratch.outcomes_end, scratch.target, scratch.weight),
            scratch.value,
            feedback,
            slack,
            objective.lowest,
            objective.highest,
            scratch.mine,
            scratch.theirs,
            scratch.choice,
            stop,
        )
        gain = 0.0
        for i in range(size):
            for role in range(seats):
                value = results.value[states[first + order[i]], role]
                gain = max(gain, abs(scratch.value[i * seats + role] - value))
        if longest < 0.0 or distance > FAR * slack or gain > FAR * slack * longest:
            return False
        worst = max(worst, np.float32(round_up(exits_bound + gain + distance * longest)))
        if free and _keeps_to_policy(size, seats, scratch, rows):
            break
    for i in range(size):
        results.bound[states[first + order[i]]] = worst
    return True


def _note(batch: Any, first: int, size: int, seats: int, scratch: Any, rows: Any, results: Any) -> None:
    """Store the values and the likeliest actions of the component's states."""
    place = 0
    for i in range(size):
        row = first + scratch.order[i]
        state = batch.state[row]
        for role in range(seats):
            results.value[state, role] = scratch.value[i * seats + role]
        most = -1.0
        for action in range(begin(batch.actions_end, row), batch.actions_end[row]):
            if rows.share[place] > most:
                most = rows.share[place]
                results.choice[state] = batch.action[action]
            place += 1


def _keeps_to_policy(size: int, seats: int, scratch: Any, rows: Any) -> bool:
    """Return whether the free seat's policy in the certificate is the equilibrium policy."""
    place = 0
    for i in range(size):
        first = begin(scratch.actions_end, i * seats)
        if rows.share[place + scratch.choice[i * seats] - first] < 1.0:
            return False
        place += scratch.actions_end[i * seats] - first
    return True
