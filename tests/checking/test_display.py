"""`komi.check` finds what a game says wrongly to the people who play it: its board, texts, opponents and policies."""

from pathlib import Path

import pytest

import komi

import rulefiles

HINTED = "def start(rules):"
SQUARES = "def board(rules, state):\n    for column in range(3):\n        yield 0, column, '', 0\n\n\n"

WRONG = {
    "squares without a tint": ("def board(rules, state):\n    yield 1, 2\n", "'board' yields (1, 2), not (row, column"),
    "no squares": ("def board(rules, state):\n    yield from ()\n", "'board' yields no squares"),
    "a board that fails": ("def board(rules, state):\n    yield state.nothing\n", "AttributeError"),
    "an invalid square": (
        SQUARES + "def square(rules, state, action):\n    return 1, 1\n",
        "'square' returns (1, 1), which is not a square of the 'board'",
    ),
    "an invalid decisive square": (
        SQUARES + "def decisive(rules, state):\n    yield 2, 2\n",
        "'decisive' yields (2, 2), which is not a square of the 'board'",
    ),
    "a number for a text": (
        "def how_to_play(rules):\n    return 5\n",
        "'how_to_play' returns 5, which is not a string",
    ),
    "an invalid objective": (
        "def objective(rules):\n    return 5\n",
        "'objective' returns 5, which is not a string",
    ),
    "an invalid reason": ("def no_value(rules):\n    return 5\n", "'no_value' returns 5, which is not a string"),
    "a text that fails": ("def how_to_play(rules):\n    return rules.nothing\n", "AttributeError"),
    "opponents that are not pairs": ("def opponents(rules):\n    yield 5\n", "'opponents' returns [5], not pairs"),
    "opponents that are not yielded": ("def opponents(rules):\n    return 5\n", "'opponents' returns 5, not pairs"),
    "an unknown opponent": (
        "def opponents(rules):\n    yield 'missing', 'Is not there.'\n",
        "'opponents' names 'missing', which is not a policy",
    ),
    "more opponents than there are levels": (
        "def opponents(rules):\n    for points in range(1, 5):\n        yield f'hold-at:{points}', 'Holds.'\n",
        "'opponents' yields 4 pairs, more than 3",
    ),
    "an opponent without its number": (
        "def opponents(rules):\n    yield 'hold-at', 'Holds.'\n",
        "'opponents' names 'hold-at', which is not a policy",
    ),
    "a roll of no fields": ("roll = ('zz',)\n", "'roll' names 'zz', which is not a field of State"),
    "totals of no fields": (
        "def transient(rules, state):\n    return False\n\n\ntotals = ('zz',)\n",
        "'totals' names 'zz', which is not a field of State",
    ),
    "invalid fields": (
        "def fields(rules):\n    return 'score', 'zz'\n",
        "'fields' names 'zz', which is not a field of State",
    ),
    "opponents that fail": ("def opponents(rules):\n    raise ValueError('no')\n", "ValueError: no"),
    "a policy that does what is not legal": (
        "def bold(rules, state):\n    return 9\n\n\npolicies = (bold,)\n",
        "'policies' has 'bold', which takes an action that is not legal, 9",
    ),
    "a policy that fails": (
        "def bold(rules, state):\n    return rules.nothing\n\n\npolicies = (bold,)\n",
        "AttributeError",
    ),
}


@pytest.mark.parametrize(("said", "message"), WRONG.values(), ids=WRONG)
def test_what_is_said_wrongly_is_a_problem(tmp_path: Path, said: str, message: str) -> None:
    path = rulefiles.write(tmp_path, (HINTED, f"{said}\n\n{HINTED}"))
    report = komi.check(str(path))
    assert any(message in problem.message for problem in report.problems), report.problems


def test_valid_texts_are_not_problems(tmp_path: Path) -> None:
    said = (
        SQUARES
        + "def square(rules, state, action):\n    return (0, 1) if action == ROLL else None\n\n\n"
        + "def bold(rules, state):\n    return HOLD\n\n\n"
        + "def fond(rules, state, action):\n    return 1.0 * action\n\n\npolicies = (bold, fond)\n\n\n"
        + "def opponents(rules):\n    return ('bold', 'Holds.'), ('hold-at:3', 'Holds.'), ('optimal', 'Plays well.')\n"
    )
    assert komi.check(str(rulefiles.write(tmp_path, (HINTED, f"{said}\n\n{HINTED}")))).ok
