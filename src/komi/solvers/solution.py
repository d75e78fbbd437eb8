"""The base class of all solutions: values, optimal actions and error bounds, whatever method found them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from komi.errors import InputError, SolveError, StorageError
from komi.game import Game
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.rules.compiled import CompiledGame
from komi.rules.kind import Kind
from komi.text import Text

AnyState = str | Mapping[str, int] | tuple[int, ...]
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Seconds:
    """The solve time in seconds: `compile` for compiling or loading code, `solve` for the game itself."""

    compile: float
    solve: float
    total: float


@dataclass(frozen=True)
class ActionValue:
    """The value of an action to the mover under optimal play.

    Attributes:
        label: the action.
        value: the probability of winning; without chance in the game 1 for a win, 0.5 for a draw, 0 for a loss; the
            expected objective of a single-player game.
        result: "win", "draw" or "loss"; None in games of chance.
        plies: actions until the end of the game, this one included; None in a draw, and in games of chance.
    """

    label: str
    value: float
    result: str | None = None
    plies: int | None = None


@dataclass(frozen=True)
class SolutionArrays:
    """Optimal play as arrays.

    Attributes:
        states: the states, without terminal ones.
        values: float64[states], the value of each to the player to move.
        choices: int16[states], an optimal action in each.
    """

    states: StateSet
    values: NDArray[np.float64]
    choices: NDArray[np.int16]


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

    def __str__(self) -> str:
        """Describe the hints and where they were verified."""
        names = " and ".join(repr(name) for name in self.hints)
        if self.verified == self.states:
            return f"Uses the hint{'s' * (len(self.hints) > 1)} {names}, verified in all {self.states:,} states."
        return (
            f"This holds if {names} hold{'s' * (len(self.hints) == 1)}: verified in a random sample of "
            f"{self.verified:,} of {self.states:,} states."
        )


class HasStateSet(Protocol):
    """The interface that the solution data of all methods share."""

    @property
    def states(self) -> StateSet:
        """The states, without terminal ones."""
        ...


Data = TypeVar("Data", bound=HasStateSet)
"""The solution data of a method, stored on disk: a frozen dataclass of a `StateSet`, arrays, and plain numbers."""


@dataclass
class Solution(ABC, Generic[Data]):
    """The proved solution of one game under one set of rules.

    States are given as a State, as a mapping or as text (`"score=10,turn=4"`, or the game's own notation); omitted
    fields have their initial values. States that are unreachable from the initial state are solved on request.

    Attributes:
        game: the game.
        rules: its rules.
        kind: the kind of game that these rules define.
        seconds: the solve time.
        is_loaded: True if the solution was loaded from disk.
        storage_error: the error that prevented storing the solution on disk; None if there was none.
        compiled: the game with its compiled rules.
        tolerance: the largest accepted error bound.
    """

    game: Game
    rules: Any
    kind: Kind
    seconds: Seconds
    is_loaded: bool
    storage_error: StorageError | None
    compiled: CompiledGame = field(repr=False)
    tolerance: float
    data: Data = field(repr=False)

    objective: ClassVar[str] = "chance of winning"
    """The quantity that values measure."""
    has_plies: ClassVar[bool] = False
    """True if values are win, draw or loss with the plies to the end, as in games without chance."""

    def __post_init__(self) -> None:
        self._reachable = int(self.data.states.size)
        self._prepare()

    def _prepare(self) -> None:
        """Initialize the attributes of a subclass."""

    @property
    def is_fully_stored(self) -> bool:
        """True if every state is stored and none is recomputed on request."""
        return True

    @property
    def all_states(self) -> StateSet:
        """All states solved so far, including transient states inside rolls."""
        return self.data.states

    @property
    def states(self) -> int:
        """The number of reachable states, without terminal ones."""
        return self._reachable

    @property
    @abstractmethod
    def error_bound(self) -> float:
        """A bound on the error of every value."""

    @property
    def verified_hints(self) -> VerifiedHints | None:
        """The hints of the rule file that the values rely on; None if they rely on the rules alone."""
        return None

    def hint_lines(self) -> list[str]:
        """List the sentence about hints that follows a claim of proof; empty if there are no hints."""
        return [str(self.verified_hints)] if self.verified_hints else []

    @property
    @abstractmethod
    def arrays(self) -> SolutionArrays:
        """Optimal play in all states solved so far, as arrays."""

    @property
    def stored_arrays(self) -> SolutionArrays:
        """Optimal play in the stored states, as arrays."""
        return self.arrays

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
        return value if seat % self.kind.seats == 0 else 1.0 - value

    @abstractmethod
    def actions(self, state: AnyState | None = None) -> dict[str, Any]:
        """Return the value of each legal action to the mover under optimal play, best first.

        Empty in terminal states.
        """

    def optimal_action(self, state: Any) -> int:
        """Return the number of an optimal action in a nonterminal state."""
        self.include([state])
        known = self.stored_arrays
        return int(known.choices[known.states.index_of(state)])

    def action_values(self, state: AnyState | None = None) -> list[ActionValue]:
        """List all legal actions with their values, best first; empty in terminal states and at chance nodes."""
        read = self.read(state)
        if self._is_over(read) or self.game.is_chance(self.rules, read):
            return []
        return [ActionValue(label, value) for label, value in self.actions(read).items()]

    @abstractmethod
    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve additional nonterminal states, and all states reachable from them, in one pass."""

    @abstractmethod
    def bellman_violation(self, state: Any, moves: Sequence[Any]) -> tuple[Any, Any] | None:
        """Check the Bellman equation of a state against its moves as the interpreter runs them.

        Returns:
            None if the equation holds, else (the value of the state, the value of its moves).
        """

    @abstractmethod
    def have_equal_values(self, state: Any, other: Any) -> bool:
        """Return whether two states have the same value, within the proved error."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Return the JSON fields of `komi solve` that depend on the class of the game."""

    @abstractmethod
    def facts_of(self, state: Any) -> dict[str, Any]:
        """Return the JSON fields of `komi value` for a state that depend on the class of the game."""

    @abstractmethod
    def rows(self) -> Sequence[tuple[str, str]]:
        """List the figures of a report as (label, exact number)."""

    @abstractmethod
    def text(self) -> Text:
        """Format the output of `komi solve`."""

    @abstractmethod
    def text_of(self, state: Any) -> Text:
        """Format the output of `komi value` for a state."""

    @property
    def scale(self) -> float:
        """The factor by which the tolerance is multiplied: 1, except for expected rewards."""
        return 1.0

    def check_bound(self) -> None:
        """Verify that the error bound of the values is within the tolerance.

        Raises:
            SolveError: if it is not.
        """
        if not self.error_bound <= self.tolerance * self.scale:
            raise SolveError(
                f"the values of {self.game.name} are proved only to {self.error_bound / self.scale:.1e}, "
                f"not to the tolerance of {self.tolerance:.1e}: ask for a larger one."
            )

    def _ordered(self, state: Any, worth: dict[str, float], value: float, near: float) -> dict[str, float]:
        """Sort the values of actions, best first; among equally good actions the chosen one of optimal play is first.

        It comes first because other equally good actions can delay the end of the game for ever. Actions that are
        optimal up to rounding are reported with the value of the state.

        Args:
            state: a nonterminal state.
            worth: the value of each legal action, by its label.
            value: the value of the state.
            near: the largest difference that is attributed to rounding.
        """
        sign = -1.0 if self.kind.aim == "least" else 1.0
        best = sign * max(sign * each for each in worth.values())
        if abs(best - value) > near:
            return dict(sorted(worth.items(), key=lambda pair: -sign * pair[1]))
        chosen = self.optimal_action(state)
        taken = {label for label, action in self.game.labels(self.rules, state).items() if action == chosen}
        least = sign * min(sign * best, sign * value)
        same = {
            label
            for label, each in worth.items()
            if sign * each >= sign * least or (label in taken and abs(each - value) <= near)
        }
        ranked = sorted(worth, key=lambda label: (label not in same, label not in taken, -sign * worth[label]))
        return {label: value if label in same else worth[label] for label in ranked}

    def best(self, state: AnyState | None = None) -> str | None:
        """Return the label of an optimal action; None in terminal states."""
        return next(iter(self.actions(state)), None)

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
        [(_, after, _), *others] = self.game.outcomes(self.rules, read, labels[action])
        if others:
            raise InputError(f"chance decides what {action!r} leads to in {self.game.write(self.rules, read)}.")
        return after

    def _is_over(self, state: Any) -> bool:
        return bool(self.game.part("over")(self.rules, state))

    def settings(self) -> str:
        """Format the rules in one line."""
        rules = ", ".join(f"{name} {value}" for name, value in self.rules._asdict().items())
        return f"Rules: {rules}." if rules else "Rules: none to set."

    def took(self) -> str:
        """Format the solve time as a phrase."""
        took = "found solved before" if self.is_loaded else f"solved in {self.seconds.solve:.2f} s"
        if self.seconds.compile >= 1:
            took += f", after {self.seconds.compile:.0f} s of compiling, once only"
        return took
