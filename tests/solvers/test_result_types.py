"""The types of results that are declared by the names of games are those of the results."""

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from komi.games import _kinds
from komi.rules import catalog
from komi.rules.kind import kind_of
from komi.solvers.solve import find_solvers

SOLVERS = {
    _kinds.Race: "stochastic",
    _kinds.RaceForMore: "stochastic",
    _kinds.Solitaire: "single-player",
    _kinds.Duel: "simultaneous",
    _kinds.WithoutChance: "retrograde",
}
NAMED = [(name, solver) for kind, solver in SOLVERS.items() for name in get_args(kind)]

REVEALED = """
import komi

reveal_type(komi.solve("pig"))
reveal_type(komi.solve("pig", players=3))
reveal_type(komi.solve("think"))
reveal_type(komi.solve("skunk", fresh=True))
reveal_type(komi.solve("mine.py"))
reveal_type(komi.match("pig", "optimal", "random"))
reveal_type(komi.match("pig", "optimal", players=4))
reveal_type(komi.match("think", "optimal"))
"""


def solver_of(name: str, **changed: object) -> str:
    game = catalog.find(name)
    rules = game.rules(changed)
    return next(iter(find_solvers(game.under(rules), rules))).name


@pytest.mark.parametrize(("name", "solver"), NAMED)
def test_a_game_is_of_its_declared_kind(name: str, solver: str) -> None:
    assert solver_of(name) == solver


@pytest.mark.parametrize("name", get_args(_kinds.RaceForMore))
def test_a_race_for_more_is_for_two_to_four(name: str) -> None:
    assert [solver_of(name, players=players) for players in (2, 3, 4)] == ["stochastic", "multiplayer", "multiplayer"]


def test_a_race_is_for_two_under_all_rules() -> None:
    games = [catalog.find(name) for name in get_args(_kinds.Race)]
    assert not any("players" in game.rules({})._fields for game in games)
    assert {kind_of(game, game.rules({})).seats for game in games} == {2}


@pytest.mark.slow
def test_a_type_checker_infers_the_class_of_a_result(tmp_path: Path) -> None:
    file = tmp_path / "uses.py"
    file.write_text(REVEALED)
    command = [sys.executable, "-m", "mypy", "--config-file=", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    revealed = [line.split('"')[1] for line in done.stdout.splitlines() if "Revealed type" in line]
    assert [each.rpartition(".")[2] if "|" not in each else each for each in revealed] == [
        *("StochasticSolution", "MultiplayerSolution", "SinglePlayerSolution", "SimultaneousSolution"),
        *("Solution[Any]", "Match", "MultiplayerMatch", "SinglePlayerEvaluation"),
    ]
