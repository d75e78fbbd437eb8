"""What solving a game says: the value of every state, and how to play."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from komi import catalog
from komi.compile.compiled import CompiledGame
from komi.compile.kernels import Notice, engine
from komi.errors import GameError, SolveError, StorageError
from komi.game import Game
from komi.interpreted import Interpreter
from komi.methods.race.values import Values, solve_race
from komi.model import storage
from komi.progress import Progress, silent

AnyState = str | Mapping[str, int] | tuple[int, ...]
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Seconds:
    """How long solving took: `compile` for compiling or loading code, `solve` for the game itself."""

    compile: float
    solve: float
    total: float


@dataclass
class Solution:
    """Optimal play of one game under one set of rules.

    States may be given as a State, as a mapping or as text (`"score=10,turn=4"`); fields left out are as
    at the start. States that play cannot reach from the start are solved when asked for.

    Attributes:
        game: the game.
        rules: its rules.
        seconds: how long it took.
        kept: whether it was found on disk.
        unkept: why it could not be kept on disk, if it could not.
        compiled: the game with its compiled rules.
    """

    game: Game
    rules: Any
    seconds: Seconds
    kept: bool
    unkept: StorageError | None
    compiled: CompiledGame = field(repr=False)
    _values: Values = field(repr=False)
    _tolerance: float = TOLERANCE

    def __post_init__(self) -> None:
        self._reachable = self._values.states.size

    @property
    def states(self) -> int:
        """How many states play can reach, those where the game is over not counted."""
        return self._reachable

    @property
    def values(self) -> Values:
        """The values of all states solved so far, as arrays."""
        return self._values

    @property
    def error_bound(self) -> float:
        """No value is further than this from the truth."""
        return self._values.error_bound

    def value(self, state: AnyState | None = None) -> float:
        """The mover's probability of winning, a shared win counting half; of the first player at the start."""
        return self._value(self._read(state))

    def actions(self, state: AnyState | None = None) -> dict[str, float]:
        """What each legal action is worth to the mover, if all play on optimally; best first.

        The best is worth what the state is: where the two differ by less than is proved, only by rounding, the
        state's value is given for both. Empty where the game is over.
        """
        read = self._read(state)
        if self.game.part("over")(self.rules, read):
            return {}
        value = self._value(read)  # solves what follows, too, where that is not known yet
        worth = {
            label: self._action_value(read, action) for label, action in self.game.labels(self.rules, read).items()
        }
        best = max(worth.values())
        equal = min(best, value) if abs(best - value) <= self.error_bound else math.inf
        return {
            label: value if chance >= equal else chance
            for label, chance in sorted(worth.items(), key=lambda pair: -pair[1])
        }

    def best(self, state: AnyState | None = None) -> str | None:
        """The best action; None where the game is over."""
        return next(iter(self.actions(state)), None)

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve these states too, and what play can reach from them, all at once; in none the game is over."""
        unknown = [state for state in states if self._values.states.index_of(state) < 0]
        if unknown:
            values = solve_race(self.compiled, self.rules, unknown, self._values, progress)
            _check_bound(self.game, values, self._tolerance)
            self._values = values

    def _read(self, state: AnyState | None) -> Any:
        return self.game.part("start")(self.rules) if state is None else self.game.read(self.rules, state)

    def _action_value(self, state: Any, action: int) -> float:
        total = 0.0
        for probability, after, passes in self.game.outcomes(self.rules, state, action):
            value = self._value(after)
            total += probability * (1.0 - value if passes % 2 else value)
        return total

    def _value(self, state: Any) -> float:
        if self.game.part("over")(self.rules, state):
            return float(self.game.payoffs(self.rules, state)[0])
        self.include([state])
        return float(self._values.values[self._values.states.index_of(state)])


def solve(
    game: str | Game,
    *,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Solution:
    """Optimal play of a game of two players, with a proved bound on every value.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        tolerance: the largest error bound to accept.
        fresh: solve again, even if a solution was kept.
        progress: is told how far the work is.
        notice: is told what takes seconds and happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game or rule, or a value out of its limits.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or not be proved to the tolerance.
        StorageError: if the cache folder cannot be written to.

    Example:
        >>> import komi
        >>> red_light = komi.solve("red-light")
        >>> round(red_light.value(), 6)
        0.500011
        >>> red_light.best("score=47,rival=49,turn=2,red=3,green=23")
        'draw'
    """
    begin = time.perf_counter()
    if isinstance(game, str):
        game = catalog.find(game)
    chosen = game.rules(rules)
    check_kind(game, chosen)
    start = start_of(game, chosen)
    compiled = CompiledGame(game)
    compiled.kernels.notice = engine().notice = notice
    path = storage.path_of(compiled, chosen)
    values = None if fresh else storage.load(path)
    kept = values is not None
    unkept = None
    compiling = solving = 0.0
    if values is None:
        solve_begin = time.perf_counter()
        compiled_before = engine().seconds
        values = solve_race(compiled, chosen, [start], progress=progress)
        compiling = compiled.kernels.seconds + engine().seconds - compiled_before
        solving = time.perf_counter() - solve_begin - compiling
        try:
            storage.save(path, values)
        except StorageError as error:
            unkept = error
    _check_bound(game, values, tolerance)
    seconds = Seconds(compiling, solving, time.perf_counter() - begin)
    return Solution(game, chosen, seconds, kept, unkept, compiled, values, tolerance)


def start_of(game: Game, rules: Any) -> Any:
    """The first state; a mistake that shows there already is told before anything is compiled.

    Raises:
        GameError: if there is one.
    """
    interpreter = Interpreter(game, rules)
    start = interpreter.start()
    for problem in interpreter.problems.values():
        raise GameError(str(problem), problem.state)
    return start


def check_kind(game: Game, rules: Any) -> None:
    """See that the game is of a kind that can be solved.

    Raises:
        SolveError: if it is not.
    """
    players = game.players(rules)
    if players != 2:
        raise SolveError(
            f"{game.name} is for {players} player{'s' * (players != 1)}: komi solves games of two, so far."
        )
    if game.has("reward"):
        raise SolveError(f"{game.name} has rewards along the way: komi solves games that are won or lost, so far.")
    if game.has("view"):
        raise SolveError(f"{game.name} hides something from its players: komi solves games of open cards, so far.")


def _check_bound(game: Game, values: Values, tolerance: float) -> None:
    if not values.error_bound <= tolerance:
        raise SolveError(
            f"the values of {game.name} are proved only to {values.error_bound:.1e}, "
            f"not to the tolerance of {tolerance:.1e}: ask for a larger one."
        )
