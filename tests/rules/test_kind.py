"""What kind of game a rule set makes."""

import pytest

from komi.rules import catalog
from komi.rules.kind import kind_of


@pytest.mark.parametrize(("name", "choices"), [("yahtzee", True), ("pig", True), ("risk-battle", False)])
def test_choices_are_seen_behind_a_roll_of_many_results(name: str, choices: bool) -> None:
    game = catalog.find(name)
    assert kind_of(game, game.default_rules).choices is choices
