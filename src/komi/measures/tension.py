"""The tension of a game: suspense, surprise, lead changes, drama, comebacks and the decisive moment.

Let V[i] be the chance of side i to win (see `komi.measures.chain`), n(s) the expected visits of a node s, V' the
values after a move, and |x| = sqrt(w sum of x[i]^2) with w = 1/2. With two sides |x| is the absolute value of x[0]. In
a game of one player for points, V is the expected result in points, and |x| its absolute value: w = 1.

| measure | definition |
|---|---|
| suspense | the expected sum over moves of sqrt(E |V' - V|^2): with two sides the standard deviation of V' |
| surprise | the expected sum over moves of |V' - V| |
| variance | the expected sum over moves of |V' - V|^2 |
| lead changes | how often the side with the greatest value changes; see `komi.measures.flow` |
| drama | the sum over s of n(s) sum over i of V[i] (max V - V[i]) / 2 |
| comeback | the chance that the winner was once at a threshold or below |
| decisive | the share of all expected moves that follow once a side has reached a threshold |

With two sides the drama of a node is V max(0, 1/2 - V) + (1 - V) max(0, V - 1/2).

Suspense and surprise: J. Ely, A. Frankel and E. Kamenica, Suspense and Surprise, Journal of Political Economy 123(1),
2015, where |x| has w = 1. Lead changes and drama: C. Browne, Automatic Generation and Evaluation of Recombination
Games, 2008, with the values of play in place of an evaluation function. With payoffs of 0 and 1 the variance is half
of the sum of V0[i] (1 - V0[i]), V being a martingale, and for points that of the result; a draw leaves less.

**Error.** Values are off by at most b, so that |x| is off by at most c b, where c = 1 if one view of a value tells all
(up to two sides), else sqrt(sides / 2). |.| is a seminorm, also with the expectation of its square: suspense changes by
at most c b a move, surprise by 2 c b. The variance: by 2 c b (2 D + 2 c b) if |V' - V| <= D. Drama: with two sides by
b / 2, the slopes of V max(0, 1/2 - V) being between -1/2 and 1/2; with more by (sides / 2 + 1 + sides b) b. Each sum
over moves with at most G a move has, in addition, the error of the flow, G |r|_1 L (see `komi.measures.flow`), and the
rounding of the terms and of the sum. A value within b of a threshold counts as equal to it.
"""

import math
from typing import NamedTuple

import numpy as np

from komi.arrays import F64
from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.measures.bounded import UNIT, Bounded, add_up
from komi.measures.chain import PlayChain, side_value
from komi.measures.flow import Flow


class Tension(NamedTuple):
    """The measures of tension, each with its error bound; see the module."""

    suspense: Bounded
    surprise: Bounded
    variance: Bounded
    lead_changes: Bounded
    drama: Bounded
    comeback: Bounded
    decisive: Bounded
    moves: Bounded


class MoveTension(NamedTuple):
    """The tension of one move from each node.

    Attributes:
        deviation: float64[nodes], sqrt(E |V' - V|^2).
        change: float64[nodes], the expected |V' - V|.
        square: float64[nodes], the expected |V' - V|^2.
        behind: float64[nodes], half of the expected distance of the eventual winner's V from the greatest.
        largest: float64[1], the largest |V' - V|.
    """

    deviation: F64
    change: F64
    square: F64
    behind: F64
    largest: F64


def measure_moves(chain: PlayChain) -> MoveTension:
    """Compute the tension of a move from each node."""
    deviation, change, square, behind = np.empty((4, len(chain.rows)))
    moves = MoveTension(deviation, change, square, behind, np.zeros(1))
    engine_kernels()[fill_moves](chain, moves)
    return moves


def measure_tension(chain: PlayChain, flow: Flow, moves: MoveTension) -> Tension:
    """Compute the measures of tension of a whole game."""
    visits, bound = flow.visits, chain.bound
    flow_error = flow.residual * chain.max_moves
    views = chain.value.shape[1]
    norm = 1.0 if views == 1 else math.sqrt(views / 2)
    largest = float(moves.largest[0])
    scale = 1.0 if chain.sides > 1 else max(1.0, largest + float(np.abs(chain.value).max()))
    rounding = 4 * (int(np.diff(chain.edges.ends, prepend=0).max()) + 8) * views * UNIT  # of one term, relative
    total = add_up(visits, flow_error)
    most = total.value + total.error

    def expected(each: F64, error: float, rounded: float) -> Bounded:
        return add_up(visits * each, (float(each.max()) + error) * flow_error + (error + rounding * rounded) * most)

    counted = len(chain.edges.target) * UNIT  # rounding of a sum over all edges
    undecided = add_up(flow.undecided, flow_error)
    behind = 0.5 if views == 1 else views * (1.0 + bound)
    return Tension(
        expected(moves.deviation, norm * bound, scale),
        expected(moves.change, 2.0 * norm * bound, scale),
        expected(moves.square, 4.0 * norm * bound * (largest + norm * bound), scale**2),
        Bounded(flow.lead_changes, flow_error + counted * flow.lead_changes),
        expected(moves.behind, behind * bound, 1.0),
        Bounded(flow.comeback, flow_error + counted * flow.comeback),
        undecided.over(total).complement(),
        total,
    )


def fill_moves(chain: PlayChain, moves: MoveTension) -> None:
    """Fill in the tension of a move from each node."""
    edges, views = chain.edges, chain.value.shape[1]
    half = 1.0 if views == 1 else 0.5
    for node in range(len(chain.value)):
        first, end = begin(edges.ends, node), edges.ends[node]
        change = square = variance = 0.0
        for edge in range(first, end):
            distance = 0.0
            for view in range(views):
                difference = edges.after[edge, view] - chain.value[node, view]
                distance += half * difference * difference
            square += edges.probability[edge] * distance
            distance = np.sqrt(distance)
            change += edges.probability[edge] * distance
            moves.largest[0] = max(moves.largest[0], distance)
        for view in range(views):
            mean = 0.0
            for edge in range(first, end):
                mean += edges.probability[edge] * (edges.after[edge, view] - chain.value[node, view])
            for edge in range(first, end):
                difference = edges.after[edge, view] - chain.value[node, view] - mean
                variance += half * edges.probability[edge] * difference * difference
        moves.deviation[node] = np.sqrt(variance)
        moves.change[node], moves.square[node] = change, square
        moves.behind[node] = _behind(chain, node)


def _behind(chain: PlayChain, node: int) -> float:
    """Return half of the expected distance of the eventual winner's value from the greatest."""
    greatest = -np.inf
    for side in range(chain.sides):
        greatest = max(greatest, side_value(chain.value, node, side))
    total = 0.0
    for side in range(chain.sides):
        value = side_value(chain.value, node, side)
        total += 0.5 * value * (greatest - value)
    return total
