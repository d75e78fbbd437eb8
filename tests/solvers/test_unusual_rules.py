"""Rules at the edge of what is sound: views of views, chances of zero, averages of what is hidden."""

from pathlib import Path

import pytest

import komi

CARD = '''"""Name the card that chance has dealt, which another player or the same one has named before."""
from typing import NamedTuple

players = {players}


class Rules(NamedTuple):
    unused: int = 0


class State(NamedTuple):
    step: int
    card: int


def start(rules):
    return State(0, 0)


def legal(rules, state):
    if state.step == 0:
        yield -1
    else:
        yield 0
        yield 1


def outcomes(rules, state, action):
    if state.step == 0:
        yield 0.5, State(1, 0), 0
        yield 0.5, State(1, 1), 0
        yield 0.0, State(1, 2), 0
    elif state.step == 1:
        yield 1.0, State(2 + action, state.card), 1
    else:
        yield 1.0, State(4, (state.card + action + state.step) % 2), 1


def over(rules, state):
    return state.step == 4


def payoff(rules, state, seat):
    return float(state.card % 2) if seat == 0 else (1.0 - state.card % 2) / (players - 1)


def view(rules, state):
    return {view}


def label(rules, state, action):
    return "deal" if action < 0 else "ab"[action]
'''


def card(folder: Path, players: int, view: str, more: str = "") -> Path:
    path = folder / "card.py"
    path.write_text(CARD.format(players=players, view=view) + more)
    return path


@pytest.mark.parametrize("players", [2, 3])
def test_a_view_that_is_not_its_own_view_is_refused(players: int, tmp_path: Path) -> None:
    path = card(tmp_path, players, "state._replace(card=(state.card + 1) % 3 if state.step == 1 else 0)")
    with pytest.raises(komi.errors.GameError, match="'view' changes a state that is already a view, step=1"):
        komi.solve(path)


def test_play_that_has_no_chance_to_occur_changes_nothing(tmp_path: Path) -> None:
    path = card(tmp_path, 2, "state._replace(card=state.card if state.step == 1 else 0)")
    assert komi.solve(path).value() == pytest.approx(0.5)
    path = card(tmp_path, 1, "state._replace(card=2 if state.step == 1 and state.card == 2 else 0)")
    path.write_text(path.read_text().replace("if seat == 0 else (1.0 - state.card % 2) / (players - 1)", ""))
    assert komi.match(path, "optimal").value == pytest.approx(0.5)


def test_an_average_of_what_is_hidden_is_refused(tmp_path: Path) -> None:
    gains = "\n\naverage = True\n\n\ndef reward(rules, state, action, after):\n    return 1.0\n"
    path = card(tmp_path, 1, "state._replace(card=0)", gains)
    with pytest.raises(komi.SolveError, match="hides something from its players"):
        komi.solve(path)
