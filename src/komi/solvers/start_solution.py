"""The base class of solutions that have the value of the start, and of states solved on request, but no list."""

from abc import abstractmethod
from typing import Protocol, TypeVar

from komi.arrays import F64, I16
from komi.errors import TooLargeError
from komi.graph.state_sets import StateSet
from komi.solvers.solution import OptimalPlay, Solution


class HasChoices(Protocol):
    """The interface of the solution data."""

    @property
    def states(self) -> StateSet:
        """The states that were solved."""
        ...

    @property
    def values(self) -> F64:
        """float64[states], the value of each to the player to move."""
        ...

    @property
    def choices(self) -> I16:
        """int16[states], an optimal action of each."""
        ...


Choices = TypeVar("Choices", bound=HasChoices)
"""The solution data of a solver that solves the start alone."""


class StartSolution(Solution[Choices]):
    """A solution of a game with too many states to list."""

    @property
    @abstractmethod
    def only_start(self) -> str:
        """The sentence that refuses what needs all states."""

    @property
    def is_fully_stored(self) -> bool:
        """False: only some states are solved."""
        return False

    @property
    def optimal_play(self) -> OptimalPlay:
        """Not available: only some states are solved.

        Raises:
            TooLargeError: always.
        """
        raise TooLargeError(self.only_start)

    @property
    def stored_play(self) -> OptimalPlay:
        """Optimal play in the states that were solved."""
        return OptimalPlay(self.data.states, self.data.values, self.data.choices)

    @property
    def all_states(self) -> StateSet:
        """Not available: only some states are solved.

        Raises:
            TooLargeError: always.
        """
        return self.optimal_play.states
