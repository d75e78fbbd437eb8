"""A value of exactly 0 or 1 is told apart from one within the error bound."""

from pathlib import Path
from typing import Any

import pytest

import komi

WALK = """
from typing import NamedTuple
players = 1
def objective(rules):
    return "probability to get home"
actions = ("give up", "walk")
class Rules(NamedTuple):
    end: int = 5
class State(NamedTuple):
    at: int = 1
    lost: int = 0
def start(rules):
    return State()
def legal(rules, state):
    yield 0
    yield 1
def outcomes(rules, state, action):
    if action == 0:
        yield 1.0, State(state.at, 1), 0
    else:
        yield 0.5, State(state.at + 1), 0
        yield 0.5, State(state.at, FALLS), 0
def over(rules, state):
    return state.at == rules.end or state.lost
def payoff(rules, state):
    return 1.0 if state.at == rules.end else 0.0
"""


@pytest.mark.parametrize(("falls", "value", "is_certain"), [("0", 1.0, True), ("1", 0.0625, False)])
def test_what_chance_cannot_prevent_is_certain(tmp_path: Path, falls: str, value: float, is_certain: bool) -> None:
    file = tmp_path / "walk.py"
    file.write_text(WALK.replace("FALLS", falls))
    solution = komi.solve(str(file))
    assert solution.value() == pytest.approx(value)
    assert solution.is_certain() == is_certain


def test_a_won_position_is_said_to_be_surely_won(run: Any) -> None:
    for score, rival, is_said in [(99, 50, True), (30, 30, False)]:
        shown = run("value", "pig", "--state", f"score={score},rival={rival},turn=2").out
        assert ("surely" in shown) == is_said


def test_a_chance_within_the_bound_of_1_is_not_certain() -> None:
    solution = komi.solve("pig", goal=100)
    near = {"score": 99, "rival": 0, "turn": 0}
    assert not solution.is_certain(near)
    assert solution.value(near) < 1
