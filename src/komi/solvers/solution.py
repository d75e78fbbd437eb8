"""The base class of all solutions: values, optimal actions and error bounds, whatever solver computed them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I16, I64
from komi.compiling.compiled import CompiledGame
from komi.errors import InputError, SolveError, StorageError
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.proof.audit import ListedPlay
from komi.rounding import format_bound, proved_only
from komi.rules.game import Game
from komi.rules.kind import Kind
from komi.solvers.columns import Columns, action_labels, field_columns, read_states
from komi.solvers.discrete_dp import DiscreteDPArrays
from komi.tabular import create_frame
from komi.typing import State

AnyState = str | Mapping[str, int] | tuple[int, ...]
TOLERANCE = 1e-9  # the largest error bound that is accepted by default


@dataclass(frozen=True)
class Seconds:
    """The solve time in seconds: `compile` for compiling or loading code, `solve` for the game itself."""

    compile: float = 0.0
    solve: float = 0.0
    total: float = 0.0


@dataclass(frozen=True)
class ActionValue:
    """The value of an action to the mover under optimal play.

    Attributes:
        label: the action.
        value: the probability of winning; without chance in the game 1 for a win, 0.5 for a draw, 0 for a loss; with a
            `payoff_range` the expected payoff; the expected objective of a single-player game.
        result: "win", "draw" or "loss"; None in games of chance.
        plies: actions until the end of the game, this one included; None in a draw, and in games of chance.
    """

    label: str
    value: float
    result: str | None = None
    plies: int | None = None


@dataclass(frozen=True)
class OptimalPlay:
    """Optimal play as arrays.

    Attributes:
        states: the states, without terminal ones.
        values: float64[states], the value of each to the player to move; with a `payoff_range` mapped to 0 to 1.
        choices: int16[states], an optimal action in each.
    """

    states: StateSet
    values: F64
    choices: I16


@dataclass(frozen=True)
class VerifiedHints:
    """The hints of a rule file that a result relies on.

    Attributes:
        hints: their names.
        verified: the number of states in which they were verified.
        states: the number of all states.
    """

    hints: tuple[str, ...]
    verified: int
    states: int

    @property
    def is_complete(self) -> bool:
        """True if they were verified in all states: what relies on them is then proved."""
        return self.verified == self.states


class HasStateSet(Protocol):
    """The interface that the solution data of all solvers share."""

    @property
    def states(self) -> StateSet:
        """The states, without terminal ones."""
        ...


class ImpreciseError(SolveError):
    """The values are proved, but not to the tolerance."""


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


@dataclass(frozen=True, eq=False, repr=False)
class Solution(ABC, Generic[Data]):
    """The proved solution of one game under one set of rules.

    States are given as a State, as a mapping or as text (`"score=10,turn=4"`, or the game's own notation); omitted
    fields have their initial values. States that are unreachable from the initial state are solved on request.

    Attributes:
        game: the game.
        rules: its rules.
        kind: the kind of game that these rules define.
        compiled: the game with its compiled rules.
        lazy_solver: the solver, which holds the solution data and extends them on request.
        tolerance: the largest accepted error bound, relative to the range of values.
        seconds: the solve time.
        is_loaded: True if the solution was loaded from disk.
        is_audited: True if an audit has confirmed the solution now: a check against the rules as Python runs them,
            which shares no code with the solver. Solutions of up to 20,000 states are audited before they are stored.
        storage_error: the error that prevented storing the solution on disk; None if there was none.
    """

    game: Game
    rules: Any
    kind: Kind
    compiled: CompiledGame
    lazy_solver: LazySolver[Data]
    tolerance: float = TOLERANCE
    seconds: Seconds = Seconds()
    is_loaded: bool = False
    is_audited: bool = False
    storage_error: StorageError | None = None

    has_plies: ClassVar[bool] = False
    """True if values are win, draw or loss with the plies to the end, as in games without chance."""

    def __repr__(self) -> str:
        name, bound = type(self).__name__, format_bound(self.error_bound)
        return f"<{name} of {self.game.name}: {self.states:,} states, error bound {bound}>"

    def _repr_html_(self) -> str:
        """Return the main figures as HTML, for notebooks, with a picture where there is one."""
        # The module that draws is above this one; only notebooks load it.
        return import_module("komi.reporting.notebook").solution_html(self)  # type: ignore[no-any-return]

    @property
    def objective(self) -> str:
        """The quantity that values measure."""
        is_stated = self.kind.seats == 1 or not self.kind.payoffs.is_chance
        return self.game.objective(self.rules) if is_stated else "chance of winning"

    @property
    def data(self) -> Data:
        """The solution data: frozen arrays and numbers of all states solved so far."""
        return self.lazy_solver.data

    @property
    def states(self) -> int:
        """The number of reachable states, without terminal ones."""
        return self.lazy_solver.reachable

    @property
    def listable_states(self) -> int:
        """The number of reachable states, including those inside rolls that are not stored."""
        return self.states

    @property
    def is_fully_stored(self) -> bool:
        """True if every state is stored and none is recomputed on request."""
        return True

    @property
    def is_pure(self) -> bool:
        """True if optimal play takes one action in each state, so that a table of actions represents it."""
        return True

    def check_listable(self) -> None:
        """Check that all states can be listed, including transient states inside rolls.

        Raises:
            SolveError: if there are too many.
        """

    @property
    def all_states(self) -> StateSet:
        """All states solved so far, including transient states inside rolls."""
        return self.data.states

    @property
    @abstractmethod
    def error_bound(self) -> float:
        """A bound on the error of every value."""

    @property
    def scale(self) -> float:
        """The factor by which the tolerance is multiplied: 1 for probabilities."""
        return self.kind.payoffs.width

    @property
    def verified_hints(self) -> VerifiedHints | None:
        """The hints of the rule file that the values rely on; None if they rely on the rules alone."""
        return None

    @property
    def is_proved(self) -> bool:
        """True if the error bound is proved; False if it holds only if the `verified_hints` hold, in all states."""
        return self.verified_hints is None or self.verified_hints.is_complete

    @property
    @abstractmethod
    def optimal_play(self) -> OptimalPlay:
        """Optimal play in all states solved so far, as arrays."""

    @property
    def stored_play(self) -> OptimalPlay:
        """Optimal play in the stored states, as arrays."""
        return self.optimal_play

    def arrays(self) -> Columns:
        """Return optimal play in all states solved so far as named columns of one length, a row per state.

        Returns:
            The fields of the state that the rules use; "value", to the player to move, as `expected_value` returns it;
            "action", the number of an optimal action, -1 where chance moves; "error_bound", of the value; and what else
            the class of the solution knows of every state. A field with the name of a result gets an underscore.

        Raises:
            SolveError: if there are states inside rolls that are not stored, and too many to list.

        Example:
            >>> import komi
            >>> columns = komi.solve("piglet", goal=3).arrays()
            >>> list(columns)
            ['score', 'rival', 'turn', 'value', 'action', 'error_bound']
            >>> len(columns["value"]), round(float(columns["value"].max()), 4)
            (27, 1.0)
        """
        return self._columns()[1]

    def to_frame(self, library: str = "pandas") -> Any:
        """Return the columns of `arrays` as a data frame, with the labels of actions in place of their numbers.

        Args:
            library: "pandas" or "polars".

        Raises:
            InputError: for another library, or one that is not installed.
            SolveError: as `arrays`.
        """
        fields, columns = self._columns()
        labels = action_labels(self.game, self.rules, fields, columns["action"])
        return create_frame({**columns, "action": labels}, library)

    def _columns(self) -> tuple[I64, Columns]:
        """Return int64[states, fields], and the columns of `arrays`."""
        play = self.optimal_play
        fields = play.states.all_fields()
        return fields, {
            **field_columns(self.game, self.rules, fields),
            "value": self.kind.payoffs.payoff(np.asarray(play.values)),
            "action": np.asarray(play.choices),
            "error_bound": np.full(len(fields), self.error_bound),
            **self._more_columns(),
        }

    def _more_columns(self) -> Columns:
        """Return the columns that only this class of solutions has."""
        return {}

    def values_of(self, states: Any) -> F64:
        """Return the value of many states at once, as `expected_value` returns it for one.

        Args:
            states: integers[states, fields], of all fields of `State` or of those that the rules use; or columns by
                name: a mapping or a data frame, such as `arrays` and `to_frame` return. Missing fields are those of the
                initial state.

        Returns:
            float64[states], the value of each state to the player to move.

        Raises:
            InputError: if there is no such field, or a state is impossible.

        Example:
            >>> import komi
            >>> piglet = komi.solve("piglet", goal=10)
            >>> piglet.values_of([[0, 0, 0], [4, 7, 2]]).round(4)
            array([0.5225, 0.3209])
        """
        fields, indices, others = self._locate(states)
        values = np.empty(len(fields))
        stored = np.asarray(self.stored_play.values[indices[indices >= 0]])
        values[indices >= 0] = self.kind.payoffs.payoff(stored)
        values[indices < 0] = [self.expected_value(state) for state in others]
        return values

    def best_of(self, states: Any) -> NDArray[np.str_]:
        """Return the label of an optimal action in many states at once: "" where the game is over.

        Args:
            states: as in `values_of`.

        Raises:
            InputError: as in `values_of`.

        Example:
            >>> import komi
            >>> komi.solve("piglet", goal=10).best_of({"score": [4, 4], "rival": [7, 7], "turn": [1, 2]}).tolist()
            ['flip', 'hold']
        """
        fields, indices, others = self._locate(states)
        choices, is_over = np.zeros(len(fields), np.int16), np.zeros(len(fields), np.bool_)
        choices[indices >= 0] = self.stored_play.choices[indices[indices >= 0]]
        is_over[indices < 0] = [self._is_over(state) for state in others]
        choices[(indices < 0) & ~is_over] = [self.optimal_action(state) for state in others if not self._is_over(state)]
        labels = np.full(len(fields), "", np.object_)
        labels[~is_over] = action_labels(self.game, self.rules, fields[~is_over], choices[~is_over])
        return labels.astype(np.str_)

    def _locate(self, states: Any) -> tuple[I64, I64, list[State]]:
        """Find many states, and solve those that are not solved yet.

        Returns:
            int64[states, fields]; the index of each state among the stored ones, or -1; and the states that are not
            stored: those in which the game is over, and transient ones.
        """
        fields = read_states(self.game, self.rules, states)
        missing = fields[self.stored_play.states.indices_of_fields(fields) < 0]
        unknown = [self.read(tuple(row)) for row in np.unique(missing, axis=0).tolist()]
        self.include([state for state in unknown if not self._is_over(state)])
        indices = self.stored_play.states.indices_of_fields(fields)
        return fields, indices, [self.game.module.State(*row) for row in fields[indices < 0].tolist()]

    @abstractmethod
    def value(self, state: AnyState | None = None) -> Any:
        """Return the value of a state to the player to move; of the initial state if none is given."""

    def expected_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the expected payoff of a seat as a number, a draw counting half; with one player the objective.

        Args:
            state: a state; the initial state by default.
            seat: the number of turns from the mover to the player whose payoff is returned.
        """
        value = float(self.value(state))
        return value if seat % self.kind.seats == 0 else self.kind.payoffs.opposite(value)

    def revealed_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the expected payoff of a seat, given all of the state; see `expected_value`.

        It differs from the expected value only where the player to move does not see all of the state.
        """
        return self.expected_value(state, seat)

    @abstractmethod
    def actions(self, state: AnyState | None = None) -> dict[str, Any]:
        """Return the value of each legal action to the mover under optimal play, best first.

        Empty in terminal states.
        """

    def action_values(self, state: AnyState | None = None) -> list[ActionValue]:
        """List all legal actions with their values, best first; empty in terminal states and at chance nodes."""
        read = self.read(state)
        if self._is_over(read) or self.game.is_chance(self.rules, read):
            return []
        return [ActionValue(label, value) for label, value in self.actions(read).items()]

    def best(self, state: AnyState | None = None) -> str | None:
        """Return the label of an optimal action; None in terminal states."""
        return next(iter(self.actions(state)), None)

    def optimal_action(self, state: State) -> int:
        """Return the number of an optimal action in a nonterminal state."""
        self.include([state])
        arrays = self.stored_play
        return int(arrays.choices[arrays.states.index_of(state)])

    def read(self, state: AnyState | None) -> Any:
        """Parse a state; return the initial state if none is given."""
        return self.game.part("start")(self.rules) if state is None else self.game.read(self.rules, state)

    def after(self, state: AnyState | None, action: str) -> Any:
        """Return the successor state of an action with a single outcome, by its label.

        Raises:
            InputError: if the action is not legal, or its outcome is random.
        """
        read = self.read(state)
        labels = {} if self._is_over(read) else self.game.labels(self.rules, read)
        if action not in labels:
            written, legal = self.game.write(self.rules, read), ", ".join(labels) or "nothing"
            raise InputError(f"{action!r} is not legal in {written}; legal: {legal}.")
        [(_, successor, _), *others] = self.game.outcomes(self.rules, read, labels[action])
        if others:
            raise InputError(f"the outcome of {action!r} is random in {self.game.write(self.rules, read)}.")
        return successor

    def discrete_dp(self) -> DiscreteDPArrays:
        """Return the arrays of a `quantecon.markov.DiscreteDP`, for a game of one player.

        Raises:
            InputError: if the game is for more.
            SolveError: if there are too many outcomes.
        """
        raise InputError(
            f"a DiscreteDP is a decision process of one player: {self.game.name} is for {self.kind.seats}."
        )

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve additional nonterminal states, and all states reachable from them, in one pass."""
        if self.lazy_solver.include(states, progress):
            self.check_bound()

    @property
    def accepted(self) -> float:
        """The largest error bound that is accepted, relative to the scale."""
        return self.tolerance

    @property
    def is_precise(self) -> bool:
        """True if the error bound is accepted."""
        return self.error_bound <= self.accepted * self.scale

    @property
    def _needed(self) -> float:
        """The least tolerance that accepts an error bound that is too wide."""
        return self.error_bound / self.scale

    def check_bound(self) -> None:
        """Verify that the error bound of the values is within the tolerance.

        Raises:
            ImpreciseError: if it is not; the message names a tolerance that accepts them.
        """
        if not self.is_precise:
            proved = proved_only(self.error_bound, self.accepted * self.scale)
            needed = format_bound(self._needed * (1 + 1e-12))
            raise ImpreciseError(f"the values of {self.game.name} are {proved}: a tolerance of {needed} accepts them.")

    @abstractmethod
    def bellman_violation(self, state: State, moves: Sequence[Any]) -> tuple[Any, Any] | None:
        """Check the Bellman equation of a state against its moves as the interpreter runs them.

        Returns:
            None if the equation holds, else (the value of the state, the value of its moves).
        """

    @abstractmethod
    def audit(self, play: ListedPlay) -> bool:
        """Check what was proved against all of play, listed with the rules as Python runs them.

        Returns:
            True if the result is confirmed; False if the audit finds no proof of its own.

        Raises:
            AuditError: if the result is wrong.
        """

    @abstractmethod
    def have_equal_values(self, state: State, other: State) -> bool:
        """Return whether two states have the same value, within the proved error."""

    def _is_over(self, state: State) -> bool:
        return bool(self.game.part("over")(self.rules, state))
