"""What every method answers: values, actions and their proof, used by callers without asking for its class."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.errors import InputError, SolveError, StorageError
from komi.game import Game
from komi.kind import Kind
from komi.model.states import StateSet
from komi.progress import Progress, silent
from komi.text import Text

AnyState = str | Mapping[str, int] | tuple[int, ...]
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Seconds:
    """How long solving took: `compile` for compiling or loading code, `solve` for the game itself."""

    compile: float
    solve: float
    total: float


@dataclass(frozen=True)
class Advice:
    """What an action is worth to the mover if all play on optimally.

    Attributes:
        label: the action.
        worth: the chance of winning; without chance in the game 1 for a win, a half for a draw, 0 for a loss; the
            objective of a game for one player.
        value: "win", "draw" or "loss"; None in games of chance.
        plies: actions to the end, this one counted; None in a draw, and in games of chance.
    """

    label: str
    worth: float
    value: str | None = None
    plies: int | None = None


@dataclass(frozen=True)
class Table:
    """Optimal play as arrays.

    Attributes:
        states: the states, none of them over.
        values: float64[states], what each is worth to the player to move.
        choices: int16[states], a best action in each.
    """

    states: StateSet
    values: NDArray[np.float64]
    choices: NDArray[np.int16]


@dataclass(frozen=True)
class Reliance:
    """The hints of a rule file that a result relies on.

    Attributes:
        hints: their names.
        verified: in how many states they were verified.
        states: how many states there are.
    """

    hints: tuple[str, ...]
    verified: int
    states: int

    def __str__(self) -> str:
        """Name the hints, and say where they were verified."""
        names = " and ".join(repr(name) for name in self.hints)
        if self.verified == self.states:
            return f"Uses the hint{'s' * (len(self.hints) > 1)} {names}, verified in all {self.states:,} states."
        return (
            f"This holds if {names} hold{'s' * (len(self.hints) == 1)}: verified in a random sample of "
            f"{self.verified:,} of {self.states:,} states."
        )


class HasStates(Protocol):
    """What all records have."""

    @property
    def states(self) -> StateSet:
        """The states, none of them over."""
        ...


Record = TypeVar("Record", bound=HasStates)
"""What a method finds and what is kept on disk: a frozen dataclass of a `StateSet`, arrays, and plain numbers."""


@dataclass
class Answer(ABC, Generic[Record]):
    """Optimal play of one game under one set of rules, proved.

    States may be given as a State, as a mapping or as text (`"score=10,turn=4"`, or the game's own notation); fields
    left out are as at the start. States that play cannot reach from the start are solved when asked for.

    Attributes:
        game: the game.
        rules: its rules.
        kind: what kind of game they make.
        seconds: how long it took.
        kept: whether it was found on disk.
        unkept: why it could not be kept on disk, if it could not.
        compiled: the game with its compiled rules.
        tolerance: the largest error bound that was accepted.
    """

    game: Game
    rules: Any
    kind: Kind
    seconds: Seconds
    kept: bool
    unkept: StorageError | None
    compiled: CompiledGame = field(repr=False)
    tolerance: float
    record: Record = field(repr=False)

    objective: ClassVar[str] = "chance of winning"
    """What values are."""
    counts_plies: ClassVar[bool] = False
    """Whether values are win, draw or loss, with the plies to the end: play without chance."""

    def __post_init__(self) -> None:
        self._reachable = int(self.record.states.size)
        self._prepare()

    def _prepare(self) -> None:
        """What is made when an answer is."""

    @property
    def stores_all(self) -> bool:
        """Whether every state is stored, and none is worked out again when it is asked for."""
        return True

    @property
    def listed(self) -> StateSet:
        """All states solved so far, those inside a roll too."""
        return self.record.states

    @property
    def states(self) -> int:
        """How many states play can reach, those where the game is over not counted."""
        return self._reachable

    @property
    @abstractmethod
    def error_bound(self) -> float:
        """No value is further than this from the truth."""

    @property
    def reliance(self) -> Reliance | None:
        """The hints of the rule file that the values rely on; None if they rely on the rules alone."""
        return None

    def reliance_lines(self) -> list[str]:
        """List the sentence about hints that follows a claim of proof; empty if there are none."""
        return [str(self.reliance)] if self.reliance else []

    @property
    @abstractmethod
    def values(self) -> Table:
        """Optimal play in all states solved so far, as arrays."""

    @property
    def stored(self) -> Table:
        """The same in the states that are stored."""
        return self.values

    @abstractmethod
    def worth(self, state: AnyState | None = None) -> Any:
        """What a state is worth to the player to move; at the start to the first player."""

    def value(self, state: AnyState | None = None) -> Any:
        """What a state is worth as one word or number."""
        return self.worth(state)

    def chance(self, state: AnyState | None = None) -> float:
        """The mover's chance of winning, a draw counting half; the objective of a game for one player."""
        return float(self.worth(state))

    def chance_of(self, seat: int, state: AnyState | None = None) -> float:
        """The same for the player so many seats after the mover."""
        chance = self.chance(state)
        return chance if seat % self.kind.seats == 0 else 1.0 - chance

    @abstractmethod
    def actions(self, state: AnyState | None = None) -> dict[str, Any]:
        """What each legal action is worth to the mover, if all play on optimally; best first.

        Empty where the game is over.
        """

    def choice(self, state: Any) -> int:
        """The number of a best action in a state where the game is not over."""
        self.include([state])
        known = self.stored
        return int(known.choices[known.states.index_of(state)])

    def advice(self, state: AnyState | None = None) -> list[Advice]:
        """All legal actions, best first; none where the game is over or nobody chooses."""
        read = self.read(state)
        if self._is_over(read) or self.game.is_chance(self.rules, read):
            return []
        return [Advice(label, worth) for label, worth in self.actions(read).items()]

    @abstractmethod
    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve these states too, and what play can reach from them, all at once; in none the game is over."""

    @abstractmethod
    def keeps_equation(self, state: Any, moves: Sequence[Any]) -> tuple[Any, Any] | None:
        """Whether the state's value is what its moves, as the interpreter runs them, are worth.

        Returns:
            None, or (the value, what the moves are worth).
        """

    @abstractmethod
    def are_alike(self, state: Any, other: Any) -> bool:
        """Whether two states are worth the same, as far as is proved."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What `komi solve` says as JSON, besides what is the same for all games."""

    @abstractmethod
    def facts_of(self, state: Any) -> dict[str, Any]:
        """What `komi value` says of a state as JSON, besides what is the same for all games."""

    @abstractmethod
    def rows(self) -> Sequence[tuple[str, str]]:
        """What a report says of it: (what, the exact number)."""

    @abstractmethod
    def text(self) -> Text:
        """What `komi solve` says to a person."""

    @abstractmethod
    def text_of(self, state: Any) -> Text:
        """What `komi value` says to a person of a state."""

    @property
    def scale(self) -> float:
        """What the tolerance is relative to: 1, but for expected gains."""
        return 1.0

    def check_bound(self) -> None:
        """See that values are proved as well as was asked for.

        Raises:
            SolveError: if they are not.
        """
        if not self.error_bound <= self.tolerance * self.scale:
            raise SolveError(
                f"the values of {self.game.name} are proved only to {self.error_bound / self.scale:.1e}, "
                f"not to the tolerance of {self.tolerance:.1e}: ask for a larger one."
            )

    def _ordered(self, state: Any, worth: dict[str, float], value: float, near: float) -> dict[str, float]:
        """What actions are worth, best first; of those that are as good the one that optimal play takes.

        It comes first because others that are as good may wait for ever. What it is worth, and what is best but for
        rounding, is given as the state's value.

        Args:
            state: where the game is not over.
            worth: of each legal action, by its label.
            value: of the state.
            near: differences up to this are rounding.
        """
        sign = -1.0 if self.kind.aim == "least" else 1.0
        best = sign * max(sign * each for each in worth.values())
        if abs(best - value) > near:
            return dict(sorted(worth.items(), key=lambda pair: -sign * pair[1]))
        chosen = self.choice(state)
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
        """The best action; None where the game is over."""
        return next(iter(self.actions(state)), None)

    def read(self, state: AnyState | None) -> Any:
        """The state meant; the first one if none is given."""
        return self.game.part("start")(self.rules) if state is None else self.game.read(self.rules, state)

    def after(self, state: AnyState | None, action: str) -> Any:
        """The state that an action with one outcome leads to, by its label.

        Raises:
            InputError: if it is not legal, or chance decides what follows.
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
        """The rules in one line."""
        rules = ", ".join(f"{name} {value}" for name, value in self.rules._asdict().items())
        return f"Rules: {rules}." if rules else "Rules: none to set."

    def took(self) -> str:
        """How long solving took, in words."""
        took = "found solved before" if self.kept else f"solved in {self.seconds.solve:.2f} s"
        if self.seconds.compile >= 1:
            took += f", after {self.seconds.compile:.0f} s of compiling, once only"
        return took
