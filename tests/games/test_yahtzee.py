"""Yahtzee: the card, the joker, and what the last turns are worth."""

import random

import pytest

from games import reference, twins
from komi.errors import InputError
from komi.games import yahtzee
from komi.play.opponent_players import Player
from komi.play.table import Table
from komi.policies import from_files
from komi.policies.single_player import single_player_state
from komi.rules import catalog

from slowly import slowly

GAME = catalog.find("yahtzee")
FULL, SMALL, LARGE, BOX, CHANCE_BOX = 8, 9, 10, 11, 12


def state_with(rules, open_boxes, **fields):
    filled = sum(1 << box for box in range(13) if box not in open_boxes)
    return GAME.part("start")(rules)._replace(boxes=filled, **fields)


@pytest.mark.parametrize("joker", ["forced", "free", "none"])
@pytest.mark.parametrize(
    ("boxes", "upper", "scored"),
    [
        ({BOX}, 0, False),
        ({FULL}, 62, True),
        *slowly(({0, FULL}, 62, True), ({2, CHANCE_BOX, BOX}, 56, True)),
    ],
)
def test_points_of_the_last_turns_are_the_twins(boxes: set[int], upper: int, scored: bool, joker: str) -> None:
    rules = GAME.rules({"joker": joker})
    state = state_with(rules, boxes, upper=upper, bonus=int(scored))
    found = reference.solve_one_seat(GAME, rules, state)[state]
    assert found == twins.yahtzee(frozenset(boxes), upper, scored, joker)


def test_a_yahtzee_is_thrown_as_often_as_known() -> None:
    assert float(twins.yahtzee(frozenset({BOX}), 0, False)) / 50 == pytest.approx(0.0460, abs=5e-5)


@pytest.mark.parametrize(
    ("joker", "open_boxes", "labels"),
    [
        ("forced", {3, FULL, CHANCE_BOX}, ["fours"]),
        ("forced", {0, FULL, CHANCE_BOX}, ["full house", "chance"]),
        ("forced", {0, 1}, ["ones", "twos"]),
        ("forced", {3, FULL, BOX}, ["fours", "full house", "yahtzee"]),
        ("free", {3, FULL}, ["fours", "full house"]),
        ("none", {3, FULL}, ["fours", "full house"]),
    ],
)
def test_where_four_of_fives_may_be_scored(joker: str, open_boxes: set[int], labels: list[str]) -> None:
    rules = GAME.rules({"joker": joker})
    state = state_with(rules, open_boxes, rolls=0, dice=44444)
    assert list(GAME.labels(rules, state)) == labels


@pytest.mark.parametrize(
    ("joker", "open_boxes", "points"),
    [("forced", {FULL}, 125), ("free", {FULL}, 125), ("free", {3, FULL}, 100), ("none", {FULL}, 100)],
)
def test_a_joker_scores_a_full_house_only_if_its_upper_box_is_filled(
    joker: str, open_boxes: set[int], points: int
) -> None:
    rules = GAME.rules({"joker": joker})
    state = state_with(rules, open_boxes, rolls=0, dice=44444, bonus=1)
    [(_, after, _)] = GAME.outcomes(rules, state, FULL)
    assert GAME.part("reward")(rules, state, FULL, after) == points


@pytest.mark.parametrize("dice", twins.rolls(5))
def test_boxes_score_what_the_card_says(dice: tuple[int, ...]) -> None:
    number = yahtzee.multiset(int("".join(map(str, dice))))
    for box in range(13):
        assert yahtzee._points(GAME.default_rules, 0, number, box) == twins.yahtzee_points(dice, box, False)


def test_the_upper_bonus_is_paid_once() -> None:
    rules = GAME.default_rules
    state = state_with(rules, {5, 4}, upper=40, rolls=0, dice=66666, bonus=0)
    [(_, after, _)] = GAME.outcomes(rules, state, 5)
    assert (after.upper, GAME.part("reward")(rules, state, 5, after)) == (63, 65)
    again = after._replace(rolls=0, dice=55555)
    [(_, last, _)] = GAME.outcomes(rules, again, 4)
    assert GAME.part("reward")(rules, again, 4, last) == 25


@pytest.mark.parametrize("state", ["rolls=3,dice=11", "rolls=0,dice=123", "boxes=8192", "upper=5", "bonus=1"])
def test_states_that_cannot_be_are_refused(state: str) -> None:
    with pytest.raises(InputError):
        GAME.read(GAME.default_rules, state)


def test_two_dice_kept_are_read_as_they_are_written() -> None:
    state = GAME.read(GAME.default_rules, "rolls=2,dice=66")
    assert GAME.write(GAME.default_rules, state) == "boxes=0,upper=0,bonus=0,rolls=2,dice=66"
    assert GAME.is_chance(GAME.default_rules, state)


def test_two_play_in_turns_each_on_a_card_as_alone() -> None:
    rules, alone = GAME.rules({"players": 2}), GAME.default_rules
    chance = random.Random(3)
    for _ in range(10):
        cards = [Table(GAME, alone), Table(GAME, alone)]
        table, turns = Table(GAME, rules), 0
        while not table.is_over:
            assert table.mover is not None
            own = cards[table.mover]
            assert own.state == single_player_state(GAME, alone, table.state)
            assert list(own.actions) == list(table.actions)
            label = chance.choice(list(table.actions) or [event.label for event in table.events])
            mover = table.mover
            own.enter(label)
            table.enter(label)
            if table.state.rolls == yahtzee.ROLLS:
                turns += 1
                assert table.is_over or table.mover == 1 - mover
        assert turns == 26
        assert table.rewards == [card.rewards[0] for card in cards]
        first, second = table.rewards
        assert table.payoffs == ((1.0, 0.0) if first > second else (0.0, 1.0) if first < second else (0.5, 0.5))


def test_equal_points_are_shared() -> None:
    rules = GAME.rules({"players": 2})
    full = GAME.part("start")(rules)._replace(boxes=yahtzee.FULL, other_boxes=yahtzee.FULL)
    assert GAME.payoffs(rules, full._replace(points=200, other_points=200)) == (0.5, 0.5)
    assert GAME.payoffs(rules, full._replace(points=200, other_points=201)) == (0.0, 1.0)


@pytest.mark.parametrize(
    "state", ["boxes=1", "other_boxes=3", "other_points=1", "points=1000,boxes=1,other_boxes=1", "other_upper=5"]
)
def test_what_two_cards_cannot_be_is_refused(state: str) -> None:
    with pytest.raises(InputError, match="has no state"):
        GAME.read(GAME.rules({"players": 2}), state)


def test_policies_take_what_is_legal() -> None:
    rules, chance = GAME.rules({"players": 2}), random.Random(4)
    for policy in from_files.game_policies(GAME).values():
        table = Table(GAME, rules)
        while not table.is_over:
            if table.events:
                table.enter(chance.choice(table.events).label)
            else:
                table.enter(GAME.label(rules, table.state, Player(GAME, rules, policy).choose(table.state, 0.0)))
