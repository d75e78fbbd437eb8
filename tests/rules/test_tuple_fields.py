"""States with tuples are those with a number for each entry."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.compiling.compiled import compiled_game
from komi.game import put
from komi.rules import loading
from komi.rules.flat_states import identifier
from komi.rules.tuple_fields import author_of

import exact
import rulefiles

PIECES = Path(__file__).parents[1] / "games" / "pieces.py"
FLAT = (
    ("mine: tuple[int, ...]", "mine0: int\n    mine1: int"),
    ("rival: tuple[int, ...]", "rival0: int\n    rival1: int"),
    ("return state.mine\n", "return (state.mine0, state.mine1)\n"),
    ("return state.rival\n", "return (state.rival0, state.rival1)\n"),
    ("State(mine, rival, left", "State(mine[0], mine[1], rival[0], rival[1], left"),
    ("(0,) * rules.pieces", "(0, 0)"),
    ("(0,) * rules.pieces", "(0, 0)"),
)
KINDS = (
    pytest.param({}, id="two players with chance"),
    pytest.param({"players": 1, "turns": 4}, id="one player"),
    pytest.param({"sides": 1, "goal": 4}, id="without chance"),
)


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write the same game with a field for each entry."""
    text = PIECES.read_text()
    for old, new in FLAT:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = tmp_path_factory.mktemp("flat") / "flat_pieces.py"
    path.write_text(text)
    return str(path)


def text_with(folder: Path, *replacements: tuple[str, str]) -> str:
    """Write the game with replacements."""
    text = PIECES.read_text()
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "pieces.py"
    path.write_text(text)
    return str(path)


@pytest.mark.slow
def test_values_are_those_of_the_flat_twin_in_exact_fractions(twin: str) -> None:
    solution, flat = komi.solve(str(PIECES)), komi.find(twin)
    values = exact.values(flat, flat.default_rules)
    for state, value in values.items():
        if not flat.part("over")(flat.default_rules, state):
            assert abs(solution.value(tuple(state)) - float(value)) <= solution.error_bound


@pytest.mark.slow
@pytest.mark.parametrize("rules", KINDS)
def test_twins_agree_in_values_choices_matches_and_simulations(twin: str, rules: dict[str, int]) -> None:
    solution, flat = (komi.solve(game, **rules) for game in (str(PIECES), twin))
    assert solution.value() == flat.value()
    states = solution.optimal_play.states
    assert np.array_equal(states.all_fields(), flat.optimal_play.states.all_fields())
    for row in states.all_fields().tolist():
        if not solution.game.is_chance(solution.rules, solution.read(tuple(row))):
            assert solution.actions(tuple(row)) == flat.actions(tuple(row))
            assert solution.best(tuple(row)) == flat.best(tuple(row))
    results = []
    for game in (str(PIECES), twin):
        result = komi.match(game, *(f"{game}:hasty", "optimal")[: solution.kind.seats], **rules)
        results.append(repr(result).replace(game, "").replace(Path(game).stem, ""))
    assert results[0] == results[1]
    played = [komi.simulate(game, 500, policies="hasty", seed=1, **rules) for game in (str(PIECES), twin)]
    assert [each.wins for each in played] == [played[0].wins] * 2


@pytest.mark.slow
def test_rules_are_sound_under_every_length() -> None:
    for pieces in (1, 2, 3):
        report = komi.check(str(PIECES), pieces=pieces, goal=2)
        assert report.ok, report.problems


@pytest.mark.slow
def test_lengths_can_be_swept() -> None:
    sweep = komi.sweep(str(PIECES), {"pieces": [1, 2, 3]}, goal=2)
    for row in sweep.rows:
        assert row.opening.first == komi.solve(str(PIECES), goal=2, pieces=row.rules.pieces).value()


def test_states_are_read_and_written_as_one_field() -> None:
    game = komi.find(str(PIECES))
    rules = game.default_rules
    state = game.read(rules, "mine=1/2,rival=0/3,throw=1")
    assert game.write(rules, state) == "mine=1/2,rival=0/3,left=0,throw=1"
    assert game.shown(rules, state) == {"mine": "1/2", "rival": "0/3", "left": 0, "throw": 1}
    assert game.names(rules) == ("mine", "rival", "left", "throw")
    assert game.fields(rules) == ("mine[0]", "mine[1]", "rival[0]", "rival[1]", "left", "throw")
    assert (
        state == game.read(rules, {"mine": (1, 2), "rival[1]": 3, "throw": 1}) == game.read(rules, (1, 2, 0, 3, 0, 1))
    )
    assert state == game.read(rules, game.nested(state)) == game.read(rules, ((1, 2), (0, 3), 0, 1))
    assert state.mine == (1, 2)
    assert game.nested(state) == author_of(game.module).State((1, 2), (0, 3), 0, 1)
    assert state._replace(mine=(0, 0)).mine == (0, 0)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("mine=1", "field 'mine' of a state of pieces has 2 numbers, as in mine=0/0, not '1'"),
        ("mine=1/x", r"field 'mine\[1\]' of a state of pieces must be a whole number, not 'x'"),
        ("mines=1/1", r"has no field 'mines' \(did you mean 'mine'\?\); its fields are mine, rival, left, throw"),
    ],
)
def test_malformed_states_are_refused(state: str, sentence: str) -> None:
    game = komi.find(str(PIECES))
    with pytest.raises(komi.InputError, match=sentence):
        game.read(game.default_rules, state)


def test_rules_that_change_only_entries_of_the_start_compile_nothing_anew(tmp_path: Path) -> None:
    path = tmp_path / "piles.py"
    path.write_text(LONGER.replace("(0, 0), 0)", "(rules.steps,) * 2, 0)"))
    game = komi.find(str(path))
    few, many = game.rules({"steps": 2}), game.rules({"steps": 3})
    assert game.under(few) is game.under(many)
    assert compiled_game(game.under(few)).start(many).tolist() == [[3, 3, 0]]


def test_lengths_depend_on_the_rules() -> None:
    game = komi.find(str(PIECES))
    longer = game.under(game.rules({"pieces": 3}))
    assert len(longer.module.State._fields) == 8
    assert longer.under(game.default_rules).module is game.module
    assert longer.under(game.rules({"pieces": 3})) is longer
    assert loading.digest(longer.module) != loading.digest(game.module)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("own = put(own, action, min(own[action] + state.throw + action, rules.goal))", "own = (0,)", "is (0,), not a"),
        ("own = put(own, action, min(own[action] + state.throw + action, rules.goal))", "own = 0", "is 0, not a tuple"),
    ],
)
def test_a_tuple_of_another_length_is_refused_with_its_line(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    path = text_with(tmp_path, (old, new))
    report = komi.check(path)
    line = rulefiles.line_of(Path(path), "yield 1.0, make(own")
    assert f"pieces.py, line {line}: field 'mine' of a state" in str(report.problems[0]) or f"line {line}" in str(
        report.problems[0]
    )
    assert sentence in str(report.problems[0])


@pytest.mark.parametrize(
    "new", ["(0,) * rules.pieces", "own[:action] + (1,) + own[action + 1:]", "tuple([1 for each in own])"]
)
def test_a_tuple_whose_length_is_computed_is_refused_with_what_to_write(tmp_path: Path, new: str) -> None:
    old = "put(own, action, min(own[action] + state.throw + action, rules.goal))"
    path = text_with(tmp_path, (old, new))
    line = rulefiles.line_of(Path(path), f"own = {new}")
    (problem,) = komi.check(path).problems
    assert f"pieces.py, line {line}: this cannot be compiled" in str(problem)
    assert "begin with a tuple of the state, and change its entries with 'put'" in str(problem)


def test_a_bare_tuple_declares_a_field_too(tmp_path: Path) -> None:
    game = komi.find(text_with(tmp_path, ("mine: tuple[int, ...]", "mine: tuple")))
    assert game.module.State._fields == komi.find(str(PIECES)).module.State._fields


def test_a_start_without_tuples_is_refused(tmp_path: Path) -> None:
    path = text_with(tmp_path, ("(0,) * rules.pieces, (0,)", "0, (0,)"))
    with pytest.raises(
        komi.GameError, match=r"pieces.py: 'start' returns 0 for field 'mine', which is declared a tuple"
    ):
        komi.find(path)


def test_entries_are_replaced() -> None:
    assert put((3, 0, 2), 1, 5) == (3, 5, 2)
    assert put((3, 0, 2), -1, 5) == (3, 0, 5)
    with pytest.raises(IndexError):
        put((3, 0, 2), 3, 5)


def test_names_of_entries_are_made_identifiers() -> None:
    assert [identifier(name) for name in ("left", "mine[0]")] == ["left", "mine_0"]


def test_flat_states_and_their_games_are_pickled() -> None:
    game = komi.find(str(PIECES))
    state = game.part("start")(game.default_rules)
    assert pickle.loads(pickle.dumps(state)) == state
    longer = game.under(game.rules({"pieces": 3}))
    assert pickle.loads(pickle.dumps(longer)).module.State._fields == longer.module.State._fields


@pytest.mark.slow
def test_every_command_takes_tuples(run: Any, tmp_path: Path) -> None:
    game, taught, table = str(PIECES), tmp_path / "taught.py", tmp_path / "table"
    for command in (
        f"check {game}",
        f"moves {game} --state mine=1/2,throw=1",
        f"value {game} --state mine=1/2,throw=1 --json",
        f"compare {game} {game}:hasty optimal",
        f"table {game} --x mine[0] --y rival[1] --state throw=1",
        f"plot {game} --output {tmp_path / 'map.png'}",
        f"simulate {game} --games 100 --policy hasty",
        f"report {game} --output {tmp_path / 'report.html'}",
        f"teach {game} --seconds 1 --output {taught}",
        f"match {game} {taught}:cheat_sheet optimal",
        f"approximate {game} --seconds 1 --output {tmp_path / 'network.py'}",
        f"learn {game} --method value-iteration",
        f"export {game} optimal --to {table}.py",
        f"export {game} optimal --to {table}.c",
        f"export {game} optimal --to {table}.js",
        f"export {game} --to {table}.umb",
        f"export {game} --to {table}.prism",
        f"sweep {game} --vary goal=2,3",
    ):
        result = run(*command.split())
        assert result.code == 0, (command, result)
    assert "def action(mine_0, mine_1, rival_0, rival_1, throw)" in (tmp_path / "table.py").read_text()


LONGER = '''"""Longer: the second state has one more entry, which decides the game."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("wait",)


class Rules(NamedTuple):
    steps: int = 3000


class State(NamedTuple):
    entries: tuple[int, ...]
    step: int = 0


def start(rules):
    return State((0, 0), 0)


def legal(rules, state):
    yield CHANCE


def outcomes(rules, state, action):
    yield 0.5, State((0, 0, 1), state.step + 1), 0
    yield 0.5, State((0, 0, 2), state.step + 1), 0


def over(rules, state):
    return state.step == rules.steps


def payoff(rules, state):
    return 1.0 if state.entries[-1] > 0 else 0.0
'''


def test_a_longer_tuple_is_refused_where_the_rules_run_compiled(tmp_path: Path) -> None:
    path = tmp_path / "longer.py"
    path.write_text(LONGER)
    sentence = r"longer\.py, line 29: field 'entries' of a state is \(0, 0, 1\), not a tuple of 2 numbers"
    with pytest.raises(komi.GameError, match=sentence):
        komi.solve(str(path))
