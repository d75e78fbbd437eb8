"""Several searches for strategies in parallel, one on each core, and the front of all their results."""

from collections.abc import Sequence

from komi.parallel import cores, spread
from komi.progress import Progress
from komi.teaching.features import Feature
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.sample_search import ZERO_PROBABILITIES
from komi.teaching.strategy_search import EvaluatedStrategy, StrategySearch, pareto_front


def create_searches(
    evaluator: LossEvaluator, features: Sequence[Feature], numbers: int, subject: str | None, seed: int
) -> list[StrategySearch]:
    """Create a search for each core, each with another seed."""
    action_numbers = () if evaluator.solution.game.has("actions") else (1,) * len(evaluator.regrets)
    return [
        StrategySearch(
            evaluator,
            features,
            numbers,
            subject,
            seed + core,
            action_numbers,
            ZERO_PROBABILITIES[core % len(ZERO_PROBABILITIES)],
        )
        for core in range(cores())
    ]


def run_searches(searches: Sequence[StrategySearch], seconds: float, progress: Progress) -> list[EvaluatedStrategy]:
    """Run several searches in parallel for `seconds` seconds; return the front of all results."""

    def run(search: StrategySearch, check: Progress) -> None:
        def report(stage: str, done: int, total: int, note: str = "") -> None:
            check(stage, done, total, note)
            if search is searches[0]:
                progress(stage, done, total, note)

        search.run(seconds, report)

    for _, error in spread(run, searches):
        if error is not None:
            raise error
    return pareto_front(evaluated for search in searches for evaluated in search.front())
