"""A page in one file: what it has in it, and which games are refused."""

import re
from pathlib import Path
from typing import Any

import pytest

from komi.errors import InputError, SolveError, StorageError
from komi.exporting import page_table
from komi.exporting.page_table import MAX_KEY
from komi.rules import information_sets
from komi.web import page_file
from komi.web.page_file import export_page, modules

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_file_names_no_other_address_and_allows_no_connection(tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    written = export_page("piglet", file, goal=3)
    text = file.read_text()
    assert written.size == len(text.encode())
    assert not re.search(r"https?://", text)
    assert re.findall(r'(?:src|href)="(?!data:|#)', text) == []
    assert "connect-src 'none'" in text
    assert "default-src 'none'" in text


def test_page_without_its_table_takes_less_than_300_kb(tmp_path: Path) -> None:
    assert export_page("piglet", tmp_path / "game.html", goal=3).size < 300_000


def test_page_without_values_is_smaller_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    stored = export_page("pig", file, goal=30)
    assert "The values of all states are in it." in file.read_text()
    assert export_page("pig", file, goal=30, max_stored=0).size < stored.size
    assert "The values of all states are computed when it is opened." in file.read_text()


def test_modules_import_each_other_by_names_that_exist() -> None:
    found = modules({})
    for text in found.values():
        assert not re.search(r'(?:from|import\() *"\.', text)
        assert set(re.findall(r'"komi/([\w/-]+\.js)"', text)) <= found.keys()


def test_own_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    file.write_text("mine")
    with pytest.raises(InputError, match="written"):
        export_page("piglet", file, goal=3)
    assert file.read_text() == "mine"


def test_page_is_written_again(tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    assert export_page("piglet", file, goal=3).size == export_page("piglet", file, goal=3).size


def test_games_that_a_page_cannot_hold_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    with pytest.raises(InputError, match=r"must end in \.html"):
        export_page("piglet", tmp_path / "game.htm")
    with pytest.raises(StorageError, match="there is no folder"):
        export_page("piglet", tmp_path / "missing" / "game.html")
    assert not file.exists()
    assert MAX_KEY == 2**53


def test_games_that_are_too_large_get_a_page_that_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any
) -> None:
    file = tmp_path / "game.html"
    assert not export_page("piglet", file, goal=3).is_searched
    monkeypatch.setattr(page_table, "MAX_STATES", 20)
    written = export_page("piglet", file, goal=3)
    assert (written.is_searched, written.states) == (True, 0)
    assert file.stat().st_size == written.size
    assert "hints are estimates of a search" in run("export", "piglet", "--page", file, "--set", "goal=3").out
    assert run("export", "piglet", "--page", file, "--set", "goal=3", "--json").solution["searched"] is True


@pytest.mark.slow
def test_games_that_komi_does_not_solve_get_a_page_that_searches(tmp_path: Path) -> None:
    assert export_page("red7", tmp_path / "game.html", players=2).is_searched


def test_games_that_cannot_be_searched_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_file, "is_solvable", lambda game, rules: False)
    monkeypatch.setattr(information_sets, "MAX_NODES", 10)
    with pytest.raises(SolveError, match="its file does not say how to draw it"):
        export_page(str(EXAMPLES / "kuhn_poker.py"), tmp_path / "game.html", cards=5)
    assert not (tmp_path / "game.html").exists()


def test_command_writes_a_page(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    written = run("export", "piglet", "--page", file, "--set", "goal=3")
    assert written.code == 0
    assert "hints and reviews are exact" in written.out
    assert file.stat().st_size > 100_000
    refused = run("export", "piglet", "optimal", "--page", file)
    assert refused.code == 2
    assert refused.err == "komi: --page writes optimal play and all opponents of the game: name no policy.\n"
    assert "name one file to write" in run("export", "piglet").err
