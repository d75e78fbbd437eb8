"""Games without a strategy to remember are refused in one sentence."""

from pathlib import Path

import pytest

import komi
from komi.errors import SolveError

ONE_DECISION = '''"""Coin: choose once."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("fair", "marked")


class Rules(NamedTuple):
    unused: int = 0


class State(NamedTuple):
    step: int


def start(rules):
    return State(0)


def legal(rules, state):
    if state.step == 0:
        yield 0
        yield 1
    else:
        yield CHANCE


def outcomes(rules, state, action):
    if state.step == 0:
        yield 1.0, State(1 + action), 0
    else:
        yield (0.5, 0.75)[state.step - 1], State(3), 0
        yield (0.5, 0.25)[state.step - 1], State(4), 0


def over(rules, state):
    return state.step >= 3


def payoff(rules, state):
    return float(state.step == 3)
'''

ALTERNATING = '''"""Steps: one action leads on from each step, the other back to the start."""

from typing import NamedTuple

players = 1
aim = "least"
actions = ("left", "right")
TURNS = (0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0)


class Rules(NamedTuple):
    unused: int = 0


class State(NamedTuple):
    step: int


def start(rules):
    return State(0)


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    yield 1.0, State(state.step + 1 if action == TURNS[state.step] else 0), 0


def over(rules, state):
    return state.step == 12


def reward(rules, state, action, after):
    return 1.0


def payoff(rules, state):
    return 0.0
'''


def write(folder: Path, text: str) -> str:
    path = folder / "walk.py"
    path.write_text(text)
    return str(path)


def test_a_single_decision_is_no_strategy(tmp_path: Path) -> None:
    with pytest.raises(SolveError, match="no number varies where a player of walk chooses"):
        komi.teach(write(tmp_path, ONE_DECISION), file=tmp_path / "card.py", seconds=1)


def test_strategies_whose_games_never_end_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SolveError, match="no strategy with 1 numbers was found whose games of walk end"):
        komi.teach(write(tmp_path, ALTERNATING), numbers=1, file=tmp_path / "card.py", seconds=1)


def test_a_policy_whose_games_never_end_has_no_value_and_the_game_has_one(tmp_path: Path) -> None:
    path = write(tmp_path, ALTERNATING)
    assert komi.solve(path).value() == 12.0
    with pytest.raises(SolveError, match=r"the policy has no value in walk: with it play never ends from step=\d"):
        komi.match(path, lambda rules, state: 0)
