"""Decision processes without an end, as arrays: what policy iteration and its proof compute with.

A pair is a state and an action in it. Time counts actions of the player: a pair takes 1, a move of chance takes 0.
"""

from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

from komi.arrays import F64, I64, Flags
from komi.graph.explicit import ExplicitModel


class DecisionProcess(NamedTuple):
    """A finite Markov decision process in which play never ends, for n states and m pairs.

    Attributes:
        first_pair: int64[n], the first pair of each state.
        owner: int64[m], the state of each pair.
        transitions: csr_matrix[m, n], the probabilities of the next states; several entries can lead to one state.
        gain: float64[outcomes], the reward with each entry of `transitions`.
        reward: float64[m], the expected reward of each pair.
        takes: float64[n], 0.0 where chance moves, else 1.0.
    """

    first_pair: I64
    owner: I64
    transitions: Any
    gain: F64
    reward: F64
    takes: F64

    @classmethod
    def of(cls, model: ExplicitModel, takes: F64, sign: float) -> Self:
        """Return the process of a model in which no outcome ends the game.

        Args:
            model: the model.
            takes: float64[n], as above.
            sign: -1.0 if rewards are to be minimized, otherwise 1.0.
        """
        owner = np.repeat(np.arange(len(model.ends)), np.diff(model.ends, prepend=0))
        return cls._of(
            owner, model.outcome_ends, model.probability, model.target.astype(np.int64), sign * model.gain, takes
        )

    def follow(self, shares: F64, sign: float = 1.0, free: Flags | None = None) -> Self:
        """Return the process that a policy leaves: with one pair in each state in which it is followed.

        Args:
            shares: float64[m], the probability of each pair in its state; 1.0 in a state that is free.
            sign: -1.0 to count losses in place of rewards.
            free: bool[n], whether any pair of the state can be taken; None if the policy is followed everywhere.
        """
        entry_share = np.repeat(shares, np.diff(self.transitions.indptr))
        kept = entry_share > 0.0
        is_last = np.append(self.owner[1:] != self.owner[:-1], True)
        if free is not None:
            is_last |= free[self.owner]
        ends = np.cumsum(kept, dtype=np.int64)[self.transitions.indptr[1:][is_last] - 1]
        probability = (entry_share * self.transitions.data)[kept]
        targets = self.transitions.indices[kept]
        return self._of(self.owner[is_last], ends, probability, targets, sign * self.gain[kept], self.takes)

    @classmethod
    def _of(cls, owner: I64, ends: I64, probability: F64, targets: I64, gain: F64, takes: F64) -> Self:
        starts = np.concatenate([[0], ends])
        transitions = csr_matrix((probability, targets, starts), shape=(len(owner), len(takes)))
        first_pair = np.searchsorted(owner, np.arange(len(takes)))
        return cls(first_pair, owner, transitions, gain, np.add.reduceat(probability * gain, starts[:-1]), takes)


def policy_shares(process: DecisionProcess, policy: I64) -> F64:
    """Return float64[m], the shares of a policy that is int64[n], the pair taken in each state."""
    shares = np.zeros(len(process.owner))
    shares[policy] = 1.0
    return shares


def best_pairs(process: DecisionProcess, worth: F64) -> I64:
    """Return int64[n], the pair of greatest worth (float64[m]) in each state, the first of equal ones."""
    best = np.maximum.reduceat(worth, process.first_pair)
    is_best = np.flatnonzero(worth == best[process.owner])
    return is_best[np.searchsorted(process.owner[is_best], np.arange(len(process.takes)))]
