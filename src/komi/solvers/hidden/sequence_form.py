"""The sequence form of a game with hidden information and perfect recall.

An information set is all that a player can tell apart where it chooses: an observation (`view`). With perfect recall,
each information set has one *sequence* of own observations and actions that leads to it; a sequence is identified by
its last information set and action. The sequence form lists, for each combination of one sequence of each player, the
probability that chance plays along, and the payoff of each (D. Koller, N. Megiddo and B. von Stengel, "Efficient
computation of equilibria for extensive two-person games", Games and Economic Behavior 14, 1996).

Histories with the same state and the same sequences are merged, ply by ply.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I8, I16, I32, I64, Flags
from komi.jit.kernels import engine_kernels
from komi.solvers.hidden.play_graph import PlayGraph


class Entries(NamedTuple):
    """The entries of a sparse array: one row, and a column for each other player.

    Attributes:
        keys: int32[entries, seats], the row in the column of the player's seat, and a sequence of each other player.
        values: float64[entries].
    """

    keys: I32
    values: F64

    def where(self, chosen: Flags) -> "Entries":
        """Return the entries of a selection, bool[entries]."""
        return self if chosen.all() else Entries(self.keys[chosen], self.values[chosen])

    def times(self, seat: int, vectors: Sequence[F64], rows: int) -> F64:
        """Return the product of the array and a vector for each other player.

        Args:
            seat: the player's.
            vectors: those of all players; the player's own has no effect.
            rows: the number of rows.
        """
        result = np.zeros(rows)
        roots = np.cumsum([0, *map(len, vectors)])
        engine_kernels()[_multiply](self.keys, self.values, seat, roots, np.concatenate(vectors), result)
        return result

    def sums(self, seat: int, vectors: Sequence[I16]) -> I16:
        """Return int16[entries], the sum of an entry of the vector of each other player."""
        others = (vector[self.keys[:, each]] for each, vector in enumerate(vectors) if each != seat)
        return np.asarray(sum(others, np.zeros(len(self.keys), np.int16)))


@dataclass(frozen=True)
class SequenceFormPlayer:
    """One player of the sequence form.

    Attributes:
        seat: the player's seat; the player who moves first has seat 0.
        observations: int32[sets], what the player sees in each information set, as an index of `PlayGraph.observed`;
            each set comes after those that lead to it.
        parents: int32[sets], the player's own sequence that leads to each; 0 is the empty one.
        firsts: int32[sets + 1], the sequence that ends with the first action of each, followed by those of its other
            actions; at the end the number of sequences.
        actions: int16[sequences], the last action of each sequence.
        payoffs: for each own sequence (row) and each of the others (columns), the sum of probability times share over
            the terminal histories with all; the probability is that of chance, the share from 0 to 1 is this player's.
            The keys are the same array for all players.
        reach: for each own information set (row) and each sequence of the others (columns), the sum of the
            probabilities of chance of the histories with all.
    """

    seat: int
    observations: I32
    parents: I32
    firsts: I32
    actions: I16
    payoffs: Entries
    reach: Entries

    @property
    def sets(self) -> int:
        """The number of information sets."""
        return len(self.parents)

    @property
    def sequences(self) -> int:
        """The number of sequences."""
        return len(self.actions)

    @cached_property
    def set_of(self) -> I64:
        """int64[sequences - 1], the information set in which each sequence but the empty one ends."""
        return np.repeat(np.arange(self.sets), np.diff(self.firsts))

    @cached_property
    def ranks(self) -> I64:
        """int64[sequences - 1], the place of the last action of each among those of its information set."""
        return np.arange(1, self.sequences) - self.firsts[self.set_of]

    def table(self, values: F64, columns: int, fill: float = 0.0) -> F64:
        """Return float64[sets, columns], numbers of sequences in a row for each information set."""
        table = np.full((self.sets, columns), fill)
        table[self.set_of, self.ranks] = values[1:]
        return table

    def set_sums(self, values: F64) -> F64:
        """Return float64[sets], the sums of numbers of the sequences of each information set."""
        return np.bincount(self.set_of, values[1:], self.sets).astype(np.float64)

    def decisions(self, sequence: int) -> list[tuple[int, int]]:
        """Return the observations and actions of a sequence, in the order of play."""
        found = []
        while sequence:
            number = int(self.set_of[sequence - 1])
            found.append((int(self.observations[number]), int(self.actions[sequence])))
            sequence = int(self.parents[number])
        return found[::-1]


@dataclass(frozen=True)
class SequenceForm:
    """The sequence form of a game.

    Attributes:
        players: the players, seat by seat.
        graph: the states, their outcomes and observations; some states can have the probability 0.
        seat_of: int8[observations], the player who has each.
        set_of: int32[observations], the number of its information set; -1 if it has the probability 0.
        last_ply: int16[states], the last ply in which play reaches each; -1 if it has the probability 0.
        plies: the greatest number of plies of a game.
        transitions: the number of transitions between merged histories.
        deficit: a bound on the change of the probabilities of all histories together, if those of an action that sum to
            1 only up to a tolerance are changed so that they sum to 1.
    """

    players: tuple[SequenceFormPlayer, ...]
    graph: PlayGraph
    seat_of: I8
    set_of: I32
    last_ply: I16
    plies: int
    transitions: int
    deficit: float

    @property
    def sets(self) -> int:
        """The number of information sets of all players."""
        return sum(player.sets for player in self.players)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """int64[reached], the states that play reaches, each before those that it leads to."""
        order = np.argsort(self.last_ply, kind="stable")
        return order[np.searchsorted(self.last_ply[order], 0) :]

    def mixes(self, behaviors: Sequence[F64]) -> F64:
        """Return float64[actions], the probability of each action of `PlayGraph.arrays`; 1 where chance moves."""
        graph, arrays = self.graph, self.graph.arrays
        mixes = np.ones(len(arrays.actions))
        roots = np.cumsum([0, *map(len, behaviors)])
        firsts = np.zeros(len(self.set_of), np.int64)
        for player, root in zip(self.players, roots.tolist(), strict=False):
            own = (self.seat_of == player.seat) & (self.set_of >= 0)
            firsts[own] = root + player.firsts[self.set_of[own]]
        engine_kernels()[_fill_mixes](graph.observation, arrays.ends, firsts, np.concatenate(behaviors), mixes)
        return mixes


def _multiply(keys: I32, values: F64, seat: int, roots: I64, vectors: F64, result: F64) -> None:
    """Add the products of an array and the vectors of all but one player, which follow each other from `roots` on."""
    for entry in range(len(keys)):
        value = values[entry]
        for other in range(keys.shape[1]):
            if other != seat:
                value *= vectors[roots[other] + keys[entry, other]]
        result[keys[entry, seat]] += value


def _fill_mixes(observation: I32, ends: I64, firsts: I64, behaviors: F64, mixes: F64) -> None:
    """Fill in the probabilities of the actions of all states in which a player chooses, if play reaches them."""
    for state in range(len(ends)):
        if observation[state] >= 0 and firsts[observation[state]] > 0:
            begin = ends[state - 1] if state > 0 else 0
            for action in range(begin, ends[state]):
                mixes[action] = behaviors[firsts[observation[state]] + action - begin]
