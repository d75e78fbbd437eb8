"""Maps of optimal play over any two fields of the state."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.errors import InputError
from komi.plotting import policy_map
from komi.plotting.plot import draw_policy_map
from komi.plotting.policy_map import CHANCE, MAX_CELLS, NOWHERE, OTHER, read_map
from komi.tables.usual_axes import usual_map

pytest.importorskip("matplotlib")
GAMES = Path(__file__).parents[1] / "games"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def coins() -> Any:
    return komi.solve(str(GAMES / "forced_roll.py"))


@pytest.fixture(scope="module")
def countdown() -> Any:
    return komi.solve(str(GAMES / "countdown.py"), pile=12)


def test_each_cell_has_the_best_action_and_the_value_of_its_state(coins: Any) -> None:
    found = read_map(coins, "score", "rival", "face=2")
    for (row, column), worth in np.ndenumerate(found.values):
        state = {"score": found.xs[column], "rival": found.ys[row], "face": 2}
        assert worth == coins.value(state)
        assert found.labels[row, column] == found.names[found.actions[row, column]] == coins.best(state)
    assert found.names == ["keep", "double"]


def test_states_that_play_does_not_come_to_are_left_empty() -> None:
    found = read_map(komi.solve("pig", goal=20), "turn", "score", "rival=5")
    column = found.xs.index(1)  # 1 point at risk never occurs
    assert (found.actions[:, column] == NOWHERE).all()
    assert np.isnan(found.values[:, column]).all()
    assert (found.labels[:, column] == "").all()


def test_where_chance_moves_there_is_no_best_action(coins: Any) -> None:
    assert read_map(coins, "score", "rival").names == [CHANCE]


def test_a_game_of_one_field_has_a_map_of_one_row(countdown: Any) -> None:
    found = read_map(countdown, "pile")
    assert found.values.tolist() == [[float(pile % 2) for pile in range(1, 13)]]


def test_more_actions_than_colours_share_the_last_one(coins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_map, "PALETTE", ("#000000",))
    found = read_map(coins, "score", "rival", "face=2")
    assert found.names == [OTHER]
    assert set(found.labels.flat) == {"keep", "double"}


@pytest.mark.parametrize(("kind", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("html", b"<!doctype html>")])
@pytest.mark.parametrize("game", ["coins", "countdown"])
def test_maps_are_drawn_as_every_kind_of_picture(
    game: str, kind: str, begins: bytes, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    solution = request.getfixturevalue(game)
    fields = ("score", "face") if game == "coins" else ("pile",)
    file = draw_policy_map(solution, tmp_path / f"map.{kind}", *fields)
    assert file.read_bytes().startswith(begins)


def test_the_command_draws_what_it_is_reported(run: Any, tmp_path: Path) -> None:
    game, file = str(GAMES / "forced_roll.py"), tmp_path / "map.svg"
    result = run("plot", game, "--x", "score", "--y", "rival", "--state", "face=1", "-o", file)
    assert result.code == 0
    assert "face 1" in file.read_text()
    file.unlink()
    assert run("plot", game, "-o", file).code == 0  # the first fields that vary where a player chooses
    assert file.exists()


@pytest.mark.parametrize(
    ("fields", "state", "sentence"),
    [
        (("points", "rival"), "", "has no field 'points': its fields are score, rival, face"),
        (("score", "score"), "", "'score' is given twice"),
        (("score", "rival"), "face=7", "play reaches no state that differs from score=0,rival=0,face=7"),
    ],
)
def test_what_cannot_be_drawn_is_reported(coins: Any, fields: tuple[str, str], state: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read_map(coins, *fields, state)


def test_a_map_of_too_many_cells_is_refused(coins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_CELLS > 1000
    monkeypatch.setattr(policy_map, "MAX_CELLS", 10)
    with pytest.raises(InputError, match="pairs of values, and a map has at most 10"):
        read_map(coins, "score", "rival")


def test_margins_are_shown_relative_to_a_large_one(coins: Any) -> None:
    found = read_map(coins, "score", "rival", "face=2")
    margins = {}
    for (row, column), strength in np.ndenumerate(found.strengths):
        best, second = coins.action_values({"score": found.xs[column], "rival": found.ys[row], "face": 2})
        margins[best.value - second.value] = strength
    ordered = [margins[margin] for margin in sorted(margins)]
    assert ordered == sorted(ordered)
    assert ordered[-1] == 1.0


def test_what_the_player_does_not_see_is_not_fixed() -> None:
    kuhn = komi.solve(str(EXAMPLES / "kuhn_poker.py"))
    shown, fields = usual_map(kuhn, None)
    found = read_map(kuhn, *fields, shown)
    cards = (found.xs, found.ys)[found.y == "card"]
    assert list(cards) == [1, 2, 3]
    assert "rival" not in found.fixed
    cell = [0, 0]
    cell[found.x == "card"] = list(cards).index(3)
    assert found.strengths[tuple(cell)] == max(kuhn.mixed({**shown._asdict(), "card": 3}).values())


def test_many_numbered_actions_keep_their_numbers() -> None:
    gambler = komi.solve(str(EXAMPLES / "gambler.py"), goal=30, capital=15)
    found = read_map(gambler, gambler.game.module.State._fields[0])
    assert OTHER not in found.names
    assert list(found.numbers) == sorted(found.numbers)
    assert len(found.numbers) > 8


@pytest.mark.parametrize(
    ("values", "is_set", "shown"),
    [
        ({0, 50, 150}, False, [0, 50, 100, 150]),
        ({1, 2, 3, 90}, False, [1, 2, 3, 90]),
        ({7}, False, [7]),
        ({3, 4, 0}, True, [0, 4, 3]),
    ],
)
def test_an_axis_has_even_steps_or_what_occurs(values: set[int], is_set: bool, shown: list[int]) -> None:
    assert list(policy_map._axis(values, is_set)) == shown


def test_a_picture_has_the_look_that_is_asked_for(run: Any, tmp_path: Path) -> None:
    from matplotlib.image import imread

    file = tmp_path / "map.png"
    assert run("plot", GAMES / "forced_roll.py", "-o", file, "--dark", "--size", "5x4").code == 0
    pixels = imread(file)
    assert pixels.shape[:2] == (400, 500)
    assert pixels[0, 0, :3].max() < 0.2
    assert komi.plot(str(GAMES / "forced_roll.py"), tmp_path / "map.pdf").read_bytes().startswith(b"%PDF")
    assert komi.plot(str(GAMES / "forced_roll.py"), file)
    assert imread(file)[0, 0, :3].min() == 1.0


@pytest.mark.parametrize("size", ["7", "0x4", "7x400", "wide", "7x4x5"])
def test_a_size_that_is_none_is_refused(size: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a size"):
        komi.plot("piglet", tmp_path / "map.png", size=size)
