"""Pictures of final scores, and maps of games that are not races of two players, are drawn without settings."""

from pathlib import Path
from typing import Any

import pytest

import komi
from komi.plotting.score_plot import figure

pytest.importorskip("matplotlib")


def test_bars_are_as_high_as_scores_are_probable() -> None:
    found = komi.scores("think", "hold-at:12", turns=2)
    chance, more = figure(komi.solve("think", turns=2), [found]).axes
    heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in chance.patches}
    for score, height in heights.items():
        assert height == pytest.approx(100 * found.distribution.get(score, 0.0))
    assert more.lines[0].get_ydata()[0] == pytest.approx(100.0)


@pytest.mark.parametrize("suffix", ["png", "html"])
def test_two_policies_are_drawn_over_each_other(tmp_path: Path, suffix: str) -> None:
    if suffix == "html":
        pytest.importorskip("plotly")
    file = komi.plot("think", tmp_path / f"scores.{suffix}", scores=True, against="hold-at:12", turns=2)
    assert file.stat().st_size > 1000


def test_games_for_one_player_have_a_map(tmp_path: Path) -> None:
    assert komi.plot("pig-solitaire", tmp_path / "map.png", goal=12, turns=3).stat().st_size > 1000


def test_where_both_choose_at_once_a_map_shows_the_likeliest_action(tmp_path: Path) -> None:
    state = "rolled=1,turn=2"
    assert komi.plot("skunk", tmp_path / "map.png", states=[state], goal=5, ending="first").stat().st_size > 1000


def test_scores_are_drawn_alone(run: Any, tmp_path: Path) -> None:
    found = run("plot", "think", "-o", tmp_path / "a.png", "--scores", "--x", "turn", "--set", "turns=2")
    assert found.code == 2
    assert "a distribution of scores cannot be combined with 'x'" in found.err


def test_scores_of_a_python_function_are_drawn(tmp_path: Path) -> None:
    def holds_at_once(observation: Any, action_mask: Any) -> int:
        return int(action_mask.argmax())

    file = komi.plot("think", tmp_path / "scores.svg", scores=True, policy=holds_at_once, turns=2)
    assert "holds_at_once" in file.read_text()


def test_maps_show_optimal_play_only(tmp_path: Path) -> None:
    with pytest.raises(komi.InputError, match="a map cannot be combined with 'policy'"):
        komi.plot("pig", tmp_path / "map.png", x="score", policy="hold-at:5", goal=12)
