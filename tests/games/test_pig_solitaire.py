"""Pig alone, for three objectives."""

from fractions import Fraction

import pytest

from games import reference, twins
from komi.rules import catalog

GAME = catalog.find("pig-solitaire")


def value(**settings):
    rules = GAME.rules(settings)
    return reference.solve_one_seat(GAME, rules)[GAME.part("start")(rules)]


@pytest.mark.parametrize(("goal", "turns", "sides"), [(1, 1, 6), (12, 2, 6), (10, 3, 4)])
def test_the_best_chance_of_reaching_the_goal_is_the_twins(goal: int, turns: int, sides: int) -> None:
    found = value(objective="reach", goal=goal, turns=turns, sides=sides)
    assert found == twins.solitaire_reach(goal, turns, sides)


@pytest.mark.parametrize("sides", [2, 4, 6])
def test_most_points_are_the_same_in_every_turn(sides: int) -> None:
    one = value(objective="score", turns=1, sides=sides)
    assert one == twins.solitaire_score(1, sides)
    assert value(objective="score", turns=3, sides=sides) == 3 * one


def test_a_turn_has_the_value_of_holding_at_twenty() -> None:
    assert float(value(objective="score", turns=1)) == pytest.approx(8.1418, abs=5e-5)


@pytest.mark.parametrize(("goal", "sides"), [(1, 6), (9, 2), (20, 6)])
def test_fewest_turns_are_the_twins(goal: int, sides: int) -> None:
    assert value(objective="turns", goal=goal, sides=sides) == twins.solitaire_turns(goal, sides)


def test_holding_at_twenty_takes_the_published_number_of_turns() -> None:
    assert round(float(twins.solitaire_hold_at(20, 100)), 3) == 12.637
    rules = GAME.rules({"objective": "turns"})
    hold = lambda state: {int(state.turn >= 20 or state.score + state.turn >= 100): Fraction(1)}  # noqa: E731
    [turns] = reference.evaluate(GAME, rules, hold)[GAME.part("start")(rules)]
    assert turns == twins.solitaire_hold_at(20, 100)


@pytest.mark.parametrize(
    ("objective", "aim", "words", "fields"),
    [
        ("reach", "most", "chance of reaching the goal", ("score", "turn", "turns")),
        ("score", "most", "expected points", ("turn", "turns")),
        ("turns", "least", "expected turns", ("score", "turn")),
    ],
)
def test_the_objective_says_what_counts(objective: str, aim: str, words: str, fields: tuple[str, ...]) -> None:
    rules = GAME.rules({"objective": objective})
    assert (GAME.aim(rules), GAME.objective(rules), GAME.fields(rules)) == (aim, words, fields)
