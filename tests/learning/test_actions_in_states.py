"""Rules that keep the number of an action in a state are learned, as they are solved."""

from pathlib import Path

import pytest

import komi
from komi.learning.learn import LearningSettings

RULES = '''"""Steps: name a number from 0 to 3, then a larger one."""

from typing import NamedTuple

players = 1
actions = ("zero", "one", "two", "three")


class Rules(NamedTuple):
    unused: int = 0


class State(NamedTuple):
    first: int = -1
    second: int = -1


def start(rules):
    return State()


def legal(rules, state):
    for action in range(4):
        yield action


def outcomes(rules, state, action):
    if state.first < 0:
        yield 0.5, State(action, state.second), 0
        yield 0.5, State(0, state.second), 0
    else:
        yield 1.0, State(state.first, action), 0


def over(rules, state):
    return state.second >= 0


def payoff(rules, state):
    if state.first == state.second:
        return 0.5
    return 1.0 if state.second > state.first else 0.0
'''


@pytest.mark.parametrize("method", ["value-iteration", "td", "q-learning"])
def test_an_action_in_a_state_is_learned(tmp_path: Path, method: str) -> None:
    path = tmp_path / "steps.py"
    path.write_text(RULES)
    assert komi.learn(str(path), method, settings=LearningSettings(games=2000)).loss < 0.05
