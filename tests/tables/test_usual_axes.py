"""Default axes are fields of numbers that vary, neither sets nor constants."""

from pathlib import Path

import pytest

import komi
from komi.tables.usual_axes import usual_map

COINS = '''"""Coins: take a coin from the table until none is left; the one who takes the last wins."""

from typing import NamedTuple

players = 2
actions = ("red", "green", "blue")
elements = {"coins": actions}


class Rules(NamedTuple):
    coins: int = 3


class State(NamedTuple):
    coins: int
    taken: int = 0
    always: int = 1


def start(rules):
    return State((1 << rules.coins) - 1)


def legal(rules, state):
    for coin in range(rules.coins):
        if state.coins >> coin & 1:
            yield coin


def outcomes(rules, state, action):
    yield 1.0, State(state.coins ^ 1 << action, TAKEN), 1


def over(rules, state):
    return state.coins == 0


def payoff(rules, state):
    return 0.0
'''


def coins(folder: Path, taken: str) -> str:
    path = folder / "coins.py"
    path.write_text(COINS.replace("TAKEN", taken))
    return str(path)


def test_neither_sets_nor_constants_are_axes(tmp_path: Path) -> None:
    solution = komi.solve(coins(tmp_path, "state.taken + 1"))
    assert usual_map(solution, None)[1] == ["taken"]


def test_a_game_without_numbers_that_vary_has_no_default_axes(tmp_path: Path) -> None:
    path = coins(tmp_path, "0")
    with pytest.raises(komi.InputError, match="is a number that varies: choose a set, coins, as 'x'"):
        komi.table(path)
    assert komi.plot(path, tmp_path / "coins.png").exists()  # a list of decisions
    assert komi.table(path, x="coins").columns[1:]


PASSED = '''"""Heap: give one of two counters away, until all four are given; the one who gives the last wins."""

from typing import NamedTuple

players = 2
actions = ("left", "right")


class Rules(NamedTuple):
    counters: int = 2  # on each side


class State(NamedTuple):
    left: int
    right: int
    given: int = 0


def start(rules):
    return State(rules.counters, rules.counters)


def legal(rules, state):
    if state.left > 0:
        yield 0
    if state.right > 0:
        yield 1


def outcomes(rules, state, action):
    yield 1.0, State(state.left - (action == 0), state.right - (action == 1), state.given + 1), 1


def over(rules, state):
    return state.left + state.right == 0


def payoff(rules, state):
    return 0.0
'''


def test_where_no_field_varies_alone_two_are_shown_that_vary_together(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(PASSED)
    shown, fields = usual_map(komi.solve(str(path)), None)
    assert fields == ["left", "right"]
    assert shown.given == 2
    assert set(komi.table(str(path)).runs) == {(0, 2), (1, 1), (2, 0)}
