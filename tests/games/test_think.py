"""Think: five turns alone."""

import pytest

from games import reference, twins
from komi.games import think
from komi.rules import catalog

GAME = catalog.find("think")


@pytest.mark.parametrize("turns", [1, 2])
def test_most_points_are_the_twins(turns: int) -> None:
    rules = GAME.rules({"turns": turns})
    assert reference.solve_one_seat(GAME, rules)[GAME.part("start")(rules)] == twins.think(turns)


@pytest.mark.slow
def test_a_turn_that_must_be_held_would_be_held_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = GAME.rules({"turns": 2})
    start = GAME.part("start")(rules)
    value = reference.solve_one_seat(GAME, rules)[start]
    for enough in (26, 60):
        monkeypatch.setattr(think, "_enough", lambda rules, enough=enough: enough)
        assert reference.solve_one_seat(GAME, rules)[start] == value
