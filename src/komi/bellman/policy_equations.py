"""Equations of a component from one player's view, for policy iteration in double-double arithmetic with error bounds.

A *node* is an equation as seen by one player, A. If the turn passes, each equation has two nodes, one with A to move
and one with the opponent, and the value of both is what A gets. With w the probabilities of staying in the component, q
that of leaving it, c the expected reward on the way and on leaving, an action a of node i has the value

    x(i) + gap(a),    gap(a) = sum of w(j) (x(j) - x(i))  +  c - q x(i)

because the true probabilities of an action sum to 1. In this form rounding and errors of probabilities count in
proportion to the differences of x between nodes, which are small if play takes long. x is the sum of a high and a low
part (T. J. Dekker, Numer. Math. 18, 1971).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I64, Flags
from komi.bellman.certificate import is_finite
from komi.graph.transitions import begin
from komi.jit.specialization import always_inline

DOUBLE_LENGTH = 2.0**-98  # covers the rounding of sums of high and low parts, relative to the largest value
SPLITTER = 2.0**27 + 1.0  # splits the 53 bits of a double into 26 and 26 (T. J. Dekker, Numer. Math. 18, 1971)


class PolicyEquations(NamedTuple):
    """Nodes with their actions and outcomes.

    A is to move in the first half of the nodes, or in all if the turn never passes.
    """

    actions_end: I64  # [nodes]
    outcomes_end: I64  # [actions]
    target: I64  # [outcomes] nodes
    weight: F64  # [outcomes]
    sure: F64  # [actions] c, to A
    leaving: F64  # [actions] q
    terms: F64  # [actions] a bound on the sum of the absolute terms of c


def unfold(rows: PolicyEquations, is_zero_sum: bool) -> PolicyEquations:
    """Create the nodes of equations that `write_equations` has written; twice as many nodes if the turn passes.

    The input encodes passing outcomes by negative weights.
    """
    passing = rows.weight < 0.0
    if not (is_zero_sum and passing.any()):
        return rows
    size, actions, outcomes = len(rows.actions_end), len(rows.outcomes_end), len(rows.target)
    mine, theirs = rows.target + size * passing, rows.target + size * ~passing
    return PolicyEquations(
        np.concatenate([rows.actions_end, actions + rows.actions_end]),
        np.concatenate([rows.outcomes_end, outcomes + rows.outcomes_end]),
        np.concatenate([mine, theirs]),
        np.tile(np.abs(rows.weight), 2),
        np.concatenate([rows.sure, rows.leaving - rows.sure]),
        np.tile(rows.leaving, 2),
        np.tile(rows.terms, 2),
    )


def restrict(chain: PolicyEquations, choice: NDArray[np.int64]) -> PolicyEquations:
    """Restrict the chain to one action in each node, given by `choice`."""
    ends = chain.outcomes_end
    first = np.where(choice > 0, ends[choice - 1], 0)
    counts = ends[choice] - first
    outcomes_end = np.cumsum(counts)
    picked = np.arange(outcomes_end[-1]) + np.repeat(first - (outcomes_end - counts), counts)
    return PolicyEquations(
        np.arange(1, len(choice) + 1),
        outcomes_end,
        chain.target[picked],
        chain.weight[picked],
        chain.sure[choice],
        chain.leaving[choice],
        chain.terms[choice],
    )


def mix_uniformly(chain: PolicyEquations) -> PolicyEquations:
    """Replace the actions of each node by a single one that mixes them with equal probabilities."""
    ends = chain.outcomes_end[chain.actions_end - 1]
    share = 1.0 / np.diff(chain.actions_end, prepend=0)
    begins = np.concatenate([[0], chain.actions_end[:-1]])
    return PolicyEquations(
        np.arange(1, len(ends) + 1),
        ends,
        chain.target,
        chain.weight * np.repeat(share, np.diff(ends, prepend=0)),
        *(np.add.reduceat(each, begins) * share for each in (chain.sure, chain.leaving, chain.terms)),
    )


def measure_gaps(
    chain: PolicyEquations, high: F64, low: F64, unit: float, deficit: float, gap: F64, error: F64
) -> None:
    """Compute the gap of each action with an error bound.

    Args:
        chain: the equations.
        high, low: [nodes], the parts of x.
        unit: the relative error of a probability, or of the sum of an action's terms.
        deficit: the difference between the sum of an action's probabilities and 1, if it exceeds rounding.
        gap, error: [actions], filled in.
    """
    actions_end, outcomes_end, target, weight, sure, leaving, terms = chain
    largest = 1.0
    for i in range(len(high)):
        largest = max(largest, abs(high[i]))
    floor = DOUBLE_LENGTH * largest + 2.0 * deficit * largest
    outcome = 0
    action = 0
    for i in range(len(actions_end)):
        while action < actions_end[i]:
            total, rest = _product(-leaving[action], high[i])
            rest -= leaving[action] * low[i]
            total, more = _sum(total, sure[action])
            rest += more
            size = terms[action] + leaving[action] * abs(high[i])
            while outcome < outcomes_end[action]:
                after, chance = target[outcome], weight[outcome]
                step, more = _sum(high[after], -high[i])
                part, less = _product(chance, step)
                total, least = _sum(total, part)
                rest += least + less + chance * (more + (low[after] - low[i]))
                size += chance * abs(step)
                outcome += 1
            gap[action] = total + rest
            error[action] = unit * size + floor
            action += 1


def add(high: F64, low: F64, step: F64) -> None:
    """Add a step to both parts."""
    for i in range(len(high)):
        high[i], more = _sum(high[i], step[i])
        high[i], low[i] = _sum(high[i], low[i] + more)


@always_inline
def _sum(a: float, b: float) -> tuple[float, float]:
    """Compute a sum and its rounding error."""
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


@always_inline
def _product(a: float, b: float) -> tuple[float, float]:
    """Compute a product and its rounding error."""
    product = a * b
    large = SPLITTER * a
    a_high = large - (large - a)
    large = SPLITTER * b
    b_high = large - (large - b)
    a_low, b_low = a - a_high, b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def improve(chain: PolicyEquations, first: int, end: int, sign: float, gap: F64, error: F64, choice: I64) -> int:
    """Choose a better action wherever there is one from node `first` to `end`; return the number of changes.

    Args:
        chain: the equations.
        sign: 1.0 to maximize, -1.0 to minimize.
        gap, error: of all actions; differences within rounding are not improvements.
        choice: [nodes], read and written.
    """
    changed = 0
    for i in range(first, end):
        best = choice[i]
        for action in range(begin(chain.actions_end, i), chain.actions_end[i]):
            if sign * gap[action] > 2.0 * error[action] and sign * gap[action] > sign * gap[best]:
                best = action
        changed += best != choice[i]
        choice[i] = best
    return changed


def choose_proper_policy(chain: PolicyEquations, choice: I64) -> bool:
    """Choose in each node an action that can leave in the fewest steps; return whether every node can leave.

    With these actions play ends with probability 1.
    """
    actions_end, outcomes_end, target, weight = chain.actions_end, chain.outcomes_end, chain.target, chain.weight
    nodes = len(actions_end)
    begins = np.zeros(nodes + 1, np.int64)  # of the predecessors of each node
    for outcome in range(len(target)):
        begins[target[outcome] + 1] += 1
    for i in range(nodes):
        begins[i + 1] += begins[i]
    filled = begins[:-1].copy()
    leading, taking = np.empty((2, len(target)), np.int64)
    queue = np.empty(nodes, np.int64)
    count = 0
    outcome = 0
    action = 0
    for i in range(nodes):
        choice[i] = -1
        while action < actions_end[i]:
            if chain.leaving[action] > 0.0 and choice[i] < 0:
                choice[i] = action
                queue[count] = i
                count += 1
            while outcome < outcomes_end[action]:
                if weight[outcome] > 0.0:
                    slot = filled[target[outcome]]
                    leading[slot], taking[slot] = i, action
                    filled[target[outcome]] += 1
                outcome += 1
            action += 1
    done = 0
    while done < count:
        here = queue[done]
        done += 1
        for slot in range(begins[here], filled[here]):
            if choice[leading[slot]] < 0:
                choice[leading[slot]] = taking[slot]
                queue[count] = leading[slot]
                count += 1
    return count == nodes


def choose_violations(
    chain: PolicyEquations, need: F64, bound: F64, is_fixed: Flags, free: int, unit: float, deficit: float, choice: I64
) -> int:
    """Check that in each node the bound decreases by more than `need` in expectation, whatever free action is taken.

    That is need(a) + sum of w(j) (bound(j) - bound(i)) - q bound(i) < 0. Where an action violates this, the worst one
    is chosen. A value that is infinite or no number is a violation.

    Args:
        chain, unit, deficit: as in `measure_gaps`.
        need: [actions].
        bound: [nodes].
        is_fixed: [nodes], True where no check is needed.
        free: nodes before this one may take any action; all others keep to `choice`.
        choice: [nodes], read and written.

    Returns:
        the number of violating nodes
    """
    actions_end, outcomes_end, target, weight, _, leaving, _ = chain
    floor = 0.0
    for i in range(len(bound)):
        floor = max(floor, 2.0 * deficit * bound[i])
    broken = 0
    for i in range(len(actions_end)):
        if is_fixed[i]:
            continue
        first, end = choice[i], choice[i] + 1
        if i < free:
            first, end = begin(actions_end, i), actions_end[i]
        worst, chosen = -np.inf, choice[i]
        for action in range(first, end):
            size = leaving[action] * bound[i]
            total = -size
            for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                step = bound[target[outcome]] - bound[i]
                total += weight[outcome] * step
                size += weight[outcome] * abs(step)
            total += need[action] + 4.0 * unit * (size + abs(need[action])) + floor
            if not is_finite(total):
                total = np.inf
            if not total < worst:
                worst, chosen = total, action
        if not worst < 0.0:
            broken += 1
            choice[i] = chosen
    return broken


def count_fill(starts: I64, rows: I64, limit: int) -> int:
    """Count the entries in the factors of a symmetric pattern, eliminated in this order; stop at more than `limit`.

    The entries of row i of the factor are the nodes on the paths from its earlier neighbours up the elimination tree
    (J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11(1), 1990).

    Args:
        starts, rows: int64[.], the pattern in compressed columns.
        limit: the count at which to stop.
    """
    size = len(starts) - 1
    parent, seen_from = np.full(size, -1), np.full(size, -1)
    count = size
    for i in range(size):
        seen_from[i] = i
        for slot in range(starts[i], starts[i + 1]):
            node = rows[slot]
            while node < i and seen_from[node] != i:
                seen_from[node] = i
                count += 1
                if parent[node] < 0:
                    parent[node] = i
                node = parent[node]
        if count > limit:
            break
    return count
