"""Pictures of tables: every item is drawn where it belongs, and everything fits."""

from typing import Any

import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from komi.plotting.table_plot import draw_items
from komi.rules.table_items import NOBODY, Item

TABLE = [
    Item("counter", "Points", 0, "points", (12,)),
    Item("card", "Hand", 0, "Princess"),
    Item("card", "Hand", 1, ""),
    Item("die", "Dice", NOBODY, "6"),
    Item("die", "Dice", NOBODY, ""),
    Item("stack", "Deck", NOBODY, "cards", (9,)),
    Item("track", "Turns", NOBODY, "turns left", (2, 5)),
    Item("token", "Bids", 1, "two 6s"),
    *(Item("square", "Sea", 1, "", (row, column)) for row in range(2, 4) for column in range(3, 6)),
    Item("token", "Sea", 0, "hit", (2, 4)),
]


def drawn(found: list[Item], size: tuple[float, float] = (4.0, 4.0)) -> Any:
    figure = Figure(figsize=size)
    draw_items(figure, (0.05, 0.05, 0.9, 0.9), found, ["you", "other"])
    figure.canvas.draw()
    return figure


def texts(figure: Any) -> list[str]:
    return [each.get_text() for each in figure.axes[0].texts if each.get_text()]


def test_items_lie_under_the_place_and_the_owner() -> None:
    assert texts(drawn(TABLE)) == [
        *("Points of you", "12", "points", "Hand of you", "Princess", "Hand of other", "Dice", "Deck", "9", "cards"),
        *("Turns", "2 of 5 turns left", "Bids of other", "two 6s", "Sea of other", "hit"),
    ]


def test_six_is_six_pips_and_what_is_hidden_has_no_text() -> None:
    figure = drawn([Item("die", "", NOBODY, "6"), Item("card", "", 1, "")])
    assert sum(type(patch).__name__ == "Circle" for patch in figure.axes[0].patches) == 6
    assert texts(figure) == ["other"]


def test_token_lies_on_its_square_whoever_owns_it() -> None:
    patches = drawn(TABLE[-7:]).axes[0].patches
    squares = [patch.get_bbox() for patch in patches[:6]]
    token = patches[6].get_path().get_extents(patches[6].get_transform() - patches[6].axes.transData)
    assert [
        square.x0 < token.x0 and token.x1 < square.x1 and square.y0 < token.y1 < square.y1 for square in squares
    ] == [index == 1 for index in range(6)]


@pytest.mark.parametrize("size", [(4.0, 4.0), (12.0, 3.0), (2.0, 9.0)])
@pytest.mark.parametrize("count", [1, 5, 60, 400])
def test_everything_fits(count: int, size: tuple[float, float]) -> None:
    figure = drawn((TABLE * 40)[:count], size)
    axes = figure.axes[0]
    box = axes.get_window_extent().padded(1.0)
    for patch in axes.patches:
        extent = patch.get_window_extent()
        assert box.x0 <= extent.x0 <= extent.x1 <= box.x1
        assert box.y0 <= extent.y0 <= extent.y1 <= box.y1


def test_empty_table_is_empty() -> None:
    assert texts(drawn([])) == []
