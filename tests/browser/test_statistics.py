"""Statistics: the rating from exact losses on its ladder, before the results."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import WIDTHS, Visit, violations


@pytest.mark.parametrize(("how", "width"), WIDTHS)
@pytest.mark.parametrize(("locale", "you"), [("en-US", "You"), ("de-DE", "Du")])
def test_statistics_show_the_rating_on_its_ladder_first(
    visit: Callable[..., Visit], how: str, width: int, locale: str, you: str
) -> None:
    person = visit(how, width, locale=locale)
    page = person.page
    person.prepare("piglet", {"goal": 3})
    person.begin_at("piglet", "easy", "normal", goal=3)
    person.play_on()
    page.wait_for_selector(".play.over .curve")  # the review: the game is rated
    person.go("statistics")
    ladder = page.locator("[data-rated=piglet] .ladder li")
    expect(ladder.filter(has_text=you)).to_have_count(1)
    assert ladder.count() > 3
    assert page.locator("h2").first.get_attribute("id") == "ladders-title"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
