"""Default axes are fields of numbers that vary, neither sets nor constants."""

from pathlib import Path

import pytest

import komi
from komi.tables.usual_axes import first_choice, usual_fields

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
    assert usual_fields(solution, first_choice(solution)) == ["taken"]


def test_a_game_without_numbers_that_vary_has_no_default_axes(tmp_path: Path) -> None:
    path = coins(tmp_path, "0")
    with pytest.raises(komi.InputError, match="no field of coins is a number that varies: choose 'x' and 'y'"):
        komi.table(path)
    with pytest.raises(komi.InputError, match="no field of coins is a number that varies: choose 'x' and 'y'"):
        komi.plot(path, tmp_path / "coins.png")
    assert komi.table(path, x="coins").columns[1:]
