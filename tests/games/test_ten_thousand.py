"""Ten Thousand and Farkle: what scores, what can be set aside, and what a game is worth."""

import pytest

from games import reference, twins
from komi.errors import InputError
from komi.games import ten_thousand
from komi.games._dice import DIGITS, FIRST, multiset
from komi.rules import catalog

from slowly import slowly

GAME, FARKLE = catalog.find("ten-thousand"), catalog.find("farkle")
READINGS = [
    {"of_a_kind": of_a_kind, "straight": straight, "three_pairs": pairs}
    for of_a_kind in ("doubling", "triples")
    for straight in (0, 1500)
    for pairs in (0, 750)
]


@pytest.mark.parametrize("settings", [*READINGS[::7], *slowly(*READINGS[1:7])], ids=str)
def test_all_that_can_be_set_aside_scores_the_most_that_its_combinations_do(settings: dict[str, object]) -> None:
    rules = GAME.rules(settings)
    points = twins.combinations_that_score(**settings)  # type: ignore[arg-type]
    for number in range(1, FIRST[7]):
        dice = tuple(map(int, str(DIGITS[number])))
        assert ten_thousand._points(rules, number) == twins.most_points(dice, points), dice


@pytest.mark.parametrize("settings", [*READINGS[::7], *slowly(*READINGS[1:7])], ids=str)
def test_a_roll_can_be_set_aside_as_all_its_dice_say(settings: dict[str, object]) -> None:
    rules = GAME.rules(settings)
    points = twins.combinations_that_score(**settings)  # type: ignore[arg-type]
    for dice in twins.rolls(6):
        rolled = multiset(int("".join(map(str, dice))))
        shown = int(DIGITS[ten_thousand._scoring(rules, rolled, 6)])
        expected = dict(twins.ways_to_set_aside(dice, points))
        if not shown:
            assert not expected
            continue
        state = ten_thousand.State(0, 0, 0, 6, shown)
        found = {
            tuple(map(int, label.removeprefix("set aside "))): after.turn
            for label, action in GAME.labels(rules, state).items()
            for _, after, _ in GAME.outcomes(rules, state, action)
        }
        assert found == expected


@pytest.mark.parametrize(
    ("game", "settings", "readings"),
    [
        (FARKLE, {}, {"of_a_kind": "triples", "straight": 0, "three_pairs": 0}),
        *slowly((GAME, {}, {}), (GAME, {"opening": 100}, {"opening": 100})),
    ],
    ids=["farkle", "ten-thousand", "opening"],
)
def test_values_are_the_twins(game, settings, readings) -> None:
    rules = game.rules({**settings, "goal": 150})
    bounds = reference.bounds(game, rules)
    for (own, other), value in twins.ten_thousand(150, **readings).items():
        state = ten_thousand.State(own, other, 0, 6, 0)
        if state in bounds:
            low, high = bounds[state]
            assert low - 1e-11 <= value <= high + 1e-11


def test_numbers_are_multiples_of_fifty() -> None:
    with pytest.raises(InputError, match="goal of ten-thousand must be 50 to 20000 in steps of 50, not 120"):
        GAME.rules({"goal": 120})
    with pytest.raises(InputError, match="komi of farkle must be 0 to 9950 in steps of 50, not 10"):
        FARKLE.rules({"komi": 10})


def test_all_six_set_aside_may_be_rolled_again() -> None:
    rules = GAME.default_rules
    state = GAME.read(rules, "turn=300,left=2,dice=15")
    [(_, after, passes)] = GAME.outcomes(rules, state, GAME.labels(rules, state)["set aside 15"])
    assert (after.turn, after.left, passes) == (450, 6, 0)


def test_the_opening_binds_only_those_with_nothing() -> None:
    rules = GAME.rules({"opening": 500})
    assert list(GAME.labels(rules, GAME.read(rules, "turn=450,left=3"))) == ["roll"]
    assert list(GAME.labels(rules, GAME.read(rules, "turn=500,left=3"))) == ["roll", "hold"]
    assert list(GAME.labels(rules, GAME.read(rules, "score=50,turn=50,left=3"))) == ["roll", "hold"]


@pytest.mark.parametrize("state", ["turn=75", "left=7", "dice=223", "turn=100,left=2,dice=111", "score=25"])
def test_states_that_cannot_be_are_refused(state: str) -> None:
    with pytest.raises(InputError):
        GAME.read(GAME.default_rules, state)
