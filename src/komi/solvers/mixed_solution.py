"""The base class of solutions whose optimal play is mixed: a probability of each action in each state."""

from typing import Protocol, TypeVar

import numpy as np

from komi.arrays import F64, I16, I64
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.rules.interface import legal
from komi.solvers.columns import Columns
from komi.solvers.numeric_solution import NumericSolution
from komi.solvers.solution import AnyState, OptimalPlay
from komi.typing import Rules


class HasMixes(Protocol):
    """The interface of the solution data: besides the states, what optimal play does in them."""

    @property
    def states(self) -> StateSet:
        """The states, without terminal ones."""
        ...

    @property
    def values(self) -> F64:
        """float64[states], the value of each to the player to move."""
        ...

    @property
    def mixes(self) -> F64:
        """float64[states, actions], the probability of each legal action, in the order of the rules."""
        ...


Mixes = TypeVar("Mixes", bound=HasMixes)
"""The solution data of a solver whose optimal play is mixed."""


class MixedSolution(NumericSolution[Mixes]):
    """Optimal play that gives each action a probability; see `mixed`."""

    @property
    def optimal_play(self) -> OptimalPlay:
        """Optimal play in all states solved so far, as arrays; a choice is the likeliest action."""
        data = self.data
        choices = np.empty(data.states.size, np.int16)
        self.compiled.kernels[_list_actions](self.rules, data.states, data.mixes.argmax(axis=1), choices)
        return OptimalPlay(data.states, data.values, choices)

    def _more_columns(self) -> Columns:
        """Return "probability_0", ...: the probability of each legal action, in the order of the rules."""
        return {f"probability_{number}": column for number, column in enumerate(self.data.mixes.T)}

    def mixed(self, state: AnyState | None = None) -> dict[str, float]:
        """Return the probability of each legal action in optimal play, in the order of the rules.

        Empty where the game is over.
        """
        read = self.read(state)
        if self._is_over(read):
            return {}
        self.include([read])
        labels = self.game.labels(self.rules, read)
        mix = self.data.mixes[self.data.states.index_of(read)]
        return {label: float(share) for label, share in zip(labels, mix, strict=False)}

    def best(self, state: AnyState | None = None) -> str | None:
        """Return the likeliest action in optimal play; None where the game is over."""
        mixed = self.mixed(state)
        return max(mixed, key=lambda label: mixed[label]) if mixed else None


def _list_actions(rules: Rules, states: StateIndex, ranks: I64, actions: I16) -> None:
    """Fill in int16[states], the legal action of each state with this rank in the order of the rules."""
    for index, handle in members(states.keys):
        for rank, action in enumerate(legal(rules, state_at(states, handle))):
            if rank == ranks[index]:
                actions[index] = action
