"""A game that is too large is refused soon, in a sentence that says what is large."""

import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import komi
from komi.arrays import I32, MAX_INDEX, allocate, check_indices
from komi.bellman import ActionCode
from komi.game import MAX_ACTIONS

import rulefiles
from slowly import slowly

COUNTDOWN = Path(__file__).parents[1] / "games" / "countdown.py"


def test_a_race_without_an_end_is_refused_soon(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path, ("    if state.score + state.turn < rules.goal:\n        yield ROLL", "    yield ROLL")
    )
    begin = time.process_time()
    with pytest.raises(komi.SolveError, match=r"more than 10,000,000 states and 'turn' may still grow, as in score="):
        komi.solve(str(path))
    assert time.process_time() - begin < 60  # most of it for compiling


def test_a_game_without_chance_and_without_an_end_is_refused_soon(tmp_path: Path) -> None:
    path = tmp_path / "count_up.py"
    path.write_text(COUNTDOWN.read_text().replace("State(state.pile - 1)", "State(state.pile + 1)"))
    with pytest.raises(komi.SolveError, match=r"more than 10,000,000 states and 'pile' may still grow, as in pile="):
        komi.solve(str(path), pile=3)


def test_what_forbids_an_action_is_a_number_of_16_bits() -> None:
    assert np.iinfo(np.int16).min == ActionCode.EXCEPT - (MAX_ACTIONS - 1)


@pytest.mark.parametrize("outcome", ["1.0, State(state.pile - 1), 1", *slowly("0.5, State(state.pile - 1), 1")])
def test_an_action_with_a_larger_number_is_refused_with_and_without_chance(tmp_path: Path, outcome: str) -> None:
    path = tmp_path / "large.py"
    rest = "        yield 0.5, State(state.pile - 1), 0\n" if outcome.startswith("0.5") else ""
    path.write_text(LARGE.format(outcome=outcome, rest=rest))
    assert komi.solve(str(path), last=MAX_ACTIONS - 1).states == 2
    with pytest.raises(komi.GameError, match=r"yields 32762 in pile=2, which is not an action: .* end at 32,761"):
        komi.solve(str(path), last=MAX_ACTIONS)
    problem, *_ = komi.check(str(path), last=MAX_ACTIONS).problems
    assert "which is not an action: action numbers end at 32,761" in problem.message


def test_more_players_than_bits_of_a_word_are_refused(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("players = 2", "players = 200"),
        ("payoff(rules, state):", "payoff(rules, state, seat):"),
    )
    with pytest.raises(komi.GameError, match=r"sprint.py: 'players' is 200: a game can have 62\."):
        komi.solve(str(path))
    with pytest.raises(komi.GameError, match=r"a game can have 62\."):
        komi.simulate(str(path), 10)


def test_more_states_than_32_bits_can_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_MAX_STATES", "5G")
    with pytest.raises(komi.InputError, match="komi numbers at most 2,147,483,647 states"):
        komi.solve("piglet", goal=3, komi=1, fresh=True)


def test_a_table_longer_than_32_bits_can_number_is_refused() -> None:
    class Table(NamedTuple):
        entry: I32

    allocate(Table, 1)
    check_indices(MAX_INDEX, "states")
    with pytest.raises(komi.SolveError, match=r"there are 2,147,483,648 states, and .* 2,147,483,647"):
        check_indices(MAX_INDEX + 1, "states")


LARGE = '''"""Large: two actions, of which the second has a large number, take from a pile."""

from typing import NamedTuple

players = 2


class Rules(NamedTuple):
    last: int = 1


class State(NamedTuple):
    pile: int


def label(rules, state, action):
    return "large" if action else "small"


def start(rules):
    return State(2)


def legal(rules, state):
    yield 0
    yield rules.last


def outcomes(rules, state, action):
    if action:
        yield {outcome}
{rest}    else:
        yield 1.0, State(0), 1


def over(rules, state):
    return state.pile == 0


def payoff(rules, state):
    return 0.0
'''
