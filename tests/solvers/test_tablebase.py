"""Tablebases: kept, found again, stepped through."""

from pathlib import Path

import pytest

import komi
from komi.errors import InputError
from komi.solvers.tablebase.tablebase import PositionValue, Tablebase


@pytest.fixture(scope="module")
def lights() -> Tablebase:
    solved = komi.solve("traffic-lights")
    assert isinstance(solved, Tablebase)
    return solved


def test_a_tablebase_is_found_again(lights: Tablebase) -> None:
    again = komi.solve("traffic-lights")
    assert again.is_loaded
    assert isinstance(again, Tablebase)
    assert (again.counts, again.position_value()) == (lights.counts, lights.position_value())


def test_a_damaged_tablebase_is_solved_again(lights: Tablebase, cache_folder: Path) -> None:
    for file in cache_folder.glob("solutions/traffic-lights-*/scores.npy"):
        contents = bytearray(file.read_bytes())
        contents[-1] ^= 1
        file.write_bytes(contents)
    again = komi.solve("traffic-lights")
    assert not again.is_loaded
    assert isinstance(again, Tablebase)
    assert again.counts == lights.counts


def test_a_game_of_chance_gets_chances_of_winning() -> None:
    assert isinstance(komi.solve("piglet").value(), float)


def test_the_line_lasts_as_long_as_the_plies_say(lights: Tablebase) -> None:
    assert len(lights.line()) == lights.plies()


def test_plies_fall_by_one_along_the_line(lights: Tablebase) -> None:
    state = lights.game.part("start")(lights.rules)
    for left, action in zip(range(17, 0, -1), lights.line(), strict=True):
        assert lights.plies(state) == left
        state = lights.after(state, action)
    assert lights.plies(state) == 0


def test_the_line_of_a_draw_ends_where_a_position_comes_again(tmp_path: Path) -> None:
    duel = Path(__file__).parent.parent / "games" / "random_duel.py"
    solved = komi.solve(str(duel), plan=6, ends=3)
    assert isinstance(solved, Tablebase)
    assert solved.value() == "draw"
    assert len(solved.line()) < 100


def test_actions_come_best_first(lights: Tablebase) -> None:
    scores = [worth.score for worth in lights.actions("rogr.....").values()]
    assert scores == sorted(scores, reverse=True)


def test_a_position_has_the_value_of_its_best_action(lights: Tablebase) -> None:
    for text in (".........", "r........", "rogr.....", "rg..o...r"):
        assert lights.position_value(text) == next(iter(lights.actions(text).values()))


def test_quick_wins_are_best_and_quick_losses_worst() -> None:
    worths = [
        PositionValue("win", 1),
        PositionValue("win", 3),
        PositionValue("draw", None),
        PositionValue("loss", 8),
        PositionValue("loss", 2),
    ]
    assert sorted(worths, key=lambda worth: -worth.score) == worths


def test_an_illegal_action_is_refused(lights: Tablebase) -> None:
    with pytest.raises(InputError, match=r"'a1' is not legal in g\.{8}; legal: b1, c1"):
        lights.after("g........", "a1")


def test_where_the_game_is_over_there_is_nothing_to_do(lights: Tablebase) -> None:
    assert lights.actions("rrr......") == {}
    assert lights.best("rrr......") is None
    assert (lights.value("rrr......"), lights.plies("rrr......")) == ("loss", 0)
