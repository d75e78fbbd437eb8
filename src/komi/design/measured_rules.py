"""The measures of rule sets, computed in parallel and kept in a store: each is measured once."""

from collections.abc import Sequence
from typing import Any

from komi.compiling.compiled import CompiledGame
from komi.design.rule_space import RuleSpace
from komi.design.store import SweepStore
from komi.errors import InputError, KomiError, SolveError
from komi.measures.chain import follow_optimal_play
from komi.measures.flow import Thresholds, compute_flow
from komi.measures.measure import COMEBACK_AT, DECIDED_AT, PACE, check_measured, measure_play
from komi.parallel import spread
from komi.progress import Progress
from komi.rules.kind import kind_of
from komi.solvers.solve import find_solvers
from komi.solvers.solver import check_initial_state


class MeasuredRules:
    """Measures rule sets in parallel, each once.

    Args:
        compiled: the game.
        space: the rule sets.
        names: the measures that a rule set must have.
        store: the store.
        workers: the number of rule sets that are measured at once.
        progress: progress callback.
        budget: the most rule sets to measure.

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
        space: RuleSpace,
        names: Sequence[str],
        store: SweepStore,
        workers: int,
        progress: Progress,
        budget: int,
    ) -> None:
        self._compiled, self._space, self._names, self._store, self.workers = compiled, space, names, store, workers
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
            raise self.unsolved[0][1] if self.unsolved else self._space.refusal or InputError("there are no rules.")

    def measure(self, rule_sets: Sequence[Any]) -> None:
        """Measure rule sets that are not known."""
        failed = {rules for rules, _ in self.unsolved}
        new = [rules for rules in dict.fromkeys(rule_sets) if rules not in self.measures and rules not in failed]
        fingerprint = self._compiled.fingerprint
        known = self._store.load_measures(fingerprint, new)
        for rules, measures in known.items():
            self._add(rules, measures)
        self.found += len(known)
        needed = [tuple(rules) for rules in new if rules not in known]
        for job, result in spread(MeasuresJob(self._compiled), needed, self.workers):
            rules = self._space.game.module.Rules(*job)
            if isinstance(result, KomiError):
                self.unsolved.append((rules, result))
                continue
            self._store.save_measures(fingerprint, rules, result)
            self._add(rules, result)
            self.evaluated += 1
            self._progress("measuring rule sets", self.count, max(self.budget, self.count))

    def _add(self, rules: Any, measures: dict[str, float]) -> None:
        missing = [name for name in self._names if name not in measures]
        if missing:
            game = self._space.game.name
            self.unsolved.append((rules, SolveError(f"{game} has no measure {missing[0]!r} under these rules.")))
        else:
            self.measures[rules] = measures


class MeasuresJob:
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
