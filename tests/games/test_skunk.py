"""Skunk: deciding at once."""

from typing import Any

import pytest

from games import reference, twins
from komi.rules import catalog

GAME = catalog.find("skunk")
State = GAME.module.State
STAND, HOLD = range(2)


@pytest.mark.parametrize("ending", ["share", "first"])
@pytest.mark.parametrize(("goal", "sides"), [(5, 3), (6, 6), (7, 4)])
def test_values_are_the_twins(ending: str, goal: int, sides: int) -> None:
    rules = GAME.rules({"goal": goal, "sides": sides, "ending": ending})
    bounds = reference.bounds(GAME, rules)
    expected = twins.skunk(goal, ending, sides)
    for state, (low, high) in bounds.items():
        if state.turn == 0 and not GAME.part("over")(rules, state):
            assert low - 1e-11 <= expected[state.score, state.rival] <= high + 1e-11


def decided(rules: Any, state: Any, own: int, other: int) -> tuple[Any, int]:
    """Return the state after both decisions, and how far the turn passed on."""
    [(_, hidden, passed)] = GAME.outcomes(rules, state, own)
    [(_, after, passes)] = GAME.outcomes(rules, hidden, other)
    return after, (passed + passes) % 2


def test_the_second_to_decide_cannot_see_what_the_first_has() -> None:
    rules = GAME.default_rules
    state = State(3, 4, 5, 1, 0, 0)
    seen = {GAME.part("view")(rules, after) for a in (STAND, HOLD) for _, after, _ in GAME.outcomes(rules, state, a)}
    assert len(seen) == 1


def test_decisions_lead_where_they_must() -> None:
    rules = GAME.default_rules
    state = State(3, 4, 5, 1, 0, 0)
    assert decided(rules, state, HOLD, HOLD) == (State(8, 9, 0), 0)
    assert decided(rules, state, STAND, STAND) == (State(3, 4, 5), 0)
    assert decided(rules, state, HOLD, STAND) == (State(4, 8, 5, 0, 0, 1), 1)
    assert decided(rules, state, STAND, HOLD) == (State(3, 9, 5, 0, 0, 1), 0)


@pytest.mark.parametrize(
    ("ending", "scores", "payoff"),
    [
        ("share", (103, 100), 0.5),
        ("first", (103, 100), 1),
        ("first", (100, 103), 0),
        ("first", (101, 101), 0.5),
        ("higher", (100, 103), 0),
        ("share", (99, 100), 0),
    ],
)
def test_reaching_the_goal_has_the_payoff_of_the_ending(ending: str, scores: tuple[int, int], payoff: float) -> None:
    rules = GAME.rules({"ending": ending})
    state = State(*scores, 0)
    assert GAME.part("over")(rules, state)
    assert GAME.part("payoff")(rules, state) == payoff


def test_the_first_to_hold_with_the_goal_reached_ends_the_game_only_with_that_ending() -> None:
    state = State(90, 80, 12, 1, 0, 0)
    for ending, ends in (("share", False), ("first", True)):
        rules = GAME.rules({"ending": ending})
        after, passes = decided(rules, state, HOLD, STAND)
        assert GAME.part("over")(rules, after) is ends
        assert passes == 1
        assert (after.score, after.rival) == (80, 102)


def test_a_game_of_the_higher_score_says_why_it_has_no_value() -> None:
    assert GAME.part("no_value")(GAME.default_rules) == ""
    assert "for ever" in GAME.part("no_value")(GAME.rules({"ending": "higher"}))


def test_a_hidden_choice_that_matters_is_mixed() -> None:
    low, high = reference.bounds(GAME, GAME.rules({"goal": 5, "ending": "first"}))[State(0, 2, 0)]
    assert low == pytest.approx(0.015147186150720205, abs=1e-12)
    assert high == pytest.approx(0.015147186150720205, abs=1e-12)
