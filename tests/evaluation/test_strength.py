"""The loss of a policy beside optimal play, for one player and for three seats."""

from typing import Any

import numpy as np
import pytest

from komi.evaluation.strength import measure_strength
from komi.policies.named import find
from komi.policies.tabulate import tabulate
from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.teaching.loss_evaluation import LossEvaluator

GAMES = [
    ("pig-solitaire", {"objective": "reach", "goal": 20, "turns": 3}, "hold-at:9"),
    ("pig-solitaire", {"objective": "score", "turns": 1}, "hold-at:12"),
    ("pig-solitaire", {"objective": "turns", "goal": 25}, "hold-at:9"),
    ("piglet", {"players": 3, "goal": 5}, "hold-at:2"),
]


@pytest.fixture(scope="module", params=GAMES, ids=["chance", "points", "turns", "seats"])
def measured(request: pytest.FixtureRequest) -> tuple[Solution[Any], str]:
    game, rules, policy = request.param
    return solve(game, **rules), policy


def test_expected_regret_is_the_loss_of_a_match(measured: tuple[Solution[Any], str]) -> None:
    solution, name = measured
    policy = find(name, solution)
    actions = tabulate(policy, solution.compiled, solution.rules, solution.optimal_play.states)
    strength = measure_strength(solution, policy)
    assert strength.loss > 1e-4
    assert LossEvaluator.of(solution, 2).loss(actions) == pytest.approx(strength.loss, abs=1e-6)
    assert strength.loss == pytest.approx(abs(np.mean(strength.optimal) - np.mean(strength.values)), abs=1e-12)


def test_optimal_play_loses_nothing(measured: tuple[Solution[Any], str]) -> None:
    solution, _ = measured
    assert measure_strength(solution, find("optimal", solution)).loss == pytest.approx(0.0, abs=1e-9)
    assert LossEvaluator.of(solution, 2).loss(np.asarray(solution.optimal_play.choices)) == pytest.approx(0.0, abs=1e-6)


def test_a_deviation_costs_most_where_the_policy_is_worst(measured: tuple[Solution[Any], str]) -> None:
    """The values of optimal play give the regrets of optimal play."""
    solution, _ = measured
    evaluator = LossEvaluator.of(solution, 2)
    values = evaluator.values(np.asarray(solution.optimal_play.choices))
    regrets = evaluator.deviation_regrets(values, np.arange(solution.states))
    is_choice = evaluator.choices > 1
    assert np.allclose(regrets[:, is_choice], evaluator.regrets[:, is_choice], atol=1e-4 * evaluator.scale)
