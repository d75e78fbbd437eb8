"""On a phone everything that a move needs is seen at once: what is drawn, and all that can be chosen."""

from collections.abc import Callable, Sequence

import pytest
from visiting import Visit, violations, wait_until

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


def test_names_of_forty_letters_fit(visit: Callable[..., Visit]) -> None:
    ann, bob = visit("touch", 360), visit("touch", 360)
    for person, letter in ((ann, "W"), (bob, "m")):
        person.page.request.put(f"{person.address}api/me", data={"name": 40 * letter})
    ann.go("new/piglet/goal=1")
    ann.page.locator("[name=opponent][value='@link']").check()
    ann.page.get_by_role("button", name="Start").click()
    link = ann.page.get_by_label("Send this link to the other player").input_value()
    assert_fits(ann)
    bob.page.goto(link)
    bob.page.get_by_role("button", name="Take a seat").click()
    for person in (ann, bob):
        person.page.wait_for_selector(".table")
        assert_fits(person)
    resign = bob.page.locator(".leaving button:has-text('Resign')")
    resign.click()
    resign.click()
    for person in (ann, bob):
        person.page.wait_for_selector(".rematch")
        assert_fits(person)
    ann.press(".rematch button")
    bob.page.wait_for_selector(".rematch button:has-text('Accept')")
    assert_fits(bob)
    bob.go("games")
    bob.page.wait_for_selector(".archive li")
    assert_fits(bob)


def test_address_without_a_page_says_so_and_leads_back(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 360, locale="de-DE")
    person.page.goto(f"{person.address}nowhere")
    assert person.page.locator("h1").text_content() == "Unter dieser Adresse gibt es nichts."
    assert violations(person.page) == []
    assert_fits(person)
    person.press("main a")
    person.page.wait_for_selector(".tile")


def assert_fits(person: Visit) -> None:
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 360
