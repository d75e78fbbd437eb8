"""`komi.check` finds what a game says wrongly of its dice, its card and its pieces."""

from pathlib import Path

import pytest

from komi.checking import hints
from komi.rules import catalog, enumeration
from komi.rules.interpreter import Interpreter

KEEPING = '''"""Keeping: roll two dice, keep one of them or both, and write them down."""

from typing import NamedTuple

from komi.game import CHANCE

players = 1


class Rules(NamedTuple):
    boxes: int = 2


class State(NamedTuple):
    filled: int
    dice: int


def start(rules):
    return State(0, 0)


def label(rules, state, action):
    return f"keep {action}"


def legal(rules, state):
    if state.dice == 0:
        yield CHANCE
    else:
        yield 1
        yield 2


def outcomes(rules, state, action):
    if action == CHANCE:
        yield 0.5, State(state.filled, 12), 0
        yield 0.5, State(state.filled, 22), 0
    else:
        yield 1.0, State(state.filled + 1, 0), 1


def reward(rules, state, action, after):
    return float(action) if action != CHANCE else 0.0


def over(rules, state):
    return state.filled == rules.boxes


def payoff(rules, state):
    return 0.0


def faces(rules, state):
    yield state.dice // 10
    yield state.dice % 10


def keeps(rules, state, action):
    return (2,) if action == 1 else (2, 2) if state.dice == 22 else (1, 2)


def card(rules):
    for box in range(rules.boxes):
        yield f"box {box + 1}", "boxes"


def filled(rules, state):
    yield from range(state.filled)


def scores(rules, state, action):
    if action != CHANCE:
        yield state.filled, action


def board(rules, state):
    yield 0, 0, "white", 0


def target(rules, state, action):
    return 0, 0


def beside(rules, state):
    yield "waiting", "black", state.filled


def throw(rules, state):
    return min(state.dice, 1), 2


def turned(rules, state):
    return state
'''

WRONG = {
    "a die with seven sides": ("yield state.dice % 10", "yield state.dice % 10\n    yield 7", "'faces' yields"),
    "dice that do not lie there": ("return (2,) if", "return (6,) if", "'keeps' returns (6,), which are not dice"),
    "dice out of order": ("else (1, 2)", "else (2, 1)", "'keeps' returns (2, 1): dice must be sorted"),
    "the same dice twice": ("(2, 2) if state.dice == 22", "(2,) if state.dice == 22", "differ for each action"),
    "a card of two": ("players = 1", "players = 2", "'card' describes one player's card"),
    "a card without parts": ('yield f"box {box + 1}", "boxes"', 'yield f"box {box + 1}"', "'card' yields ["),
    "an invalid box": ("range(state.filled)\n", "range(state.filled)\n    yield 7\n", "'filled' yields"),
    "a number in place of a square": ("return 0, 0\n", "return 5\n", "'target' returns 5, which is not a square"),
    "a row that is not there": ("yield state.filled, action", "yield 2, action", "it must yield (row from 0 to 1, "),
    "points that are not gained": ("yield state.filled, action", "yield state.filled, 3", "the reward is 1"),
    "a box twice": ("yield state.filled, action", "yield 0, action", "this box is filled already"),
    "a box that stays open": ("yield state.filled, action", "yield 1, action", "it does not fill its box"),
    "an invalid square": ("return 0, 0\n", "return 5, 5\n", "'target' returns (5, 5), which is not a square"),
    "pieces of no seat": ('"black", state', '"red", state', "'beside' yields ('waiting', 'red', 0)"),
    "more marks than dice": ("return min(state.dice, 1), 2", "return 3, 2", "'throw' returns 3 marked dice of 2"),
    "a side that does not turn back": (
        "return state\n",
        "return state._replace(filled=state.filled + 1)\n",
        "'turned' does not restore a state",
    ),
}


def problems(folder: Path, text: str) -> list[str]:
    file = folder / "keeping.py"
    file.write_text(text)
    game = catalog.find(str(file))
    interpreter = Interpreter(game, game.default_rules)
    walked, _ = enumeration.explore(interpreter, 100)
    hints.check(interpreter, walked)
    return [problem.message for problem in interpreter.problems.values()]


def test_what_is_true_passes(tmp_path: Path) -> None:
    assert problems(tmp_path, KEEPING) == []


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_reported(tmp_path: Path, name: str) -> None:
    old, new, said = WRONG[name]
    assert old in KEEPING
    found = problems(tmp_path, KEEPING.replace(old, new))
    assert len(found) == 1
    assert said in found[0]


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("yahtzee", {}),
        ("yahtzee", {"players": 2}),
        ("hooligan", {"declare": True}),
        ("ten-thousand", {"goal": 1000}),
        ("royal-game-of-ur", {"rules": "masters", "pieces": 2}),
        ("royal-game-of-ur", {"rules": "blitz", "pieces": 3}),
    ],
)
def test_layouts_of_built_in_games_are_correct(name: str, rules: dict[str, object]) -> None:
    game = catalog.find(name)
    interpreter = Interpreter(game, game.rules(rules))
    walked = enumeration.sample_states(interpreter, 200, max_outcomes=5000)
    for part in ("faces", "keeps", "scores", "target", "beside", "throw", "turned", "card", "filled", "alone"):
        if game.has(part):
            hints.HINTS[part](interpreter, walked)
    assert not interpreter.problems
