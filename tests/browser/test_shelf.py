"""The games on the first page: in groups, the last played first, found by a search, on three screens of a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import PHONE, Visit, violations


def test_games_are_in_groups_and_found_by_a_search(visit: Callable[..., Visit]) -> None:
    person = visit()
    page = person.page
    person.go()
    page.wait_for_selector(".tile")
    assert page.locator(".shelf h3").all_inner_texts() == [
        "Games of this server",
        "Push your luck",
        "Dice",
        "Cards",
        "Boards",
        "All at once",
        "Alone",
    ]
    light = page.locator(".tile", has=page.get_by_text("Red Light", exact=True))
    expect(light.locator(".game-card-text > small")).to_have_text("≈ 5 min · 2 players")
    field = page.get_by_role("searchbox", name="Search")
    field.fill("dice PIG")
    shown = page.locator(".tile:visible strong")
    expect(shown).to_have_text(["Big Pig", "Two-Dice Pig", "Think"])
    field.fill("chess")
    expect(page.get_by_text("No game here is like this.")).to_be_visible()
    expect(shown).to_have_count(0)
    assert violations(page) == []
    field.fill("")
    expect(page.locator(".shelf:visible")).to_have_count(7)


def test_what_was_played_last_comes_first(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", goal=1)
    person.begin("big-pig", goal=10)
    person.go()
    recent = person.page.locator(".shelf").first
    expect(recent.get_by_role("heading")).to_have_text("Recently played")
    expect(recent.locator("strong")).to_have_text(["Big Pig", "Piglet"])
    expect(person.page.locator(".tile[data-game], [data-game=piglet]")).to_have_count(1)


@pytest.mark.parametrize(("how", "width"), PHONE)
@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_all_games_are_on_three_screens_of_a_phone(
    visit: Callable[..., Visit], how: str, width: int, locale: str
) -> None:
    person = visit(how, width, locale=locale)
    person.page.set_viewport_size({"width": width, "height": 844})
    person.go()
    person.page.wait_for_selector(".tile")
    person.page.evaluate("document.querySelector('.shelf').hidden = true")  # the games of this server are one more
    assert person.page.evaluate("document.documentElement.scrollHeight") <= 3 * 844
    assert person.page.evaluate("document.documentElement.scrollWidth") <= width
    overflowing = "[...document.querySelectorAll('.tile strong')].filter((one) => one.scrollWidth > one.clientWidth)"
    assert len(person.page.evaluate(overflowing)) <= 1  # the Royal Game of Ur on the smallest phones
    assert violations(person.page) == []
