"""What a study says of simulated people is what they were made with."""

from pathlib import Path
from typing import Any

import players
import pytest

import komi
from komi.errors import SolveError
from komi.policies.named import find
from komi.solvers.solution import Solution
from komi.study.choice_model import fit_choice
from komi.study.human_decisions import StudyData, read_games
from komi.study.skill import change_per_doubling, share_of_skill
from komi.study.strategy_fit import compare_strategies, rank_strategies
from komi.study.study_statistics import compute_statistics


@pytest.fixture(scope="module")
def piglet() -> Solution[Any]:
    return komi.solve("piglet")


def read(solution: Solution[Any], policies: list[Any], games: int, seed: int = 1) -> StudyData:
    record = players.kept_games(solution, policies, games, seed)
    return read_games(record, lambda game, rules: solution)[0]


@pytest.mark.slow
def test_precision_and_leaning_of_people_are_recovered(piglet: Solution[Any], tmp_path: Path) -> None:
    people = [players.logit(piglet, tmp_path, 12.0, hold=-0.8)] * 12
    model = fit_choice(read(piglet, people, 12).evaluated)
    assert model.is_clustered
    assert model.precision.low < 12.0 < model.precision.high
    assert model.precision.high - model.precision.low < 8.0
    [bias] = model.biases
    sign = 1.0 if bias.name == "hold" else -1.0
    assert bias.low < sign * -0.8 < bias.high
    assert model.log_likelihood > model.uniform_log_likelihood


@pytest.mark.slow
def test_strategy_with_slips_is_recognised(piglet: Solution[Any]) -> None:
    holds = find("hold-at:3", piglet)
    decisions = read(piglet, [holds] * 2, 20).evaluated
    first, *others = rank_strategies(compare_strategies(piglet, decisions), decisions, range(len(decisions)))
    assert first.strategy == "hold-at:3"
    assert first.agree == 1.0
    assert first.slips < 0.01
    assert all(other.aic > first.aic for other in others)


@pytest.mark.slow
def test_optimal_play_gives_nothing_away_and_is_recognised(piglet: Solution[Any]) -> None:
    found = compute_statistics(read(piglet, [find("optimal", piglet)] * 2, 30), lambda game, rules: piglet)
    assert found.loss == 0.0
    assert found.best == 1.0
    assert found.strategy_fits[0].strategy == "optimal"
    assert found.model is None
    assert found.omissions
    assert found.costly_positions == []


@pytest.mark.slow
def test_people_who_learn_are_seen_to(piglet: Solution[Any], tmp_path: Path) -> None:
    begin, end = (players.logit(piglet, tmp_path, precision) for precision in (2.0, 60.0))
    early = players.kept_games(piglet, [begin] * 12, 4, 2)
    late = players.kept_games(piglet, [end] * 12, 4, 3)
    later = [type(record)(**{**vars(record), "games_before": record.games_before + 12}) for record in late]
    games = read_games([*early, *later], lambda game, rules: piglet)[0]
    change = change_per_doubling(games.evaluated)
    assert change is not None
    assert change.high < 0.0
    groups = compute_statistics(games, lambda game, rules: piglet).experience
    assert groups[0].loss > groups[-1].loss


def test_luck_and_skill_sum_to_the_results(piglet: Solution[Any], tmp_path: Path) -> None:
    games = read(piglet, [players.logit(piglet, tmp_path, 3.0)] * 3, 30)
    for result in games.results:
        assert result.start is not None
        assert result.luck is not None
        assert result.skill is not None
        assert result.payoff - result.start == pytest.approx(result.luck + result.skill, abs=1e-9)
    share = share_of_skill(games.results)
    assert share is not None
    assert 0.0 < share < 0.5


def test_too_few_decisions_make_no_model(piglet: Solution[Any], tmp_path: Path) -> None:
    with pytest.raises(SolveError, match="too few"):
        fit_choice(read(piglet, [players.logit(piglet, tmp_path, 3.0)], 1).evaluated)


def test_people_of_great_precision_play_optimally_and_of_none_at_random(piglet: Solution[Any], tmp_path: Path) -> None:
    for precision, twin in ((1e7, "optimal"), (0.0, "random")):
        file = tmp_path / f"{twin}.json"
        players.logit(piglet, tmp_path, precision)
        (tmp_path / f"people-{precision}.json").rename(file)
        people = komi.match("piglet", f"people:{file}", "hold-at:3")
        same = komi.match("piglet", twin, "hold-at:3")
        assert people.first.wins == pytest.approx(same.first.wins, abs=1e-9)
        assert people.second.wins == pytest.approx(same.second.wins, abs=1e-9)
        assert people.expected_actions == pytest.approx(same.expected_actions, rel=1e-9)
