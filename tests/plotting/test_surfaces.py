"""What pictures of when to hold show, and what they refuse."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mpl_toolkits.mplot3d.art3d import Path3DCollection

import komi
from komi.evaluation.turn_decisions import CONTINUE, HOLD, UNREACHABLE, find_turn_decisions
from komi.plotting import hold_values, image_plots, interactive_plots
from komi.plotting.formats import EVEN_UP_TO, STEPS
from komi.plotting.hold_values import CrossSection, compare, isolated_cells, label_regions, parse_cross_section
from komi.plotting.surfaces import draw_difference, draw_section, draw_surface
from komi.rules import vocabulary
from komi.solvers.stochastic.stochastic_solver import StochasticSolution

from slowly import slowly

SMALL_DECK: dict[str, Any] = {"goal": 8, "wolves": 2, "chickens": 6}


@pytest.fixture(scope="module")
def pig() -> StochasticSolution:
    return komi.solve("pig", goal=20)


@pytest.fixture(scope="module")
def fowl_play() -> StochasticSolution:
    return komi.solve("fowl-play", **SMALL_DECK)


@pytest.mark.slow
def test_hold_value_of_pig_at_the_start_is_as_published() -> None:
    ((turns,),) = find_turn_decisions(komi.solve("pig"))
    assert turns.hold_values[0, 0] == 21


@pytest.mark.slow
def test_progressive_pig_has_the_published_gaps_at_15_to_70() -> None:
    """Roll below 25, hold to 34, roll to 37, hold to 76, then roll."""
    ((turns,),) = find_turn_decisions(komi.solve("progressive-pig"))
    line = turns.decisions[15, 70]
    assert turns.hold_values[15, 70] == 25
    assert turns.continues_again[15, 70]
    assert [set(line[part]) for part in (slice(2, 25), slice(25, 35), slice(35, 38), slice(38, 77), slice(77, 85))] == [
        {CONTINUE},
        {HOLD},
        {CONTINUE},
        {HOLD},
        {CONTINUE},
    ]


@pytest.mark.parametrize("deck", [{}, {"wolves": 1, "chickens": 2}])
def test_decisions_are_the_best_actions(fowl_play: StochasticSolution, deck: dict[str, int]) -> None:
    """From a deck with c chickens out, k chickens in the turn are among the c + k out."""
    ((turns,),) = find_turn_decisions(fowl_play, decks=[deck])
    for (score, rival, turn), decision in np.ndenumerate(turns.decisions):
        state = {"score": score, "rival": rival, "turn": turn, **turns.deck}
        state["chickens"] += turn
        if decision == UNREACHABLE:
            assert state["chickens"] > SMALL_DECK["chickens"] or score + turn > SMALL_DECK["goal"]
            continue
        worth = fowl_play.actions(state)
        chosen = "hold" if decision == HOLD else "draw"
        assert worth[chosen] == pytest.approx(max(worth.values()), abs=1e-8)


def test_hold_values_of_a_fixed_rule_are_its_number(pig: StochasticSolution) -> None:
    ((turns,),) = find_turn_decisions(pig, ["hold-at:6"])
    assert turns.hold_values[0, 0] == 6
    assert turns.hold_values[19, 0] == 2, "at the goal; one point cannot be rolled"


def test_python_functions_of_both_forms_have_hold_values(pig: StochasticSolution) -> None:
    def holds_at_6(rules: Any, state: Any) -> int:
        return 0 if state.turn < 6 and state.score + state.turn < rules.goal else 1

    def observes(observation: Any, action_mask: Any) -> int:
        return 0 if action_mask[0] and observation[2] < 6 else 1

    (one,), (other,), (named,) = find_turn_decisions(pig, [holds_at_6, observes, "hold-at:6"])
    assert (one.policy, other.policy) == ("holds_at_6", "observes")
    assert np.array_equal(one.decisions, named.decisions)
    assert np.array_equal(other.decisions, named.decisions)


def test_play_comes_to_the_start_and_stops_where_it_holds(pig: StochasticSolution) -> None:
    ((turns,),) = find_turn_decisions(pig, ["hold-at:6"])
    assert turns.reached[0, 0, 0]
    assert turns.reached[0, 0, 11], "six from five points"
    assert not turns.reached[0, 0, 12]
    assert not turns.reached[1, 0, 0], "no turn ends with one point"
    assert np.isnan(turns.hold_values_reached[1, 0])


def test_what_random_play_can_come_to_has_no_hold_values(pig: StochasticSolution) -> None:
    with pytest.raises(komi.InputError, match="randomizes"):
        find_turn_decisions(pig, ["random"])


def test_a_policy_differs_nowhere_from_itself(pig: StochasticSolution) -> None:
    (one,), (other,) = find_turn_decisions(pig, ["optimal", "optimal"])
    compared = compare(one, other)
    assert compared.agreement == 1.0
    assert not np.nansum(np.abs(compared.hold_differences))


def test_later_is_counted_in_points(pig: StochasticSolution) -> None:
    (one,), (other,) = find_turn_decisions(pig, ["hold-at:9", "hold-at:6"])
    compared = compare(one, other)
    assert compared.hold_differences[0, 0] == 3
    assert compared.differing[0, 0] == 3


def test_a_slice_is_a_cut_through_the_decisions(pig: StochasticSolution) -> None:
    ((turns,),) = find_turn_decisions(pig)
    across = label_regions(turns, CrossSection("rival", 3), reachable=False)
    assert across.shape == (turns.decisions.shape[2], 20)
    assert across[5, 7] == 3 + turns.decisions[7, 3, 5]
    assert label_regions(turns, CrossSection("score", 7), reachable=False)[5, 3] == across[5, 7]


def test_axes_are_named_in_the_words_of_the_game(fowl_play: StochasticSolution) -> None:
    ((turns,),) = find_turn_decisions(fowl_play, decks=["wolves=1,chickens=2"])
    game = fowl_play.game
    assert vocabulary.title(game) == "Fowl Play"
    assert vocabulary.field_label(game, "rival") == "the opponent's points"
    assert vocabulary.field_label(game, "turn") == "chickens drawn this turn"
    assert vocabulary.continue_label(game) == "draw"
    assert hold_values.format_deck(turns) == "1 wolves out of the deck, 2 chickens out of the deck"


@pytest.mark.parametrize(
    ("suffix", "begins"), [(".png", b"\x89PNG"), (".html", b"<!doctype html>"), *slowly((".svg", b"<?xml"))]
)
def test_each_kind_of_picture_is_drawn(
    fowl_play: StochasticSolution, tmp_path: Path, suffix: str, begins: bytes
) -> None:
    decks = ["", "wolves=1,chickens=2"]
    drawn = [
        draw_surface(fowl_play, tmp_path / f"surface{suffix}"),
        draw_surface(fowl_play, tmp_path / f"decks{suffix}", decks, "max-score", reachable=True),
        draw_section(fowl_play, tmp_path / f"section{suffix}", CrossSection("rival", 2)),
        draw_section(fowl_play, tmp_path / f"reached{suffix}", CrossSection("score", 2), reachable=True),
        draw_difference(fowl_play, tmp_path / f"difference{suffix}", "max-score", "optimal"),
    ]
    assert all(file.read_bytes().startswith(begins) for file in drawn)
    assert sorted(tmp_path.iterdir()) == sorted(drawn), "no draft is left"


def test_a_page_sends_no_requests(pig: StochasticSolution, tmp_path: Path) -> None:
    page = draw_surface(pig, tmp_path / "pig.html").read_text()
    assert "<script src=" not in page
    assert "<link" not in page


def test_a_page_has_a_title(pig: StochasticSolution, tmp_path: Path) -> None:
    page = draw_surface(pig, tmp_path / "pig.html").read_text()
    assert "<title>Pig: hold values, optimal play</title>" in page


def test_no_label_is_cut_off(pig: StochasticSolution) -> None:
    one, other = (turns for (turns,) in find_turn_decisions(pig, ["optimal", "hold-at:12"]))
    for figure in (
        image_plots.surface([one], False),
        image_plots.surface([one], True),
        image_plots.difference(one, other),
    ):
        figure.draw_without_rendering()
        for axes in figure.axes:
            drawn = axes.get_tightbbox()
            assert drawn is not None
            assert min(drawn.x0, drawn.y0, figure.bbox.x1 - drawn.x1, figure.bbox.y1 - drawn.y1) >= 0


@pytest.mark.parametrize("most", range(2, 100))
def test_scales_of_differences_are_named_in_their_upper_half(most: int) -> None:
    assert any(np.arcsinh(step / EVEN_UP_TO) >= np.arcsinh(most / EVEN_UP_TO) / 2 for step in STEPS if step <= most)


def test_values_that_no_surface_shows_are_those_in_no_square_of_four() -> None:
    values = np.array([[1, np.nan, 3, 3], [np.nan, np.nan, 3, 3], [2, 2, np.nan, 3]])
    assert [tuple(cell) for cell in np.argwhere(isolated_cells(values))] == [(0, 0), (2, 0), (2, 1), (2, 3)]


def test_a_value_that_stands_alone_is_drawn_in_space() -> None:
    """From 0:0, optimal play of Pig to 30 goes on until it has won, so that no other turn begins with points."""
    ((turns,),) = find_turn_decisions(komi.solve("pig", goal=30))
    assert turns.hold_values_reached[0, 0] == 30
    points = [trace for trace in interactive_plots.surface([turns], reachable=True).data if trace.type == "scatter3d"]
    assert [(list(trace.x), list(trace.y), list(trace.z)) for trace in points] == [([0], [0], [30])]
    space = image_plots.surface([turns], reachable=True).axes[0]
    assert [len(drawn.get_offsets()) for drawn in space.collections if isinstance(drawn, Path3DCollection)] == [1]


@pytest.mark.parametrize("suffix", [".png", ".svg", ".html"])
def test_the_same_picture_is_the_same_file(pig: StochasticSolution, tmp_path: Path, suffix: str) -> None:
    one, two = (draw_surface(pig, tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "two"))
    assert one == two


@pytest.mark.parametrize(
    ("text", "message"),
    [("rival", "score=N or rival=N"), ("turn=3", "score=N or rival=N"), ("rival=-1", "score=N or rival=N")],
)
def test_a_malformed_slice_is_refused(text: str, message: str) -> None:
    with pytest.raises(komi.InputError, match=message):
        parse_cross_section(text)


def test_a_slice_beyond_the_goal_is_refused(pig: StochasticSolution, tmp_path: Path) -> None:
    with pytest.raises(komi.InputError, match="must be 0 to 19, not 20"):
        draw_section(pig, tmp_path / "pig.png", CrossSection("rival", 20))


@pytest.mark.parametrize(
    ("deck", "message"),
    [("wolves=2", "do not allow"), ("foxes=1", "no field 'foxes'"), ("score=3", "an axis of the plot")],
)
def test_a_deck_that_cannot_be_is_refused(
    fowl_play: StochasticSolution, tmp_path: Path, deck: str, message: str
) -> None:
    with pytest.raises(komi.InputError, match=message):
        draw_surface(fowl_play, tmp_path / "fowl.png", [deck])


def test_too_many_decks_are_refused(fowl_play: StochasticSolution, tmp_path: Path) -> None:
    with pytest.raises(komi.InputError, match="4 decks fit side by side, not 5"):
        draw_surface(fowl_play, tmp_path / "fowl.png", [""] * 5)


def test_a_file_that_cannot_be_written_is_reported_in_a_sentence(pig: StochasticSolution, tmp_path: Path) -> None:
    (tmp_path / "taken.png").mkdir()
    with pytest.raises(komi.StorageError, match="cannot write"):
        draw_surface(pig, tmp_path / "taken.png")
    with pytest.raises(komi.StorageError, match="there is no folder"):
        draw_surface(pig, tmp_path / "nowhere" / "pig.png")


@pytest.mark.parametrize("name", ["pig.gif", "pig"])
def test_other_kinds_of_pictures_are_refused(pig: StochasticSolution, tmp_path: Path, name: str) -> None:
    with pytest.raises(komi.InputError, match=r"must end in \.png, \.svg, \.pdf or \.html"):
        draw_surface(pig, tmp_path / name)


def test_a_missing_extra_is_reported_with_its_remedy(
    pig: StochasticSolution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("komi.plotting.formats.find_spec", lambda name: None)
    with pytest.raises(komi.InputError, match=r"pip install 'komi\[plot\]'"):
        draw_surface(pig, tmp_path / "pig.png")


def test_the_command_prints_one_json_object(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "pig.png"
    ended = run("plot", "pig", "--set", "goal=20", "-o", file, "--json")
    assert ended.code == 0
    assert ended.solution["file"] == str(file)
    assert file.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("pig", "-o", "pig.gif"),
        ("piglet", "-o", "piglet.png", "--policy", "unknown"),
        ("pig", "--set", "goal=20", "-o", "pig.png", "--slice", "rival=3", "--against", "max-score"),
    ],
)
def test_the_command_refuses_with_one_sentence(run: Any, arguments: tuple[str, ...]) -> None:
    ended = run("plot", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("komi: ")
    assert ended.err.count("\n") <= 2, "one for the sentence, one where something had to be compiled"
