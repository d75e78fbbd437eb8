"""Dice, cards and boards in the terminal, and how dice to keep are typed."""

from collections.abc import Sequence
from typing import Any

import pytest
from rich.console import Console

from komi.cli.drawing import draw
from komi.cli.terminal_player import Seat
from komi.play.table import Table
from komi.rules import catalog


def laid(name: str, labels: Sequence[str], **rules: object) -> Table:
    game = catalog.find(name)
    return Table(game, game.rules(rules), labels)


def drawn(table: Table) -> str:
    console = Console(width=100)
    with console.capture() as captured:
        console.print(draw(table, table.state, ["You", "Hard"]))
    return captured.get()


def test_card_shows_written_scores_and_possible_ones() -> None:
    text = drawn(laid("yahtzee", ["33355", "full house", "11234"]))
    lines = [line.split() for line in text.splitlines()]
    assert "Dice: ⚀ 1  ⚀ 1  ⚁ 2  ⚂ 3  ⚃ 4" in text
    assert ["ones", "2"] in lines
    assert ["full", "house", "25"] in lines
    assert ["total", "25"] in lines


def test_cards_of_two_stand_side_by_side() -> None:
    text = drawn(laid("yahtzee", ["33355", "full house", "11234", "chance", "66666"], players=2))
    lines = [line.split() for line in text.splitlines()]
    assert ["You", "Hard", "now"] in lines
    assert ["total", "25", "11"] in lines


def test_board_lies_with_the_side_of_the_mover_below() -> None:
    text = drawn(laid("royal-game-of-ur", ["3", "enter at 3", "4"]))
    rows = [line for line in text.splitlines() if line.startswith("│")]
    assert len(rows) == 3
    assert "○" not in "".join(rows)
    assert "●" in rows[0]
    assert "You ○: 6 waiting" in text or "Hard ○: 7 waiting" in text
    assert "Throw: 4 of 4" in text


def test_points_to_the_goal_stand_above_the_dice() -> None:
    text = drawn(laid("ten-thousand", ["roll", "115 can score"]))
    assert text.split("\n")[0].split() == ["own", "points:", "0"]
    assert "Dice: ⚀ 1  ⚀ 1  ⚄ 5  ◌" in text


@pytest.mark.parametrize("typed", ["keep 3 3 5", "335", "5,3,3", "keep 335", "k 533"])
def test_dice_to_keep_are_typed_in_any_order(typed: str) -> None:
    assert _meant(laid("yahtzee", ["33355"]), typed) == ["keep 335"]


def test_digits_are_never_the_place_of_a_box_in_a_list() -> None:
    assert _meant(laid("yahtzee", ["33355"]), "6") == []
    assert _meant(laid("hooligan", ["33355"]), "score 3") == ["score 3"]
    assert _meant(laid("yahtzee", ["33355"]), "full") == ["full house"]
    assert _meant(laid("ten-thousand", ["roll", "115 can score"]), "5 1") == ["set aside 15"]


def _meant(table: Table, typed: str) -> Any:
    return Seat(table, 0, None, None, False)._meant(typed, list(table.actions))


def test_items_are_listed_with_what_chance_has_laid() -> None:
    table = laid("pig-solitaire", ["roll", "5", "roll", "4"])
    console = Console(width=100)
    with console.capture() as captured:
        console.print(draw(table, table.state, ["You"]))
    assert captured.get().splitlines() == [
        "Score: 0 of 100 points",
        "Turns: 10 of 10 turns left",
        "This turn: 9 points at risk  ⚃ 4",
    ]
