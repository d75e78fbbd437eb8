"""States that play cannot reach are solved when they are requested."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent


class HasStateSet(Protocol):
    """The interface that the solution data of all solvers share."""

    @property
    def states(self) -> StateSet:
        """The states, without terminal ones."""
        ...


Data = TypeVar("Data", bound=HasStateSet)
"""The solution data of a solver, stored on disk: a frozen dataclass of a `StateSet`, arrays, and plain numbers."""

Extend = Callable[[Sequence[Any], Data | None, Progress], Data]
"""Solves all states that are reachable from some states, in addition to known solution data."""


class LazySolver(Generic[Data]):
    """The solver of one game, which solves states when they are first requested, and holds their solution data.

    Attributes:
        data: the solution data of all states solved so far; each value is replaced, never modified.
        extend: the solver.
        reachable: the number of states that play can reach, without terminal ones.
    """

    def __init__(self, data: Data, extend: Extend[Data]) -> None:
        self.data = data
        self.extend = extend
        self.reachable = int(data.states.size)

    def include(self, states: Sequence[Any], progress: Progress = silent) -> bool:
        """Solve nonterminal states, and all states that are reachable from them, in one pass.

        Returns:
            True if any of them was not solved before.
        """
        unknown = [state for state in states if self.data.states.index_of(state) < 0]
        if unknown:
            self.data = self.extend(unknown, self.data, progress)
        return bool(unknown)
