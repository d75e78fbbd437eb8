"""komi review tells of a recorded game what the page tells of one that was played there."""

import io
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.play import record
from komi.play.review import review
from komi.rules import catalog

GAME = """komi record 1
game: piglet
rules: goal=2
players: Ann / Bob

flip
  heads
hold
flip
  heads
flip
  heads
hold
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(GAME)
    return path


def test_review_of_a_record_is_the_review_of_the_game(run: Any, file: Path) -> None:
    table = record.parse(GAME).table(catalog.find("piglet"))
    expected = review(komi.solve("piglet", goal=2), table, 1)
    reported = run("review", str(file), "--seat", "2", "--json").solution
    assert (reported["accuracy"], reported["luck"], reported["skill"]) == (
        expected.accuracy,
        expected.luck,
        expected.skill,
    )
    assert [move["chosen"] for move in reported["moves"]] == ["flip", "hold", "flip", "flip", "hold"]
    assert [move["loss"] for move in reported["moves"]] == [decision.loss for decision in expected.decisions]
    assert reported["payoffs"] == [0.0, 1.0]


def test_review_is_reported_in_words(run: Any, file: Path) -> None:
    out = run("review", str(file)).out
    assert "'Bob' wins." in out
    assert "Accuracy " in out
    assert "1 of your 2 decisions gave something away." in out


def test_names_of_players_cannot_forge_a_line(run: Any, file: Path) -> None:
    file.write_text(GAME.replace("Bob", "\x1b[2JBob\u202e"))
    assert "'\\x1b[2JBob\\u202e' wins." in run("review", str(file)).out


def test_record_of_a_game_that_is_elsewhere_says_what_to_correct(run: Any, file: Path) -> None:
    file.write_text(GAME.replace("piglet", "elsewhere/piglet.py"))
    err = run("review", str(file)).err
    assert err.endswith("no file elsewhere/piglet.py; correct the line 'game: elsewhere/piglet.py' of the record.\n")


def test_nothing_but_a_record_is_replaced_by_one(run: Any, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = file.with_name("notes.txt")
    notes.write_text("my notes")
    assert "already exists, and was not written by komi" in run("play", "piglet", "--save", str(notes)).err
    assert notes.read_text() == "my notes"
    assert "there is no folder" in run("play", "piglet", "--save", str(file.parent / "none" / "game.txt")).err
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    run("play", "piglet", "--seat", "first", "--save", str(file))
    assert file.read_text() == GAME  # nothing has happened in the new one


def test_game_of_the_terminal_is_saved_and_reviewed(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept.txt"
    monkeypatch.setattr("sys.stdin", io.StringIO("flip\nflip\nhold\n" * 60))
    run(
        "play",
        "piglet",
        "--set",
        "goal=2",
        "--seed",
        "s",
        "--seat",
        "second",
        "--opponent",
        "easy",
        "--save",
        str(kept),
    )
    assert record.parse(kept.read_text()).seat == 1
    assert run("review", str(kept), "--json").solution["seat"] == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nonsense", "this is not a game record: its first line must be 'komi record 1'."),
        ("komi record 1\ngame: red7\n", "komi does not solve red7, so there is no review."),
    ],
)
def test_what_cannot_be_reviewed_is_one_sentence(run: Any, tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "game.txt"
    path.write_text(text)
    refused = run("review", str(path))
    assert refused.code == 2
    assert refused.err.endswith(f"{sentence}\n")
    assert run("review", str(tmp_path / "none.txt")).err.startswith("komi: cannot read ")
