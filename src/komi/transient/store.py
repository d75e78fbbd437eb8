"""The roll graphs of a game's stored states, shared by the reachability analysis, the search and the backup."""

from types import FunctionType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I64, check_indices
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.graph import limits
from komi.graph.component_search import ComponentSearch, search_components
from komi.graph.growing_set import GrowingSet
from komi.graph.reachability_kernel import Exploration, ExplorationStatus
from komi.graph.sources import Explorer
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts, Transitions
from komi.rules.interface import over, possible, transient, unpack
from komi.transient.builder import Builder
from komi.transient.entry import push_roll
from komi.transient.enumerator import Outcomes, Roll
from komi.transient.hash_consing import RollBuffers, rehash_classes
from komi.transient.roll_graph import KINDS, Exits, GraphKind, RollGraphs, richness
from komi.transient.roll_reachability import explore_rolls
from komi.transient.symbolic_cache import SymbolicTransitionCache
from komi.transient.symbolic_execution import SymbolicExecutor
from komi.transient.symbolic_transitions import SymbolicTransitions
from komi.transient.violations import broken_roll
from komi.tuning import ROLL_CAPACITY_RATIO
from komi.typing import Rules

FIRST_NODES = 256  # initial capacity for one roll, a power of two: it doubles when it is too small
SAMPLED = 100_000  # packed states of a layout: the share of possible ones is then known to 0.3 % of all or better


class Rolls:
    """All roll graphs found so far, and buffers to compute one: a `graph.sources.TransitionSource`.

    The actions of a state in a batch are the exits of its roll.

    Args:
        compiled, rules: the game.
        shared: whether states share roll graphs if the game promises `totals`; otherwise each is enumerated.
        can_stage: whether a staged solve is possible if there are many states.

    Attributes:
        seats: the number of seats.
        shared: whether states share roll graphs.
        kernels: specializations of the engine that enumerate rolls.
        buffers: the hash-consed roll graphs, and buffers for the roll of one state.
        witness: int64[fields + 1], the state, and the action, of a violation of the rules.
        graph_of: int32[states], the roll graph of each stored state that the search has visited.
    """

    max_threads = 1
    memory = 0  # roll graphs are limited by their number
    typical_actions = 8  # exits

    def __init__(self, compiled: CompiledGame, rules: Rules, shared: bool = True, can_stage: bool = False) -> None:
        game = compiled.game
        names = game.module.State._fields
        roll, totals = game.roll(rules), game.totals(rules)
        self.compiled, self.rules = compiled, rules
        self._game, self.seats, self._can_stage = game, game.players(rules), can_stage
        self.kernels = compiled.kernels_with(push_transitions=cast(FunctionType, push_roll))
        self._checked_kernels = compiled.checked.kernels
        self.shared = shared and bool(roll and totals)
        inside = np.array([name in roll or not self.shared for name in names])
        are_totals = np.array([name in totals and self.shared for name in names])
        graphs = RollGraphs.empty(ROLL_CAPACITY_RATIO * FIRST_NODES, len(names), self.shared)
        self.buffers = RollBuffers(inside, are_totals, graphs, *_buffers(FIRST_NODES, len(names)))
        self._symbolic = SymbolicTransitionCache(SymbolicExecutor(game, rules, are_totals), are_totals, inside)
        self.witness = np.zeros(len(names) + 1, np.int64)
        self.graph_of = np.empty(0, np.int32)

    @property
    def graphs(self) -> RollGraphs:
        """The hash-consed roll graphs."""
        return self.buffers.graphs

    def symbolic_transitions(self, layout: Layout) -> SymbolicTransitions:
        """Return the symbolic transition cache for states in a layout."""
        self._symbolic.fit(layout)
        return self._symbolic.transitions

    def explorer(self, thread: int) -> Explorer:  # noqa: ARG002
        """Return this object: there is only one thread."""
        return self

    def explore(
        self, found: GrowingSet, stack: I64, height: int, budget: int, totals: I64, witness: I64
    ) -> tuple[int, int]:
        """Visit at most `budget` stored states, and push their successors; see `graph.sources.Explorer`."""
        transitions = self.symbolic_transitions(found.layout)
        reason, height = self._checked_kernels[explore_rolls](
            self.rules,
            self.seats,
            self._game.action_limit,
            Exploration(found.index, stack, totals, witness),
            height,
            budget,
            self.buffers,
            transitions,
        )
        if reason == ExplorationStatus.NO_ROOM:
            self.grow()
        elif (
            reason == ExplorationStatus.UNKNOWN
        ):  # learn symbolic transitions from the state just visited, for states with other totals
            state, graph = found.fields(int(witness[0])), int(witness[1])
            self._symbolic.learn(state, graph, self.graphs, self.buffers.exits)
        elif reason in (ExplorationStatus.ROUND, ExplorationStatus.UNSHARED):
            raise broken_roll(self.compiled, self.rules, reason, witness)
        else:
            return reason, height
        return ExplorationStatus.PAUSED, height

    def max_pushed(self, counts: GraphCounts) -> int:
        """Return the most exits or outcomes of one state."""
        return max(len(self.buffers.exits.gain), counts.max_actions * counts.max_outcomes)

    def search(
        self, states: StateSet, roots: I64, search: ComponentSearch, batch: Transitions, ends: I64
    ) -> tuple[int, ...]:
        """Continue a component search; arguments and result are those of `search_components`."""
        source = (self.buffers, self.symbolic_transitions(states.layout), self.witness, self.graph_of)
        kernel = self.kernels[search_components]
        return kernel(self.rules, self.seats, states, roots, search, batch, ends, source)  # type: ignore[no-any-return]

    def check_size(self, layout: Layout) -> None:
        """Check that there are not too many states, by an estimate from their layout.

        Raises:
            TooManyRollsError: if there are.
        """
        self.check_roll_count(self.estimate(layout))

    def check_roll_count(self, states: float) -> None:
        """Check that not too many rolls have to be enumerated: one for each roll graph, if these are shared, or state.

        Raises:
            TooManyRollsError: if there are.
        """
        count = float(self.graphs.used[GraphKind.GRAPH]) if self.shared else states
        limits.check_roll_count(self._game, count, self._can_stage)

    def count_nodes(self) -> int:
        """Count the nodes of the roll graphs of all states together."""
        sizes = np.diff(self.graphs.interior_nodes[: self.graphs.used[GraphKind.INTERIOR]], prepend=0)
        graphs, states = np.unique(self.graph_of[self.graph_of >= 0], return_counts=True)
        return int(states @ sizes[self.graphs.graph_interior[graphs]])

    def estimate(self, layout: Layout) -> float:
        """Estimate the number of possible states of a layout before a roll from a sample of its packed states."""
        if layout.halves > 1:
            return 0.0
        words = np.random.default_rng(1).integers(0, layout.key_count, SAMPLED)
        return float(self.kernels[count_possible](self.rules, layout, words)) / SAMPLED * layout.key_count

    def grow(self) -> None:
        """Double the capacity of arrays that are more than half full; if none is, that of the buffers for one state."""
        used = dict(zip(KINDS, self.graphs.used, strict=True))
        full = [name for name, array in self._stored() if 2 * used[_kind(name)] >= len(array)]
        if not full:
            nodes, fields = 2 * len(self.buffers.roll.slot), len(self.buffers.inside)
            roll, builder, listing, exits = _buffers(nodes, fields)
            self.buffers = self.buffers._replace(roll=roll, builder=builder, listing=listing, exits=exits)
            full = [
                name for name, array in self._stored() if 1 < len(array) < ROLL_CAPACITY_RATIO * _capacity(name, nodes)
            ]
        self._double(full)

    def allocate(self, states: StateSet) -> None:
        """Allocate the buffers of a search of these states, whose rolls the reachability analysis has found."""
        self.graph_of = np.full(states.size, -1, np.int32)
        used = dict(zip(KINDS, self.graphs.used, strict=True))
        nodes = len(self.buffers.roll.slot)
        self._double(
            [name for name, array in self._stored() if 1 < len(array) < used[_kind(name)] + _capacity(name, nodes)]
        )

    def _double(self, full: list[str]) -> None:
        doubled = {name: _doubled(array) for name, array in self._stored() if name in full}
        table = np.full(4 * len(doubled.get("class_graph", self.graphs.class_graph)), -1, np.int32)
        self.buffers = self.buffers._replace(graphs=self.graphs._replace(**doubled, class_table=table))
        if self.graphs.used[GraphKind.CLASS]:
            self.kernels[rehash_classes](self.graphs)

    def _stored(self) -> list[tuple[str, NDArray[Any]]]:
        return [(name, array) for name, array in self.graphs._asdict().items() if name not in ("used", "class_table")]


def _buffers(nodes: int, fields: int) -> tuple[Roll, Builder, Outcomes, Exits]:
    """Allocate buffers for one roll of `nodes` nodes, a power of two."""
    capacity = 16 * nodes
    return (
        Roll.empty(nodes, fields),
        Builder.empty(nodes, fields),
        Outcomes.empty(capacity, fields),
        Exits.empty(capacity, fields),
    )


def count_possible(rules: Rules, layout: Layout, packed: Any) -> int:
    """Count the packed states in `packed` that are possible, not transient, and not terminal."""
    count = 0
    for key in packed:
        state = unpack(layout, key)
        count += possible(rules, state) and not transient(rules, state) and not over(rules, state)
    return count


def _kind(name: str) -> str:
    return name.partition("_")[0]


def _capacity(name: str, nodes: int) -> int:
    """Return the capacity of an array for this number of nodes."""
    return richness(name) * nodes


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    check_indices(2 * len(array), "entries of a table of rolls")
    doubled = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    doubled[: len(array)] = array
    return doubled
