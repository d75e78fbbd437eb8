"""Parameter sweep over rule sets: fairness and length of each, best first; in single-player games the value.

Rule sets that differ only in rules that only `start` reads (usually komi) share one solution.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from komi.compiling.compiled import compiled_game
from komi.design.dependencies import rules_of_start
from komi.design.openings import Opening, OpeningsJob, RuleSets
from komi.design.rule_space import RuleSpace
from komi.design.store import open_store
from komi.errors import InputError, KomiError, StorageError
from komi.jit.kernels import Notice
from komi.parallel import spread
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.game import Game
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules

LengthTarget = tuple[float, float]
Solved = tuple[RuleSets, list[Opening] | KomiError]
"""Rule sets, and their openings or the error that prevents solving one of them."""


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
        objective: the name of the objective of a single-player game, "value" if rule sets differ in it; None in
            other games.
        rows: the rule sets, those within the target first, then by fairness; in single-player games by value.
        tried: the rule sets that the game's limits allow, in the order given.
        forbidden: the number of rule sets that the game's limits do not allow.
        found: the number of rows found in the store.
        unsolved: rule sets without a proved solution, with the error.
        storage_error: the error, if rows could not be stored, or not be solved because of missing disk space.
    """

    game: Game
    varied: tuple[str, ...]
    target: LengthTarget | None
    objective: str | None
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
        values = dict(enumerate(opening.seats, 1))
        later = {f"seat_{seat}": values.get(seat) for seat in range(2, self.seats + 1)}
        worth = {"first": opening.first, **later, "unfairness": opening.unfairness}
        record = {
            **row.rules._asdict(),
            **(worth if self.objective is None else {"value": opening.first}),
            "expected_actions": opening.expected_actions,
            "error_bound": opening.error_bound,
        }
        return record if self.target is None else {**record, "in_target": self.in_target(row)}

    @property
    def seats(self) -> int:
        """The largest number of seats with a value of their own in a row; 0 for one and two players."""
        return max(len(row.opening.seats) for row in self.rows)

    @property
    def unit(self) -> str:
        """The unit of the payoffs of several players, "value" if rule sets differ in it; "" for probabilities."""
        return _common(self.game.payoff_scale(row.rules).unit for row in self.rows)

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
        return -self._sign(row.rules) * row.opening.first

    def first_reaching(self, value: float) -> SweepRow | None:
        """Return the first rule set, in the order given, with this value or a better one, or None."""
        rows = {row.rules: row for row in self.rows}
        return next(
            (
                rows[rule_set]
                for rule_set in self.tried
                if rule_set in rows and self._sign(rule_set) * (rows[rule_set].opening.first - value) >= 0.0
            ),
            None,
        )

    def _sign(self, rules: Rules) -> float:
        """Return 1.0 if the value under a rule set is to be large, -1.0 if it is to be small."""
        return 1.0 if self.game.aim(rules) == "most" else -1.0


def sweep(
    game: GameLike,
    vary: Mapping[str, Iterable[object]],
    *,
    target_actions: LengthTarget | None = None,
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
        InputError: for an unknown rule, values of the wrong type, if the game's limits allow no combination, or if some
            are for one player and others for more.
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
    if len({game.players(rule_set) == 1 for rule_set in rule_sets}) > 1:
        raise InputError(
            f"some of these rule sets of {game.name} are for one player and others for more: their values have no "
            "common order, so sweep them separately."
        )
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
        jobs = _jobs(game, needed)
        for job, result in _apart(lambda jobs: spread(OpeningsJob(compiled), jobs, workers, cluster), jobs):
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
                if not any(opening.seats for opening in result):  # the solutions of more seats are in the cache
                    stored.save(compiled.fingerprint, new_openings)
            except StorageError as error:
                storage_error = error
    if not openings:
        raise unsolved[0][1]
    solution = Sweep(
        game,
        tuple(vary),
        target_actions,
        _common(map(game.objective, rule_sets)) if game.players(rule_sets[0]) == 1 else None,
        tuple(SweepRow(*pair) for pair in openings.items()),
        tuple(rule_sets),
        space.size - len(rule_sets),
        found,
        tuple(unsolved),
        storage_error,
    )
    return replace(solution, rows=tuple(sorted(solution.rows, key=lambda row: _rank(solution, row))))


def _jobs(game: Game, rule_sets: Sequence[Any]) -> list[RuleSets]:
    """Group rule sets that share one solution."""
    of_start = rules_of_start(game)
    groups: dict[Any, list[tuple[Any, ...]]] = {}
    for rules in rule_sets:
        other_rules = tuple(value for name, value in rules._asdict().items() if name not in of_start)
        groups.setdefault(other_rules, []).append(tuple(rules))
    return [tuple(group) for group in groups.values()]


def _apart(solve: Callable[[list[RuleSets]], Iterable[Solved]], jobs: list[RuleSets]) -> Iterator[Solved]:
    """Solve groups of rule sets, and again one by one those of a group in which one cannot be solved."""
    failed: list[RuleSets] = []
    for job, result in solve(jobs):
        if isinstance(result, KomiError) and len(job) > 1:
            failed += [(rules,) for rules in job]
        else:
            yield job, result
    if failed:
        yield from solve(failed)


def _common(names: Iterable[str]) -> str:
    """Return the name that all have in common, otherwise "value"."""
    found = set(names)
    return found.pop() if len(found) == 1 else "value"


def _rank(sweep: Sweep, row: SweepRow) -> tuple[bool, float, float]:
    return sweep.in_target(row) is False, sweep.cost(row), row.opening.expected_actions


def _within(opening: Opening, target: LengthTarget) -> bool:
    return target[0] <= opening.expected_actions <= target[1]
