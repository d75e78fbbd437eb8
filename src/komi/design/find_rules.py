"""`komi.find_rules`: the rule sets of a game whose measures meet targets, best first.

Small spaces of rules are searched completely, in the order of the grid. In larger ones Optuna's
tree-structured Parzen estimator (T. Akiba et al., Optuna: A Next-generation Hyperparameter Optimization Framework, KDD
2019) proposes rule sets, several at once, for most of the budget; then the search moves from the best rule set to the
best of its neighbors, one step in one rule away, until none is better. Each rule set is solved and measured exactly,
and kept in the store of sweeps: none is ever computed twice, and an interrupted search goes on where it was.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from komi.design.ranges import check_values
from komi.design.store import FORMAT, SweepStore
from komi.design.targets import Target, costs, distance, rank, read_target
from komi.errors import InputError, KomiError
from komi.game import Game
from komi.jit.cache_keys import folder
from komi.jit.kernels import Notice
from komi.measures.chain import follow_optimal_play
from komi.measures.flow import Thresholds, compute_flow
from komi.measures.measure import COMEBACK_AT, DECIDED_AT, PACE, check_measured, measure_play
from komi.parallel import cores, spread
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.compiled import CompiledGame, compiled_game
from komi.rules.kind import kind_of
from komi.solvers.solve import find_solvers
from komi.solvers.solver import check_initial_state
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules

BUDGET = 200  # rule sets
STARTUP = 20  # proposals at random before the optimizer learns from them
IDLE = 50  # batches of proposals in a row that are known already, after which the optimizer ends
PROPOSED = 0.7  # share of the budget for the optimizer
DOMINANT = 1e3  # the factor by which a miss counts more than the most or the least of a measure
UNSOLVED = 1e12  # the cost of a rule set that cannot be measured


@dataclass(frozen=True)
class DesignRow:
    """A rule set with its measures.

    Attributes:
        rules: the rules.
        measures: the measures of optimal play, by name.
        distance: the sum of the misses of all target values, each in units of its tolerance; 0 if all are met.
    """

    rules: Rules
    measures: Mapping[str, float]
    distance: float


@dataclass(frozen=True)
class Sensitivity:
    """The change of the measures from the best rule set to its neighbor in one rule.

    Attributes:
        rule: the rule.
        value: the neighboring value.
        changes: the exact differences of the targeted measures, by name.
    """

    rule: str
    value: object
    changes: Mapping[str, float]


@dataclass(frozen=True)
class RuleSearch(Tabular):
    """The results of a search for rules.

    Attributes:
        game: the game.
        varied: the rules that were varied.
        targets: the targets.
        rows: all rule sets that were measured, best first.
        front: those that no other row is as good as in all targets and better in one, best first.
        evaluated: the number of rule sets measured now.
        found: the number that the store knew.
        is_complete: True if all rule sets were measured.
        sensitivities: the changes of the measures around the best rule set.
        unsolved: rule sets that cannot be measured, with the error.
    """

    game: Game
    varied: tuple[str, ...]
    targets: tuple[Target, ...]
    rows: tuple[DesignRow, ...]
    front: tuple[DesignRow, ...]
    evaluated: int
    found: int
    is_complete: bool
    sensitivities: tuple[Sensitivity, ...]
    unsolved: tuple[tuple[Any, KomiError], ...]

    def __repr__(self) -> str:
        missed = self.rows[0].distance
        return f"<RuleSearch of {self.game.name}: {len(self.rows):,} rule sets, the best misses by {missed:.4g}>"

    def records(self) -> list[Record]:
        """List the rule sets: the rules, the measures, and the distance from the targets."""
        return [{**row.rules._asdict(), **row.measures, "distance": row.distance} for row in self.rows]


def find_rules(
    game: GameLike,
    vary: Mapping[str, Iterable[object]],
    targets: Sequence[str | Target],
    *,
    budget: int = BUDGET,
    seed: int = 1,
    store: str | Path | None = None,
    workers: int | None = None,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> RuleSearch:
    """Search for rule sets whose exact measures meet targets.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        vary: the values of each rule to vary.
        targets: "name=value~tolerance", "name=value", "name=max" or "name=min", where the name is that of a measure in
            `komi measure`.
        budget: the most rule sets to measure; those in the store count, too.
        seed: the seed of the optimizer.
        store: the file that stores measures; by default that of sweeps in the cache folder.
        workers: number of rule sets to measure at once; by default the number of cores.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of other rules to change, by name.

    Raises:
        InputError: for an unknown rule or measure, no target, a budget below 1, or a space that is too large for a grid
            if Optuna is not installed.
        GameError, SolveError: if no rule set can be measured.
        StorageError: if the store cannot be used.
    """
    game = catalog.find(game)
    if not targets:
        raise InputError("give at least one target, such as first=0.5~0.001 or lead_changes=max.")
    wanted = tuple(read_target(target) if isinstance(target, str) else target for target in targets)
    if budget < 1:
        raise InputError(f"the budget must be 1 rule set or more, not {budget}.")
    for name in vary.keys() & rules.keys():
        raise InputError(f"rule {name!r} is both set and varied: choose one.")
    values = check_values(game, vary)
    fixed = {name: game.setting(name, value) for name, value in rules.items()}
    space = _Space(game, values, fixed)
    compiled = compiled_game(game, notice)
    path = Path(store) if store else folder("sweeps") / f"sweeps-{FORMAT}.sqlite"
    with SweepStore(path, None if store else notice) as stored:
        search = _Search(compiled, space, stored, workers or cores(), progress, budget)
        is_complete = space.size <= budget
        if is_complete:
            search.measure(list(space.grid()))
        else:
            _optimize(space, wanted, search, seed)
        search.check_measured()
        best = _climb(space, wanted, search)
        rows = _rank(wanted, search.measures)
        sensitivities = _sensitivities(best, space, wanted, search)
    return RuleSearch(
        game,
        tuple(values),
        wanted,
        rows,
        tuple(_front(rows, wanted)),
        search.evaluated,
        search.found,
        is_complete,
        sensitivities,
        tuple(search.unsolved),
    )


class _Space:
    """The rule sets of a search."""

    def __init__(self, game: Game, values: Mapping[str, Sequence[object]], fixed: Mapping[str, object]) -> None:
        self.game, self.values, self.fixed = game, values, fixed
        self.size = math.prod(map(len, values.values()))

    def rule_set(self, chosen: Mapping[str, object]) -> Any | None:
        """Return the rules with these values; None if the game's limits do not allow them."""
        try:
            return self.game.rules({**self.fixed, **chosen})
        except InputError:
            return None

    def grid(self) -> Iterator[Any]:
        """Yield all rule sets that the limits allow."""
        for combination in product(*self.values.values()):
            rules = self.rule_set(dict(zip(self.values, combination, strict=True)))
            if rules is not None:
                yield rules

    def neighbors(self, rules: Any) -> Iterator[tuple[str, Any]]:
        """Yield (rule, rule set) for each rule set that the limits allow one step in one rule away."""
        chosen = {name: getattr(rules, name) for name in self.values}
        for name, values in self.values.items():
            index = list(values).index(chosen[name])
            for near in (index - 1, index + 1):
                neighbor = self.rule_set({**chosen, name: values[near]}) if 0 <= near < len(values) else None
                if neighbor is not None:
                    yield name, neighbor


class _Search:
    """Measures rule sets in parallel, each once.

    Attributes:
        measures: the measures of each rule set.
        unsolved: rule sets that cannot be measured, with the error.
        evaluated, found: the number of rule sets measured here, and that of those in the store.
        workers: the number of rule sets that are measured at once.
        budget: the most rule sets to measure.
    """

    def __init__(
        self,
        compiled: CompiledGame,
        space: _Space,
        store: SweepStore,
        workers: int,
        progress: Progress,
        budget: int,
    ) -> None:
        self._compiled, self._space, self._store, self.workers = compiled, space, store, workers
        self._progress, self.budget = progress, min(budget, space.size)
        self.measures: dict[Any, dict[str, float]] = {}
        self.unsolved: list[tuple[Any, KomiError]] = []
        self.evaluated = self.found = 0

    @property
    def count(self) -> int:
        """The number of rule sets tried so far."""
        return len(self.measures) + len(self.unsolved)

    def check_measured(self) -> None:
        """Check that a rule set was measured.

        Raises:
            KomiError: if none was: the error of the first.
        """
        if not self.measures:
            raise self.unsolved[0][1] if self.unsolved else InputError("the game's limits allow none of these rules.")

    def measure(self, rule_sets: Sequence[Any]) -> None:
        """Measure rule sets that are not known."""
        new = [rules for rules in dict.fromkeys(rule_sets) if rules not in self.measures]
        fingerprint = self._compiled.fingerprint
        known = self._store.load_measures(fingerprint, new)
        self.measures.update(known)
        self.found += len(known)
        failed = [rules for rules, _ in self.unsolved]
        needed = [tuple(rules) for rules in new if rules not in self.measures and rules not in failed]
        for job, result in spread(_MeasuresJob(self._compiled), needed, self.workers):
            rules = self._space.game.module.Rules(*job)
            if isinstance(result, KomiError):
                self.unsolved.append((rules, result))
                continue
            self.measures[rules] = result
            self.evaluated += 1
            self._store.save_measures(fingerprint, rules, result)
            self._progress("measuring rule sets", self.count, max(self.budget, self.count))


class _MeasuresJob:
    """Measures optimal play of one game under a rule set, on one core."""

    def __init__(self, compiled: CompiledGame) -> None:
        self._compiled = compiled

    def __call__(self, numbers: tuple[Any, ...], progress: Progress) -> dict[str, float]:
        """Solve and measure the game under these rules."""
        rules = self._compiled.game.module.Rules(*numbers)
        compiled = self._compiled.under(rules)
        check_measured(kind_of(compiled.game, rules))
        find_solvers(compiled.game, rules)
        check_initial_state(compiled.game, rules)
        progress("measuring", 0, 0)
        play = follow_optimal_play(compiled, rules)
        flow = compute_flow(play.chain, Thresholds(play.chain.bound, COMEBACK_AT, DECIDED_AT))
        numbers_of = measure_play(play, flow, PACE)
        return {
            **{name: number.value for name, number in numbers_of.items()},
            "error_bound": max(number.error for number in numbers_of.values()),
        }


def _optimize(space: _Space, targets: Sequence[Target], search: _Search, seed: int) -> None:
    """Measure rule sets that Optuna proposes, a batch at a time.

    Raises:
        InputError: if Optuna is not installed.
    """
    try:
        import optuna
    except ImportError:
        raise InputError(
            f"there are {space.size:,} rule sets, more than the budget of {search.budget:,}: searching them needs "
            "Optuna (pip install 'komi[design]'), or a larger budget measures them all."
        ) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed, n_startup_trials=STARTUP))
    spaces: dict[str, optuna.distributions.BaseDistribution] = {
        name: optuna.distributions.IntDistribution(0, len(values) - 1)
        if _is_numeric(values)
        else optuna.distributions.CategoricalDistribution(tuple(range(len(values))))
        for name, values in space.values.items()
    }
    idle = 0
    while search.count < PROPOSED * search.budget and idle < IDLE:
        trials = [study.ask(spaces) for _ in range(search.workers)]
        proposed = [
            space.rule_set({name: space.values[name][index] for name, index in trial.params.items()})
            for trial in trials
        ]
        before = search.count
        search.measure([rules for rules in proposed if rules is not None])
        idle = 0 if search.count > before else idle + 1
        for trial, rules in zip(trials, proposed, strict=True):
            known = search.measures.get(rules)
            study.tell(trial, UNSOLVED if known is None else _scalar(targets, known))


def _climb(space: _Space, targets: Sequence[Target], search: _Search) -> DesignRow:
    """Move from the best rule set to the best of its neighbors until none is better, or the budget is spent."""
    best = _rank(targets, search.measures)[0]
    while search.count < search.budget:
        search.measure([rules for _, rules in space.neighbors(best.rules)])
        better = _rank(targets, search.measures)[0]
        if better.rules == best.rules:
            break
        best = better
    return best


def _is_numeric(values: Sequence[object]) -> bool:
    """Return whether the values are numbers, whose order means something."""
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _scalar(targets: Sequence[Target], measures: Mapping[str, float]) -> float:
    """Return the number that the optimizer minimizes: the distance first, then each "max" and "min"."""
    aims = sum(math.atan(target.cost(measures)) for target in targets if target.aim)
    return DOMINANT * distance(targets, measures) + aims


def _rank(targets: Sequence[Target], measures: Mapping[Any, Mapping[str, float]]) -> tuple[DesignRow, ...]:
    rows = [DesignRow(rules, found, distance(targets, found)) for rules, found in measures.items()]
    return tuple(sorted(rows, key=lambda row: (*rank(targets, row.measures), tuple(map(str, row.rules)))))


def _front(rows: Sequence[DesignRow], targets: Sequence[Target]) -> Iterator[DesignRow]:
    """Yield the rows that no other row dominates."""
    found = [costs(targets, row.measures) for row in rows]
    for row, own in zip(rows, found, strict=True):
        if not any(other != own and all(a <= b for a, b in zip(other, own, strict=True)) for other in found):
            yield row


def _sensitivities(
    best: DesignRow, space: _Space, targets: Sequence[Target], search: _Search
) -> tuple[Sensitivity, ...]:
    """Measure the neighbors of the best rule set, one step of each rule down and up."""
    neighbors = list(space.neighbors(best.rules))
    search.measure([rules for _, rules in neighbors])
    names = dict.fromkeys(target.name for target in targets)
    return tuple(
        Sensitivity(
            rule, getattr(rules, rule), {name: search.measures[rules][name] - best.measures[name] for name in names}
        )
        for rule, rules in neighbors
        if rules in search.measures
    )
