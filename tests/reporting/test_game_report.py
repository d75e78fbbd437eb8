"""A report is one page that holds all it shows."""

import errno
import re
from pathlib import Path

import pytest

import komi
from komi import InputError, StorageError
from komi.reporting import game_report, hidden_play, html_page, optimal_play
from komi.rules.kind import kind_of

pytest.importorskip("matplotlib")
GAMES = Path(__file__).parents[1] / "games"


def test_a_solved_game_has_its_exact_numbers_and_a_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(game_report, "GAMES", 4000)
    monkeypatch.setattr(game_report, "DEALS", 40)
    monkeypatch.setattr(game_report, "PER_DEAL", 5)
    game = komi.find("pig")
    findings = game_report.compute_report(game, {"goal": 20})
    game_report.write_report(findings, tmp_path / "pig.html")
    text = (tmp_path / "pig.html").read_text()
    assert f"{100 * komi.solve('pig', goal=20).value():.4f} %" in text
    assert "<svg" in text
    assert f"{100 * komi.match('pig', 'optimal', 'random', goal=20).first.wins:.4f} %" in text
    assert f"{100 * komi.fair('pig', goal=20).table[2].first:.4f} %" in text
    assert "<p>T. W. Neller and C. G. M. Presser, &quot;Optimal Play" in text
    assert "<td>goal</td><td>20</td><td>points that win</td>" in text
    assert f"{100 * komi.match('pig', 'optimal', 'keep-pace', goal=20).first.wins:.4f} %" in text
    linked = re.findall(r'(?:src|href)="(?!#|data:)([^"]*)"', text)
    assert not linked, "the page needs no other file"


@pytest.mark.slow
def test_a_game_without_chance_has_its_perfect_play(tmp_path, monkeypatch):
    monkeypatch.setattr(game_report, "GAMES", 400)
    monkeypatch.setattr(game_report, "DEALS", 4)
    game_report.write_report(
        game_report.compute_report(komi.find("traffic-lights"), {"rows": 1}), tmp_path / "lights.html"
    )
    lights = komi.solve("traffic-lights", rows=1)
    text = (tmp_path / "lights.html").read_text()
    assert f"{lights.value()}, after {lights.plies()} moves" in text


def test_hidden_information_has_its_properties_or_the_reason_why_not():
    found = hidden_play.compute_hidden_play(komi.find(GAMES.parents[1] / "examples" / "kuhn_poker.py"), {})
    text = hidden_play.format_hidden_play(found)
    assert "<h2>Hidden information</h2>" in text
    assert "<td>disambiguation</td><td>0.000 ± 0.000</td>" in text
    assert hidden_play.compute_hidden_play(komi.find("pig"), {}) is None
    assert hidden_play.format_hidden_play(None) == ""
    assert hidden_play.format_hidden_play("Too large.") == "<h2>Hidden information</h2><p>Too large.</p>"


@pytest.mark.slow
def test_the_points_to_hold_at_are_the_best_of_those_tried():
    found = optimal_play.compute_optimal_play(komi.find("pig"), {"goal": 40})
    assert found is not None
    (best,) = {name for pair in found.matches for name in pair if name.startswith("hold-at:")}
    wins = {
        f"hold-at:{N}": komi.match("pig", f"hold-at:{N}", "optimal", goal=40).average for N in optimal_play.HOLD_VALUES
    }
    assert wins[best] == max(wins.values())
    assert found.holds == optimal_play.HOLD_VALUES


@pytest.mark.parametrize(("most", "said"), [(1, "fairest of komi 0 to 1"), (5, "fairest")])
def test_the_fairest_komi_at_the_end_of_those_tried_is_said_to_be_one_of_these(most, said):
    found = komi.fair("pig", most, goal=100)
    assert game_report._komi(found, kind_of(found.game, found.rules))[found.best][3] == said


def test_a_report_outlives_a_full_disk(tmp_path, monkeypatch):
    def full(path, text, **options):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "pig.html").write_bytes(b"old")
    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(StorageError, match="No space left on device"):
        html_page.write_page("new", [], tmp_path / "pig.html")
    assert (tmp_path / "pig.html").read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [tmp_path / "pig.html"]


def test_a_report_is_a_page(tmp_path):
    with pytest.raises(InputError, match=r"must end in \.html"):
        game_report.check_output(tmp_path / "pig.pdf")


@pytest.fixture
def _few_games(monkeypatch):
    for name, number in {"GAMES": 400, "DEALS": 8, "PER_DEAL": 5}.items():
        monkeypatch.setattr(game_report, name, number)


def reported(game, settings, folder):
    game_report.write_report(game_report.compute_report(komi.find(game), settings), folder / "game.html")
    return (folder / "game.html").read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("_few_games")
@pytest.mark.parametrize(
    ("name", "settings"), [("best_of_turns", {}), ("last_match", {"players": 1}), ("countdown", {"pile": 3})]
)
def test_games_whose_results_do_not_vary_have_a_report_without_empty_numbers(name, settings, tmp_path):
    text = reported(str(GAMES / f"{name}.py"), settings, tmp_path)
    assert "nan" not in re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    assert "chance before and between choices explains" not in text


@pytest.mark.slow
@pytest.mark.usefixtures("_few_games")
def test_skill_against_random_play_is_exact_where_the_game_is_solved(tmp_path):
    text = reported("pig", {"goal": 20}, tmp_path)
    best = komi.match("pig", "optimal", "random", goal=20)
    between = komi.match("pig", "random", "random", goal=20)
    assert f"<td>optimal</td><td>{100 * best.average:.4f} %</td></tr>" in text
    assert f"{100 * between.first.wins:.4f} %, exactly" in text


@pytest.mark.usefixtures("_few_games")
def test_a_picture_that_cannot_be_drawn_is_left_out_with_a_sentence(tmp_path, monkeypatch):
    def broken(*arguments, **options):
        raise ValueError("no room <here>")

    monkeypatch.setattr("komi.plotting.image_plots.surface", broken)
    monkeypatch.setattr("komi.plotting.simulation_plot.figure", broken)
    text = reported("piglet", {"goal": 3}, tmp_path)
    assert "The plot of hold values is omitted: no room &lt;here&gt;" in text
    assert "The plot of random play is omitted: no room &lt;here&gt;" in text
    assert "<h2>Strategies</h2>" in text


@pytest.mark.usefixtures("_few_games")
def test_what_cannot_be_found_is_left_out_with_a_sentence(tmp_path, monkeypatch):
    def refused(*arguments, **options):
        raise komi.SolveError("there are too many of them.")

    monkeypatch.setattr(optimal_play, "find_turn_decisions", refused)
    monkeypatch.setattr(optimal_play, "fair", refused)
    text = reported("piglet", {"goal": 3}, tmp_path)
    assert "The fairness table is omitted: there are too many of them." in text
    assert "The plot of hold values is omitted: there are too many of them." in text


@pytest.fixture
def few_games(monkeypatch):
    for name, number in (("GAMES", 2000), ("DEALS", 20), ("PER_DEAL", 5)):
        monkeypatch.setattr(game_report, name, number)


@pytest.mark.slow
def test_a_game_for_one_player_has_its_strategies_and_final_scores(few_games, tmp_path):
    game_report.write_report(game_report.compute_report(komi.find("think"), {"turns": 2}), tmp_path / "think.html")
    text = (tmp_path / "think.html").read_text()
    assert f"<td>optimal</td><td>{komi.match('think', 'optimal', turns=2).value:.6f}</td>" in text
    assert "Final scores of optimal play" in text
    assert "omitted" not in text
    assert "<th>wins</th>" not in text
    assert "<td>expected points</td>" in text


@pytest.mark.slow
def test_a_game_for_three_has_what_its_seats_win(few_games, tmp_path):
    game_report.write_report(
        game_report.compute_report(komi.find("piglet"), {"goal": 3, "players": 3}), tmp_path / "piglet.html"
    )
    text = (tmp_path / "piglet.html").read_text()
    values = komi.match("piglet", "optimal", "random", goal=3, players=3).values
    assert ", ".join(f"{100 * value:.4f} %" for value in values) in text
    assert "omitted" not in text


@pytest.mark.slow
def test_simultaneous_choice_has_its_matches(few_games, tmp_path):
    game_report.write_report(
        game_report.compute_report(komi.find("skunk"), {"goal": 5, "ending": "first"}), tmp_path / "skunk.html"
    )
    text = (tmp_path / "skunk.html").read_text()
    assert f"{100 * komi.match('skunk', 'optimal', 'random', goal=5, ending='first').average:.4f} %" in text
    assert "match is omitted" not in text
