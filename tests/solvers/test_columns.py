"""Many states at once: arrays, data frames, vectorized lookups; and copies of solutions."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi

PENNIES = Path(__file__).parents[1] / "games" / "matching_pennies.py"
GAMES: tuple[Any, ...] = (
    ("piglet", {"goal": 4}),
    ("traffic-lights", {"rows": 1}),
    pytest.param(("piglet", {"goal": 4, "players": 3}), marks=pytest.mark.slow),
    pytest.param(("pig-solitaire", {"goal": 20, "turns": 2}), marks=pytest.mark.slow),
    pytest.param((PENNIES, {}), marks=pytest.mark.slow),
)


@pytest.fixture(scope="module", params=GAMES, ids=["piglet", "lights", "three", "solitaire", "pennies"])
def solution(request: pytest.FixtureRequest) -> Any:
    game, rules = request.param
    return komi.solve(game, **rules)


def states_of(solution: Any) -> list[Any]:
    state = solution.game.module.State
    return [state(*row) for row in solution.all_states.all_fields().tolist()]


def test_columns_are_the_values_of_single_states(solution: Any) -> None:
    columns = solution.arrays()
    assert set(map(len, columns.values())) == {solution.all_states.size}
    for row, state in enumerate(states_of(solution)):
        assert columns["value"][row] == pytest.approx(solution.expected_value(state), abs=1e-9)
        for name in solution.game.fields(solution.rules):
            assert columns[name][row] == getattr(state, name)
    assert (columns["error_bound"] == solution.error_bound).all()


def test_lookup_of_many_states_is_that_of_each(solution: Any) -> None:
    states = states_of(solution)
    assert solution.values_of(np.array(states)).tolist() == [solution.expected_value(state) for state in states]
    for state, best in zip(states, solution.best_of(solution.arrays()), strict=True):
        if not solution.game.is_chance(solution.rules, state):
            assert solution.actions(state)[best] == solution.actions(state)[solution.best(state)]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frame_has_the_columns_and_the_labels_of_actions(solution: Any, library: str) -> None:
    pytest.importorskip(library)
    frame, columns = solution.to_frame(library), solution.arrays()
    assert list(frame.columns) == list(columns)
    assert frame["value"].to_numpy().tolist() == columns["value"].tolist()
    assert list(frame["action"]) == solution.best_of(frame).tolist()


def test_copies_of_a_solution_have_its_values(solution: Any) -> None:
    for other in (pickle.loads(pickle.dumps(solution)), copy.deepcopy(solution)):
        assert (other.values_of(solution.arrays()) == solution.values_of(solution.arrays())).all()
        assert (other.rules, other.error_bound, other.is_loaded) == (solution.rules, solution.error_bound, True)


@pytest.mark.slow
def test_pickled_solution_takes_its_rule_file_along(tmp_path: Path) -> None:
    file = tmp_path / PENNIES.name
    file.write_text(PENNIES.read_text())
    data = pickle.dumps(komi.solve(file))
    file.unlink()
    (tmp_path / "solution.pickle").write_bytes(data)
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).rules)"
    command = [sys.executable, "-c", code, str(tmp_path / "solution.pickle")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "Rules()\n"


def test_states_that_are_over_or_unreachable_are_found_too() -> None:
    piglet = komi.solve("piglet", goal=4)
    states = {"score": [0, 3, 0], "rival": [4, 3, 1], "turn": [0, 1, 3]}
    expected = [piglet.value(dict(zip(states, row, strict=True))) for row in zip(*states.values(), strict=True)]
    assert piglet.values_of(states).tolist() == expected
    assert piglet.best_of(states).tolist() == ["", "hold", piglet.best("score=0,rival=1,turn=3")]


@pytest.mark.parametrize(
    ("states", "sentence"),
    [
        ([[1, 2]], r"states of piglet are an array of 3 columns \(score, rival, turn\), not of shape \(1, 2\)"),
        ({"nothing": [1]}, "no column is a field"),
        ({"score": [0.5]}, "column 'score' must contain whole numbers"),
        ({"score": [1], "rival": [1, 2]}, "the columns of states must have the same length"),
        ("score=1", "the array of states must contain whole numbers"),
        ({"score": [99]}, "piglet has no state score=99"),
    ],
)
def test_malformed_states_are_refused_with_a_sentence(states: Any, sentence: str) -> None:
    with pytest.raises(komi.InputError, match=sentence):
        komi.solve("piglet", goal=4).values_of(states)


def test_solution_in_a_notebook_shows_its_value() -> None:
    pytest.importorskip("matplotlib")
    html = komi.solve("traffic-lights", rows=1)._repr_html_()
    assert "the first player wins in 9 plies" in html
    assert html.count("<img") == 1
