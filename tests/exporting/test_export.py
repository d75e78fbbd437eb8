"""Exported policies do what the policy does in every state: as Python, and by a C compiler and Node where they are."""

import json
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from shutil import which
from subprocess import run as run_program
from typing import Any

import numpy as np
import pytest

from komi.errors import InputError, SolveError
from komi.exporting.dense_table import DenseTable
from komi.exporting.encodings import LineEncoding, RunLengthEncoding
from komi.exporting.export import export
from komi.exporting.languages import LANGUAGES
from komi.policies.named import find
from komi.policies.tabulate import tabulate
from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.teaching.features import field_ranges

SMALL: list[tuple[str, str, dict[str, Any]]] = [
    ("pig", "optimal", {"goal": 30}),
    ("fowl-play", "max-score", {"goal": 12, "wolves": 3, "chickens": 9}),
]
LANE = '''"""Lane: the right action in cell c is c % 2, and the other one ends the game."""

from typing import NamedTuple

players = 1
actions = ("left", "right")


class Rules(NamedTuple):
    length: int = 4


class State(NamedTuple):
    cell: int = 0
    value: int = 0


def start(rules):
    return State(0, 0)


def legal(rules, state):
    yield 0
    yield 1


def outcomes(rules, state, action):
    if action == state.cell % 2:
        yield 1.0, State(state.cell + 1, state.value), 0
    else:
        yield 1.0, State(state.cell, 1), 0


def over(rules, state):
    return state.value == 1 or state.cell >= rules.length


def payoff(rules, state):
    return 1.0 if state.value == 0 else 0.0
'''
GENERATED = {
    ".py": "ACTIONS FIELDS LOWS SIZES action b85decode bytes cell decompress int low size sizes value values zip",
    ".c": "komi_action komi_cells komi_look_up komi_unpack komi_values KOMI_CELLS cell i int lows register restrict"
    " size_t sizeof sizes static unix value values é",
    ".js": "ACTIONS CELLS LOWS Number RUNS SIZES Uint8Array action arguments atob cell cells eval i let module new"
    " require runs switch this undefined unpack var",
}
"""Names in the exported files, and words that the languages reserve but Python does not."""
HARNESS = """
#include <stdio.h>
#include "{file}"
int main(void) {{
    int v[{count}];
    while (scanf("{scans}", {addresses}) == {count}) printf("%d\\n", komi_action({values}));
    printf("%s\\n", komi_actions[1]);
}}
"""


@pytest.fixture(scope="module", params=SMALL, ids=lambda game: f"{game[0]} {game[1]}")
def tabulated(request: Any) -> tuple[Any, Solution[Any], list[tuple[int, ...]], list[int]]:
    """Return a game and policy, the solution, the states in which a player decides, and the policy's actions there."""
    game, policy, rules = request.param
    solution = solve(game, **rules)
    states = solution.optimal_play.states
    actions = tabulate(find(policy, solution), solution.compiled, solution.rules, states)
    used = len(solution.game.fields(solution.rules))
    return request.param, solution, [states.fields(index)[:used] for index in range(states.size)], actions.tolist()


def exported(tabulated: Any, file: Path) -> tuple[str, ...]:
    """Write the policy; return the order of the fields."""
    (game, policy, rules), *_ = tabulated
    export(game, policy, file, **rules)
    table = table_of(tabulated)
    return tuple(table.names[field] for field in table.varying)


def table_of(tabulated: Any) -> DenseTable:
    _, solution, _, actions = tabulated
    states = solution.optimal_play.states
    return DenseTable.of(states, solution.game.module.State._fields, field_ranges(states), np.array(actions, np.int16))


def ordered(tabulated: Any, fields: tuple[str, ...]) -> list[list[int]]:
    _, solution, states, _ = tabulated
    names = solution.game.fields(solution.rules)
    return [[state[names.index(field)] for field in fields] for state in states]


def test_python(tabulated: Any, tmp_path: Path) -> None:
    fields = exported(tabulated, tmp_path / "policy.py")
    specification = spec_from_file_location("exported_policy", tmp_path / "policy.py")
    assert specification is not None
    assert specification.loader is not None
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    assert fields == module.FIELDS
    assert [module.action(*state) for state in ordered(tabulated, fields)] == tabulated[3]
    assert module.action(*[-1] * len(fields)) == -1
    assert module.ACTIONS[1] == "hold"


@pytest.mark.skipif(not which("gcc"), reason="there is no gcc")
def test_c(tabulated: Any, tmp_path: Path) -> None:
    fields = exported(tabulated, tmp_path / "policy.c")
    numbers = range(len(fields))
    harness = HARNESS.format(
        file="policy.c",
        count=len(fields),
        scans=" ".join("%d" for _ in numbers),
        addresses=", ".join(f"&v[{number}]" for number in numbers),
        values=", ".join(f"v[{number}]" for number in numbers),
    )
    (tmp_path / "main.c").write_text(harness)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    run_program(["gcc", *flags, "-o", "program", "main.c"], cwd=tmp_path, check=True)
    given = "\n".join(" ".join(map(str, state)) for state in ordered(tabulated, fields))
    done = run_program(["./program"], cwd=tmp_path, input=given, capture_output=True, text=True, check=True)
    *answers, label = done.stdout.split()
    assert [int(solution) for solution in answers] == tabulated[3]
    assert label == "hold"


@pytest.mark.skipif(not which("node"), reason="there is no Node")
def test_javascript(tabulated: Any, tmp_path: Path) -> None:
    fields = exported(tabulated, tmp_path / "policy.js")
    (tmp_path / "states.json").write_text(json.dumps(ordered(tabulated, fields)))
    script = (
        'const { action } = require("./policy.js");'
        'const states = require("./states.json");'
        "console.log(JSON.stringify(states.map((state) => action(...state))));"
    )
    done = run_program(["node", "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == tabulated[3]


def actions_of_file(file: Path, cells: Sequence[int]) -> list[int]:
    """Return what the exported policy does in the cells."""
    if file.suffix == ".py":
        names: dict[str, Any] = {}
        exec(file.read_text(), names)
        return [names["action"](cell) for cell in cells]
    if file.suffix == ".js":
        script = (
            f'const {{ action }} = require("{file}"); console.log({list(cells)}.map((cell) => action(cell)).join(" "));'
        )
        command = ["node", "-e", script]
    else:
        calls = "".join(f'printf("%d ", komi_action({cell}LL));' for cell in cells)
        (file.parent / "main.c").write_text(f'#include <stdio.h>\n#include "{file}"\nint main(void) {{ {calls} }}\n')
        run_program(["gcc", "-std=gnu99", "-Wall", "-Werror", "main.c", "-o", "main"], cwd=file.parent, check=True)
        command = [str(file.parent / "main")]
    done = run_program(command, capture_output=True, text=True, check=True)
    return [int(action) for action in done.stdout.split()]


@pytest.mark.parametrize("ending", [".py", ".c", ".js"])
def test_fields_can_have_the_names_of_what_is_generated(tmp_path: Path, ending: str) -> None:
    if (program := {".c": "gcc", ".js": "node"}.get(ending)) and not which(program):
        pytest.skip(f"there is no {program}")
    cells = np.array([0, 1, 0, 1], np.uint8)
    fields = GENERATED[ending].split()
    language = LANGUAGES[ending]
    for field in fields:
        names = language.field_names((field, "other"))
        table = DenseTable(names, (0, 0), cells.reshape(4, 1))
        file = tmp_path / f"policy{ending}"
        file.write_text(language.write(table, "Lane", [], ["left", "right"]))
        assert actions_of_file(file, range(-1, 5)) == [-1, 0, 1, 0, 1, -1], field
    assert len(set(language.field_names(fields))) == len(fields)


def test_a_field_named_as_a_variable_of_the_file_is_exported(tmp_path: Path) -> None:
    game, file = tmp_path / "lane.py", tmp_path / "policy.py"
    game.write_text(LANE)
    export(game, "optimal", file)
    assert actions_of_file(file, range(4)) == [0, 1, 0, 1]


@pytest.mark.parametrize("first", [2**31 - 3, -(2**31) - 2, 2**40])
@pytest.mark.parametrize("ending", [".py", ".c", ".js"])
def test_fields_can_be_wide(tmp_path: Path, ending: str, first: int) -> None:
    if (program := {".c": "gcc", ".js": "node"}.get(ending)) and not which(program):
        pytest.skip(f"there is no {program}")
    language = LANGUAGES[ending]
    table = DenseTable(("cell",), (first,), np.array([0, 1, 0, 1], np.uint8))
    file = tmp_path / f"policy{ending}"
    file.write_text(language.write(table, "Lane", [], ["left", "right"]))
    assert actions_of_file(file, range(first - 1, first + 5)) == [-1, 0, 1, 0, 1, -1]


def test_values_that_javascript_rounds_are_refused() -> None:
    table = DenseTable(("cell",), (2**53 - 2,), np.array([0, 1, 0, 1], np.uint8))
    with pytest.raises(SolveError, match=r"JavaScript rounds the values of 'cell', which reach 9,007,199,254,740,993"):
        LANGUAGES[".js"].write(table, "Lane", [], ["left", "right"])


def test_text_cannot_end_the_docstring(tmp_path: Path) -> None:
    table = DenseTable(("cell",), (0,), np.array([0, 1], np.uint8))
    names: dict[str, Any] = {}
    exec(LANGUAGES[".py"].write(table, 'A """\\game', ['raise """ \\'], ["left", "right"]), names)
    assert names["__doc__"] == 'A """\\game\n\nraise """ \\\n'


def test_tables_are_small(tabulated: Any) -> None:
    box, states = table_of(tabulated), tabulated[1].optimal_play.states.size
    assert len(RunLengthEncoding.of(box).code) < states / 4
    assert len(LineEncoding.of(box).code) < states / 8 + 100


def test_one_cell_is_a_line_too() -> None:
    box = DenseTable(("left",), (3,), np.array([1], np.uint8))
    assert (LineEncoding.of(box).fields, LineEncoding.of(box).sizes) == (("left",), (1,))
    assert RunLengthEncoding.of(box).sizes == (1,)


def test_lines_that_are_too_long_are_refused() -> None:
    with pytest.raises(SolveError, match=r"^a table needs a field with at most 65,535 values"):
        LineEncoding.of(DenseTable(("left",), (0,), np.zeros(70_000, np.uint8)))


def test_other_languages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"must end in \.py, \.c, \.js"):
        export("pig", "optimal", tmp_path / "policy.rs", goal=30)


@pytest.mark.parametrize("ending", [".py", ".c", ".js"])
def test_files_of_others_are_left_alone(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"mine{ending}"
    file.write_text("mine\n" * 200 + "as written by komi.")
    with pytest.raises(InputError, match="already exists, and was not written by komi"):
        export("piglet", "optimal", file)
    assert file.read_text().startswith("mine")
    file.unlink()
    for policy in ("optimal", "hold-at:2"):  # the second in the place of the first
        export("piglet", policy, file)
    assert "hold-at:2" in file.read_text()


def test_policies_that_draw_lots_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SolveError, match="chooses at random"):
        export("pig", "random", tmp_path / "policy.py", goal=30)


def test_the_command_says_how_large_the_file_is(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "policy.js"
    solution = run("export", "pig", "hold-at:20", "--to", file, "--set", "goal=30", "--json").solution
    assert solution["bytes"] == file.stat().st_size
    assert "Written:" in run("export", "pig", "hold-at:20", "--to", file, "--set", "goal=30").out
