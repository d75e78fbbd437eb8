"""`komi.find_rules`: the rule sets of a game whose measures meet targets, best first.

Small spaces of rules are searched completely, in the order of the grid. In larger ones Optuna's
tree-structured Parzen estimator (T. Akiba et al., Optuna: A Next-generation Hyperparameter Optimization Framework, KDD
2019) proposes rule sets, several at once, for most of the budget. The rest is spent on neighbors, one step in one rule
away: those of the best rule set first, then those of the best one whose neighbors are not measured yet. Each rule set
is solved and measured exactly, and kept in the store of sweeps: none is ever computed twice, and an interrupted search
continues where it was.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from komi.compiling.compiled import compiled_game
from komi.design.measured_rules import MeasuredRules
from komi.design.rule_space import RuleSpace
from komi.design.store import open_store
from komi.design.targets import Target, costs, distance, rank, read_targets
from komi.errors import InputError, KomiError
from komi.jit.kernels import Notice
from komi.parallel import cores
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.game import Game
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
        forbidden: the number of rule sets tried that the game's limits do not allow.
        is_complete: True if all rule sets that the limits allow were measured.
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
    forbidden: int
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
        InputError: for an unknown rule or measure, no target, contradictory targets, a budget below 1, or a space that
            is too large for a grid if Optuna is not installed.
        GameError, SolveError: if no rule set can be measured, or none has all targeted measures.
        StorageError: if the store cannot be used.
    """
    game = catalog.find(game)
    wanted = read_targets(targets)
    if budget < 1:
        raise InputError(f"the budget must be 1 rule set or more, not {budget}.")
    space = RuleSpace(game, vary, rules)
    compiled = compiled_game(game, notice)
    with open_store(store, notice) as stored:
        names = [target.name for target in wanted]
        search = MeasuredRules(compiled, space, names, stored, workers or cores(), progress, budget)
        is_complete = space.size <= budget
        if is_complete:
            search.measure(space.rule_sets())
        else:
            _optimize(space, wanted, search, seed)
        search.check_measured()
        _explore_best(space, wanted, search)
    rows = _rank(wanted, search.measures)
    return RuleSearch(
        game,
        tuple(space.values),
        wanted,
        rows,
        tuple(_front(rows, wanted)),
        search.evaluated,
        search.found,
        len(space.forbidden),
        is_complete,
        _sensitivities(rows[0], space, wanted, search.measures),
        tuple(search.unsolved),
    )


def _optimize(space: RuleSpace, targets: Sequence[Target], search: MeasuredRules, seed: int) -> None:
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


def _explore_best(space: RuleSpace, targets: Sequence[Target], search: MeasuredRules) -> None:
    """Measure the neighbors of the best rule set that was not explored yet, until the budget is spent.

    Those of the best of all are measured in any case.
    """
    explored = set()
    while True:
        ranked = [row.rules for row in _rank(targets, search.measures)]
        best = next((rules for rules in ranked if rules not in explored), None)
        if best is None or (search.count >= search.budget and ranked[0] in explored):
            return
        explored.add(best)
        search.measure([rules for _, rules in space.neighbors(best)])


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
    """Yield the rows that no other row dominates.

    In lexicographic order of the costs a row can only be dominated by an earlier one, and then by one of the front.
    """
    found = [costs(targets, row.measures) for row in rows]
    front: list[tuple[float, ...]] = []
    for own in sorted(set(found)):
        if not any(all(a <= b for a, b in zip(other, own, strict=True)) for other in front):
            front.append(own)
    best = set(front)
    yield from (row for row, own in zip(rows, found, strict=True) if own in best)


def _sensitivities(
    best: DesignRow, space: RuleSpace, targets: Sequence[Target], measures: Mapping[Any, Mapping[str, float]]
) -> tuple[Sensitivity, ...]:
    """Compare the best rule set with its neighbors, one step of each rule down and up."""
    names = dict.fromkeys(target.name for target in targets)
    return tuple(
        Sensitivity(rule, getattr(rules, rule), {name: measures[rules][name] - best.measures[name] for name in names})
        for rule, rules in space.neighbors(best.rules)
        if rules in measures
    )
