"""What a roll does not depend on is compared."""

import pytest

from games import little_card
from komi.checking import roll_hints
from komi.rules.enumeration import explore
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter


def problems(**settings: object) -> list[str]:
    game = Game("little-card", little_card)
    interpreter = Interpreter(game, game.rules(settings))
    walked, _ = explore(interpreter, 2000)
    roll_hints.check_totals(interpreter, walked)
    return [problem.message for problem in interpreter.problems.values()]


def test_a_hint_that_holds_is_not_a_problem() -> None:
    assert problems(target="enough") == []


def test_a_roll_that_depends_on_totals_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(little_card, "totals", lambda rules: ("boxes",))
    assert problems(target="enough") == ["little_card.py: a roll depends on 'totals'"]
