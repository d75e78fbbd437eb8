"""`komi check` proves that `deal` draws what is hidden with its probability, or says in which state it does not."""

import re
from pathlib import Path

import pytest

import komi
from komi.checking.draws import check_draws
from komi.compiling.compiled import compiled_game
from komi.errors import SolveError
from komi.rules import information_sets
from komi.rules.interpreter import Interpreter

GAMES = Path(__file__).parents[1] / "games"


def checked(fault: int, file: str = "high_card.py") -> tuple[str, list[str]]:
    """Check the rules with a fault; return what was checked, and the problems."""
    game = komi.find(GAMES / file)
    rules = game.rules({"fault": fault} if fault else {})
    game = game.under(rules)
    interpreter = Interpreter(game, rules)
    text = check_draws(compiled_game(game), interpreter)
    return text, list(map(str, interpreter.problems.values()))


@pytest.fixture
def too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every game count as too large for its information sets to be enumerated."""
    monkeypatch.setattr(information_sets, "MAX_NODES", 1)
    information_sets.information_sets.cache_clear()


def test_right_probabilities_are_proved_in_all_information_sets() -> None:
    text, problems = checked(0)
    assert not problems
    assert text == "'deal' draws what is hidden with its probability: all 12 information sets, 10,000 draws each."


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (1, r"'deal' draws .* with probability 0\.\d+ instead of 0\.\d+ in cards="),
        (2, "'deal' draws .*, to which play never leads from the start in cards="),
        (3, "'deal' draws .*, to which play never leads from the start in cards="),
    ],
)
def test_wrong_probabilities_are_found_in_small_games(fault: int, message: str) -> None:
    _, [problem] = checked(fault)
    assert re.search(message, problem), problem


@pytest.mark.usefixtures("too_large")
def test_right_probabilities_pass_in_random_play() -> None:
    """They differ from those of random play, in which a bet tells of a high card."""
    text, problems = checked(0)
    assert not problems
    assert "20,000 games of random play" in text


@pytest.mark.usefixtures("too_large")
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (1, r"'deal' draws bit \d of 'cards\[1\]' with a wrong probability, \d+ standard errors off"),
        (2, "'deal' draws a state that has another 'view', compiled in cards="),
        (3, r"'deal' draws bit \d of 'cards\[1\]' with a wrong probability, \d+ standard errors off"),
    ],
)
def test_wrong_probabilities_are_found_in_random_play(fault: int, message: str) -> None:
    _, [problem] = checked(fault)
    assert re.search(message, problem), problem


@pytest.mark.usefixtures("too_large")
def test_a_large_game_without_a_draw_says_what_it_lacks() -> None:
    with pytest.raises(SolveError, match=r"its file does not say how to draw it: .* so let 'deal' draw a state"):
        checked(0, "hidden_choices.py")
