"""A recorded game is the same when it is read again, by any reader."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from komi.errors import InputError
from komi.play import record
from komi.play.table import Table
from komi.rules import catalog

GAMES = ("pig", "red-light", "two-dice-pig", "traffic-lights", "red7", "skunk", "pig-solitaire", "royal-game-of-ur")
PLAIN = """komi record 1
# Somebody's first game.
game: piglet
rules: goal=2
players: Ann / Bob
seat: 2

flip
  heads
hold
flip
  tails
"""


def played(name: str, hands: list[float], beginning: Any = None) -> Table:
    game = catalog.find(name)
    table = Table(game, game.default_rules, initial_state=beginning)
    for hand in hands:
        choices = list(table.actions) or [event.label for event in table.events]
        if choices:
            table.enter(choices[int(hand * len(choices))])
    return table


def same(one: Table, other: Table) -> bool:
    return (one.rules, one.initial_state, one.state, one.log, one.payoffs) == (
        other.rules,
        other.initial_state,
        other.state,
        other.log,
        other.payoffs,
    )


@given(name=st.sampled_from(GAMES), hands=st.lists(st.floats(0, 1, exclude_max=True), max_size=30))
@settings(max_examples=40)
def test_what_was_written_is_read_as_the_same_game(name: str, hands: list[float]) -> None:
    table = played(name, hands)
    text = record.format_game(table, name, ("Ann", "Bob"), 0)
    kept = record.parse(text)
    assert same(kept.table(catalog.find(name)), table)
    assert kept.players == ("Ann", "Bob")
    assert record.format_game(kept.table(catalog.find(name)), name, kept.players) == text


def test_record_is_plain_to_read_and_to_write_by_hand() -> None:
    kept = record.parse(PLAIN)
    table = kept.table(catalog.find(kept.game))
    assert (kept.seat, kept.players, table.rules.goal, table.mover) == (1, ("Ann", "Bob"), 2, 0)
    assert record.format_game(table, "piglet", kept.players, kept.seat) == PLAIN.replace(
        "# Somebody's first game.\n", ""
    )


def test_game_that_began_in_the_middle_begins_there_again() -> None:
    game = catalog.find("red-light")
    beginning = game.read(game.default_rules, "score=30,rival=41,turn=3,red=1,green=9")
    table = played("red-light", [0.0, 0.0, 0.9], beginning)
    text = record.format_game(table, "red-light")
    assert "start: score=30,rival=41,turn=3,red=1,green=9\n" in text
    assert same(record.parse(text).table(game), table)


def test_who_resigned_is_written_down() -> None:
    table = played("pig", [0.0, 0.5])
    table.resign(1)
    again = record.parse(record.format_game(table, "pig")).table(catalog.find("pig"))
    assert (again.resigned, again.payoffs) == (1, (1.0, 0.0))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "its first line must be 'komi record 1'"),
        ("komi record 2\ngame: pig\n", "its first line must be 'komi record 1'"),
        ("komi record 1\n\nroll\n", "a line such as 'game: pig' is missing"),
        ("komi record 1\ngame pig\n", "line 2 of the record, 'game pig', must begin with one of game, rules"),
        ("komi record 1\ngame: pig\ngame: hog\n", "line 3 of the record repeats 'game'"),
        ("komi record 1\ngame: pig\nseat: x\n", "'seat' of the record must be the number of a seat"),
        ("komi record 1\ngame: pig\nrules: goal\n", "rule 'goal' of the record has no value"),
        ("komi record 1\ngame: pig\nseat: 3\n", "the record is for seat 3, but the game has 2 seats"),
        ("komi record 1\ngame: pig\nrules: gaol=3\n", "pig has no rule 'gaol'"),
        ("komi record 1\ngame: pig\n\nroll\n7\n", "step 1 of the record: '7' is not a possible event now"),
        ("komi record 1\ngame: pig\nstart: score=-1\n", "pig has no state"),
    ],
)
def test_what_is_wrong_with_a_record_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        record.parse(text).table(catalog.find("pig"))
