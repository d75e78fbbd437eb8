"""The arrays of QuantEcon's `DiscreteDP`: a Markov decision process in the form of state-action pairs."""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.compiled import CompiledGame
from komi.game import CHANCE
from komi.graph.explicit import OVER, ExplicitModel
from komi.graph.state_sets import StateSet
from komi.typing import Rules

MAX_OUTCOMES = 20_000_000  # half a gigabyte, and about as much for the arrays


class DiscreteDPArrays(NamedTuple):
    """The arguments of `quantecon.markov.DiscreteDP`, in their order, for n states and m pairs of state and action.

    State n, in which nothing is gained, stands for the end of the game.

    Attributes:
        R: float64[m], the expected reward, and the payoff if the game ends; negative if the aim is the least.
        Q: csr_matrix[m, n + 1], the probabilities of the next states.
        beta: 1.0: nothing is discounted.
        s_indices: int64[m], the state of each pair.
        a_indices: int64[m], the number of the action; 0 at chance nodes and at the end.
    """

    R: F64
    Q: Any
    beta: float
    s_indices: I64
    a_indices: I64


def list_pairs(compiled: CompiledGame, rules: Rules, states: StateSet, sign: float) -> DiscreteDPArrays:
    """List the state-action pairs of a single-player game.

    Args:
        compiled, rules: the game.
        states: the states, with all their successors.
        sign: -1.0 if rewards are to be minimized, otherwise 1.0.

    Raises:
        SolveError: if there are too many outcomes.
    """
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]  # slow to import

    model = ExplicitModel.of(compiled, rules, states, MAX_OUTCOMES)
    end, pairs = states.size, len(model.actions)
    pair = np.repeat(np.arange(pairs), np.diff(model.outcome_ends, prepend=0))
    gains = np.bincount(pair, weights=model.probability * model.gain, minlength=pairs)
    target = np.where(model.target == OVER, end, model.target)
    indptr = np.concatenate([[0], model.outcome_ends, [len(target) + 1]])
    transitions = csr_matrix(
        (np.append(model.probability, 1.0), np.append(target, end), indptr), shape=(pairs + 1, end + 1)
    )
    transitions.sum_duplicates()
    return DiscreteDPArrays(
        np.append(sign * gains, 0.0),
        transitions,
        1.0,
        np.append(np.repeat(np.arange(end), np.diff(model.ends, prepend=0)), end),
        np.append(np.where(model.actions == CHANCE, 0, model.actions), 0).astype(np.int64),
    )
