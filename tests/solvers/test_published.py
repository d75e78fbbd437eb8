"""Values that others have published, to the last digit they give."""

import itertools
from typing import Any

import pytest

import komi

from slowly import slowly

WINS = [  # (game, rules, the first player's wins, digits)
    *slowly(("fowl-play", {}, 0.5242, 4), ("fowl-play", {"komi": 1}, 0.5054, 4)),
    ("pig", {}, 0.5306, 4),
    ("pig", {"komi": 4}, 0.5016, 4),
]


@pytest.mark.parametrize(("name", "rules", "wins", "digits"), WINS)
def test_first_player_wins_as_often_as_published(name: str, rules: dict[str, Any], wins: float, digits: int) -> None:
    solution = komi.solve(name, **rules)
    assert round(solution.value(), digits) == wins
    assert solution.error_bound <= 1e-9


def test_red_light_is_as_near_to_fair_as_published() -> None:
    red_light = komi.solve("red-light")
    assert round(abs(red_light.value() - 0.5), 5) == 0.00001
    assert red_light.error_bound <= 1e-9


@pytest.mark.slow
def test_progressive_pig_has_the_published_policy_at_15_to_70() -> None:
    """Roll below 25, hold to 34, roll to 37, hold to 76, then roll: the policy line of Neller et al., 2005."""
    solution = komi.solve("progressive-pig")
    line = [solution.best(f"score=15,rival=70,turn={turn}") for turn in range(2, 85)]
    changes = [turn for turn, (before, best) in enumerate(itertools.pairwise(line), 3) if best != before]
    assert line[0] == "roll"
    assert changes == [25, 35, 38, 77]


@pytest.mark.slow
def test_fowl_play_draws_in_the_worked_example() -> None:
    fowl_play = komi.solve("fowl-play")
    assert fowl_play.best("score=47,rival=49,turn=2,wolves=5,chickens=41") == "draw"


def test_red_light_may_draw_a_red_chip_on_purpose() -> None:
    """With 2 red and 1 green chips left, drawing the green and then a red can be best: a lost turn resets the bag."""
    red_light = komi.solve("red-light")
    assert any(
        red_light.best(f"score={score},rival={rival},turn={turn},red=2,green=24") == "draw"
        for score in range(30, 50)
        for rival in range(30, 50)
        for turn in range(1, min(8, 50 - score))
    )
