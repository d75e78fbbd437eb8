"""Sources of transitions: where the reachability analysis and the component search get the successors of a state."""

from collections.abc import Callable
from typing import Any, Protocol

from komi.arrays import I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.graph.component_search import ComponentSearch, search_components
from komi.graph.expanded_rules import GraphKernels
from komi.graph.exploration import explore
from komi.graph.growing_set import GrowingSet
from komi.graph.listed_rules import listing_of
from komi.graph.reachability_kernel import Exploration, ExplorationStatus
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts, Transitions
from komi.typing import Rules

TYPICAL_ACTIONS = 2  # in one state


class Explorer(Protocol):
    """Explores states for one thread of a reachability analysis."""

    def explore(
        self, found: GrowingSet, stack: I64, height: int, budget: int, totals: I64, witness: I64
    ) -> tuple[int, int]:
        """Visit at most `budget` states, and push their successors.

        Args:
            found: the states found so far.
            stack, height, budget, totals, witness: as in `exploration.explore`.

        Returns:
            (how it ended, height of the stack), as `exploration.explore`

        Raises:
            GameError: if a rule is broken that only this source knows of.
        """
        ...


class ExplorationSource(Protocol):
    """The successors of each state, for a reachability analysis.

    Attributes:
        compiled, rules: the game.
        max_threads: the number of threads that can explore at once.
    """

    compiled: CompiledGame
    rules: Any
    max_threads: int

    @property
    def memory(self) -> int:
        """The bytes that the source holds for the states found, besides their set."""
        ...

    def explorer(self, thread: int) -> Explorer:
        """Return the object with which a thread explores states."""
        ...

    def check_size(self, layout: Layout) -> None:
        """Check an estimate of the number of states, given the layout of all states found so far.

        Raises:
            SolveError: if there are too many.
        """


class TransitionSource(ExplorationSource, Protocol):
    """The transitions of each state, for a reachability analysis and a component search.

    Attributes:
        typical_actions: the number of actions of a usual state, for the size of buffers.
    """

    typical_actions: int

    def allocate(self, states: StateSet) -> None:
        """Allocate what a component search of these states needs, after the reachability analysis."""

    def max_pushed(self, counts: GraphCounts) -> int:
        """Return the most actions or outcomes of one state if the stacks of a search must fit into memory; else 0."""
        ...

    def search(
        self, states: StateSet, roots: I64, search: ComponentSearch, batch: Transitions, ends: I64
    ) -> tuple[int, ...]:
        """Continue a component search; arguments and result are those of `search_components`."""
        ...


class GameTransitions:
    """The transitions of a game all of whose states are stored: its rules are run in each of them.

    Args:
        compiled, rules: the game.
    """

    max_threads = 2  # more wait for each other's memory accesses
    typical_actions = TYPICAL_ACTIONS

    def __init__(self, compiled: CompiledGame, rules: Rules) -> None:
        self.compiled, self.rules = compiled, rules

    @property
    def memory(self) -> int:
        """Nothing: the rules are run again."""
        return 0

    def explorer(self, thread: int) -> Explorer:  # noqa: ARG002
        """Return this object: it has no buffers, so that all threads can share it."""
        return self

    def explore(
        self, found: GrowingSet, stack: I64, height: int, budget: int, totals: I64, witness: I64
    ) -> tuple[int, int]:
        """Visit at most `budget` states, and push their successors."""
        return self.explore_by(explore, Exploration(found.index, stack, totals, witness), height, budget)

    def explore_by(
        self, kernel: Callable[..., Any], exploration: Exploration, height: int, budget: int, *others: Any
    ) -> tuple[int, int]:
        """Explore by a kernel with the interface of `exploration.explore`, and other arguments."""
        ended = ExplorationStatus.UNLISTED
        while ended == ExplorationStatus.UNLISTED:
            ended, height = GraphKernels(self.compiled)[kernel](self.rules, exploration, height, budget, *others)
            if ended == ExplorationStatus.UNLISTED:
                unlisted = self.compiled.game.module.State(*exploration.witness[:-1].tolist())
                listing_of(self.compiled, self.rules, [unlisted])
        return ended, height

    def check_size(self, layout: Layout) -> None:
        """Accept any number of states: the only limits are those of all sets of states."""

    def allocate(self, states: StateSet) -> None:
        """Allocate nothing."""

    def max_pushed(self, counts: GraphCounts) -> int:  # noqa: ARG002
        """Return 0: the stacks have capacity for all transitions, and take memory only where used."""
        return 0

    def search(
        self, states: StateSet, roots: I64, search: ComponentSearch, batch: Transitions, ends: I64
    ) -> tuple[int, ...]:
        """Continue a component search; arguments and result are those of `search_components`."""
        seats = self.compiled.game.players(self.rules)
        kernel = GraphKernels(self.compiled)[search_components]
        return kernel(self.rules, seats, states, roots, search, batch, ends, None)  # type: ignore[no-any-return]
