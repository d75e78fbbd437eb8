"""`komi.check` finds players who are said to play alone, and get in each other's way."""

from pathlib import Path

import pytest

import komi
from komi.checking import single_player
from komi.rules import catalog, enumeration
from komi.rules.interpreter import Interpreter

TRUE = (Path(__file__).parents[1] / "games" / "two_cards.py").read_text()
SCORED = "yield 1.0, State(other_boxes, 2, 0, other_points, boxes | 1 << action, more), 1"

WRONG = {
    "others whose box is filled": (
        SCORED,
        SCORED.replace("State(other_boxes,", "State(other_boxes | 1,"),
        "does not hold",
    ),
    "a die that is left lying": (SCORED, SCORED.replace("2, 0,", "1, 0,"), "has other outcomes or rewards"),
    "other points": (
        "return float(_points(state, action)) if",
        "return float(_points(state, action) * rules.players) if",
        "has other outcomes or rewards",
    ),
    "other actions": ("if state.rolls > 0:", "if state.rolls > 0 and rules.players == 1:", "has other legal actions"),
    "no end alone": (
        "return state.boxes == 3 and (",
        "return state.boxes > 0 if rules.players == 1 else state.boxes == 3 and (",
        "returns rules under which the mover's own game is over",
    ),
    "no turned state": ("def turned(", "def other_way_round(", "needs 'turned'"),
    "invalid rules": ("_replace(players=1)", "_replace(players=0)", "returns rules that 'limits' does not allow"),
    "rules for ever": (
        "_replace(players=1)",
        "_replace(players=3 - rules.players)",
        "for which it returns other rules",
    ),
    "no rules": ("return rules._replace(players=1)", "return 1 // 0", "fails: ZeroDivisionError"),
}


def problems(folder: Path, text: str) -> list[str]:
    file = folder / "cards.py"
    file.write_text(text)
    game = catalog.find(str(file))
    interpreter = Interpreter(game, game.default_rules)
    walked = enumeration.sample_states(interpreter, 300)
    assert not interpreter.problems
    single_player.check(interpreter, walked)
    return [problem.message for problem in interpreter.problems.values()]


def test_what_is_true_passes(tmp_path: Path) -> None:
    assert problems(tmp_path, TRUE) == []


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_reported(tmp_path: Path, name: str) -> None:
    old, new, said = WRONG[name]
    assert old in TRUE
    found = problems(tmp_path, TRUE.replace(old, new))
    assert len(found) == 1
    assert said in found[0]


@pytest.mark.slow
def test_whole_check_says_where_the_rest_is_checked() -> None:
    game = catalog.find(str(Path(__file__).parents[1] / "games" / "two_cards.py"))
    report = komi.check(game)
    assert report.ok
    assert any(held.startswith("'alone' holds") for held in report.holds)
    assert report.unproved == [
        "Each player's game is solved separately: check it under the rules that 'alone' returns."
    ]
    assert komi.check(game, players=1).unproved == []
