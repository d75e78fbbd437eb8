"""Proved bounds on the gain, rounding included.

A function g bounds the gain of every policy from above if there is a function h with, for all states and actions,

    g >= P_a g  and  g + h >= r_a + P_a h,

where g counts only if the action takes time (Puterman 1994, theorem 9.1.2 and section 8.5). Where h comes from does not
matter. For a policy, with its negative rewards, they bound its gain from below.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, Flags
from komi.progress import Progress
from komi.solvers.average.decision_process import DecisionProcess, policy_shares
from komi.solvers.average.end_components import find_end_components, leaving_steps
from komi.solvers.average.policy_iteration import BestPlay, Evaluation, advantages, iterate_policies

ROUNDING = 2.0**-52  # of one operation on floats, with a margin of 2
SLACKS = 2.0 ** np.arange(-55, -13)  # tried in turn, relative to the largest number of the equations


class Bound(NamedTuple):
    """A bound on the gain: float64[states] each, g and h of the inequalities."""

    gain: F64
    bias: F64


def chance_depth(process: DecisionProcess) -> F64 | None:
    """Return float64[states], the most moves of chance before an action; None if chance can move for ever."""
    entries, is_chance = process.transitions.tocoo(), process.takes == 0.0
    rows = process.owner[entries.row]
    depth = np.zeros(len(process.takes))
    for _ in range(len(depth) + 1):
        deeper = np.zeros(len(depth))
        np.maximum.at(deeper, rows, depth[entries.col] + 1.0)
        deeper[~is_chance] = 0.0
        if (deeper == depth).all():
            return depth
        depth = deeper
    return None


def find_best_play(process: DecisionProcess, depth: F64, progress: Progress) -> BestPlay | None:
    """Find a policy of the greatest gain, and prove it.

    Args:
        process: the process.
        depth: as `chance_depth` returns it.
        progress: progress callback; see `komi.progress`.

    Returns:
        its play; None if no proof is found.
    """
    policy, attained = iterate_policies(process, progress)
    upper = bound_above(process, attained, depth)
    lower = bound_below(process.follow(policy_shares(process, policy)), attained, depth)
    if upper is None or lower is None:
        return None
    return BestPlay(policy, attained, np.stack(upper), np.stack(lower))


def bound_above(process: DecisionProcess, near: Evaluation, depth: F64) -> Bound | None:
    """Bound the gain of every policy from above, close to what a good policy attains; None if no proof is found.

    Args:
        process: the process.
        near: the gain and the bias of the policy.
        depth: as `chance_depth` returns it.
    """
    components = find_end_components(process)
    highest = np.full(components.nodes, -np.inf)
    np.maximum.at(highest, components.node, near.gain)
    gain, steps = highest[components.node], leaving_steps(process, components)
    one_gain = np.full(len(gain), gain.max())  # gains that differ by rounding alone need no steps to tell them apart
    bounds = [
        _least_slack(process, Evaluation(gain, near.bias), depth, steps, components.stays),
        _least_slack(process, Evaluation(one_gain, near.bias), depth, steps, components.stays),
    ]
    found = [bound for bound in bounds if bound is not None]
    return min(found, key=lambda bound: float((bound.gain - near.gain).max()), default=None)


def _least_slack(process: DecisionProcess, near: Evaluation, depth: F64, steps: F64, stays: Flags) -> Bound | None:
    """Return the first bound that holds as slack grows; None if there is none.

    Args:
        process: the process.
        near: a gain that is the same in all of an end component, and a bias.
        depth, steps: as `chance_depth` and `leaving_steps` return them.
        stays: bool[pairs], whether a pair stays in its end component.
    """
    gain, bias = near
    size = float(np.abs(gain).max() + np.abs(bias).max() + np.abs(process.gain).max())
    if not stays.all():
        bias = bias + 2.0 * max(0.0, float(advantages(process, near)[~stays].max())) * steps
    rises = steps if np.ptp(gain) else 0.0
    for slack in SLACKS * size:
        bound = Bound(gain + slack * (1.0 + depth.max() + rises), bias + slack * (depth + steps))
        if holds(process, bound):
            return bound
    return None


def bound_below(process: DecisionProcess, attained: Evaluation, depth: F64) -> Bound | None:
    """Bound the gain of a policy, a process with one pair in each state, from below; None if no proof is found."""
    losses = process.follow(np.ones(len(process.owner)), sign=-1.0)
    bound = bound_above(losses, Evaluation(-attained.gain, -attained.bias), depth)
    return None if bound is None else Bound(-bound.gain, -bound.bias)


def holds(process: DecisionProcess, bound: Bound) -> bool:
    """Return whether a bound from above satisfies the inequalities, rounding included.

    A sum of n products is off by at most n + 2 rounding errors of the sum, and a few of each product, relative to the
    sum of their absolute values; the probabilities of an action count as if they summed to 1.
    """
    owner, transitions = process.owner, process.transitions
    starts, targets = transitions.indptr[:-1], transitions.indices
    source = np.repeat(owner, np.diff(transitions.indptr))
    probability = transitions.data.astype(np.longdouble)
    rounding = (np.diff(transitions.indptr) + 2) * np.finfo(np.longdouble).eps + 8 * ROUNDING
    lack = np.abs(np.add.reduceat(probability, starts) - 1.0) + rounding

    def largest(change: F64, size: F64) -> F64:
        """Return the greatest expectation of a change, for each pair, and all that it may be off by."""
        found: F64 = np.add.reduceat(probability * change, starts) + lack * np.maximum.reduceat(size, starts)
        return found

    gain, bias = bound
    drift = gain[targets] - gain[source]
    rise = bias[targets] - bias[source]
    change, size = process.gain + rise, np.abs(process.gain) + np.abs(rise)
    return bool(
        (largest(drift, np.abs(drift)) <= 0.0).all() and (largest(change, size) <= (process.takes * gain)[owner]).all()
    )
