"""On a phone everything that a move needs is seen at once: what is drawn, and all that can be chosen."""

from collections.abc import Callable, Sequence

import pytest
from visiting import Visit, wait_until

from slowly import slowly

SIZES = [(320, 568), *slowly((360, 740))]
TURNS = {
    "red-light": ["draw", "green"],
    "pig": ["roll", "4"],
    "fowl-play": ["draw", "chicken"],
    "two-dice-pig": ["roll", "total 7"],
    "piglet": ["flip", "heads"],
}
DRAWN = {"red-light": ".chips svg", "pig": ".die", "fowl-play": ".fan svg", "two-dice-pig": ".die", "piglet": ".coin"}


def begin(person: Visit, game: str, mode: str, labels: Sequence[str], **rules: object) -> None:
    """Start a game against an opponent that needs no solution, and make some moves."""
    person.begin_at(game, "random", mode, labels, **rules)
    person.wait()


def bar_top(person: Visit) -> float:
    box = person.page.locator(".choosing").bounding_box()
    assert box
    return float(box["y"])


def bottom(person: Visit, selector: str) -> float:
    box = person.page.locator(selector).last.bounding_box()
    assert box
    return float(box["y"] + box["height"])


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", TURNS)
def test_what_is_drawn_is_seen_above_the_choices(
    visit: Callable[..., Visit], game: str, width: int, height: int
) -> None:
    person = visit("touch", width, viewport={"width": width, "height": height})
    begin(person, game, "test", [])
    assert person.page.evaluate("scrollY") == 0
    for label in TURNS[game]:
        person.wait()
        person.choose(label)
    person.page.wait_for_selector(".actions .hold:not([aria-disabled])")
    assert person.page.evaluate("scrollY") == 0, "the page needs no scrolling"
    assert bottom(person, DRAWN[game]) <= bar_top(person)
    assert bottom(person, ".lane.theirs") <= bar_top(person)


@pytest.mark.parametrize("game", TURNS)
def test_stage_is_seen_before_the_first_move(visit: Callable[..., Visit], game: str) -> None:
    person = visit("touch", 360)
    begin(person, game, "test", [])
    assert bottom(person, ".stage") <= bar_top(person)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_all_sides_of_the_die_are_at_hand(visit: Callable[..., Visit], width: int, height: int) -> None:
    person = visit("touch", width, viewport={"width": width, "height": height})
    begin(person, "pig", "test", ["roll"])
    assert bottom(person, ".actions .event") <= height
    assert person.page.locator(".actions .event").count() == 6
    assert bottom(person, ".die") <= bar_top(person)


@pytest.mark.parametrize("players", [3, 4])
def test_own_cards_are_seen_above_many_moves(visit: Callable[..., Visit], players: int) -> None:
    person = visit("touch", 360)
    begin(person, "red7", "normal", [], players=players)
    # once all is laid out
    wait_until(
        person.page,
        "document.querySelector('.own-hand').getBoundingClientRect().bottom <= "
        "document.querySelector('.choosing').getBoundingClientRect().top",
    )
