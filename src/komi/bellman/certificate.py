"""The proof of a component's values: an error bound that holds whatever value infinite play is assigned.

Values are the mover's. Let v be the computed values, from 0 to 1; T the Bellman operator of the component, whose
boundary states have their own values, each with an error of at most E; Q(s, a) the value of action a in s if successors
have the values v. Two bounds on the true values are built at once from a step eta > 0 and two functions of the states,
above and below:

    U = v + eta above,    L = v - eta below

**Claim.** Let g be a policy, and let there be an epsilon > 0 so that in every state, except where U >= 1 or L <= 0
respectively,

    every action a:    Q(s, a) + eta (sum p above(s') + sum p below(s'))  <=  U(s) - epsilon
    g's action:        Q(s, g) - eta (sum p below(s') + sum p above(s'))  >=  L(s) + epsilon

(the first sum of each pair is over outcomes where the mover stays, the second over those where the turn passes).
Then the true values lie between L - E and U + E, whatever value infinite play is assigned. *Proof.* Let one player, A,
use any policy and the other play g. The potential of A, U where A is to move and 1 - L where the other is, decreases by
epsilon or more in expectation with each action, until play leaves the component or reaches a state where it is 1 or
more. It is bounded, so this happens with probability 1, after a finite expected number of actions, and (optional
stopping) A gets in expectation at most the initial potential plus E: a potential of 1 or more is no less than what A
can get there. So g limits A to U + E, and, with the roles exchanged, guarantees its own player L - E. Neither argument
depends on the value of infinite play, since play is finite with probability 1. []

U and L are an upper and a lower bound checked inductively, as in optimistic value iteration (A. Hartmanns and B. L.
Kaminski, CAV 2020). The strict decrease and increase replace the treatment of end components (E. Kelmendi, J. Kraemer,
J. Kretinsky and M. Weininger, CAV 2018; K. Phalakarn, T. Takisaka, T. Haas and I. Hasuo, CAV 2020; sound value
iteration for games, arXiv 2411.11549): an opponent who stays in an end component pays for it by Q(s, a) < v(s); one who
could stay at no cost while the outcome is open is prevented by g, or there is no proof. If the value does not depend on
the value of infinite play, such U and L exist: a policy that is optimal if infinite play is lost leaves every set of
states in which the other player has not yet the greatest value.

**How above and below are computed.** By iteration from a first guess,

    above(s) = 1 + max over a of  sum p above(s') + sum p below(s') - (loss of a) / 2.5 c,  at most (1 - v(s)) / c
    below(s) = 1 + g's action:    sum p below(s') + sum p above(s') + (its loss) / c,       at most v(s) / c

(the loss of an action is max Q(s, .) - Q(s, a)), until no state violates its equation by more than some h <= 1/2. Then
the claim holds with eta = d / (1 - h), for a d that covers rounding (see there) and with c from d / 1.25 to d, so that
eta is from c to 2.5 c: the loss is divided by eta or more where it makes `above` smaller, by eta or less where it makes
`below` larger, and at the upper limits U >= 1 and L <= 0. g takes one of the actions that are optimal up to rounding,
the one that ends soonest; if this finds no certificate, any action, at the price of its loss.

**Unset values.** A value that is infinite or no number (NaN), such as one that was never set, proves nothing. `max` and
comparisons pass over NaN, so every pass over values that a bound is claimed for checks each of them: it reports an
infinite residual, which no certificate accepts. Values at the boundary are checked as parts of an action's value.

Where values have other limits than 0 and 1, or none, those replace 0 and 1; where the turn never passes to an opponent
the sums over passing outcomes are empty.

**Rounding.** Let sigma (`slack`) be the error bound of a computed Q and r the largest |v - max Q|. The first line of
the claim needs (1 - h) eta >= r + sigma + epsilon, the second r + 2 sigma + epsilon, as g's action may be sigma short
of the optimum (a larger difference is part of its price). d = r + 4 sigma leaves epsilon = 2 sigma. c = 4 sigma
suffices where r <= sigma, so that r need not be known beforehand; else c = d. Rounding in above and below is at most 4
sigma times the largest of them, and counts as part of h.

| symbol | in the code | | symbol | in the code |
|---|---|---|---|---|
| v | `value` | | c, 1 / c | `step`, `Scale.unit` |
| above, below | `Bounds.above`, `Bounds.below` | | 1 / 2.5 c, 1 / c (of a loss) | `Scale.discount`, `Scale.price` |
| g | `Bounds.choice` | | d | `distance` |
| Q(s, a), max Q | `total`, `best` | | h | `shortfall` |
| r | `residual` | | sigma | `slack` |
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I32, Flags
from komi.jit.specialization import always_inline
from komi.tuning import FIRST_EXTRAPOLATION

SWEEPS = 10_000  # the most for one kind of policy: more mean that `above` grows without limit
INITIAL_BOUND = 64.0  # at the feedback vertices: one sweep proves it where play leaves the component sooner
EXTRAPOLATION_GROWTH = 1.01  # the limit grows by this factor with each extrapolation
MAX_ACTIONS = 1e9  # a bound of more rounding errors is useless
NO_PROOF, UNCONVERGED = -1.0, -2.0  # returned instead of the largest of above and below


class Bounds(NamedTuple):
    """The functions below and above, and the policy g."""

    below: F64  # [equations]
    above: F64  # [equations]
    choice: I32  # [equations] the action that g takes, an index into all actions of the component


class Tolerance(NamedTuple):
    """The differences that a certificate accepts.

    Attributes:
        slack: the rounding error bound of one backup.
        tie: the largest loss of g's actions.
        max_residual: the largest |v - max Q|.
    """

    slack: float
    tie: float
    max_residual: float


class Scale(NamedTuple):
    """The scale of bounds and of losses.

    Attributes:
        unit: 1 / c.
        discount: the factor by which the loss of an action decreases `above`.
        price: the factor by which the loss of an action increases `below`; 0 if d covers it.
        tie: the largest loss of g's action.
        lowest, highest: the range of the values.
    """

    unit: float
    discount: float
    price: float
    tie: float
    lowest: float
    highest: float


def certify(
    equations: Any,
    value: F64,
    feedback: I32,
    slack: float,
    limits: tuple[float, float],
    bounds: Bounds,
    stop: Flags,
    max_residual: float = np.inf,
) -> tuple[float, float]:
    """Compute d, the largest of above and below, and g for these values.

    Values at feedback vertices stay unchanged, all others are made consistent with them.

    Args:
        equations: the component's `Equations`, or what a replacement of `sweep_bounds` takes.
        value: float64[equations].
        feedback: the feedback vertex set: equations that are read before they are written.
        slack: the rounding error bound of one backup.
        limits: the range of the values.
        bounds: filled in.
        stop: bool[1], set by another thread to stop early.
        max_residual: the largest |v - max Q| to accept.

    Returns:
        (d, the largest of above and below / (1 - h)), whose product bounds the error; the second is NO_PROOF if there
        is not a certificate, UNCONVERGED if |v - max Q| is too large.
    """
    tolerance = Tolerance(slack, slack, max_residual)
    distance, largest = _certify(equations, value, feedback, tolerance, limits, bounds, stop)
    if largest == NO_PROOF and not stop[0]:
        tolerance = Tolerance(slack, np.inf, np.inf)
        distance, largest = _certify(equations, value, feedback, tolerance, limits, bounds, stop)
    return distance, largest


def _certify(
    equations: Any,
    value: F64,
    feedback: I32,
    tolerance: Tolerance,
    limits: tuple[float, float],
    bounds: Bounds,
    stop: Flags,
) -> tuple[float, float]:
    """Compute a certificate within this tolerance; other arguments and results are those of `certify`."""
    count = len(feedback)
    slack, tie, max_residual = tolerance
    below, above = bounds.below, bounds.above
    x, below_before, above_before, below_earlier, above_earlier = np.empty((5, count))
    for j, position in enumerate(feedback):
        x[j] = value[position]
        below[position] = above[position] = INITIAL_BOUND
    step = 4.0 * slack  # c, the smallest eta
    last_increment = 0.0
    max_reach = FIRST_EXTRAPOLATION
    for round_ in range(SWEEPS):
        for j, position in enumerate(feedback):
            below_earlier[j], above_earlier[j] = below_before[j], above_before[j]
            below_before[j], above_before[j] = below[position], above[position]
        unit = 1.0 / step
        scale = Scale(unit, 0.4 * unit, unit if tie > slack else 0.0, tie, limits[0], limits[1])
        residual, largest = sweep_bounds(equations, value, feedback, x, scale, bounds)
        if not residual < np.inf:
            break
        if residual > max_residual:
            return residual, UNCONVERGED
        distance = residual + 4.0 * slack
        if distance > 1.25 * step:  # known after the first sweep, and constant
            step = distance
            continue
        if stop[0] or largest * step > MAX_ACTIONS * 4.0 * slack:
            break
        shortfall = max(
            largest_increment(feedback, below, below_before), largest_increment(feedback, above, above_before)
        )
        shortfall += 4.0 * slack * largest
        if shortfall <= 0.5:
            return distance, max(largest, 1.0) / (1.0 - shortfall)
        if round_ % 2:  # below and above alternate
            increment = max(
                largest_increment(feedback, below, below_earlier), largest_increment(feedback, above, above_earlier)
            )
            if round_ % 4 == 3 and last_increment > 0.0:
                extrapolate(feedback, below, below_earlier, increment / last_increment, max_reach)
                extrapolate(feedback, above, above_earlier, increment / last_increment, max_reach)
                max_reach *= EXTRAPOLATION_GROWTH
            last_increment = increment
    return 0.0, NO_PROOF


def largest_increment(feedback: I32, bound: F64, before: F64) -> float:
    """Compute the largest increment of a bound at the feedback vertices."""
    largest = 0.0
    for j, position in enumerate(feedback):
        largest = max(largest, bound[position] - before[j])
    return largest


def extrapolate(feedback: I32, bound: F64, before: F64, factor: float, max_reach: float) -> None:
    """Extrapolate the bound to its limit, or slightly beyond, if its increment shrinks by `factor` each time.

    The extrapolation is limited to `max_reach` times the last increment; callers raise this limit each time. While the
    increment does not indicate the limit yet, as in an end component before a better action is found, this prevents
    overshooting the required bound by far.
    """
    reach = max_reach
    if factor < 1.0:
        reach = min(1.05 * factor / (1.0 - factor), max_reach)
    for j, position in enumerate(feedback):
        bound[position] += reach * max(bound[position] - before[j], 0.0)


def sweep_bounds(
    equations: Any, value: F64, feedback: I32, x: F64, scale: Scale, bounds: Bounds
) -> tuple[float, float]:
    """Back up `below` and `above` in every equation, and the values of all except the feedback vertices.

    Args:
        equations, value, feedback, bounds: as in `certify`.
        x: float64[feedback], the values of the feedback vertices.
        scale: the scale of bounds and losses.

    Returns:
        the largest |v - max Q|, and the largest of below and above; both are infinite, so that nothing is proved, if a
        value is infinite or no number
    """
    actions_end, constant, outcomes_end, target, weight = equations
    below, above, choice = bounds
    residual = 0.0
    largest = 0.0
    action = 0
    outcome = 0
    next_feedback = 0
    for i in range(len(actions_end)):
        best = chosen = longest = -np.inf
        soonest = np.inf
        while action < actions_end[i]:
            total = constant[action]
            total_below = total_above = 1.0
            while outcome < outcomes_end[action]:
                after = target[outcome]
                total, total_below, total_above = add_outcome(
                    total, total_below, total_above, weight[outcome], value[after], below[after], above[after]
                )
                outcome += 1
            best, chosen, longest, soonest, taken = add_action(
                best, chosen, longest, soonest, total, total_below, total_above, scale
            )
            if taken:
                choice[i] = action
            action += 1
        if next_feedback < len(feedback) and feedback[next_feedback] == i:
            residual = max(residual, abs(best - x[next_feedback]))
            next_feedback += 1
        else:
            value[i] = best
        below[i], above[i] = limit_bounds(soonest, longest, value[i], scale)
        if not (is_finite(best) and is_finite(value[i])):
            return np.inf, np.inf
        largest = max(largest, below[i], above[i])
    return residual, largest


@always_inline
def is_finite(value: float) -> bool:
    """Return whether a value is a finite number."""
    return abs(value) < np.inf


@always_inline
def largest_or_inf(largest: float, size: float) -> float:
    """Return the larger of two numbers; infinity if `size` is not a number, which `max` would pass over."""
    return max(largest, size) if size < np.inf else np.inf


@always_inline
def limit_bounds(below: float, above: float, value: float, scale: Scale) -> tuple[float, float]:
    """Limit the bounds of an equation to the range of the values."""
    return (
        min(below, max(value - scale.lowest, 0.0) * scale.unit),
        min(above, max(scale.highest - value, 0.0) * scale.unit),
    )


@always_inline
def add_outcome(
    total: float, total_below: float, total_above: float, probability: float, value: float, below: float, above: float
) -> tuple[float, float, float]:
    """Add an outcome to the value and bounds of an action; a negative probability means that the turn passes."""
    total += probability * value
    if probability < 0.0:
        return total, total_below - probability * above, total_above - probability * below
    return total, total_below + probability * below, total_above + probability * above


@always_inline
def add_action(
    best: float,
    chosen: float,
    longest: float,
    soonest: float,
    total: float,
    total_below: float,
    total_above: float,
    scale: Scale,
) -> tuple[float, float, float, float, bool]:
    """Add an action to the bounds of a state.

    Returns:
        (the value of the best action; that of g's; `above` and `below`, as if the best so far were the best of all;
        whether g takes this action)
    """
    discount, price, tie = scale.discount, scale.price, scale.tie
    if total > best:
        longest = max(longest - discount * (total - best), total_above)
        if price > 0.0:
            soonest += price * (total - best)
        best = total
    elif total <= best:
        longest = max(longest, total_above - discount * (best - total))
    else:  # one of them is not a number: the comparisons below and `max` would pass over it
        best = np.nan
    total_below += price * (best - total)
    if chosen < best - tie or (total >= best - tie and total_below < soonest):
        return best, total, longest, total_below, True
    return best, chosen, longest, soonest, False
