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
from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.rules.interpreter import Move
from komi.typing import State


class InformationSet(NamedTuple):
    """An information set of a player.

    Attributes:
        observation: what the player sees.
        actions: the legal actions.
        parent: the player's own sequence that leads to it.
        first: the sequence that ends with the first action; those of the other actions follow.
    """

    observation: State
    actions: tuple[int, ...]
    parent: int
    first: int

    @property
    def sequences(self) -> slice:
        """The sequences that end with the actions of this set."""
        return slice(self.first, self.first + len(self.actions))


class Entries(NamedTuple):
    """The entries of a sparse matrix, or array of more dimensions: one row, and a column for each other player.

    Attributes:
        rows: int64[entries].
        columns: int64[seats - 1, entries].
        values: float64[entries].
    """

    rows: I64
    columns: I64
    values: F64

    def times(self, vectors: Sequence[F64], rows: int) -> F64:
        """Return the product of the array, which has this number of rows, and a vector for each other player."""
        values = self.values
        for vector, columns in zip(vectors, self.columns, strict=True):
            values = values * vector[columns]
        return np.bincount(self.rows, values, rows).astype(np.float64)


@dataclass(frozen=True)
class SequenceFormPlayer:
    """One player of the sequence form.

    Attributes:
        seat: the player's seat; the player who moves first has seat 0.
        sets: the information sets, each after those that lead to it.
        sequences: the number of sequences; 0 is the empty one.
        payoffs: for each own sequence (row) and each of the others (columns), the sum of probability times share over
            the terminal histories with all; the probability is that of chance, the share from 0 to 1 is this player's.
            Its entries are in the same order for all players.
        reach: for each own information set (row) and each sequence of the others (columns), the sum of the
            probabilities of chance of the histories with all.
    """

    seat: int
    sets: tuple[InformationSet, ...]
    sequences: int
    payoffs: Entries
    reach: Entries

    @property
    def parents(self) -> I64:
        """int64[sets], the player's own sequence that leads to each information set."""
        return np.array([each.parent for each in self.sets], np.int64)

    def others(self, plans: Sequence[F64]) -> list[F64]:
        """Return the plans of the other players, from those of all."""
        return [plan for seat, plan in enumerate(plans) if seat != self.seat]


@dataclass(frozen=True)
class SequenceForm:
    """The sequence form of a game.

    Attributes:
        players: the players, seat by seat.
        set_of: the seat and the number of the information set of each observation.
        moves_of: all reachable states before the end, with their moves; each before those that it leads to.
        plies: the greatest number of plies of a game.
        transitions: the number of transitions between merged histories.
        deficit: a bound on the change of the probabilities of all histories together, if those of an action that sum to
            1 only up to a tolerance are changed so that they sum to 1.
    """

    players: tuple[SequenceFormPlayer, ...]
    set_of: dict[State, tuple[int, int]]
    moves_of: dict[State, list[Move]]
    plies: int
    transitions: int
    deficit: float
