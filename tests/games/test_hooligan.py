"""Hooligan: what turns are worth when few boxes are open."""

import pytest

from games import reference, twins
from komi.rules import catalog

from slowly import slowly

GAME = catalog.find("hooligan")
ALL = frozenset(range(7))


def value(boxes: frozenset[int], **settings):
    rules = GAME.rules(settings)
    filled = sum(1 << box for box in ALL - boxes)
    state = GAME.part("start")(rules)._replace(boxes=filled)
    return reference.solve_one_seat(GAME, rules, state)[state]


@pytest.mark.parametrize("boxes", [{5}, {6}, *slowly({0, 6})])
def test_points_of_the_last_turns_are_the_twins(boxes: set[int]) -> None:
    assert value(frozenset(boxes)) == twins.hooligan(frozenset(boxes))


@pytest.mark.slow
def test_declaring_has_a_lower_value() -> None:
    boxes = frozenset({0, 6})
    assert value(boxes, declare=True) == twins.hooligan(boxes, declare=True)
    assert twins.hooligan(boxes, declare=True) < twins.hooligan(boxes)


@pytest.mark.parametrize(
    ("dice", "scores"), [("12345", True), ("23456", True), ("12346", False), ("13456", False), ("12355", False)]
)
def test_only_a_straight_of_five_scores_in_the_last_box(dice: str, scores: bool) -> None:
    rules = GAME.default_rules
    state = GAME.read(rules, f"rolls=0,dice={dice}")
    [(_, after, _)] = GAME.outcomes(rules, state, 6)
    assert GAME.part("reward")(rules, state, 6, after) == (20 if scores else 0)


@pytest.mark.parametrize("dice", ["21345", "7", "111111", "10"])
def test_dice_that_cannot_be_are_refused(dice: str) -> None:
    from komi.errors import InputError

    with pytest.raises(InputError, match="its rules do not allow"):
        GAME.read(GAME.default_rules, f"rolls=1,dice={dice}")
