"""A chance is paid by the payoff alone: rewards beside it are refused wherever the game is solved, and checked."""

from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import GameError

import rulefiles

ALONE = [
    ("players = 2", "players = 1"),
    ("    return state.rival >= rules.goal\n", "    return max(state.score, state.rival) >= rules.goal\n"),
    ("    return 0.0\n", "    return 1.0 if state.rival >= rules.goal else 0.0\n"),
]
REWARD = """

def reward(rules, state, action, after):
    return 1.0 * action


def objective(rules):
    return "{}"
"""


@pytest.fixture
def rewarded(tmp_path: Path) -> Any:
    def rewarded(objective: str) -> Path:
        path = rulefiles.write(tmp_path, *ALONE)
        path.write_text(path.read_text() + REWARD.format(objective))
        return path

    return rewarded


def test_rewards_beside_a_chance_are_refused(run: Any, rewarded: Any) -> None:
    path = rewarded("chance of the goal")
    sentence = "the objective, 'chance of the goal', is a chance, which only 'payoff' gives"
    with pytest.raises(GameError, match=sentence):
        komi.solve(str(path))
    for command in (("value",), ("match", "optimal")):
        refused = run(command[0], path, *command[1:])
        assert refused.code == 2
        assert sentence in refused.err
        assert "'hold' gains 1 in score=0,rival=0,turn=0." in refused.err
    checked = run("check", path)
    assert checked.code == 1
    assert sentence in checked.out


def test_rewards_of_nothing_beside_a_chance_are_solved() -> None:
    assert komi.check("pig-solitaire", goal=8, turns=2).ok
