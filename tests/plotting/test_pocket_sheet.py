"""Cheat sheets on small pages, and in other languages."""

from pathlib import Path
from typing import Any

import pytest

from komi.plotting.pocket_sheet import SheetLanguage, translated

pytest.importorskip("matplotlib")
WORDS = {
    "if": ", wenn",
    "is at least": "mindestens",
    "and": "und",
    "otherwise": "sonst",
    "roll": "würfeln",
    "turn": "dieser Zug",
}


def test_sentences_are_translated_phrase_by_phrase() -> None:
    sentence = "Roll if turn is at least 20 and band is at least turn; otherwise roll."
    found = translated(sentence, ["turn", "band", "roll"], lambda text: WORDS.get(text, text))
    assert found == "Würfeln, wenn dieser Zug mindestens 20 und band mindestens dieser Zug; sonst würfeln."


def test_without_translations_sentences_stay_as_they_are() -> None:
    assert translated("Roll if , turn.", ["turn"], str) == "Roll if , turn."


def test_numbers_have_the_decimal_mark_of_the_language() -> None:
    assert SheetLanguage(decimal_mark=",").numbers("2.75, at most 48.") == "2,75, at most 48."


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [("--paper", "a3", "there is no paper size 'a3'"), ("--language", "xx", "there is no language 'xx'")],
)
def test_an_unknown_paper_or_language_is_refused(
    run: Any, option: str, value: str, sentence: str, tmp_path: Path
) -> None:
    result = run("teach", "piglet", "--card", tmp_path / "card.pdf", option, value)
    assert result.code == 2
    assert sentence in result.err


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "a5", "a6"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_sheet_is_one_page(run: Any, paper: str, language: str, tmp_path: Path) -> None:
    file, policy = tmp_path / "card.pdf", tmp_path / "card.py"
    options = ("--card", file, "-o", policy, "--paper", paper, "--language", language)
    assert run("teach", "piglet", "--numbers", 1, "--seconds", 1, *options).code == 0
    assert file.read_bytes().count(b"/Type /Page\n") + file.read_bytes().count(b"/Type /Page ") == 1
