"""The statistics of a study of one game."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from komi.errors import SolveError
from komi.study.choice_model import ChoiceModel, ParameterEstimate, fit_choice
from komi.study.human_decisions import HumanDecision, Solver, StudyData
from komi.study.skill import (
    CostlyPosition,
    DecisionGroup,
    change_per_doubling,
    costliest,
    group_by_experience,
    group_by_value,
    share_of_skill,
)
from komi.study.strategy_fit import StrategyFit, compare_strategies, rank_strategies

MIN_PERSON_DECISIONS = 30  # minimum number of a person's decisions to select a strategy that describes them


@dataclass(frozen=True)
class StudyStatistics:
    """The results of a study of the games of one name.

    Attributes:
        games: the games.
        loss, best: the mean loss of a decision, and the share of decisions without a loss; None if the game is not
            solved.
        experience, by_value: decisions grouped by games played before, and by the probability of winning.
        growth: the change of the loss with each doubling of games played; None if it cannot be estimated.
        costly_positions: the positions in which people lost most.
        skill: the share of skill in the variance of results, from 0 to 1; None if it cannot be estimated.
        model: the fitted choice model; None if it cannot be fitted.
        strategy_fits: simple strategies, the one that describes all people best first; under the rules most played.
        people: the number of people whom each strategy describes best.
        omissions: reasons for missing results.
    """

    games: StudyData
    loss: float | None
    best: float | None
    experience: list[DecisionGroup] = field(default_factory=list)
    by_value: list[DecisionGroup] = field(default_factory=list)
    growth: ParameterEstimate | None = None
    costly_positions: list[CostlyPosition] = field(default_factory=list)
    skill: float | None = None
    model: ChoiceModel | None = None
    strategy_fits: list[StrategyFit] = field(default_factory=list)
    people: dict[str, int] = field(default_factory=dict)
    omissions: list[str] = field(default_factory=list)


def compute_statistics(games: StudyData, solved: Solver) -> StudyStatistics:
    """Compute all statistics of the games of one name."""
    evaluated = games.evaluated
    if not evaluated:
        return StudyStatistics(
            games, None, None, omissions=["the game is not solved, so its decisions cannot be evaluated."]
        )
    omissions = []
    model = None
    try:
        model = fit_choice(evaluated)
    except SolveError as error:
        omissions.append(str(error))
    strategy_fits, people = _fit_strategies(evaluated, solved)
    mean = sum(decision.loss or 0.0 for decision in evaluated) / len(evaluated)
    best = sum(not decision.loss for decision in evaluated) / len(evaluated)
    has_winner = games.game.players(evaluated[0].record.rules) > 1
    return StudyStatistics(
        games,
        mean,
        best,
        group_by_experience(evaluated),
        group_by_value(evaluated) if has_winner else [],
        change_per_doubling(evaluated),
        costliest(evaluated),
        share_of_skill(games.results),
        model,
        strategy_fits,
        people,
        omissions,
    )


def _fit_strategies(evaluated: Sequence[HumanDecision], solved: Solver) -> tuple[list[StrategyFit], dict[str, int]]:
    """Rank strategies under the rules most played, and count the people whom each describes best."""
    most_played: Any = Counter(decision.record.rules for decision in evaluated).most_common(1)[0][0]
    own = [decision for decision in evaluated if decision.record.rules == most_played]
    solution = solved(own[0].record.game, most_played)
    if solution is None:
        return [], {}
    agreements = compare_strategies(solution, own)
    rows: dict[int, list[int]] = defaultdict(list)
    for row, decision in enumerate(own):
        rows[decision.record.person].append(row)
    best_fits = [
        rank_strategies(agreements, own, each)[0].strategy
        for each in rows.values()
        if len(each) >= MIN_PERSON_DECISIONS
    ]
    return rank_strategies(agreements, own, range(len(own))), dict(Counter(best_fits).most_common())
