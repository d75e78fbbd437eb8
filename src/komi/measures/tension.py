"""The tension of a game: suspense, surprise, lead changes, drama, comebacks and the decisive moment.

Let V be the first player's chance of winning, n(s) the expected visits of a node s, and V' the value after a move.

| measure | definition |
|---|---|
| suspense | the expected sum over moves of the standard deviation of V' |
| surprise | the expected sum over moves of abs(V' - V) |
| variance | the expected sum over moves of (V' - V)^2 |
| lead changes | how often the player with V > 1/2 changes; see `komi.measures.flow` |
| drama | the sum over s of n(s) (V max(0, 1/2 - V) + (1 - V) max(0, V - 1/2)) |
| comeback | the chance that the winner was once at a threshold or below |
| decisive | the share of all expected moves that follow once a player has reached a threshold |

Suspense and surprise: J. Ely, A. Frankel and E. Kamenica, Suspense and Surprise, Journal of Political Economy 123(1),
2015. Lead changes and drama: C. Browne, Automatic Generation and Evaluation of Recombination Games, 2008, with the
values of play in place of an evaluation function. With payoffs of 0 and 1 the variance is V0 (1 - V0), V being a
martingale; a draw leaves less.

**Error.** Values are off by at most b. A standard deviation is a seminorm, so suspense changes by at most b a move;
surprise by 2 b, and drama by b / 2, the slopes of V max(0, 1/2 - V) being between -1/2 and 1/2. The variance: by
2 b (2 + 2 b), as abs(V' - V) <= 1. Each sum over moves with at most G a move has, in addition, the error of the flow,
G |r|_1 L (see `komi.measures.flow`), and the rounding of the terms and of the sum. A value within b of a threshold
counts as equal to it.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64
from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.measures.bounded import UNIT, Bounded, add_up
from komi.measures.chain import PlayChain
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
        deviation: float64[nodes], the standard deviation of V'.
        change: float64[nodes], the expected abs(V' - V).
        square: float64[nodes], the expected (V' - V)^2.
        behind: float64[nodes], the expected distance of the eventual winner's V from 1/2, if below.
    """

    deviation: F64
    change: F64
    square: F64
    behind: F64


def measure_moves(chain: PlayChain) -> MoveTension:
    """Compute the tension of a move from each node."""
    moves = MoveTension(*np.empty((4, len(chain.rows))))
    engine_kernels()[fill_moves](chain, moves)
    return moves


def measure_tension(chain: PlayChain, flow: Flow, moves: MoveTension) -> Tension:
    """Compute the measures of tension of a whole game."""
    visits, bound = flow.visits, chain.bound
    flow_error = flow.residual * chain.max_moves
    widest = int(np.diff(chain.edges.ends, prepend=0).max())
    rounding = 4 * (widest + 8) * UNIT  # of one term
    total = add_up(visits, flow_error)
    most = total.value + total.error

    def expected(each: F64, slope: float) -> Bounded:
        return add_up(visits * each, flow_error + (slope * bound + rounding) * most)

    counted = len(chain.edges.target) * UNIT  # rounding of a sum over all edges
    undecided = add_up(flow.undecided, flow_error)
    return Tension(
        expected(moves.deviation, 1.0),
        expected(moves.change, 2.0),
        expected(moves.square, 4.0 + 4.0 * bound),
        Bounded(flow.lead_changes, flow_error + counted * flow.lead_changes),
        expected(moves.behind, 0.5),
        Bounded(flow.comeback, flow_error + counted * flow.comeback),
        undecided.over(total).complement(),
        total,
    )


def fill_moves(chain: PlayChain, moves: MoveTension) -> None:
    """Fill in the tension of a move from each node."""
    edges = chain.edges
    for node in range(len(chain.value)):
        value = chain.value[node]
        mean = change = square = 0.0
        for edge in range(begin(edges.ends, node), edges.ends[node]):
            probability, difference = edges.probability[edge], edges.after[edge] - value
            mean += probability * difference
            change += probability * abs(difference)
            square += probability * difference * difference
        variance = 0.0
        for edge in range(begin(edges.ends, node), edges.ends[node]):
            difference = edges.after[edge] - value - mean
            variance += edges.probability[edge] * difference * difference
        moves.deviation[node] = np.sqrt(variance)
        moves.change[node], moves.square[node] = change, square
        moves.behind[node] = value * (0.5 - value) if value < 0.5 else (1.0 - value) * (value - 0.5)
