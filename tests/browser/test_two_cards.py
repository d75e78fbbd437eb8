"""A card for each of two players: each sees both, and writes on their own."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from test_for_everybody import check
from visiting import Visit

from slowly import slowly


@pytest.mark.parametrize(("how", "width"), [("touch", 390), *slowly(("mouse", 1280))])
def test_each_writes_on_a_card_of_their_own(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    person.begin_at("yahtzee", "medium", "test", ["33355"], players=2)
    mine, theirs = (person.page.get_by_role("region", name=name) for name in ("Your card", "The card of Medium"))
    expect(mine).to_have_class(re.compile("moving"))
    expect(theirs.get_by_role("button")).to_have_count(0)
    tops = {round(card.bounding_box()["y"]) for card in (mine, theirs)}  # type: ignore[index]
    assert len(tops) == (1 if width > 700 else 2)  # beside each other, or below
    check(person.page)
    person.press(".card-box[data-label='full house']")
    expect(mine.locator(".card-total")).to_have_text("Total25")
    expect(mine.locator(".card-filled")).to_have_text("Full house25")
    expect(theirs).to_have_class(re.compile("moving"))
    expect(mine.get_by_role("button")).to_have_count(0)
    for side in (6, 6, 6, 6, 6):
        person.press(f"button[aria-label='A {side} came up']")
    person.press(".pad .primary")
    expect(theirs.locator(".card-total")).to_have_text("Total50")
    expect(mine).to_have_class(re.compile("moving"))
    expect(mine.locator(".card-total")).to_have_text("Total25")


def test_who_plays_is_chosen_before_the_game(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go("new/yahtzee")
    rival = person.page.get_by_role("radio", name="Medium")
    expect(person.page.get_by_role("radio", name="You alone")).to_be_checked()
    expect(rival).to_be_hidden()
    person.page.get_by_role("radio", name="You and another").check()
    expect(rival).to_be_visible()
    rival.check()
    person.page.get_by_role("button", name="Start").click()
    expect(person.page.locator(".score-card")).to_have_count(2)
