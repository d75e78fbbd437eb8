"""A survey refuses broken rules, far from the start too, and names the state."""

from pathlib import Path

import pytest

import komi

import rulefiles


def test_chance_among_actions_is_refused(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        ("players = 2", "from komi.game import CHANCE\n\nplayers = 2"),
        ("goal: int = 5", "goal: int = 60"),
        ("    yield HOLD\n", "    yield HOLD\n    if state.score + state.rival > 70:\n        yield CHANCE\n"),
    )
    sentence = r"sprint\.py: where chance moves, 'legal' must yield CHANCE and nothing else in score="
    with pytest.raises(komi.GameError, match=sentence):
        komi.solve(str(path))
