"""The roll graphs of a game's stored states, shared by the reachability analysis, the search and the backup."""

from collections.abc import Callable
from types import FunctionType
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from komi.graph import limits
from komi.rules.compiled import CompiledGame
from komi.rules.interface import over, possible, transient, unpack
from komi.rules.packing import Layout
from komi.transient.entry import enter_roll
from komi.transient.hash_consing import rehash_families
from komi.transient.roll_graph import FAMILIES, KINDS, SHAPES, Draft, Ports, Shapes
from komi.transient.roll_reachability import survey_rolls
from komi.transient.symbolic_cache import Formulary
from komi.transient.symbolic_execution import Tracer

FIRST_ROOM = 256  # rows
SAMPLED = 100_000  # packed states of a layout
KEPT_FOR_ONE = 4  # minimal ratio of the capacity for all shapes to that for one
FEW = ("graph", "row", "exits", "shape", "family")
"""The kinds of arrays that have a smaller capacity than the others."""
RICHER = 16


class Rolls:
    """All roll graphs found so far, and buffers to compute one.

    Args:
        compiled, rules: the game.
        shared: whether states share shapes if the game promises `totals`; otherwise every state is expanded.
        sweepable: whether a staged solve is possible if there are many states.

    Attributes:
        seats: the number of seats.
        shared: whether states share shapes.
        threads: the number of threads that can use it concurrently.
        kernels: specializations of the engine that expand states.
        shapes: the hash-consed shapes.
        draft, ports: buffers for one state.
        inside: bool[fields], which fields can change inside a roll.
        unshaping: bool[fields], the totals, on which no shape depends.
        witness: int64[fields + 1], the state, and the action, of a violation of the rules.
        shape_of: int32[states], the shape of each stored state that the search has visited.
    """

    threads = 1

    def __init__(self, compiled: CompiledGame, rules: Any, shared: bool = True, sweepable: bool = False) -> None:
        game = compiled.game
        names = game.module.State._fields
        roll, totals = game.roll(rules), game.totals(rules)
        self._game, self.seats, self._sweepable = game, game.players(rules), sweepable
        self.kernels = compiled.kernels_with("rolls", enter=cast(FunctionType, enter_roll))
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
    def kernel(self) -> Callable[..., Any]:
        """The kernel of the reachability analysis."""
        return self.kernels[survey_rolls]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arguments of the kernels that expand states."""
        return self.inside, self.unshaping, self.shapes, self.draft, self.ports

    def survey_arrays(self, layout: Layout) -> tuple[Any, ...]:
        """Return the additional arguments of `survey_rolls` for states in a layout."""
        self._formulary.fit(layout)
        return *self.arrays, self._formulary.formulas

    def search_arrays(self, layout: Layout) -> tuple[Any, ...]:
        """Return the `rolls` argument of `search_components`."""
        return *self.survey_arrays(layout), self.witness, self.shape_of

    def learn(self, state: tuple[int, ...], shape: int) -> None:
        """Learn symbolic transitions from a state that was just expanded, for states with other totals."""
        self._formulary.learn(state, shape, self.shapes, self.ports)

    def visitor(self, thread: int) -> Self:  # noqa: ARG002
        """Return the object with which a thread visits states: this one, for the only thread."""
        return self

    def check_size(self, rules: Any, layout: Layout) -> None:
        """Check that there are not too many states, by an estimate from their layout.

        Raises:
            ManyExpandedError: if there are.
        """
        self.check_roll_count(self.estimate(rules, layout))

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

    def estimate(self, rules: Any, layout: Layout) -> float:
        """Estimate the number of possible states of a layout before a roll from a sample of its packed states."""
        if layout.halves > 1:
            return 0.0
        words = np.random.default_rng(1).integers(0, layout.key_count, SAMPLED)
        return float(self.kernels[count_possible](rules, layout, words)) / SAMPLED * layout.key_count

    def make_room(self) -> None:
        """Double the capacity of arrays that are more than half full; if none is, that of the buffers for one state."""
        used = dict(zip(KINDS, self.shapes.used, strict=True))
        full = [name for name, array in self._kept() if 2 * used[_kind(name)] >= len(array)]
        if not full:
            room, fields = 2 * len(self.draft.source), len(self.inside)
            self.draft, self.ports = Draft.empty(room, fields), Ports.empty(16 * room, fields)
            full = [name for name, array in self._kept() if 1 < len(array) < KEPT_FOR_ONE * _room(name, room)]
        self._double(full)

    def settle(self, states: int) -> None:
        """Allocate the buffers of a search of `states` states, whose rolls the reachability analysis has found."""
        self.shape_of = np.full(states, -1, np.int32)
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
