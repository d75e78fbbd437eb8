"""`komi.learn`: learn a game by a method of the textbooks, and follow its exact distance from optimal play."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from komi import streams
from komi.arrays import F64, I16, I32, I64
from komi.errors import InputError, SolveError
from komi.evaluation.requirements import is_two_player_zero_sum
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.listed_rules import listing_of
from komi.jit.kernels import Kernels, Notice, engine_kernels
from komi.learning import planning, samples
from komi.learning.measurement import ExactMeasurement
from komi.learning.methods import METHODS, Method, Plan, Planning
from komi.learning.planning import GameModel
from komi.learning.samples import Learner, RandomNumbers, SampleMethod, Trajectory
from komi.learning.tables import (
    Choices,
    LearningGame,
    ValueTable,
    best_entries,
    decaying_step_sizes,
    look_ahead,
    tile,
)
from komi.policies.learned import check_file, last_file, save_policy
from komi.policies.table import TablePolicy
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind, check_no_average, kind_of
from komi.solvers.solution import Solution
from komi.solvers.solve import solve_all_states
from komi.tabular import Record, Tabular
from komi.typing import GameLike

STREAM = 4  # the purpose of the random numbers; simulations and environments use those before
BLOCK = 1000  # games between two checks for an interruption
GROWTH = 1.5  # ratio of the games, or sweeps, at successive checkpoints
MAX_GAMES = 1 << 40
MAX_TILINGS = 16  # tiles of 32,768 values: more than any field has
MAX_ROUNDS = 100_000  # of a method that plans


@dataclass(frozen=True)
class CurvePoint:
    """One point of a learning curve.

    Attributes:
        games: the number of games played so far; 0 for a method that plans.
        updates: the number of values updated so far.
        seconds: the time spent on learning so far, without measurements.
        loss: the expected loss of the greedy policy against optimal play, averaged over both seats; for one player in
            the objective. None if it cannot be proved, as where games may never end.
        value_error: the mean absolute error of the values, each state counted once; chance nodes only where the method
            has values for them.
        visited_error: the same, weighted by the expected visits under optimal play.
        largest_error: the largest error of a value.
    """

    games: int
    updates: int
    seconds: float
    loss: float | None
    value_error: float
    visited_error: float
    largest_error: float


@dataclass(frozen=True, eq=False)
class Learned(Tabular):
    """The result of learning.

    Attributes:
        game: the game.
        rules: its rules.
        method: the name of the method.
        curve: the learning curve; its last point is the result.
        worst_case: the policy's probability of winning against a best response, averaged over both seats; None for one
            player, or if it cannot be proved.
        policy: the greedy policy.
        values: float64[states], the learned values, in the order of the solution; NaN at chance nodes in a method that
            learns the values of actions.
        exact: float64[states], the exact values.
        size: the bytes of the learned table.
        file: the file of the policy, if it was written; `komi match` accepts it as learned:FILE.
    """

    game: Game
    rules: Any
    method: str
    curve: tuple[CurvePoint, ...]
    worst_case: float | None
    policy: TablePolicy
    values: F64
    exact: F64
    size: int
    file: Path | None

    def __repr__(self) -> str:
        loss = "unknown" if self.loss is None else f"{self.loss:.6f}"
        return f"<Learned {self.game.name} by {self.method}: {self.games:,} games, loss {loss}>"

    def records(self) -> list[Record]:
        """List the points of the learning curve."""
        return [asdict(point) for point in self.curve]

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.curve[-1].games

    @property
    def updates(self) -> int:
        """The number of values updated."""
        return self.curve[-1].updates

    @property
    def seconds(self) -> float:
        """The time spent on learning, without measurements."""
        return self.curve[-1].seconds

    @property
    def loss(self) -> float | None:
        """The expected loss of the policy against optimal play."""
        return self.curve[-1].loss


class Snapshot(NamedTuple):
    """The estimates of a method at a checkpoint.

    Attributes:
        games, updates, seconds: as in a `CurvePoint`.
        values: float64[states]; NaN where the method has none.
        entries: int64[states], the entry of the best action of each state.
    """

    games: int
    updates: int
    seconds: float
    values: F64
    entries: I64


@dataclass(frozen=True)
class LearningSettings:
    """The settings of a method.

    Attributes:
        games: the number of games to play; for methods that learn from samples.
        seconds: the time limit; None for no limit.
        step_size: the step size of the first update of an entry.
        step_decay: the step size of the n-th update is `step_size` / n^`step_decay`.
        exploration: the probability of a random action in the first game; it decreases linearly to 0 in the last.
        trace_decay: lambda; None for that of the method.
        tilings: 1 for a plain table; with more, the value is a sum over tilings whose tiles have 1, 2, 4, ... values of
            each field; see `tables`.
        exploring_starts: whether games begin in any state.
        tolerance: methods that plan stop when no value has a larger error; the naive one when no value changes more.
        seed: the random seed.
    """

    games: int = 1_000_000
    seconds: float | None = None
    step_size: float = 1.0
    step_decay: float = 0.6
    exploration: float = 0.1
    trace_decay: float | None = None
    tilings: int = 1
    exploring_starts: bool = False
    tolerance: float = 1e-9
    seed: int = 1


def learn(
    game: GameLike,
    method: str,
    *,
    settings: LearningSettings | None = None,
    file: Path | str | None = None,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Learned:
    """Learn a game, and compute the exact loss of the policy at checkpoints.

    The policy is also stored in the cache, as the opponent `learned` of the game under these rules.

    The game is solved first: the solution is used for measurements, and to stop methods that plan; learners never see
    it.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        method: the name of a method; see `komi.learning.methods`.
        settings: the settings of the method.
        file: the file to write the policy to, whose name ends in .npz.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before a slow step that happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or method, or a setting that is out of range or does not fit the method.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or is of a kind that cannot be learned.
        StorageError: if the file cannot be written.

    Examples:
        >>> import komi
        >>> learned = komi.learn("piglet", "value-iteration")
        >>> learned.loss < 1e-9, learned.curve[-1].largest_error < 1e-9
        (True, True)
    """
    chosen = _method(method)
    checked = settings or LearningSettings()
    _check(chosen, checked)
    if file is not None:
        check_file(Path(file))
    found = catalog.find(game)
    checked_rules = found.rules(rules)
    found = found.under(checked_rules)
    check_learnable(kind_of(found, checked_rules))
    solution = solve_all_states(found, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]
    run = _Run(solution, chosen, checked, progress)
    learned = run.learn()
    save_policy(last_file(found, solution.rules), solution, learned.policy, method)
    if file is not None:
        save_policy(Path(file), solution, learned.policy, method)
        learned = replace(learned, file=Path(file))
    return learned


def check_learnable(kind: Kind) -> None:
    """Check that a game can be learned with tables.

    Raises:
        SolveError: if it cannot.
    """
    check_no_average(kind)
    if kind.seats != 1 and not is_two_player_zero_sum(kind):
        raise SolveError(
            "komi learns games for one player, and zero-sum games of perfect information for two: "
            f"{kind.name} is neither."
        )
    if kind.hidden:
        raise SolveError(f"komi learns games of perfect information: {kind.name} has hidden information.")
    if kind.transient:
        raise SolveError(
            f"komi learns games all of whose states are stored: {kind.name} has states inside a roll, which are not."
        )


def _method(name: str) -> Method:
    if name not in METHODS:
        raise InputError(f"there is no method {name!r}: there are {', '.join(METHODS)}.")
    return METHODS[name]


def _check(method: Method, settings: LearningSettings) -> None:
    """Check the settings of a method.

    Raises:
        InputError: if one is out of range, or does not fit the method.
    """
    if not 1 <= settings.games <= MAX_GAMES:
        raise InputError(f"the number of games must be 1 to {MAX_GAMES:,}, not {settings.games}.")
    if settings.seconds is not None and not 0.0 < settings.seconds < float("inf"):
        raise InputError(f"learning takes a positive number of seconds, not {settings.seconds:g}.")
    if not 0.0 < settings.step_size <= 1.0:
        raise InputError(f"the step size must be more than 0 and at most 1, not {settings.step_size:g}.")
    if not 0.0 <= settings.step_decay <= 1.0:
        raise InputError(f"the decay of the step size must be 0 to 1, not {settings.step_decay:g}.")
    if not 0.0 <= settings.exploration <= 1.0:
        raise InputError(f"the exploration must be a probability, 0 to 1, not {settings.exploration:g}.")
    if not 0.0 < settings.tolerance < 1.0:
        raise InputError(f"the tolerance must be more than 0 and less than 1, not {settings.tolerance:g}.")
    if settings.trace_decay is not None:
        if not method.has_traces:
            named = ", ".join(name for name, each in METHODS.items() if each.has_traces)
            raise InputError(f"{method.name} has no lambda: {named} have.")
        if not 0.0 <= settings.trace_decay <= 1.0:
            raise InputError(f"lambda must be 0 to 1, not {settings.trace_decay:g}.")
    if not 1 <= settings.tilings <= MAX_TILINGS:
        raise InputError(f"the number of tilings must be 1 to {MAX_TILINGS}, not {settings.tilings}.")
    if method.plan and settings.tilings > 1:
        raise InputError(f"{method.name} plans with a plain table: tilings do not fit it.")
    if method.plan and settings.exploring_starts:
        raise InputError(f"{method.name} plans with the model and plays no games: exploring starts do not fit it.")


class _Clock:
    """Measures the time spent on learning, without that spent on compiling.

    Attributes:
        total: the seconds until the last pause.
    """

    def __init__(self) -> None:
        self.total = self._begin = 0.0

    def start(self) -> None:
        """Start or continue."""
        self._begin = time.perf_counter() - Kernels.total_seconds

    def pause(self) -> None:
        """Pause."""
        self.total = self.seconds

    @property
    def seconds(self) -> float:
        """The time in seconds, while the clock runs."""
        return self.total + time.perf_counter() - Kernels.total_seconds - self._begin


class _Run:
    """One run of a method."""

    def __init__(self, solution: Solution[Any], method: Method, settings: LearningSettings, progress: Progress) -> None:
        self._solution, self._method, self._settings, self._progress = solution, method, settings, progress
        self._measurement = ExactMeasurement(solution, progress)
        compiled, rules, kind = solution.compiled, solution.rules, solution.kind
        states = solution.optimal_play.states.in_memory()
        choices = Choices.of(compiled, rules, solution.optimal_play.states)
        if method.estimate != samples.STATES and (choices.actions == CHANCE).all():
            raise SolveError(
                f"{method.name} learns the values of actions, and no player of {solution.game.name} takes any: td "
                "learns the values of states."
            )
        self._sign = -1.0 if kind.aim == "least" else 1.0
        start = solution.optimal_play.states.handle(compiled.game.part("start")(rules))
        self._game = LearningGame(start, states, choices, kind.seats == 2, self._sign)
        self._initial = 0.5 if kind.seats == 2 else 0.0
        self._clock = _Clock()
        self._size = 0
        self._task = "planning" if method.plan else "learning"

    def learn(self) -> Learned:
        """Run the method to its end, and measure it at checkpoints."""
        curve = []
        estimates = self._plan(self._method.plan) if self._method.plan else self._sample()
        values, policy = self._measurement.exact, None
        for estimate in estimates:
            values = self._sign * estimate.values
            policy = TablePolicy(self._method.name, self._solution.optimal_play.states, self._actions(estimate.entries))
            errors = self._measurement.errors(values)
            loss = self._measurement.loss(policy)
            curve.append(
                CurvePoint(
                    estimate.games,
                    estimate.updates,
                    estimate.seconds,
                    loss,
                    errors.mean,
                    errors.weighted,
                    errors.largest,
                )
            )
            if loss is not None and self._game.is_zero_sum:
                written = f"{100 * loss:.2f} %" if self._solution.kind.is_chance else f"{loss:.4f}"
                self._task = f"{self._task.partition(',')[0]}, loss {written}"
        assert policy is not None
        return Learned(
            self._solution.game,
            self._solution.rules,
            self._method.name,
            tuple(curve),
            self._measurement.worst_case(policy),
            policy,
            values,
            self._measurement.exact,
            self._size,
            None,
        )

    def _actions(self, entries: I64) -> I16:
        return self._game.choices.actions[entries]

    def _is_out_of_time(self) -> bool:
        limit = self._settings.seconds
        return limit is not None and self._clock.seconds >= limit

    def _sample(self) -> Iterator[Snapshot]:
        """Learn from games, and yield what is learned at checkpoints."""
        settings, method, solution, game = self._settings, self._method, self._solution, self._game
        entries = solution.optimal_play.states.size if method.estimate == samples.STATES else len(game.choices.actions)
        table = ValueTable.empty(
            2 if method.estimate == samples.DOUBLE else 1,
            entries,
            self._initial,
            decaying_step_sizes(settings.step_size, settings.step_decay),
            self._tiles(),
        )
        self._size = table.weights.nbytes
        trace_decay = method.trace_decay if settings.trace_decay is None else settings.trace_decay
        learner = Learner(
            game,
            table,
            SampleMethod(method.estimate, trace_decay, method.first_visits, settings.exploring_starts),
            Trajectory.empty(),
            RandomNumbers.of(streams.key(settings.seed, STREAM)),
        )
        compiled = solution.compiled
        is_listed = listing_of(
            compiled, solution.rules, for_play=True
        )  # else a game takes a microsecond with its rules compiled
        kernel = (GraphKernels(compiled) if is_listed else compiled.kernels)[samples.learn_games]
        kernel(solution.rules, learner, 0, np.empty(0))  # loaded before the clock starts
        played = updates = 0
        checkpoint = BLOCK
        self._clock.start()
        while played < settings.games:
            end = min(played + BLOCK, checkpoint, settings.games)
            exploration = settings.exploration * (1.0 - np.arange(played, end) / settings.games)
            updates += kernel(solution.rules, learner, played, exploration)
            played = end
            self._progress(self._task, played, settings.games)
            is_last = played == settings.games or self._is_out_of_time()
            if played == checkpoint or is_last:
                self._clock.pause()
                yield self._estimate(table, played, updates)
                if is_last:
                    return
                checkpoint = int(checkpoint * GROWTH) // BLOCK * BLOCK + BLOCK
                self._clock.start()

    def _tiles(self) -> I32 | None:
        """Return the tiles of the states, or of the actions of each number; None without tilings."""
        if self._settings.tilings == 1:
            return None
        states, choices = self._solution.optimal_play.states, self._game.choices
        fields = states.all_fields() // np.array(states.layout.steps)
        fields -= fields.min(axis=0)
        classes = np.zeros(len(fields), np.int64)
        if self._method.estimate != samples.STATES:
            fields = np.repeat(fields, np.diff(choices.ends, prepend=0), axis=0)
            classes = choices.actions.astype(np.int64)
        return tile(fields, classes, self._settings.tilings)

    def _estimate(self, table: ValueTable, games: int, updates: int) -> Snapshot:
        values = table.values()
        entries = np.empty(self._solution.optimal_play.states.size, np.int64)
        if self._method.estimate == samples.STATES:
            of_states = ValueTable.of(values)
            GraphKernels(self._solution.compiled)[look_ahead](self._solution.rules, self._game, of_states, entries)
            return Snapshot(games, updates, self._clock.total, values, entries)
        state_values = np.empty(len(entries))
        engine_kernels()[best_entries](self._game.choices, values, entries, state_values)
        state_values[self._game.choices.actions[entries] == CHANCE] = np.nan
        return Snapshot(games, updates, self._clock.total, state_values, entries)

    def _plan(self, plan: Plan) -> Iterator[Snapshot]:
        """Plan with the model, and yield the values at checkpoints, and at the end.

        Raises:
            SolveError: if the method does not converge.
        """
        self._clock.start()
        model = GameModel.of(
            self._solution.compiled, self._solution.rules, self._solution.optimal_play.states, self._sign
        )
        values = np.full(len(model.ends), self._initial)
        self._size = values.nbytes

        def is_converged() -> bool:
            return self._measurement.errors(self._sign * values).largest <= self._settings.tolerance

        updates, checkpoint = 0, 1
        rounds = plan(Planning(model, values, is_converged, self._settings.tolerance))
        for number in itertools.count(1):
            backups = next(rounds, 0)
            updates += backups
            self._progress(self._task, number, 0)
            is_last = backups == 0 or self._is_out_of_time()
            if is_last or number == checkpoint:
                self._clock.pause()
                entries = np.empty(len(values), np.int64)
                engine_kernels()[planning.choose_best](model, values, entries)
                yield Snapshot(0, updates, self._clock.total, values.copy(), entries)
                if is_last:
                    return
                checkpoint = int(checkpoint * GROWTH) + 1
                self._clock.start()
            if number == MAX_ROUNDS:
                raise SolveError(
                    f"{self._method.name} has not converged to {self._settings.tolerance:g} after {MAX_ROUNDS:,} "
                    "sweeps: choose a larger tolerance, or another method."
                )
