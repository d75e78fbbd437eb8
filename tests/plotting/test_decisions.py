"""The list of decisions, the default picture of games whose fields are no good axes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.plotting import decisions_plot, positions
from komi.plotting.decisions import HIDDEN, MAX_DECISIONS, read_decisions
from komi.plotting.policy_map import MAX_ROUGHNESS, _roughness

pytest.importorskip("matplotlib")
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def doors() -> Any:
    return komi.solve(str(EXAMPLES / "monty_hall.py"))


def test_all_decisions_of_a_small_game_are_listed_once(doors: Any) -> None:
    found = read_decisions(doors)
    assert found is not None
    assert found.is_complete
    assert len(found.rows) == 1 + 3 * 2  # a door to pick, and each pair of a picked and an opened one
    assert found.varying == ["step", "picked", "opened"]
    for row in found.rows:
        assert row.shares == pytest.approx(doors.mixed(row.state))


def test_what_a_rival_has_chosen_at_the_same_time_is_not_shown() -> None:
    found = read_decisions(komi.solve(str(EXAMPLES / "stag_hunt.py")))
    assert found is not None
    assert len(found.rows) == 1  # both decide alike
    assert "theirs" not in found.rows[0].seen


def test_no_two_rows_look_alike_and_hidden_bids_are_not_told() -> None:
    found = read_decisions(komi.solve(str(EXAMPLES / "goofspiel.py"), cards=3))
    assert found is not None
    looks = [tuple(row.seen.values()) for row in found.rows]
    assert len(set(looks)) == len(looks)
    assert {row.seen.get("bid", "0") for row in found.rows} <= {"0", HIDDEN}


def test_best_actions_and_margins_are_those_of_the_solution() -> None:
    solved = komi.solve(str(EXAMPLES / "gambler.py"), goal=30, capital=15)
    found = read_decisions(solved)
    assert found is not None
    assert not found.is_complete
    assert 1 < len(found.rows) <= MAX_DECISIONS
    assert found.rows[0].seen == {"capital": "15"}
    assert all(list(row.moves) == solved.action_values(row.state) for row in found.rows)
    texts = [text.get_text() for text in decisions_plot.figure(found).axes[0].texts]
    assert all(row.moves[0].label in texts for row in found.rows)


def test_numbers_in_order_are_told_from_codes() -> None:
    ordered = np.arange(64.0)[None] / 64
    codes = np.random.default_rng(1).permutation(ordered[0])[None]
    assert _roughness(ordered) < MAX_ROUGHNESS < _roughness(codes)


def test_one_token_that_walks_is_drawn_on_its_board(tmp_path: Path) -> None:
    lake = komi.solve(str(EXAMPLES / "frozen_lake.py"))
    figure = positions.draw_walk(lake)
    assert figure is not None
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts.count("hole") == 4
    assert sum("%" in text for text in texts) == 11
    assert positions.draw_walk(komi.solve("traffic-lights")) is None


def test_a_list_is_drawn_as_every_kind_of_picture(run: Any, tmp_path: Path) -> None:
    for kind, begins in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF"), ("html", b"<!doctype html>")):
        file = tmp_path / f"doors.{kind}"
        assert run("plot", EXAMPLES / "monty_hall.py", "-o", file, "--dark", "--size", "5x4").code == 0
        assert file.read_bytes().startswith(begins)
