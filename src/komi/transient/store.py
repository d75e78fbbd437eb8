"""The roll graphs of a game's stored states, shared by the reachability analysis, the search and the backup."""

from types import FunctionType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I64
from komi.graph import limits
from komi.graph.component_search import ComponentSearch, search_components
from komi.graph.growing_set import GrowingSet
from komi.graph.reachability_kernel import PAUSED
from komi.graph.sources import Explorer, action_limit
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts, Transitions
from komi.rules.compiled import CompiledGame
from komi.rules.interface import over, possible, transient, unpack
from komi.rules.packing import Layout
from komi.transient.entry import push_roll
from komi.transient.hash_consing import rehash_families
from komi.transient.roll_graph import FAMILIES, KINDS, SHAPES, Draft, Ports, Shapes
from komi.transient.roll_reachability import explore_rolls
from komi.transient.symbolic_cache import Formulary
from komi.transient.symbolic_execution import Tracer
from komi.transient.violations import NO_ROOM, ROUND, UNKNOWN, UNSHARED, broken_roll

FIRST_ROOM = 256  # rows
SAMPLED = 100_000  # packed states of a layout
KEPT_FOR_ONE = 4  # minimal ratio of the capacity for all shapes to that for one
FEW = ("graph", "row", "exits", "shape", "family")
"""The kinds of arrays that have a smaller capacity than the others."""
RICHER = 16


class Rolls:
    """All roll graphs found so far, and buffers to compute one: a `graph.sources.TransitionSource`.

    The actions of a state in a batch are the ports of its roll.

    Args:
        compiled, rules: the game.
        shared: whether states share shapes if the game promises `totals`; otherwise every state is expanded.
        sweepable: whether a staged solve is possible if there are many states.

    Attributes:
        seats: the number of seats.
        shared: whether states share shapes.
        kernels: specializations of the engine that expand states.
        shapes: the hash-consed shapes.
        draft, ports: buffers for one state.
        inside: bool[fields], which fields can change inside a roll.
        unshaping: bool[fields], the totals, on which no shape depends.
        witness: int64[fields + 1], the state, and the action, of a violation of the rules.
        shape_of: int32[states], the shape of each stored state that the search has visited.
    """

    max_threads = 1
    typical_actions = 8  # ports

    def __init__(self, compiled: CompiledGame, rules: Any, shared: bool = True, sweepable: bool = False) -> None:
        game = compiled.game
        names = game.module.State._fields
        roll, totals = game.roll(rules), game.totals(rules)
        self.compiled, self.rules = compiled, rules
        self._game, self.seats, self._sweepable = game, game.players(rules), sweepable
        self.kernels = compiled.kernels_with("rolls", push_transitions=cast(FunctionType, push_roll))
        self.shared = shared and bool(roll and totals)
        self.inside = np.array([name in roll or not self.shared for name in names])
        self.unshaping = np.array([name in totals and self.shared for name in names])
        self.shapes = Shapes.empty(KEPT_FOR_ONE * FIRST_ROOM, len(names), self.shared)
        self.draft = Draft.empty(FIRST_ROOM, len(names))
        self.ports = Ports.empty(16 * FIRST_ROOM, len(names))
        self._formulary = Formulary(Tracer(game, rules, self.unshaping), self.unshaping, self.inside)
        self.witness = np.zeros(len(names) + 1, np.int64)
        self.shape_of = np.empty(0, np.int32)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arguments of the kernels that expand states."""
        return self.inside, self.unshaping, self.shapes, self.draft, self.ports

    def explorer(self, thread: int) -> Explorer:  # noqa: ARG002
        """Return this object: there is only one thread."""
        return self

    def explore(
        self, found: GrowingSet, stack: I64, height: int, budget: int, totals: I64, witness: I64
    ) -> tuple[int, int]:
        """Visit at most `budget` stored states, and push their successors; see `graph.sources.Explorer`."""
        self._formulary.fit(found.layout)
        reason, height = self.kernels[explore_rolls](
            self.rules,
            self.seats,
            action_limit(self._game),
            found.index,
            stack,
            height,
            budget,
            totals,
            witness,
            *self.arrays,
            self._formulary.formulas,
        )
        if reason == NO_ROOM:
            self.make_room()
        elif reason == UNKNOWN:  # learn symbolic transitions from the state just visited, for states with other totals
            self._formulary.learn(found.fields(int(witness[0])), int(witness[1]), self.shapes, self.ports)
        elif reason in (ROUND, UNSHARED):
            raise broken_roll(self.compiled, self.rules, reason, witness)
        else:
            return reason, height
        return PAUSED, height

    def max_pushed(self, counts: GraphCounts) -> int:
        """Return the most ports or outcomes of one state."""
        return max(len(self.ports.gain), counts.max_actions * counts.max_outcomes)

    def search(
        self, states: StateSet, roots: I64, search: ComponentSearch, batch: Transitions, ends: I64
    ) -> tuple[int, ...]:
        """Continue a component search; arguments and result are those of `search_components`."""
        self._formulary.fit(states.layout)
        source = (*self.arrays, self._formulary.formulas, self.witness, self.shape_of)
        kernel = self.kernels[search_components]
        return kernel(self.rules, self.seats, states, roots, search, batch, ends, source)  # type: ignore[no-any-return]

    def check_size(self, layout: Layout) -> None:
        """Check that there are not too many states, by an estimate from their layout.

        Raises:
            ManyExpandedError: if there are.
        """
        self.check_roll_count(self.estimate(layout))

    def check_roll_count(self, states: float) -> None:
        """Check that not too many of `states` states have to be expanded: one for each shape, if they share shapes.

        Raises:
            ManyExpandedError: if there are.
        """
        count = float(self.shapes.used[SHAPES]) if self.shared else states
        limits.check_roll_count(self._game, count, self._sweepable)

    def count_rows(self) -> int:
        """Count the rows of the roll graphs of all states together."""
        graphs = int(self.shapes.used[0])
        sizes = np.diff(self.shapes.graph_rows[:graphs], prepend=0)
        shapes = np.bincount(self.shape_of[self.shape_of >= 0], minlength=int(self.shapes.used[SHAPES]))
        return int(shapes @ sizes[self.shapes.shape_graph[: len(shapes)]]) if len(shapes) else 0

    def estimate(self, layout: Layout) -> float:
        """Estimate the number of possible states of a layout before a roll from a sample of its packed states."""
        if layout.halves > 1:
            return 0.0
        words = np.random.default_rng(1).integers(0, layout.key_count, SAMPLED)
        return float(self.kernels[count_possible](self.rules, layout, words)) / SAMPLED * layout.key_count

    def make_room(self) -> None:
        """Double the capacity of arrays that are more than half full; if none is, that of the buffers for one state."""
        used = dict(zip(KINDS, self.shapes.used, strict=True))
        full = [name for name, array in self._kept() if 2 * used[_kind(name)] >= len(array)]
        if not full:
            room, fields = 2 * len(self.draft.source), len(self.inside)
            self.draft, self.ports = Draft.empty(room, fields), Ports.empty(16 * room, fields)
            full = [name for name, array in self._kept() if 1 < len(array) < KEPT_FOR_ONE * _room(name, room)]
        self._double(full)

    def allocate(self, states: StateSet) -> None:
        """Allocate the buffers of a search of these states, whose rolls the reachability analysis has found."""
        self.shape_of = np.full(states.size, -1, np.int32)
        used = dict(zip(KINDS, self.shapes.used, strict=True))
        room = len(self.draft.source)
        self._double([name for name, array in self._kept() if 1 < len(array) < used[_kind(name)] + _room(name, room)])

    def _double(self, full: list[str]) -> None:
        doubled = {name: _doubled(array) for name, array in self._kept() if name in full}
        table = np.full(4 * len(doubled.get("family_shape", self.shapes.family_shape)), -1, np.int32)
        self.shapes = self.shapes._replace(**doubled, family_table=table)
        if self.shapes.used[FAMILIES]:
            self.kernels[rehash_families](self.shapes)

    def _kept(self) -> list[tuple[str, NDArray[Any]]]:
        return [(name, array) for name, array in self.shapes._asdict().items() if name not in ("used", "family_table")]


def count_possible(rules: Any, layout: Any, words: Any) -> int:
    """Count the packed states in `words` that are possible, not transient, and not terminal."""
    count = 0
    for word in words:
        state = unpack(layout, word)
        count += possible(rules, state) and not transient(rules, state) and not over(rules, state)
    return count


def _kind(name: str) -> str:
    return name.partition("_")[0]


def _room(name: str, rows: int) -> int:
    """Return the capacity of an array for this number of rows."""
    return rows if _kind(name) in FEW else RICHER * rows


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    doubled = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    doubled[: len(array)] = array
    return doubled
