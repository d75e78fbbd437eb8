"""A game that is too large is refused soon, in a sentence that says what is large."""

import time
from pathlib import Path

import pytest

import komi

import rulefiles

COUNTDOWN = Path(__file__).parents[1] / "games" / "countdown.py"


def test_a_race_without_an_end_is_refused_soon(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path, ("    if state.score + state.turn < rules.goal:\n        yield ROLL", "    yield ROLL")
    )
    begin = time.process_time()
    with pytest.raises(komi.SolveError, match=r"more than 10,000,000 states and 'turn' may still grow, as in score="):
        komi.solve(str(path))
    assert time.process_time() - begin < 60  # most of it for compiling


def test_a_game_without_chance_and_without_an_end_is_refused_soon(tmp_path: Path) -> None:
    path = tmp_path / "count_up.py"
    path.write_text(COUNTDOWN.read_text().replace("State(state.pile - 1)", "State(state.pile + 1)"))
    with pytest.raises(komi.SolveError, match=r"more than 10,000,000 states and 'pile' may still grow, as in pile="):
        komi.solve(str(path), pile=3)
