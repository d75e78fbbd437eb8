"""Expected visits to each node of play, with labels that are carried along: a forward solution with a proved error.

Besides the visits, labels are followed, in which sides are counted from the player to move at a node:

- which side led last, if any. A side leads if its value is above all others by more than twice the error bound of the
  values; else the last leader stays. With two sides the leader has more than 1/2.
- for each side, whether it was low: its value was at a threshold or below.
- whether the game is undecided: no value has been at another threshold or above.

The flow into the nodes solves n = e + P' n, where e is the start and P the transition probabilities of the chain with
its labels. In topological order one pass solves it. In a component with cycles, the flow that arrives at nodes in
which cycles close is a fixed point x = G(x) of one pass over the component; G is affine, and x is found by accelerated
sweeps (`komi.bellman.solve_fixed_point`).

**Error.** Let n be the computed flow and r = e + P' n - n its residual. The true flow is n + (I - P')^-1 r, so that for
a quantity g of at most G for each move, |sum of g (true flow - n)| = |r (I - P)^-1 g| <= |r|_1 G L, where L bounds the
expected number of moves from any node to the end. |r|_1 is at most the sum of |x - G(x)| in the last pass, plus
rounding: all terms are positive, so that a sum of d flows is off by at most d + 1 units in the last place relative to
its value, and one unit each for a probability as the rule file computes it, for the probability of an action that is
picked at random, and for the scaling of a component. The labels depend on comparisons of values: one within its error
bound of 1/2 or of a threshold counts as equal to it.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I32, Flags
from komi.bellman import solve_fixed_point
from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.jit.specialization import always_inline
from komi.measures.bounded import UNIT
from komi.measures.chain import END, PlayChain, side_value

NO_LEADER = 0  # a column of the flow; then one for each side that led last, one for each that was low, and the last:
UNDECIDED = -1
ROUNDED = 4  # more relative rounding errors in a flow than the number of its terms
MAX_FLOW = 1e12  # expected visits of a node


class Thresholds(NamedTuple):
    """The values that labels depend on.

    Attributes:
        bound: the error bound of the values.
        low: a side is low at this value or below.
        decided: the game is decided if a side has this value or more.
    """

    bound: float
    low: float
    decided: float


class Flow(NamedTuple):
    """The flow of play through the nodes.

    Attributes:
        visits: float64[nodes], the expected visits.
        undecided: float64[nodes], the expected visits from which a move is made while the game is undecided.
        lead_changes: the expected number of changes of the leader.
        comeback: the probability that the winner was low.
        residual: an upper bound on |r|_1 for each label.
    """

    visits: F64
    undecided: F64
    lead_changes: float
    comeback: float
    residual: float


def compute_flow(chain: PlayChain, thresholds: Thresholds) -> Flow:
    """Compute the flow of play through a chain."""
    kernels = engine_kernels(sweep=sweep_component)
    sides = chain.sides
    inflow, results = np.zeros((len(chain.rows), 2 + 2 * sides)), np.zeros(2)
    inflow[chain.start, [NO_LEADER, UNDECIDED]] = 1.0
    residual = kernels[push_components](chain, thresholds, inflow, results, np.zeros(1, np.bool_))
    visits = inflow[:, : 1 + sides].sum(axis=1)
    terms = np.bincount(chain.edges.target[chain.edges.target != END], minlength=len(visits)) + ROUNDED
    rounding = float(terms @ visits) * UNIT * (1.0 + 1e-6)
    leading = chain.value.max(axis=1)
    if sides > chain.value.shape[1]:
        leading = np.maximum(leading, 1.0 - leading)
    undecided = np.where(leading < thresholds.decided - thresholds.bound, inflow[:, UNDECIDED], 0.0)
    lead_changes, comeback = map(float, results)
    return Flow(visits, undecided, lead_changes, comeback, float(residual) + rounding)


class CyclicComponent(NamedTuple):
    """A component with cycles, and the flow that enters it.

    Attributes:
        chain, thresholds: as in `compute_flow`.
        first, end: the first node, and one past the last.
        slot: int32[nodes], the number of each node in which cycles close, in one component.
        entering: float64[nodes of the component, columns], the flow from outside; its sum is 1.
        inside: float64[nodes of the component, columns], a buffer.
    """

    chain: PlayChain
    thresholds: Thresholds
    first: int
    end: int
    slot: I32
    entering: F64
    inside: F64


def push_components(chain: PlayChain, thresholds: Thresholds, inflow: F64, results: F64, stop: Flags) -> float:
    """Push the flow through all components; return the sum of |x - G(x)|.

    Args:
        chain, thresholds: as in `compute_flow`.
        inflow: as in `Flow`; filled in, except for the start.
        results: float64[2], `lead_changes` and `comeback` of `Flow`; accumulated.
        stop: bool[1], False.
    """
    slot = np.full(len(chain.rows), -1, np.int32)
    columns = inflow.shape[1]
    residual = 0.0
    first: Any = np.int64(0)
    for end in chain.component_ends:
        count = _number_closing(chain, first, end, slot)
        arrived = np.zeros((count, columns))
        total = 0.0
        for node in range(first, end):
            for column in range(1 + chain.sides):
                total += inflow[node, column]
        if count and total > 0.0:
            entering = inflow[first:end] / total
            component = CyclicComponent(chain, thresholds, first, end, slot, entering, np.empty_like(entering))
            feedback = np.arange(count * columns).astype(np.int32)
            x = np.zeros(count * columns)
            solve_fixed_point(component, x, feedback, (0.0, MAX_FLOW), stop)
            x *= total
            for node in range(first, end):
                if slot[node] >= 0:
                    for column in range(columns):
                        inflow[node, column] += x[slot[node] * columns + column]
            _push(chain, thresholds, first, end, slot, inflow, 0, arrived, results)
            for i in range(count):
                for column in range(columns):
                    residual += abs(arrived[i, column] - x[i * columns + column])
        else:
            _push(chain, thresholds, first, end, slot, inflow, 0, arrived, results)
        first = end
    return residual


def _number_closing(chain: PlayChain, first: int, end: int, slot: I32) -> int:
    """Assign slots to the nodes of a component in which cycles close; return their number."""
    edges = chain.edges
    count = 0
    for node in range(first, end):
        for edge in range(begin(edges.ends, node), edges.ends[node]):
            target = edges.target[edge]
            if first <= target <= node and slot[target] < 0:
                slot[target] = count
                count += 1
    return count


def sweep_component(component: CyclicComponent, value: F64) -> None:
    """Compute G(x) for the flow x that arrives where cycles close; replaces `fixed_point.sweep`."""
    first, end, slot, inside = component.first, component.end, component.slot, component.inside
    columns = inside.shape[1]
    for node in range(first, end):
        for column in range(columns):
            inside[node - first, column] = component.entering[node - first, column]
            if slot[node] >= 0:
                inside[node - first, column] += value[slot[node] * columns + column]
    arrived = np.zeros((len(value) // columns, columns))
    _push(component.chain, component.thresholds, first, end, slot, inside, first, arrived, np.empty(0))
    for i in range(len(arrived)):
        for column in range(columns):
            value[i * columns + column] = arrived[i, column]


def _push(
    chain: PlayChain,
    thresholds: Thresholds,
    first: int,
    end: int,
    slot: I32,
    inflow: F64,
    base: int,
    arrived: F64,
    results: F64,
) -> None:
    """Push the flow through the nodes of a component once.

    Args:
        chain, thresholds: as in `compute_flow`.
        first, end, slot: as in `CyclicComponent`.
        inflow: float64[., columns], from node `base` on; accumulates the flow within the component.
        base: the first node of `inflow`.
        arrived: float64[closing nodes, columns], accumulates what arrives where cycles close.
        results: as in `push_components`; empty to push flow within the component only.
    """
    edges, is_last = chain.edges, len(results) > 0
    seats, sides = chain.seats, chain.sides
    out = np.empty(inflow.shape[1])
    for node in range(first, end):
        changes = _see(inflow, node - base, chain, node, thresholds, out)
        if is_last:
            results[0] += changes
        for edge in range(begin(edges.ends, node), edges.ends[node]):
            target, probability = edges.target[edge], edges.probability[edge]
            shift = edges.passes[edge] % seats
            if target == END:
                if is_last:
                    _finish(out, chain, edge, results)
            elif first <= target <= node:
                _add(arrived, slot[target], probability, shift, sides, out)
            elif target < end or is_last:
                _add(inflow, target - base, probability, shift, sides, out)


@always_inline
def _see(inflow: F64, row: int, chain: PlayChain, node: int, thresholds: Thresholds, out: F64) -> float:
    """Update the labels of a node's flow by its values, into `out`; return the expected changes of the leader."""
    sides, low, high = chain.sides, thresholds.low + thresholds.bound, thresholds.decided - thresholds.bound
    total = out[NO_LEADER] = inflow[row, NO_LEADER]
    best = second = -np.inf
    leader = 0
    out[1 + 2 * sides] = inflow[row, 1 + 2 * sides]
    for side in range(sides):
        led, value = inflow[row, 1 + side], side_value(chain.value, node, side)
        out[1 + side] = led
        total += led
        if value > best:
            best, second, leader = value, best, side
        elif value > second:
            second = value
        if value >= high:
            out[1 + 2 * sides] = 0.0
    changes = 0.0
    if best - second > 2.0 * thresholds.bound:
        out[NO_LEADER] = 0.0
        for side in range(sides):
            if side != leader:
                changes += out[1 + side]
            out[1 + side] = total if side == leader else 0.0
    for side in range(sides):
        was_low = side_value(chain.value, node, side) <= low
        out[1 + sides + side] = total if was_low else inflow[row, 1 + sides + side]
    return changes


@always_inline
def _add(into: F64, row: int, probability: float, shift: int, sides: int, out: F64) -> None:
    """Add the flow along an edge, with sides as they are counted after the turn has passed by `shift` seats."""
    into[row, NO_LEADER] += probability * out[NO_LEADER]
    into[row, 1 + 2 * sides] += probability * out[1 + 2 * sides]
    for side in range(sides):
        after = side - shift
        if after < 0:
            after += sides
        into[row, 1 + after] += probability * out[1 + side]
        into[row, 1 + sides + after] += probability * out[1 + sides + side]


@always_inline
def _finish(out: F64, chain: PlayChain, edge: int, results: F64) -> None:
    """Add games that end with an edge; the winner is the side that gets more than half of the payoff, if any."""
    sides, probability = chain.sides, chain.edges.probability[edge]
    for winner in range(sides):
        if side_value(chain.edges.after, edge, winner) > 0.5:
            results[1] += probability * out[1 + sides + winner]
            for side in range(sides):
                if side != winner:
                    results[0] += probability * out[1 + side]
