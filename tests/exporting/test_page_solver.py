"""The solver of a page in one file agrees with komi: values, and plies in games without chance."""

import json
import shutil
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from subprocess import run as run_program
from typing import Any

import numpy as np
import pytest

import komi
from komi.errors import SolveError
from komi.exporting.page_table import page_table
from komi.solvers.solution import Solution
from komi.translation.javascript import translate
from komi.web.routes.page import FOLDER

EXAMPLES = Path(__file__).parents[2] / "examples"
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="there is no Node")
SMALLER_NUMBERS = """
def drawn(rules, place, action, outcome, question):
    number = rules.plan * 7919 + place * 613 + action * 101 + outcome * 29 + question * 7 + 12345
    for _ in range(4):
        number = number * 48271 % 2147483647
    return (number // 128) % 64
"""
DRIVER = """
import { readFileSync } from "node:fs";
const { solve } = await import(process.argv[1]);
const found = [];
for (const { source, rules, table } of JSON.parse(readFileSync(0, "utf8"))) {
  const { values, plies } = await solve(source, rules, table, () => {});
  found.push([[...values], plies && [...plies]]);
}
process.stdout.write(JSON.stringify(found));
"""


def request_for(solution: Solution[Any]) -> dict[str, Any]:
    game, rules = solution.game, solution.rules
    table = page_table(solution, {}, max_stored=0).description["solver"]
    return {"source": translate(game, rules, game.name), "rules": rules._asdict(), "table": table}


def check(solutions: list[Solution[Any]]) -> None:
    """Solve games in Node, as the page does, and compare all states."""
    request = json.dumps([request_for(solution) for solution in solutions])
    command = ["node", "--input-type=module", "--eval", DRIVER, (FOLDER / "file" / "solver.js").as_uri()]
    done = run_program(command, input=request, stdout=PIPE, text=True, check=True, encoding="utf-8")
    for solution, (values, plies) in zip(solutions, json.loads(done.stdout), strict=True):
        order = np.lexsort(solution.optimal_play.states.all_fields().T[::-1])
        expected = solution.kind.payoffs.payoff(np.asarray(solution.optimal_play.values))[order]
        assert values == pytest.approx(expected, rel=1e-9, abs=1e-9 * solution.scale), solution.rules
        assert plies == (solution.arrays()["plies"][order].tolist() if solution.has_plies else None)


@needs_node
@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("pig", {"goal": 20}),
        ("piglet", {"goal": 5, "komi": 2}),
        ("hog", {"goal": 12, "max_dice": 3}),
        ("big-pig", {"goal": 15}),
        ("pass-the-pigs", {"goal": 15}),
        ("red-light", {"goal": 10}),
        ("pig-solitaire", {"goal": 20, "objective": "turns"}),
        ("pig-solitaire", {"goal": 20, "turns": 3}),
        ("risk-battle", {"attackers": 4}),
        (str(EXAMPLES / "bear_off.py"), {}),
        (str(EXAMPLES / "shut_the_box.py"), {}),
        (str(EXAMPLES / "first_orchard.py"), {}),
        (str(EXAMPLES / "connect_four.py"), {"line": 3}),
        ("traffic-lights", {"rows": 2}),
    ],
)
def test_solver_of_the_page_agrees_with_komi(game: str, rules: dict[str, Any]) -> None:
    check([komi.solve(game, **rules)])


@needs_node
def test_solver_of_the_page_agrees_with_komi_in_random_games_with_cycles(tmp_path: Path) -> None:
    file = shutil.copy(Path(__file__).parents[1] / "games" / "random_game.py", tmp_path)
    (tmp_path / "plan_numbers.py").write_text(SMALLER_NUMBERS)
    solutions = []
    for plan in range(60):
        with suppress(SolveError):
            solutions.append(komi.solve(file, places=1 + plan % 8, plan=plan, stalls=plan % 17, twins=plan % 40))
    assert len(solutions) > 20
    check(solutions)
