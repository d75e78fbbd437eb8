"""Expected visits to each node of play, with labels that are carried along: a forward solution with a proved error.

Besides the visits, three labels are followed, each seen by the player to move at a node:

- who led last: no player, the mover, or the opponent. A player leads if its value is above 1/2 by more than the error
  bound of the values; else the last leader stays.
- who was low: neither, the mover, the opponent, or both. A player was low if its value was at a threshold or below.
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
from komi.jit.kernels import engine_kernels_with
from komi.jit.specialization import always_inline
from komi.measures.bounded import UNIT
from komi.measures.chain import END, PlayChain

NO_LEADER, MOVER, OPPONENT = range(3)  # columns of the flow: who led last
LOW = 3  # the first column of who was low: neither, the mover, the opponent, both
UNDECIDED = 7
COLUMNS = 8
ROUNDED = 4  # more relative rounding errors in a flow than the number of its terms
MAX_FLOW = 1e12  # expected visits of a node


class Thresholds(NamedTuple):
    """The values that labels depend on.

    Attributes:
        bound: the error bound of the values.
        low: a player is low at this value or below.
        decided: the game is decided if a player has this value or more.
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
        wins: the probability that one of the players wins: that the game is no draw.
        residual: an upper bound on |r|_1 for each label.
    """

    visits: F64
    undecided: F64
    lead_changes: float
    comeback: float
    wins: float
    residual: float


def compute_flow(chain: PlayChain, thresholds: Thresholds) -> Flow:
    """Compute the flow of play through a chain."""
    kernels = engine_kernels_with("flow", sweep=sweep_component)
    inflow, results = np.zeros((len(chain.rows), COLUMNS)), np.zeros(3)
    inflow[chain.start, [NO_LEADER, LOW, UNDECIDED]] = 1.0
    residual = kernels[push_components](chain, thresholds, inflow, results, np.zeros(1, np.bool_))
    visits = inflow[:, :LOW].sum(axis=1)
    terms = np.bincount(chain.edges.target[chain.edges.target != END], minlength=len(visits)) + ROUNDED
    rounding = float(terms @ visits) * UNIT * (1.0 + 1e-6)
    leading = np.maximum(chain.value, 1.0 - chain.value)
    undecided = np.where(leading < thresholds.decided - thresholds.bound, inflow[:, UNDECIDED], 0.0)
    lead_changes, comeback, wins = map(float, results)
    error = float(residual) + rounding
    return Flow(visits, undecided, lead_changes, comeback, wins, error)


class CyclicComponent(NamedTuple):
    """A component with cycles, and the flow that enters it.

    Attributes:
        chain, thresholds: as in `compute_flow`.
        first, end: the first node, and one past the last.
        slot: int32[nodes], the number of each node in which cycles close, in one component.
        entering: float64[nodes of the component, COLUMNS], the flow from outside; its sum is 1.
        inside: float64[nodes of the component, COLUMNS], a buffer.
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
        results: float64[3], `lead_changes`, `comeback` and `wins` of `Flow`; accumulated.
        stop: bool[1], False.
    """
    slot = np.full(len(chain.rows), -1, np.int32)
    residual = 0.0
    first: Any = np.int64(0)
    for end in chain.component_ends:
        count = _number_closing(chain, first, end, slot)
        arrived = np.zeros((count, COLUMNS))
        total = 0.0
        for node in range(first, end):
            for column in range(LOW):
                total += inflow[node, column]
        if count and total > 0.0:
            entering = inflow[first:end] / total
            component = CyclicComponent(chain, thresholds, first, end, slot, entering, np.empty_like(entering))
            feedback = np.arange(count * COLUMNS).astype(np.int32)
            x = np.zeros(count * COLUMNS)
            solve_fixed_point(component, x, feedback, (0.0, MAX_FLOW), stop)
            x *= total
            for node in range(first, end):
                if slot[node] >= 0:
                    for column in range(COLUMNS):
                        inflow[node, column] += x[slot[node] * COLUMNS + column]
            _push(chain, thresholds, first, end, slot, inflow, 0, arrived, results)
            for i in range(count):
                for column in range(COLUMNS):
                    residual += abs(arrived[i, column] - x[i * COLUMNS + column])
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
    for node in range(first, end):
        for column in range(COLUMNS):
            inside[node - first, column] = component.entering[node - first, column]
            if slot[node] >= 0:
                inside[node - first, column] += value[slot[node] * COLUMNS + column]
    arrived = np.zeros((len(value) // COLUMNS, COLUMNS))
    _push(component.chain, component.thresholds, first, end, slot, inside, first, arrived, np.empty(0))
    for i in range(len(arrived)):
        for column in range(COLUMNS):
            value[i * COLUMNS + column] = arrived[i, column]


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
        inflow: float64[., COLUMNS], from node `base` on; accumulates the flow within the component.
        base: the first node of `inflow`.
        arrived: float64[closing nodes, COLUMNS], accumulates what arrives where cycles close.
        results: as in `push_components`; empty if only flow within the component is wanted.
    """
    edges, is_last = chain.edges, len(results) > 0
    out = np.empty(COLUMNS)
    for node in range(first, end):
        changes = _see(inflow, node - base, chain.value[node], thresholds, out)
        if is_last:
            results[0] += changes
        for edge in range(begin(edges.ends, node), edges.ends[node]):
            target, probability, passes = edges.target[edge], edges.probability[edge], edges.passes[edge]
            if target == END:
                if is_last:
                    _finish(out, probability, edges.after[edge], results)
            elif first <= target <= node:
                _add(arrived, slot[target], probability, passes, out)
            elif target < end or is_last:
                _add(inflow, target - base, probability, passes, out)


@always_inline
def _see(inflow: F64, row: int, value: float, thresholds: Thresholds, out: F64) -> float:
    """Update the labels of a node's flow by its value, into `out`; return the expected changes of the leader."""
    no_leader, mover, opponent = inflow[row, NO_LEADER], inflow[row, MOVER], inflow[row, OPPONENT]
    changes = 0.0
    if value > 0.5 + thresholds.bound:
        changes, mover = opponent, no_leader + mover + opponent
        no_leader = opponent = 0.0
    elif value < 0.5 - thresholds.bound:
        changes, opponent = mover, no_leader + mover + opponent
        no_leader = mover = 0.0
    out[NO_LEADER], out[MOVER], out[OPPONENT] = no_leader, mover, opponent
    neither, ours, theirs, both = inflow[row, LOW], inflow[row, LOW + 1], inflow[row, LOW + 2], inflow[row, LOW + 3]
    low, high = thresholds.low + thresholds.bound, thresholds.decided - thresholds.bound
    if value <= low:
        neither, ours, theirs, both = 0.0, neither + ours, 0.0, theirs + both
    if 1.0 - value <= low:
        neither, ours, theirs, both = 0.0, 0.0, neither + theirs, ours + both
    out[LOW], out[LOW + 1], out[LOW + 2], out[LOW + 3] = neither, ours, theirs, both
    decided = value >= high or 1.0 - value >= high
    out[UNDECIDED] = 0.0 if decided else inflow[row, UNDECIDED]
    return changes


@always_inline
def _add(into: F64, row: int, probability: float, passes: bool, out: F64) -> None:
    """Add the flow along an edge, as the player to move next sees it."""
    mover, opponent = (OPPONENT, MOVER) if passes else (MOVER, OPPONENT)
    ours, theirs = (LOW + 2, LOW + 1) if passes else (LOW + 1, LOW + 2)
    into[row, NO_LEADER] += probability * out[NO_LEADER]
    into[row, MOVER] += probability * out[mover]
    into[row, OPPONENT] += probability * out[opponent]
    into[row, LOW] += probability * out[LOW]
    into[row, LOW + 1] += probability * out[ours]
    into[row, LOW + 2] += probability * out[theirs]
    into[row, LOW + 3] += probability * out[LOW + 3]
    into[row, UNDECIDED] += probability * out[UNDECIDED]


@always_inline
def _finish(out: F64, probability: float, payoff: float, results: F64) -> None:
    """Add games that end with this payoff of the player who moved."""
    if payoff > 0.5:
        results[0] += probability * out[OPPONENT]
        results[1] += probability * (out[LOW + 1] + out[LOW + 3])
    elif payoff < 0.5:
        results[0] += probability * out[MOVER]
        results[1] += probability * (out[LOW + 2] + out[LOW + 3])
    if payoff != 0.5:
        results[2] += probability * (out[NO_LEADER] + out[MOVER] + out[OPPONENT])
