"""The table says what the rules say, whatever the game, and a game is nothing but its log."""

import random
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from komi.errors import GameError, InputError
from komi.game import CHANCE
from komi.play.fairness import sample_event
from komi.play.table import HIDDEN, MAX_ENTRIES, Table
from komi.rules import catalog
from komi.rules.game import Game

import rulefiles

BESIDE = Path(__file__).parents[1] / "games"
OTHERS = (
    "forced_roll",
    "two_dice_kept",
    "matching_pennies",
    "pebbles",
    "skipping",
    "shuttle",
    "best_of_turns",
    "countdown",
)
GAMES = {name: catalog.find(name) for name in catalog.names()}
GAMES |= {name: catalog.find(str(BESIDE / f"{name}.py")) for name in OTHERS}
CARDS_IN_HAND = 7  # of Red7
HANDS = st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=60)


def table(name: str, **rules: Any) -> Table:
    return Table(GAMES[name], GAMES[name].rules(rules))


def entered(table: Table, *labels: str) -> Table:
    for label in labels:
        table.enter(label)
    return table


def choices(table: Table) -> list[str]:
    return list(table.actions) or [event.label for event in table.events]


def by_hand(table: Table, hand: float) -> None:
    """Enter any possible entry, as in Test Mode."""
    table.enter(choices(table)[int(hand * len(choices(table)))])


def by_luck(table: Table, hand: float) -> None:
    if table.events:
        table.enter(sample_event(table.events, hand).label, hand)
    else:
        by_hand(table, hand)


def says_what_the_rules_say(table: Table, state: Any, seat: int, action: int | None) -> None:
    """Compare the table with a state, a seat, and an action that waits for its event, kept by the rules alone."""
    game, rules = table.game, table.rules
    assert (table.state, table.mover) == (state, seat)
    legal = list(game.part("legal")(rules, state))
    if action is None and legal != [CHANCE]:
        assert table.waiting == "action"
        assert list(table.actions.values()) == legal
        assert not table.events
        return
    assert table.waiting == "event"
    assert not table.actions
    outcomes = list(game.outcomes(rules, state, CHANCE if action is None else action))
    for event in table.events:
        same = [chance for chance, after, passes in outcomes if (after, passes) == (event.after, event.passes)]
        assert isclose(event.probability, sum(same))
        assert event.probability > 0
    assert isclose(sum(event.probability for event in table.events), 1.0)
    assert len({(event.after, event.passes) for event in table.events}) == len(table.events)
    assert len({event.label for event in table.events}) == len(table.events)


@pytest.mark.parametrize("play", [by_hand, by_luck])
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=15)
@given(hands=HANDS)
def test_table_agrees_with_the_rules_used_directly(name: str, play: Any, hands: list[float]) -> None:
    here = table(name)
    game, rules = here.game, here.rules
    state, seat, action = game.part("start")(rules), 0, None
    for hand in hands:
        if here.is_over:
            return
        says_what_the_rules_say(here, state, seat, action)
        before, actions = here.events, here.actions
        play(here, hand)
        label = here.log[-1].label
        if before:
            event = next(event for event in before if event.label == label)
            state, seat, action = event.after, (seat + event.passes) % here.players, None
        elif here.pending:
            action = actions[label]
        else:
            [(_, state, passes)] = [outcome for outcome in game.outcomes(rules, state, actions[label]) if outcome[0]]
            seat = (seat + passes) % here.players


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=10)
@given(hands=HANDS)
def test_the_labels_of_a_log_make_the_same_table_again(name: str, hands: list[float]) -> None:
    here = table(name)
    for hand in hands:
        if not here.is_over:
            by_hand(here, hand)
    again = Table(here.game, here.rules, [entry.label for entry in here.log])
    assert again.log == here.log
    assert (again.state, again.mover, again.observer, again.payoffs) == (
        here.state,
        here.mover,
        here.observer,
        here.payoffs,
    )
    assert (again.actions, again.events, again.pending) == (here.actions, here.events, here.pending)
    assert all(again.observed_log(seat) == here.observed_log(seat) for seat in range(here.players))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_played_to_the_end_has_payoffs_and_takes_nothing_more(name: str) -> None:
    here = table(name)
    hand = 0.0
    while not here.is_over:
        by_luck(here, hand := (hand + 0.618034) % 1.0)
    assert here.payoffs is not None
    assert here.waiting is here.mover is None
    assert not choices(here)
    if here.players > 1:
        assert isclose(sum(here.payoffs), 1.0)
    with pytest.raises(InputError, match="the game is over: 'roll' is no longer possible"):
        here.enter("roll")


@pytest.mark.parametrize("label", ["5", "flip", "", "HOLD", "roll "])
def test_what_is_not_legal_is_refused_and_changes_nothing(label: str) -> None:
    here = table("pig")
    with pytest.raises(InputError, match=r"is not legal now; legal are roll, hold\."):
        here.enter(label)
    assert (here.number, here.waiting) == (0, "action")


@pytest.mark.parametrize("label", ["7", "0", "hold", "roll"])
def test_what_chance_cannot_do_is_refused(label: str) -> None:
    here = entered(table("pig"), "roll")
    with pytest.raises(InputError, match=r"is not a possible event now; possible are 1, 2, 3, 4, 5, 6\."):
        here.enter(label)
    assert here.pending == "roll"


def test_an_action_with_one_outcome_is_one_entry_and_one_with_several_waits_for_its_event() -> None:
    here = entered(table("pig"), "roll", "6", "hold")
    assert [(entry.seat, entry.kind, entry.label, entry.mover) for entry in here.log] == [
        (0, "action", "roll", 0),
        (0, "event", "6", 0),
        (0, "action", "hold", 1),
    ]
    shown = here.game.shown(here.rules, here.log[0].state), here.game.shown(here.rules, here.state)
    assert [list(state.values()) for state in shown] == [[0, 0, 0], [0, 6, 0]]


def test_where_no_one_chooses_the_table_waits_for_an_event_with_no_action_before_it() -> None:
    here = table("forced_roll")
    assert here.waiting == "event"
    assert [event.label for event in here.events] == ["face 1", "face 2"]
    assert entered(here, "face 2", "keep").state == (0, 2, 0)


def test_what_can_only_come_out_one_way_is_not_requested() -> None:
    here = entered(table("red-light", green=1, red=2), "draw")
    assert [event.label for event in here.events] == ["green", "red"]
    entered(here, "green", "draw")  # only red chips are left
    assert (here.waiting, here.mover, here.state.red) == ("action", 1, 1)


def test_outcomes_that_lead_to_the_same_are_one_event() -> None:
    here = entered(table("two-dice-pig"), "roll")
    chances = {event.label: event.probability for event in here.events}
    assert isclose(chances["a 1"], 11 / 36)
    assert "one 1" not in chances
    later = entered(here, "total 4", "hold", "roll", "total 12", "hold", "roll")
    assert {"one 1", "two 1s"} <= {event.label for event in later.events}


def test_big_pig_counts_a_score_of_eight_as_one() -> None:
    here = entered(table("big-pig"), "roll")
    assert isclose({event.label: event.probability for event in here.events}["total 8 or double 2"], 5 / 36)


def test_the_winner_gets_it_whatever_the_seat() -> None:
    assert entered(table("pig", goal=6), "roll", "6", "hold").payoffs == (1.0, 0.0)
    assert entered(table("pig", goal=6), "hold", "roll", "6", "hold").payoffs == (0.0, 1.0)


@settings(max_examples=10)
@given(hand=st.floats(0, 1, exclude_max=True))
def test_one_of_three_wins_at_red7(hand: float) -> None:
    here = table("red7")
    while not here.is_over:
        by_luck(here, hand := (hand + 0.618034) % 1.0)
    assert here.payoffs is not None
    assert sorted(here.payoffs) == [0.0, 0.0, 1.0]
    assert all(seat != here.payoffs.index(1.0) for seat in (entry.seat for entry in here.log if entry.label == "out"))


def test_a_position_that_comes_a_third_time_without_chance_is_a_draw() -> None:
    here = table("traffic-lights", version=3)
    entered(here, *["strip to N", "strip to S"] * 2)
    assert here.payoffs == (0.5, 0.5)
    assert here.is_stopped


def test_repeated_hidden_choices_are_not_a_draw() -> None:
    here = entered(table("pebbles"), *["pebble", "pebble"] * 20)
    assert not here.is_over
    assert entered(here, "nothing", "pebble").payoffs == (0.25, 0.75)
    assert not here.is_stopped


def test_chance_in_between_starts_the_count_anew() -> None:
    here = entered(table("pig"), *["hold", "hold", "hold", "roll", "1"])
    assert not entered(here, "hold", "hold").is_over
    assert entered(here, "hold", "hold").payoffs == (0.5, 0.5)


def test_a_game_without_end_is_a_draw_some_day() -> None:
    here = table("pig")
    while not here.is_over:
        entered(here, "roll", "1")
    assert here.payoffs == (0.5, 0.5)
    assert MAX_ENTRIES <= here.number <= MAX_ENTRIES + 1


def test_seats_that_are_skipped_are_skipped() -> None:
    here = table("skipping")
    seats = [here.mover]
    while not here.is_over:
        by_hand(here, 0.9)
        seats.append(here.mover)
    assert len(set(seats)) > 1


def test_rewards_are_added_up() -> None:
    here = entered(table("best_of_turns"), "roll", "face 5", "keep", "roll", "face 2", "again", "face -6")
    assert here.rewards == [11.0]


def test_a_secret_choice_is_not_seen_by_the_other() -> None:
    here = entered(table("matching_pennies"), "tails")
    assert here.observed_log(0)[0].label == "tails"
    assert here.observed_log(1)[0].label == HIDDEN
    assert here.observation(1) == (1, 0)
    assert here.observed_log(1)[0].state == (1, 0)
    entered(here, "heads")
    assert here.observation(1) == (2, 1)
    assert here.observed_log(1)[0].label == "tails"


@settings(max_examples=15)
@given(hands=HANDS)
def test_no_one_at_red7_sees_what_is_in_others_hands(hands: list[float]) -> None:
    here = table("red7")
    for hand in hands:
        by_luck(here, hand)
        if here.is_over:  # and all is shown
            return
        for seat in range(here.players):
            seen, log = here.observation(seat), here.observed_log(seat)
            assert seen is None or here.game.part("view")(here.rules, seen) == seen
            for entry, open_entry in zip(log, here.log, strict=True):
                drawn = open_entry.kind == "event" and open_entry.label != "out"
                dealt = drawn and not any(before.kind == "action" for before in here.log[: entry.number])
                is_open = dealt and entry.number >= CARDS_IN_HAND * here.players  # on the table, the last to be dealt
                assert (entry.label == HIDDEN) == (not is_open and (dealt or (drawn and entry.seat != seat)))
                assert entry.label != HIDDEN or entry.random_number is None


@settings(max_examples=15)
@given(hands=HANDS)
def test_every_player_of_red7_sees_the_table_and_their_own_hand(hands: list[float]) -> None:
    here = table("red7")
    for hand in hands:
        by_luck(here, hand)
        if here.is_over:
            return
        for seat in range(here.players):
            seen = here.observation(seat)
            if seen is None:
                assert here.state.undealt > 0
                continue
            own = here.game.turned(here.rules, here.state, (seat - here.observer) % here.players)
            palettes = ("palette", "palette1", "palette2", "palette3", "canvas", "out")
            assert seen.hand == own.hand
            assert all(getattr(seen, name) == getattr(own, name) for name in palettes)
            assert [entry.state for entry in here.observed_log(seat)][-1] == seen


def test_two_events_with_one_name_are_reported(tmp_path: Path) -> None:
    event = 'def event(rules, state, action, after):\n    return "something"\n\n\ndef over(rules, state):'
    path = rulefiles.write(tmp_path, ("def over(rules, state):", event))
    game: Game = catalog.find(str(path))
    with pytest.raises(GameError, match="two outcomes of one action have the same 'event'"):
        Table(game, game.default_rules, ["roll"])


def test_the_same_state_for_one_player_or_another_is_two_events(tmp_path: Path) -> None:
    path = rulefiles.write(
        tmp_path,
        (
            "    for face in (2, 3):\n        yield 1 / 3, State(score, rival, turn + face), 0\n",
            "    yield 2 / 3, State(score, rival, 0), 0\n",
        ),
    )
    game = catalog.find(str(path))
    here = Table(game, game.default_rules, ["roll"])
    assert [event.label.rpartition(", ")[2] for event in here.events] == ["next player", "same player"]


PENNIES = '''"""Pennies: both show a side at the same time; the second wins if they are equal."""

from typing import NamedTuple

players = 2
actions = ("heads", "tails")


class Rules(NamedTuple):
    pass


class State(NamedTuple):
    first: int = 0  # 1 or 2 when it has been chosen
    second: int = 0


def start(rules):
    return State()


def legal(rules, state):
    yield from (0, 1)


def outcomes(rules, state, action):
    yield 1.0, State(state.first or 1 + action, 1 + action if state.first else 0), 1


def over(rules, state):
    return state.second != 0


def payoff(rules, state):
    return float(state.first != state.second)


def view(rules, state):
    return state if state.second else State(min(state.first, 1), 0)


def turned(rules, state):
    return state


def revealed(rules, state, action, after):
    return f"Shown: {actions[state.first - 1]} and {actions[action]}." if state.first else ""
'''


def test_what_is_revealed_together_is_reported_to_all_players(tmp_path: Path) -> None:
    path = tmp_path / "pennies.py"
    path.write_text(PENNIES)
    game = catalog.find(str(path))
    table = Table(game, game.default_rules)
    table.enter("tails")
    [hidden] = table.observed_log(1)
    assert (hidden.label, hidden.revealed) == (HIDDEN, "")
    table.enter("heads")
    assert [entry.revealed for entry in table.observed_log(0)] == ["", "Shown: tails and heads."]


EXAMPLES = Path(__file__).parents[2] / "examples"
VIEWS = (
    ("skunk", {"goal": 10}),
    (str(EXAMPLES / "goofspiel.py"), {"cards": 4}),
    (str(EXAMPLES / "incan_gold.py"), {"rounds": 1}),
    (str(EXAMPLES / "kuhn_poker.py"), {}),
    (str(EXAMPLES / "leduc_poker.py"), {}),
    (str(EXAMPLES / "liars_dice.py"), {"sides": 3}),
    (str(BESIDE / "hidden_choices.py"), {}),
    (str(BESIDE / "high_card.py"), {}),
    (str(BESIDE / "late_secret.py"), {}),
    (str(BESIDE / "little_card.py"), {}),
)


def random_log(game: Game, settings: dict[str, int], choices_of: random.Random) -> Table:
    """Play a random game up to the entry before its end, when all is shown."""
    rules = game.rules(settings)
    here = Table(game, rules)
    while not here.is_over:
        here.enter(choices_of.choice(choices(here)))
    return Table(game, rules, [entry.label for entry in here.log[:-1]])


@pytest.mark.parametrize(("name", "settings"), VIEWS)
def test_events_shown_to_a_seat_follow_from_its_observations(name: str, settings: dict[str, int]) -> None:
    game, choices_of = catalog.find(name), random.Random(1)
    shown: dict[Any, str] = {}
    for _ in range(60):
        here = random_log(game, settings, choices_of)
        for seat in range(here.players):
            before = None
            for entry in here.observed_log(seat):
                if entry.kind == "event" and entry.state is not None and entry.state != before:
                    assert shown.setdefault((seat, before, entry.state), entry.label) == entry.label
                before = entry.state


@pytest.mark.parametrize(
    ("name", "settings"), [("skunk", {"goal": 20}), (str(EXAMPLES / "incan_gold.py"), {}), *VIEWS[1:2]]
)
def test_public_events_are_seen_by_all(name: str, settings: dict[str, int]) -> None:
    game, choices_of = catalog.find(name), random.Random(1)
    for _ in range(10):
        here = random_log(game, settings, choices_of)
        events = [entry.number for entry in here.log if entry.kind == "event" and entry.label != "chance"]
        for seat in range(here.players):
            assert all(here.observed_log(seat)[number].label == here.log[number].label for number in events)


def test_choices_at_skunk_are_public_when_both_have_decided() -> None:
    here = entered(table("skunk"), "5", "stand", "hold", "4", "stand")
    assert [entry.label for entry in here.observed_log(1)] == ["5", HIDDEN, "hold", "4", HIDDEN]
    revealed = [
        "",
        "",
        "The first to decide said stand, the other hold.",
        "",
        "The player who stands alone said stand.",
    ]
    assert [entry.revealed for entry in here.log] == revealed
    assert here.observation(1) == GAMES["skunk"].module.State(5, 0, 9, alone=2)


def test_shots_are_seen_and_ships_are_not() -> None:
    game = catalog.find(str(Path(__file__).parents[1] / "games" / "little_battleship.py"))
    table = Table(game, game.default_rules)
    entered(table, "hide at 1", "hide at 2", "shoot at 3")
    assert [entry.label for entry in table.observed_log(0)] == ["hide at 1", HIDDEN, "shoot at 3"]
    assert [entry.label for entry in table.observed_log(1)] == [HIDDEN, "hide at 2", "shoot at 3"]


def test_board_card_is_public_and_the_deal_is_not() -> None:
    board = Table(
        catalog.find(str(EXAMPLES / "leduc_poker.py")), catalog.find(str(EXAMPLES / "leduc_poker.py")).default_rules
    )
    deal, *_ = choices(board)
    entered(board, deal, "call", "call")
    entered(board, choices(board)[0])
    for seat in range(2):
        assert [entry.label for entry in board.observed_log(seat)] == [HIDDEN, "call", "call", board.log[-1].label]
