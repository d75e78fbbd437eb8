"""The proof of a component's values: how far off they can be, whatever an endless game counts.

Values are the mover's. With v the values found, T the Bellman operator of the component (exits hold
their own values, each off by at most E) and |Tv - v| <= d everywhere, rounding included, let g pick a
best action for v in every state, and let w solve

    w(s) >= 1 + (g's action, or the worst action of a free opponent: sum of p(s') w(s')),   w(exit) = 0

for "the mover plays g" (mine) and for "the opponent plays g" (theirs). Such a finite w is a
supermartingale certificate: against g play leaves the component with probability 1, after at most w(s)
actions on average, whatever the other does. Then v - E - d w(mine) increases along g on average, so g
guarantees the mover at least that much; likewise g guarantees the opponent 1 - v - E - d w(theirs).
Both hold whether an endless game counts as a win or as a loss, so the true value, which then does not
depend on it, is within E + d max(w) of v. Where no such w exists the value may depend on what an
endless game counts, and the component is refused. Where v is 1 no bound from above is needed, and where
it is 0 none from below: there w may be 0, as at an exit.

(Optimistic value iteration, Hartmanns & Kaminski, CAV 2020, checks an upper bound inductively too; the
certificate of termination here takes the place of the treatment of end components by Kelmendi et al.,
CAV 2018.)
"""

from typing import Any

import numpy as np

SWEEPS = 10_000  # at most, for w
START = 64.0  # first guess of w in the feedback rows: right at once where it is high enough
MOST_ACTIONS = 1e9  # a larger w proves nothing of use


def certify(rows: Any, value: Any, feedback: Any, slack: float, mine: Any, theirs: Any, choice: Any, stop: Any) -> Any:
    """Find d and max(w) for these values, and g.

    Values of feedback rows stay as they are, all others are made consistent with them.

    Args:
        rows: the component's actions and outcomes, in solving order.
        value: float64[rows].
        feedback: the rows that are read before they are written.
        slack: what rounding can change in one backup.
        mine, theirs: float64[rows], room for w.
        choice: int32[rows], filled with the action that g takes, counted over all rows' actions.
        stop: bool[1], set from outside to end early.

    Returns:
        (d, max(w)); max(w) is -1 where no certificate is found.
    """
    x = np.empty(len(feedback))
    before = np.empty((2, 2, len(feedback)))  # w (mine, theirs) one sweep ago, and two
    for j, position in enumerate(feedback):
        x[j] = value[position]
        mine[position] = theirs[position] = START
    last_growth = 0.0
    for sweep in range(SWEEPS):
        for j, position in enumerate(feedback):
            before[1, 0, j], before[1, 1, j] = before[0, 0, j], before[0, 1, j]
            before[0, 0, j], before[0, 1, j] = mine[position], theirs[position]
        residual, largest = _sweep(rows, value, feedback, x, slack, mine, theirs, choice)
        growth = _growth(feedback, mine, theirs, before[0])
        if growth <= 0.5:
            # w is short of its inequality by at most `growth`, so w / (1 - growth) keeps it. Rounding enters d
            # four times: in Tv, in g's own backup, in what g may fall short of the best, and where a value is
            # taken for 0 or 1.
            return residual + 4.0 * slack, max(largest, 1.0) / (1.0 - growth)
        if stop[0] or largest > MOST_ACTIONS:
            break
        if sweep % 2:
            growth = _growth(feedback, mine, theirs, before[1])
            if sweep % 4 == 3 and last_growth > 0.0:
                _leap(feedback, mine, theirs, before[1], growth / last_growth)
            last_growth = growth
    return 0.0, -1.0


def _growth(feedback: Any, mine: Any, theirs: Any, before: Any) -> float:
    growth = 0.0
    for j, position in enumerate(feedback):
        growth = max(growth, mine[position] - before[0, j], theirs[position] - before[1, j])
    return growth


def _leap(feedback: Any, mine: Any, theirs: Any, before: Any, factor: float) -> None:
    """Go at once to where w ends, or a little beyond.

    Growth shrinks by about `factor` in two sweeps (mine and theirs take turns).
    """
    factor = min(factor, 0.999)
    reach = 1.05 * factor / (1.0 - factor)
    for j, position in enumerate(feedback):
        mine[position] += reach * max(mine[position] - before[0, j], 0.0)
        theirs[position] += reach * max(theirs[position] - before[1, j], 0.0)


def _sweep(
    rows: Any, value: Any, feedback: Any, x: Any, slack: float, mine: Any, theirs: Any, choice: Any
) -> tuple[float, float]:
    """Back up w in every row, and the values of all but the feedback rows.

    Returns:
        the largest |Tv - v|, and the largest w
    """
    actions_end, constant, outcomes_end, target, weight = rows
    residual = 0.0
    largest = 0.0
    action = 0
    outcome = 0
    next_feedback = 0
    for i in range(len(actions_end)):
        best = chosen = -np.inf
        best_mine = 0.0
        longest = 0.0
        while action < actions_end[i]:
            total = constant[action]
            total_mine = total_theirs = 1.0 + 2.0**-20  # more than all rounding in w
            while outcome < outcomes_end[action]:
                chance, after = weight[outcome], target[outcome]
                total += chance * value[after]
                if chance < 0.0:
                    total_mine -= chance * theirs[after]
                    total_theirs -= chance * mine[after]
                else:
                    total_mine += chance * mine[after]
                    total_theirs += chance * theirs[after]
                outcome += 1
            longest = max(longest, total_theirs)
            best = max(best, total)
            # of actions that are as good, but for rounding, g takes the one that ends soonest
            if chosen < best - slack or (total >= best - slack and total_mine < best_mine):
                chosen, best_mine = total, total_mine
                choice[i] = action
            action += 1
        if best >= 1.0 - slack:  # nothing to prove from above: nobody gets more than 1
            longest = 0.0
        if best <= slack:  # nor from below
            best_mine = 0.0
        mine[i], theirs[i] = best_mine, longest
        largest = max(largest, best_mine, longest)
        if next_feedback < len(feedback) and feedback[next_feedback] == i:
            residual = max(residual, abs(best - x[next_feedback]))
            next_feedback += 1
        else:
            value[i] = best
    return residual, largest
