"""The guide's game is run as a reader would: written to a file, checked, and solved."""

import io
import re
from pathlib import Path
from typing import Any

import pytest

import komi

import exact

GUIDE = Path(__file__).parents[2] / "docs" / "write-your-own-game.md"


def block(title: str) -> str:
    """Return the code under a comment that names it."""
    found = re.search(rf"<!-- {re.escape(title)} -->\n```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert found, title
    return found[1]


@pytest.fixture
def ladder(tmp_path: Path) -> Path:
    path = tmp_path / "ladder.py"
    path.write_text(block("ladder.py"))
    return path


def test_game_is_about_40_lines_of_rules() -> None:
    lines = [line for line in block("ladder.py").splitlines() if line.strip()]
    assert len(lines) <= 48


def test_game_is_sound_and_solved_to_exact_fractions(ladder: Path) -> None:
    report = komi.check(str(ladder), rungs=8, sides=4)
    assert report.ok, report.problems
    assert not report.unproved
    solution = komi.solve(str(ladder), rungs=8, sides=4)
    values = exact.values(solution.game, solution.rules)
    assert abs(solution.value() - float(values[solution.game.part("start")(solution.rules)])) <= solution.error_bound


def test_commands_of_the_guide_run(ladder: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ladder.parent)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # no input
    commands = re.findall(r"^\$ komi (.*)$", GUIDE.read_text(), re.MULTILINE)
    assert len(commands) >= 4
    for command in commands:
        assert run(*command.split()).code == 0, command


@pytest.mark.slow
def test_parts_worth_adding_are_true(ladder: Path) -> None:
    ladder.write_text(ladder.read_text() + "\n\n" + block("added to ladder.py"))
    report = komi.check(str(ladder), rungs=8)
    assert report.ok, report.problems
    with pytest.raises(komi.InputError, match="sides of ladder must be 2 to 100, not 1"):
        komi.solve(str(ladder), sides=1)


@pytest.mark.slow
def test_events_have_names_that_check_accepts(ladder: Path) -> None:
    ladder.write_text(ladder.read_text() + "\n\n" + block("event of ladder.py"))
    report = komi.check(str(ladder), rungs=8)
    assert report.ok, report.problems
    assert any(line.startswith("'event' holds") for line in report.holds)
    game = komi.find(str(ladder))
    events = game.events(game.default_rules, game.read(game.default_rules, "rung=3,throw=2"), game.module.AGAIN)
    assert [event.label for event in events] == ["down to 2", "up to 7", "up to 8", "up to 9", "up to 10", "up to 11"]


def test_rules_are_reported_to_people(ladder: Path, run: Any) -> None:
    ladder.write_text(ladder.read_text() + "\n\n" + block("how_to_play of ladder.py"))
    assert "First on rung 30 wins." in run("rules", str(ladder), "--set", "rungs=30").out


def test_helper_beside_the_file_changes_nothing_but_where_it_stands(ladder: Path) -> None:
    alone = komi.solve(str(ladder)).value()
    text = ladder.read_text()
    begin, end = text.index("    for face in range"), text.index("\n\ndef over")
    text = text[:begin] + block("with die.py, in ladder.py") + text[end:]
    ladder.write_text(text.replace("from komi.game", "import die\nfrom komi.game"))
    ladder.with_name("die.py").write_text(block("die.py"))
    assert komi.solve(str(ladder)).value() == pytest.approx(alone, abs=2e-9)


@pytest.mark.slow
def test_game_with_tuples_is_sound_and_has_exact_values(tmp_path: Path) -> None:
    path = tmp_path / "orchard.py"
    path.write_text(block("orchard.py"))
    solution = komi.solve(str(path), cherries=2)
    value = exact.values(solution.game, solution.rules)[solution.game.part("start")(solution.rules)]
    assert abs(solution.value() - float(value)) <= solution.error_bound


@pytest.mark.slow
def test_commands_for_tuples_run(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "orchard.py").write_text(block("orchard.py"))
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"`komi (\w+ orchard.py [^`]*)`", GUIDE.read_text())
    assert len(commands) == 2
    for command in ["check orchard.py", *commands]:
        assert run(*command.split()).code == 0, command
