"""Policies that look some moves ahead choose the same, whether the game is solved or not."""

from pathlib import Path

import pytest

import komi
from komi.policies.depth_limited import DepthLimitedPolicy, TablebasePolicy
from komi.rules import catalog
from komi.solvers.tablebase.tablebase import Tablebase
from solvers.duels import reachable

TESTS = Path(__file__).parents[1]
GAMES = {
    TESTS / "games" / "random_duel.py": {"places": 60, "plan": 3},
    TESTS.parent / "examples" / "connect_four.py": {"line": 3, "columns": 3, "rows": 3},
}


@pytest.mark.parametrize("horizon", [1, 2, 3, 5])
@pytest.mark.parametrize("file", GAMES)
def test_a_game_need_not_be_solved_to_look_ahead(file: Path, horizon: int) -> None:
    game = catalog.find(str(file))
    table = komi.solve(game, **GAMES[file])
    assert isinstance(table, Tablebase)
    solved, searched = TablebasePolicy("solved", horizon, table), DepthLimitedPolicy("search", horizon)
    for state, follow in reachable(game, table.rules, game.part("start")(table.rules)).items():
        for uniform in (0.0, 0.4, 0.99) if follow else ():
            assert searched.choose(game, table.rules, state, uniform) == solved.choose(
                game, table.rules, state, uniform
            )
