"""The proof of a component's values: how far off they can be, whatever an endless game counts.

Values are the mover's. Let v be the values found, from 0 to 1; T the Bellman operator of the component, whose exits
hold their own values, each off by at most E; Q(s, a) what action a is worth in s if what follows is worth v. Two
bounds on the true values are built at once from a step eta > 0 and two functions of the states, above and below:

    U = v + eta above,    L = v - eta below

**Claim.** Let g be a policy, and let there be an epsilon > 0 so that in every state, but where U >= 1 or L <= 0
respectively,

    every action a:    Q(s, a) + eta (sum p above(s') + sum p below(s'))  <=  U(s) - epsilon
    g's action:        Q(s, g) - eta (sum p below(s') + sum p above(s'))  >=  L(s) + epsilon

(of each pair the first sum is over outcomes where the mover stays, the second over those where the turn passes).
Then the true values lie from L - E to U + E, whatever an endless game counts. *Proof.* Let a player, A, play as they
like and the other play g. What A can hope for, U where A is to move and 1 - L where the other is, falls by epsilon or
more on average with each action, until play leaves the component or comes to a state where it is 1 or more. It is
bounded, so that this happens with probability 1, after a finite number of actions on average, and (optional stopping)
A gets on average at most what could be hoped for at first, and E: a state of 1 or more promises nothing less than
what A can get there. So g holds A down to U + E, and, with the parts exchanged, promises its own player L - E. Both
arguments are indifferent to what an endless game counts, as none is endless. []

U and L are an upper and a lower bound checked inductively, as in optimistic value iteration (A. Hartmanns and B. L.
Kaminski, CAV 2020). That they must fall and rise strictly takes the place of the treatment of end components (E.
Kelmendi, J. Kraemer, J. Kretinsky and M. Weininger, CAV 2018; K. Phalakarn, T. Takisaka, T. Haas and I. Hasuo, CAV
2020; sound value iteration for games, arXiv 2411.11549): an opponent who stalls pays for it by Q(s, a) < v(s), and one
who could stall free of charge, while something is at stake, is kept from it by g or there is no proof. Where the value
does not depend on what an endless game counts, there are such U and L: a policy that is best if an endless game is
lost leaves every set of states in which the other player has not yet all there is.

**How above and below are found.** By iteration from a first guess,

    above(s) = 1 + max over a of  sum p above(s') + sum p below(s') - (what a gives up) / 2.5 c,  at most (1 - v(s)) / c
    below(s) = 1 + g's action:    sum p below(s') + sum p above(s') + (what it gives up) / c,     at most v(s) / c

(an action gives up max Q(s, .) - Q(s, a)), until no state is short of its equation by more than some h <= 1/2. Then
the claim holds with eta = d / (1 - h), for a d that covers rounding (see there) and with c from d / 1.25 to d, so that
eta is from c to 2.5 c: what an action gives up is divided by eta or more where it makes `above` smaller, by eta or less
where it makes `below` larger, and at the upper limits U >= 1 and L <= 0. g takes one of the actions that are best but
for rounding, the one that ends soonest; if no certificate is found so, any action, at its price.

Where values have other limits than 0 and 1, or none, these stand in their place; where the turn never passes to an
opponent the sums over passing outcomes are empty.

**Rounding.** With sigma (`slack`) what a computed Q can be off by and r the largest |v - max Q|, the first line of the
claim needs (1 - h) eta >= r + sigma + epsilon, the second r + 2 sigma + epsilon, as g's action may be sigma short of
the best (where it may be more, that is in its price). d = r + 4 sigma leaves epsilon = 2 sigma. c = 4 sigma will do
where r <= sigma, so that r need not be known beforehand; else c = d. Rounding in above and below is at most 4 sigma
times the largest of them, and counts as part of h.
"""

from typing import Any

import numpy as np

from komi.compile.inline import inlined

SWEEPS = 10_000  # at most, for one kind of policy
START = 64.0  # first guess in the feedback rows: right at once where it is high enough
FARTHEST = 1000.0  # the first leap goes so many times the last growth at most
FARTHER = 1.01  # the next can go so many times as far
MOST_ACTIONS = 1e9  # more steps of rounding prove nothing of use
NO_PROOF, UNSETTLED = -1.0, -2.0  # in place of how large above and below are


def certify(
    rows: Any,
    value: Any,
    feedback: Any,
    slack: float,
    lowest: float,
    highest: float,
    below: Any,
    above: Any,
    choice: Any,
    stop: Any,
    farthest_off: float = np.inf,
) -> tuple[float, float]:
    """Find d, the largest of above and below, and g for these values.

    Values of feedback rows stay as they are, all others are made consistent with them.

    Args:
        rows: the component's actions and outcomes, in solving order.
        value: float64[rows].
        feedback: the rows that are read before they are written.
        slack: what rounding can change in one backup.
        lowest, highest: no value is out of this range.
        below, above: float64[rows], room for both.
        choice: int32[rows], filled with the action that g takes, counted over all rows' actions.
        stop: bool[1], set from outside to end early.
        farthest_off: the most that |v - max Q| may be.

    Returns:
        (d, the largest of above and below / (1 - h)), whose product bounds the error; the second is NO_PROOF where
        there is no certificate, UNSETTLED where |v - max Q| is too large.
    """
    limits = lowest, highest
    distance, largest = _certify(rows, value, feedback, slack, slack, limits, below, above, choice, stop, farthest_off)
    if largest == NO_PROOF and not stop[0]:
        distance, largest = _certify(rows, value, feedback, slack, np.inf, limits, below, above, choice, stop, np.inf)
    return distance, largest


def _certify(
    rows: Any,
    value: Any,
    feedback: Any,
    slack: float,
    tie: float,
    limits: Any,
    below: Any,
    above: Any,
    choice: Any,
    stop: Any,
    farthest_off: float,
) -> tuple[float, float]:
    """Find a certificate in which g takes actions that are at most `tie` short of the best.

    Arguments are as `certify` takes them; returns as it does.
    """
    count = len(feedback)
    x, below_before, above_before, below_earlier, above_earlier = np.empty((5, count))
    for j, position in enumerate(feedback):
        x[j] = value[position]
        below[position] = above[position] = START
    least = 4.0 * slack  # of what eta can be
    last_growth = 0.0
    farthest = FARTHEST
    for round_ in range(SWEEPS):
        for j, position in enumerate(feedback):
            below_earlier[j], above_earlier[j] = below_before[j], above_before[j]
            below_before[j], above_before[j] = below[position], above[position]
        residual, largest = sweep_bounds(rows, value, feedback, x, least, slack, tie, limits, below, above, choice)
        if residual > farthest_off:
            return residual, UNSETTLED
        distance = residual + 4.0 * slack
        if distance > 1.25 * least:  # seen in the first sweep, and the same in all
            least = distance
            continue
        if stop[0] or largest * least > MOST_ACTIONS * 4.0 * slack:
            break
        short = max(growth(feedback, below, below_before), growth(feedback, above, above_before))
        short += 4.0 * slack * largest
        if short <= 0.5:
            return distance, max(largest, 1.0) / (1.0 - short)
        if round_ % 2:  # below and above take turns
            twice = max(growth(feedback, below, below_earlier), growth(feedback, above, above_earlier))
            if round_ % 4 == 3 and last_growth > 0.0:
                leap(feedback, below, below_earlier, twice / last_growth, farthest)
                leap(feedback, above, above_earlier, twice / last_growth, farthest)
                farthest *= FARTHER
            last_growth = twice
    return 0.0, NO_PROOF


def growth(feedback: Any, bound: Any, before: Any) -> float:
    """By how much the bound of a feedback row has grown, at most."""
    grown = 0.0
    for j, position in enumerate(feedback):
        grown = max(grown, bound[position] - before[j])
    return grown


def leap(feedback: Any, bound: Any, before: Any, factor: float, farthest: float = FARTHEST) -> None:
    """Go at once to where the bound ends, or a little beyond, if its growth shrinks by this factor each time.

    That is so many times the last growth, but at most the farthest, which callers raise with each leap: where growth is
    no guide yet, as that of a stall before something better is found, no leap overshoots what is needed by far.
    """
    reach = farthest
    if factor < 1.0:
        reach = min(1.05 * factor / (1.0 - factor), farthest)
    for j, position in enumerate(feedback):
        bound[position] += reach * max(bound[position] - before[j], 0.0)


def sweep_bounds(
    rows: Any,
    value: Any,
    feedback: Any,
    x: Any,
    least: float,
    slack: float,
    tie: float,
    limits: Any,
    below: Any,
    above: Any,
    choice: Any,
) -> tuple[float, float]:
    """Back up `below` and `above` in every row, and the values of all but the feedback rows.

    Arrays are as `certify` takes them; x is float64[feedback], the values of the feedback rows.

    Returns:
        the largest |v - max Q|, and the largest of below and above
    """
    actions_end, constant, outcomes_end, target, weight = rows
    lowest, highest = limits
    unit = 1.0 / least
    prices = prices_of(unit, slack, tie)
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
                total, total_below, total_above = with_outcome(
                    total, total_below, total_above, weight[outcome], value[after], below[after], above[after]
                )
                outcome += 1
            best, chosen, longest, soonest, taken = with_action(
                best, chosen, longest, soonest, total, total_below, total_above, prices
            )
            if taken:
                choice[i] = action
            action += 1
        if next_feedback < len(feedback) and feedback[next_feedback] == i:
            residual = max(residual, abs(best - x[next_feedback]))
            next_feedback += 1
        else:
            value[i] = best
        above[i] = min(longest, max(highest - value[i], 0.0) * unit)
        below[i] = min(soonest, max(value[i] - lowest, 0.0) * unit)
        largest = max(largest, below[i], above[i])
    return residual, largest


def prices_of(unit: float, slack: float, tie: float) -> tuple[float, float, float]:
    """What `above` loses, and `below` gains, for what an action gives up; how short of the best that of g may be."""
    return 0.4 * unit, unit if tie > slack else 0.0, tie


@inlined
def with_outcome(
    total: float, total_below: float, total_above: float, chance: float, value: float, below: float, above: float
) -> tuple[float, float, float]:
    """What an action is worth, `below` and `above`, with one more outcome; its chance is negative where it passes."""
    total += chance * value
    if chance < 0.0:
        return total, total_below - chance * above, total_above - chance * below
    return total, total_below + chance * below, total_above + chance * above


@inlined
def with_action(
    best: float,
    chosen: float,
    longest: float,
    soonest: float,
    total: float,
    total_below: float,
    total_above: float,
    prices: tuple[float, float, float],
) -> tuple[float, float, float, float, bool]:
    """A state with one more action.

    Returns:
        (the value of the best action; that of g's; `above` and `below`, as if the best so far were the best of all;
        whether g takes this action)
    """
    discount, price, tie = prices
    if total > best:
        longest = max(longest - discount * (total - best), total_above)
        if price > 0.0:
            soonest += price * (total - best)
        best = total
    else:
        longest = max(longest, total_above - discount * (best - total))
    total_below += price * (best - total)
    if chosen < best - tie or (total >= best - tie and total_below < soonest):
        return best, total, longest, total_below, True
    return best, chosen, longest, soonest, False
