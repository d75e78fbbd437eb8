"""A policy of a game for one player comes to what the same in exact fractions does."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import komi
from games import reference, twins
from komi.evaluation.compare import compare_policies
from komi.evaluation.match import evaluate_match
from komi.evaluation.visits import count_visits
from komi.policies.named import find
from komi.rules import catalog


def hold_at(points: int, goal: int | None = None) -> Callable[[Any], dict[int, Fraction]]:
    def policy(state: Any) -> dict[int, Fraction]:
        holds = state.turn >= points or (goal is not None and state.score + state.turn >= goal)
        return {int(holds): Fraction(1)}

    return policy


@pytest.mark.parametrize(
    ("rules", "objective"),
    [
        ({"objective": "reach", "goal": 12, "turns": 3}, "chance of reaching the goal"),
        ({"objective": "turns", "goal": 12}, "expected turns"),
    ],
)
def test_holding_at_five_comes_to_what_fractions_say(rules: dict[str, Any], objective: str) -> None:
    game = catalog.find("pig-solitaire")
    chosen = game.rules(rules)
    found = komi.match(game, "hold-at:5", **rules)
    [exactly] = reference.evaluate(game, chosen, hold_at(5, 12))[game.part("start")(chosen)]
    assert found.objective == objective
    assert abs(Fraction(found.value) - exactly) <= found.error_bound <= 1e-9
    assert found.optimal == komi.solve(game, **rules).value()
    assert found.loss > 1e-4


def test_expected_points_of_think_are_those_of_fractions() -> None:
    game = catalog.find("think")
    chosen = game.rules({"turns": 2})
    found = komi.match(game, "hold-at:12", turns=2)
    [exactly] = reference.evaluate(game, chosen, hold_at(12))[game.part("start")(chosen)]
    assert abs(Fraction(found.value) - exactly) <= found.error_bound
    assert found.turns == pytest.approx(2.0)


def test_holding_at_twenty_takes_the_published_number_of_turns() -> None:
    found = komi.match("pig-solitaire", "hold-at:20", objective="turns")
    assert abs(Fraction(found.value) - twins.solitaire_hold_at(20, 100)) <= found.error_bound
    assert round(found.value, 3) == 12.637
    assert found.turns == pytest.approx(found.value, abs=found.length_error_bound)


def test_optimal_play_gives_nothing_away() -> None:
    found = komi.match("pig-solitaire", "optimal", goal=12, turns=3)
    assert found.loss <= found.error_bound


def test_what_is_given_away_in_each_state_adds_up_to_the_loss() -> None:
    for rules in ({"goal": 12, "turns": 3}, {"objective": "turns", "goal": 12}):
        solution = komi.solve("pig-solitaire", **rules)
        policy = find("hold-at:5", solution)
        [loss] = [evaluate_match(solution, [policy]).loss]
        result = compare_policies(solution, policy, find("optimal", solution))
        assert result.loss == pytest.approx(loss, abs=1e-9)
        assert 0 < len(result.mistakes) <= 10


def test_turns_have_the_mean_that_is_measured() -> None:
    solution = komi.solve("pig-solitaire", objective="turns", goal=12)
    policy = find("random", solution)
    chances = count_visits(solution, policy, policy).turns
    assert np.arange(len(chances)) @ chances == pytest.approx(evaluate_match(solution, [policy]).turns, abs=1e-8)


@pytest.mark.parametrize("name", ["max-score", "ahead:2", "keep-pace", "cautious:1"])
def test_policies_of_races_say_that_they_are_for_races(name: str) -> None:
    with pytest.raises(komi.InputError, match=name):
        komi.match("think", name, turns=2)
