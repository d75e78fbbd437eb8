"""The statistics of a study of one game."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from komi.errors import SolveError
from komi.study.choice_model import ChoiceModel, ParameterEstimate, fit_choice
from komi.study.human_decisions import HumanDecision, Solver, StudyData
from komi.study.skill import CostlyPosition, DecisionGroup, by_chance, by_experience, costliest, growth, share_of_skill
from komi.study.strategy_fit import StrategyFit, describe, say

MIN_OF_ONE = 30  # minimum number of a person's decisions to select a strategy that describes them


@dataclass(frozen=True)
class StudyStatistics:
    """The results of a study of the games of one name.

    Attributes:
        games: the games.
        loss, best: the mean loss of a decision, and the share of decisions without a loss; None if the game is not
            solved.
        experience, chances: decisions grouped by games played before, and by the probability of winning.
        growth: the change of the loss with each doubling of games played; None if it cannot be estimated.
        costly: the positions in which people lost most.
        skill: the share of skill in the variance of results, from 0 to 1; None if it cannot be estimated.
        model: the fitted choice model; None if it cannot be fitted.
        described: simple strategies, the one that describes all people best first; under the rules most played.
        people: the number of people whom each strategy describes best.
        untold: reasons for missing results.
    """

    games: StudyData
    loss: float | None
    best: float | None
    experience: list[DecisionGroup] = field(default_factory=list)
    chances: list[DecisionGroup] = field(default_factory=list)
    growth: ParameterEstimate | None = None
    costly: list[CostlyPosition] = field(default_factory=list)
    skill: float | None = None
    model: ChoiceModel | None = None
    described: list[StrategyFit] = field(default_factory=list)
    people: dict[str, int] = field(default_factory=dict)
    untold: list[str] = field(default_factory=list)


def find_out(games: StudyData, solved: Solver) -> StudyStatistics:
    """Compute all statistics of the games of one name."""
    judged = games.judged
    if not judged:
        return StudyStatistics(
            games, None, None, untold=["the game is not solved, so that its decisions cannot be judged."]
        )
    untold = []
    model = None
    try:
        model = fit_choice(judged)
    except SolveError as error:
        untold.append(str(error))
    described, people = _described(judged, solved)
    mean = sum(decision.loss or 0.0 for decision in judged) / len(judged)
    best = sum(not decision.loss for decision in judged) / len(judged)
    is_won = games.game.players(judged[0].kept.rules) > 1
    return StudyStatistics(
        games,
        mean,
        best,
        by_experience(judged),
        by_chance(judged) if is_won else [],
        growth(judged),
        costliest(judged),
        share_of_skill(games.results),
        model,
        described,
        people,
        untold,
    )


def _described(judged: Sequence[HumanDecision], solved: Solver) -> tuple[list[StrategyFit], dict[str, int]]:
    """Rank strategies under the rules most played, and count the people whom each describes best."""
    usual: Any = Counter(decision.kept.rules for decision in judged).most_common(1)[0][0]
    own = [decision for decision in judged if decision.kept.rules == usual]
    solution = solved(own[0].kept.game, usual)
    if solution is None:
        return [], {}
    said = say(solution, own)
    rows: dict[int, list[int]] = defaultdict(list)
    for row, decision in enumerate(own):
        rows[decision.kept.person].append(row)
    firsts = [describe(said, own, each)[0].strategy for each in rows.values() if len(each) >= MIN_OF_ONE]
    return describe(said, own, range(len(own))), dict(Counter(firsts).most_common())
