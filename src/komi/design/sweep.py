"""Parameter sweep over rule sets: fairness and length of each, best first; in single-player games the value.

Rule sets that differ only in rules that only `start` reads (usually komi) share one solution.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from komi.design.dependencies import rules_of_start
from komi.design.openings import Opening, OpeningsJob, RuleSets
from komi.design.rule_space import RuleSpace
from komi.design.store import open_store
from komi.errors import KomiError, StorageError
from komi.game import Game
from komi.jit.kernels import Notice
from komi.parallel import spread
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.compiled import compiled_game
from komi.rules.kind import kind_of
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules

Target = tuple[float, float]


@dataclass(frozen=True)
class SweepRow:
    """One rule set, and the value and length of optimal play under it."""

    rules: Rules
    opening: Opening


@dataclass(frozen=True)
class Sweep(Tabular):
    """The results of a parameter sweep.

    Attributes:
        game: the game.
        varied: the rules that were varied.
        target: the interval requested for the expected actions.
        objective: the name of the objective of a single-player game; None in two-player games.
        wants_most: whether the objective of a single-player game is maximized.
        rows: the rule sets, those within the target first, then by fairness; in single-player games by value.
        tried: the rule sets that the game's limits allow, in the order given.
        forbidden: the number of rule sets that the game's limits do not allow.
        found: the number of rows found in the store.
        unsolved: rule sets without a proved solution, with the error.
        storage_error: the error, if rows could not be stored, or not be solved because of missing disk space.
    """

    game: Game
    varied: tuple[str, ...]
    target: Target | None
    objective: str | None
    wants_most: bool
    rows: tuple[SweepRow, ...]
    tried: tuple[Any, ...]
    forbidden: int
    found: int
    unsolved: tuple[tuple[Any, KomiError], ...]
    storage_error: StorageError | None

    def __repr__(self) -> str:
        solved, failed = len(self.rows), len(self.unsolved)
        unsolved = f", {failed:,} unsolved" if failed else ""
        return f"<Sweep of {self.game.name} over {', '.join(self.varied)}: {solved:,} rule sets{unsolved}>"

    def records(self) -> list[Record]:
        """List the rows: every rule, then the results, and whether they are in the target if there is one."""
        return [self._record(row) for row in self.rows]

    def _record(self, row: SweepRow) -> Record:
        opening = row.opening
        worth = {"first": opening.first, "unfairness": opening.unfairness}
        record = {
            **row.rules._asdict(),
            **(worth if self.objective is None else {"value": opening.first}),
            "expected_actions": opening.expected_actions,
            "error_bound": opening.error_bound,
        }
        return record if self.target is None else {**record, "in_target": self.in_target(row)}

    @property
    def unit(self) -> str:
        """The unit of the payoffs of a two-player game; "" for probabilities of winning."""
        return self.game.payoff_scale(self.rows[0].rules).unit

    def in_target(self, row: SweepRow) -> bool | None:
        """Return whether a row's length is within the target; None if there is no target."""
        return None if self.target is None else _within(row.opening, self.target)

    def front(self) -> list[SweepRow]:
        """Return the Pareto front, shortest first: the rows that no other row dominates in cost and length."""
        front: list[SweepRow] = []
        for row in sorted(self.rows, key=lambda row: (row.opening.expected_actions, self.cost(row))):
            if not front or self.cost(row) < self.cost(front[-1]):
                front.append(row)
        return front

    def cost(self, row: SweepRow) -> float:
        """Return the cost to minimize: the unfairness; in single-player games the value, negated if it is maximized."""
        if self.objective is None:
            return row.opening.unfairness
        return -row.opening.first if self.wants_most else row.opening.first

    def first_reaching(self, value: float) -> SweepRow | None:
        """Return the first rule set, in the order given, with this value or a better one; None if there is none."""
        rows = {row.rules: row for row in self.rows}
        sign = 1.0 if self.wants_most else -1.0
        return next(
            (
                rows[rule_set]
                for rule_set in self.tried
                if rule_set in rows and sign * rows[rule_set].opening.first >= sign * value
            ),
            None,
        )


def sweep(
    game: GameLike,
    vary: Mapping[str, Iterable[object]],
    *,
    target_actions: Target | None = None,
    store: str | Path | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Sweep:
    """Solve a game under every combination of the values given.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        vary: the values of each rule to vary.
        target_actions: the least and greatest expected number of actions to accept.
        store: the file that stores finished rows; by default one in the cache folder. Stored rows are not solved
            again.
        workers: number of solutions to compute in parallel; by default the number of cores.
        cluster: the address of a Ray cluster, or "auto".
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of other rules to change, by name.

    Raises:
        InputError: for an unknown rule, values of the wrong type, or if the game's limits allow no combination.
        GameError, SolveError: if no rule set can be solved.
        StorageError: if the store cannot be opened.

    Examples:
        >>> import komi
        >>> found = komi.sweep("red-light", {"komi": range(3)}, goal=20)
        >>> found.rows[0].rules.komi
        1
    """
    game = catalog.find(game)
    space = RuleSpace(game, vary, rules)
    rule_sets = space.rule_sets()
    compiled = compiled_game(game, notice)
    with open_store(store, notice) as stored:
        openings = {
            rule_set: replace(opening, even=game.payoff_scale(rule_set).even)
            for rule_set, opening in stored.load(compiled.fingerprint, rule_sets).items()
        }
        found = len(openings)
        needed = [rule_set for rule_set in rule_sets if rule_set not in openings]
        unsolved, storage_error = [], None
        progress("solving rule sets", found, len(rule_sets))
        for job, result in spread(OpeningsJob(compiled), _jobs(game, needed), workers, cluster):
            solved = [game.module.Rules(*numbers) for numbers in job]
            if isinstance(result, KomiError):
                unsolved += [(rule_set, result) for rule_set in solved]
                storage_error = (
                    result if isinstance(result, StorageError) else storage_error
                )  # solvable with more disk space
                continue
            new_openings = dict(zip(solved, result, strict=True))
            openings.update(new_openings)
            progress("solving rule sets", len(openings) + len(unsolved), len(rule_sets))
            try:
                stored.save(compiled.fingerprint, new_openings)
            except StorageError as error:
                storage_error = error
    if not openings:
        raise unsolved[0][1]
    kind = kind_of(game.under(rule_sets[0]), rule_sets[0])
    solution = Sweep(
        game,
        tuple(vary),
        target_actions,
        game.objective(rule_sets[0]) if kind.seats == 1 else None,
        kind.aim == "most",
        tuple(SweepRow(*pair) for pair in openings.items()),
        tuple(rule_sets),
        space.size - len(rule_sets),
        found,
        tuple(unsolved),
        storage_error,
    )
    return replace(solution, rows=tuple(sorted(solution.rows, key=lambda row: _rank(solution, row))))


def _jobs(game: Game, rule_sets: Sequence[Any]) -> list[RuleSets]:
    """Group rule sets that share one solution; where play is mixed, each is a group of its own."""
    if rule_sets and kind_of(game.under(rule_sets[0]), rule_sets[0]).hidden:
        return [(tuple(rules),) for rules in rule_sets]
    of_start = rules_of_start(game)
    groups: dict[Any, list[tuple[Any, ...]]] = {}
    for rules in rule_sets:
        other_rules = tuple(value for name, value in rules._asdict().items() if name not in of_start)
        groups.setdefault(other_rules, []).append(tuple(rules))
    return [tuple(group) for group in groups.values()]


def _rank(sweep: Sweep, row: SweepRow) -> tuple[bool, float, float]:
    return sweep.in_target(row) is False, sweep.cost(row), row.opening.expected_actions


def _within(opening: Opening, target: Target) -> bool:
    return target[0] <= opening.expected_actions <= target[1]
