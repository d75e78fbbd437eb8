"""`komi.check` finds items on the table that have no form, and says which line yields them."""

from pathlib import Path

import pytest

import komi

import rulefiles

HINTED = "def start(rules):"
WRONG = {
    "no kind": (
        "def table(rules, state):\n    yield 'coin', '', -1, ''\n",
        "line {}: 'table' yields ('coin', '', -1, '')",
    ),
    "an owner without a seat": (
        "def table(rules, state):\n    yield 'card', 'Hand', 5, ''\n",
        "the owner of a card is",
    ),
    "two buttons for an action": (
        "def table(rules, state):\n    yield 'token', '', -1, 'a', HOLD\n    yield 'token', '', -1, 'b', HOLD\n",
        "'table' has two items that mean 'hold'",
    ),
    "a table that fails": ("def table(rules, state):\n    yield state.nothing\n", "AttributeError"),
    "no item of an event": ("def laid(rules, event):\n    yield 'die', event\n", "line {}: 'laid' yields ('die', "),
    "too much": (
        "def table(rules, state):\n    for _ in range(401):\n        yield 'token', '', -1, ''\n",
        "'table' yields 401 items, more than 400",
    ),
}


@pytest.mark.parametrize(("said", "message"), WRONG.values(), ids=WRONG)
def test_what_is_no_item_is_a_problem(tmp_path: Path, said: str, message: str) -> None:
    path = rulefiles.write(tmp_path, (HINTED, f"{said}\n\n{HINTED}"))
    line = next((number for number, text in enumerate(path.read_text().splitlines(), 1) if "yield '" in text), 0)
    report = komi.check(str(path))
    assert any(message.format(line) in problem.message for problem in report.problems), report.problems


def test_valid_items_are_no_problem(tmp_path: Path) -> None:
    said = (
        "def table(rules, state):\n    yield 'stack', 'Bank', -1, 'points', state.score\n"
        "    yield 'token', 'Choices', 0, 'hold', HOLD\n\n\n"
        "def laid(rules, event):\n    yield 'die', 'Roll', 0, event\n"
    )
    assert komi.check(str(rulefiles.write(tmp_path, (HINTED, f"{said}\n\n{HINTED}")))).ok
