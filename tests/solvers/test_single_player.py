"""Games for one player are worth what slow solutions in exact fractions say."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import komi
from games import reference, twins
from komi.rules import catalog

PRIZES = str(Path(reference.__file__).with_name("prizes.py"))


@pytest.mark.parametrize(("goal", "turns", "sides"), [(12, 2, 6), (9, 3, 4), (20, 4, 6)])
def test_the_best_chance_of_reaching_a_goal_is_the_twins(goal: int, turns: int, sides: int) -> None:
    solution = komi.solve("pig-solitaire", objective="reach", goal=goal, turns=turns, sides=sides)
    assert abs(solution.value() - twins.solitaire_reach(goal, turns, sides)) <= solution.error_bound <= 1e-9


@pytest.mark.parametrize("turns", [1, 3])
def test_the_most_expected_points_are_the_twins(turns: int) -> None:
    solution = komi.solve("pig-solitaire", objective="score", turns=turns)
    assert abs(solution.value() - twins.solitaire_score(turns)) <= solution.error_bound <= 1e-9 * solution.scale


@pytest.mark.parametrize("goal", [5, 20])
def test_the_fewest_expected_turns_are_the_twins(goal: int) -> None:
    solution = komi.solve("pig-solitaire", objective="turns", goal=goal)
    assert abs(solution.value() - twins.solitaire_turns(goal)) <= solution.error_bound <= 1e-9 * solution.scale


def test_the_value_of_think_agrees_with_the_twin() -> None:
    solution = komi.solve("think", turns=2)
    assert abs(solution.value() - twins.think(2)) <= solution.error_bound <= 1e-9 * solution.scale


@pytest.mark.parametrize(("attackers", "defenders"), [(2, 1), (3, 3), (5, 5)])
def test_battles_without_choices_are_won_as_often_as_the_twin_says(attackers: int, defenders: int) -> None:
    solution = komi.solve("risk-battle", attackers=attackers, defenders=defenders)
    exactly = 1 - sum(share for (left, _), share in twins.risk(attackers, defenders).items() if left == 0)
    assert abs(solution.value() - exactly) <= solution.error_bound <= 1e-9


@pytest.mark.parametrize("rules", [{"goal": 8, "turns": 2}, {"objective": "turns", "goal": 9}])
def test_values_of_all_states_agree_with_policy_iteration_in_fractions(rules: dict[str, Any]) -> None:
    game = catalog.find("pig-solitaire")
    chosen = game.rules(rules)
    solution = komi.solve(game, **rules)
    for state, value in reference.solve_one_seat(game, chosen).items():
        assert abs(solution.value(tuple(state)) - value) <= solution.error_bound


@pytest.mark.slow
def test_the_bound_covers_the_rounding_of_large_rewards() -> None:
    solution = komi.solve(PRIZES)
    exactly = sum(Fraction(1_000_000 + prize**3, 13) for prize in range(13))
    assert 0 < abs(Fraction(solution.value()) - exactly) <= solution.error_bound <= 1e-9 * solution.scale


def test_actions_are_listed_best_first_also_where_the_least_is_wanted() -> None:
    solution = komi.solve("pig-solitaire", objective="turns", goal=20)
    worths = list(solution.actions("turn=12").values())
    assert worths == sorted(worths)
    assert worths[0] == solution.value("turn=12")


def test_solving_says_what_the_objective_is(run: Any) -> None:
    solution = run("solve", "pig-solitaire", "--set", "goal=10", "--set", "turns=2", "--json").solution
    assert solution["objective"] == "chance of reaching the goal"
    assert 0 < solution["value"] < 1
    printed = run("solve", "pig-solitaire", "--set", "goal=10", "--set", "turns=2").out
    assert "With best play the chance of reaching the goal is" in printed
