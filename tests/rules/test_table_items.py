"""What lies on the table: the form of items, and their text."""

from pathlib import Path
from typing import Any

import pytest

from komi.checking.items import states_as_seen
from komi.errors import GameError
from komi.rules import catalog
from komi.rules.enumeration import explore
from komi.rules.interpreter import Interpreter
from komi.rules.table_items import item_of, item_of_action, items, table_lines, wrong_item

import rulefiles

EXAMPLES = Path(__file__).parents[2] / "examples"

WRONG = [
    (5, "must yield (kind, place, owner, text, ...), and a kind is card, die,"),
    (("coin", "Bank", -1, ""), "must yield (kind, place, owner, text, ...)"),
    (("card", "Hand", 2, "K"), "the owner of a card is a seat from 0 to 1, or -1 for nobody"),
    (("card", "Hand", 0, 13), "the place and the text of a card are texts of up to 80 characters"),
    (("card", "Hand", 0, "K", 1, 2), "a card has no number behind its text, and can have an action"),
    (("stack", "Deck", -1, "cards"), "a stack has how many behind its text, and can have an action"),
    (("stack", "Deck", -1, "cards", -1), "a stack has no fewer than 0"),
    (("track", "Way", -1, "steps", 5, 4), "the position on a track is from 0 to its length"),
    (("square", "Sea", 0, "", 0, 40), "the row and the column of a square are from 0 to 39"),
    (("token", "Sea", 0, "", 0, 40), "the row and the column of a token are from 0 to 39"),
]


@pytest.mark.parametrize(("entry", "problem"), WRONG)
def test_what_is_no_item_is_reported(entry: Any, problem: str) -> None:
    assert wrong_item(entry, 2).startswith(problem)


def test_items_are_written_place_by_place_with_their_actions() -> None:
    entries = [
        ("card", "Hand", 0, "K"),
        ("card", "Hand", 1, ""),
        ("die", "Dice", -1, "4", 3),
        ("die", "Dice", -1, ""),
        ("stack", "Deck", -1, "cards", 12),
        ("track", "Way", -1, "steps", 2, 5),
        ("square", "Sea", -1, "miss", 0, 1, 7),
        ("square", "Sea", -1, "", 1, 0),
        ("token", "Sea", 1, "ship", 1, 0),
        ("token", "", 0, "out"),
    ]
    assert not any(wrong_item(entry, 2) for entry in entries)
    assert table_lines([item_of(entry) for entry in entries], ["you", "rival"], {3: "keep", 7: "shoot"}) == [
        "Hand of you: [K]",
        "Hand of rival: [?]",
        "Dice: ⚃ 4 (keep)  ◌",
        "Deck: 12 cards",
        "Way: 2 of 5 steps",
        "Sea",
        "                 miss (shoot)",
        "  ship of rival",
        "you: out",
    ]


def test_invalid_items_are_not_shown(tmp_path: Path) -> None:
    table = "def table(rules, state):\n    yield 'coin', '', -1, ''\n\n\n"
    game = catalog.find(rulefiles.write(tmp_path, ("def start(", f"{table}def start(")))
    with pytest.raises(GameError, match=r"'table' yields .'coin'"):
        items(game, game.default_rules, "table", game.part("start")(game.default_rules))


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker_three", "leduc_poker"])
def test_no_player_sees_the_hidden_card_of_another(name: str) -> None:
    game = catalog.find(str(EXAMPLES / f"{name}.py"))
    rules = game.default_rules
    interpreter, players = Interpreter(game, rules), game.players(rules)
    hidden = 0
    for state in explore(interpreter, 5000)[0]:
        if interpreter.is_over(state):
            continue
        whole = items(game, rules, "table", state)
        for seats, seen in enumerate(states_as_seen(interpreter, state)):
            shown = items(game, rules, "table", seen)
            assert [item._replace(text="") for item in shown] == [item._replace(text="") for item in whole]
            for mine, true in zip(shown, whole, strict=True):
                is_others = true.kind == "card" and true.owner not in (-1, seats)
                assert mine.text == ("" if is_others else true.text)
                hidden += is_others
        assert seats == players - 1
    assert hidden > 20


def test_action_of_an_item_is_that_of_the_player_to_move() -> None:
    game = catalog.find(str(EXAMPLES / "battleship.py"))
    rules, State = game.default_rules, game.module.State  # noqa: N806
    state = State(ship=1, target=3)
    actions = game.part("legal")(rules, state)
    found = [item_of_action(game, rules, state, action) for action in actions]
    assert [items(game, rules, "table", state)[index].text for index in found if index is not None] == [
        "a1", "green: ship", "green: ship", "a2", "b2", "c2"
    ]  # fmt: skip
