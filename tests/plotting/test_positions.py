"""Pictures of positions."""

from pathlib import Path

import pytest

import komi
from komi.errors import InputError, KomiError, StorageError
from komi.plotting import formats, positions
from komi.solvers.solve import solve_by
from komi.solvers.tablebase.tablebase import RETROGRADE, Tablebase

GAMES = Path(__file__).parent.parent / "games"


@pytest.fixture(scope="module")
def lights() -> Tablebase:
    solved = komi.solve("traffic-lights")
    assert isinstance(solved, Tablebase)
    return solved


def texts(lights: Tablebase, notation: str) -> list[str]:
    state = lights.game.read(lights.rules, notation)
    figure = positions.draw(lights, state)
    (axes,) = figure.axes
    return [text.get_text() for text in (*figure.texts, *axes.texts)]


def test_each_square_shows_the_value_of_moving_there(lights: Tablebase) -> None:
    shown = texts(lights, "r.......o")
    assert shown.count("loss 18") == 3
    assert shown.count("loss 2") == 4
    assert "r.......o\nthe player to move loses in 18" in shown


def test_a_square_without_a_move_shows_nothing(lights: Tablebase) -> None:
    assert len([text for text in texts(lights, "g........") if text.startswith(("win", "loss"))]) == 8


def test_a_finished_game_is_drawn_as_such(lights: Tablebase) -> None:
    assert texts(lights, "rrr......")[0].endswith("the game is over")


@pytest.mark.slow
def test_moves_about_no_square_are_listed_below() -> None:
    solved = komi.solve("traffic-lights", version=3)
    assert isinstance(solved, Tablebase)
    assert "draw: strip to N, strip to E, strip to W" in texts(solved, "............S")


@pytest.mark.parametrize(("kind", "begins"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".html", b"<!doctype")])
def test_pictures_are_of_the_kind_that_their_names_say(
    lights: Tablebase, tmp_path: Path, kind: str, begins: bytes
) -> None:
    path = tmp_path / f"lights{kind}"
    positions.save(lights, lights.game.part("start")(lights.rules), path)
    assert path.read_bytes().startswith(begins)


def test_other_kinds_of_picture_are_refused(lights: Tablebase) -> None:
    with pytest.raises(InputError, match="png"):
        positions.save(lights, lights.game.part("start")(lights.rules), Path("lights.gif"))


def test_a_folder_that_is_not_there_is_named(lights: Tablebase, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot write"):
        positions.save(lights, lights.game.part("start")(lights.rules), tmp_path / "no" / "lights.png")


def test_a_game_without_a_board_is_not_drawn() -> None:
    game = komi.find(str(GAMES / "countdown.py"))
    tablebase = solve_by(RETROGRADE, game, game.default_rules)
    with pytest.raises(InputError, match="'board'"):
        positions.draw(tablebase, game.module.State(5))


def test_missing_matplotlib_is_said_in_one_sentence(lights: Tablebase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "find_spec", lambda name: None)
    with pytest.raises(KomiError, match="need matplotlib"):
        positions.save(lights, lights.game.part("start")(lights.rules), Path("lights.png"))


def test_with_chance_moves_have_numbers() -> None:
    solved = komi.solve(str(GAMES.parents[1] / "examples" / "game_2048.py"))
    state = solved.read("board=1/1/0/0,new=0")
    shown = [text.get_text() for text in positions.draw(solved, state).texts]
    value = f"{100 * solved.expected_value(state):.1f} %"
    assert any(text.startswith(f"{value}: ") for text in shown)
    assert any("chance of making a 32" in text for text in shown)
