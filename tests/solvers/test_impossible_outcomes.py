"""Outcomes of probability 0 lead to states that a policy covers, as in games without hidden information."""

from pathlib import Path

import pytest

import komi

RULES = '''"""Coins: the first player sees a coin and bets; a third side never falls."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("pass", "go")
payoff_range = -2, 2


class Rules(NamedTuple):
    never: float = 0.0


class State(NamedTuple):
    coin: int = 0
    bet: int = 0  # 1 passed, 2 bet
    call: int = 0  # the same of the other


def start(rules):
    return State()


def view(rules, state):
    return state._replace(coin=0) if state.bet else state


def legal(rules, state):
    if state.coin == 0:
        yield CHANCE
    else:
        yield 0
        yield 1


def outcomes(rules, state, action):
    if state.coin == 0:
        yield 0.5, State(1), 0
        yield 0.5 - rules.never, State(2), 0
        yield rules.never, State(3), 0
    elif state.bet == 0:
        yield 1.0, state._replace(bet=action + 1), 1
    else:
        yield 1.0, state._replace(call=action + 1), 1


def over(rules, state):
    return state.call > 0


def payoff(rules, state):
    stake = 2 if state.bet == 2 and state.call == 2 else 1
    wins = state.coin == 1 or (state.bet == 2 and state.call == 1)
    return float(stake if wins else -stake)
'''


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = tmp_path / "coins.py"
    path.write_text(RULES)
    return str(path)


def test_outcomes_that_never_happen_change_no_value(path: str) -> None:
    assert komi.solve(path).value() == pytest.approx(komi.solve(path, never=1e-9).value(), abs=1e-6)


def test_optimal_play_is_matched_and_certified_beside_outcomes_that_never_happen(path: str, tmp_path: Path) -> None:
    assert komi.match(path, "optimal", "optimal").average == pytest.approx(0.0, abs=1e-9)
    komi.prove(path, tmp_path / "coins.cert")
    assert komi.verify(tmp_path / "coins.cert").verified
