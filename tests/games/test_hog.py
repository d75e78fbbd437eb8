"""Hog: one throw of many dice."""

from fractions import Fraction

import pytest

from games import reference, twins
from komi.rules import catalog

import exact

GAME = catalog.find("hog")


@pytest.mark.parametrize("dice", [1, 2, 3, 5])
def test_totals_are_as_probable_as_counting_says(dice: int) -> None:
    rules = GAME.default_rules
    found = reference.outcomes(GAME, rules, GAME.part("start")(rules), dice - 1)
    assert {after.rival: p for p, after, _ in found} == twins.hog_totals(dice)


@pytest.mark.parametrize("dice", [1, 20, 40])
@pytest.mark.parametrize("goal", [1, 30, 300, 1000])
def test_chances_sum_to_one_however_many_dice_there_are(dice: int, goal: int) -> None:
    rules = GAME.rules({"goal": goal, "max_dice": 40, "sides": 10})
    found = list(GAME.outcomes(rules, GAME.part("start")(rules), dice - 1))
    assert sum(p for p, _, _ in found) == pytest.approx(1, abs=1e-14)
    assert min(p for p, _, _ in found) >= 0


def test_one_die_to_a_near_goal_is_a_race_of_throws() -> None:
    """With goal 2 each throw of one die wins five times in six."""
    rules = GAME.rules({"goal": 2, "max_dice": 1})
    assert exact.values(GAME, rules)[GAME.part("start")(rules)] == Fraction(6, 7)
