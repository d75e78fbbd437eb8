"""The puzzle of the day, and the question whether decisions may be studied."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from test_for_everybody import check
from visiting import WIDTHS, Visit, wait_until


@pytest.mark.parametrize("game", ["piglet", pytest.param("traffic-lights", marks=pytest.mark.slow)])
def test_puzzle_is_answered_and_explained(visit: Callable[..., Visit], game: str) -> None:
    person = visit("touch", 360)
    person.go(f"puzzle/{game}")
    page = person.page
    page.wait_for_selector("[data-answer]")
    check(page)
    page.locator("[data-answer]").first.click()
    expect(page.locator(".coach-message")).to_contain_text(
        "Right:" if page.locator(".worths .best em").count() > 1 else "No:"
    )
    expect(page.locator(".puzzle")).to_contain_text("One person answered")
    check(page)
    page.reload()
    expect(page.locator(".worths")).to_be_visible()


@pytest.mark.parametrize(("how", "width"), WIDTHS)
def test_old_puzzles_are_found_and_results_shared_without_the_answer(
    visit: Callable[..., Visit], how: str, width: int
) -> None:
    person = visit(how, width)
    page = person.page
    page.add_init_script("navigator.share = async ({ text }) => { window.shared = text; };")
    person.go("puzzles")
    piglet = page.locator(".puzzle-list li", has=page.get_by_text("Piglet", exact=True))
    expect(piglet.locator("a")).to_have_count(7)
    check(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    piglet.locator(".puzzle-days a").first.click()
    page.locator("[data-answer]").first.click()
    expect(page.get_by_text("Only answers on the day itself count")).to_be_visible()
    page.get_by_role("button", name="Share my result").click()
    wait_until(page, "window.shared !== undefined")
    words = page.evaluate("window.shared")
    assert re.fullmatch(r"komi, Piglet, .*: .* (not )?solved\n.*#/puzzle/piglet/\d{4}-\d{2}-\d{2}", words)


def test_consent_is_requested_once_and_can_be_withdrawn(visit: Callable[..., Visit]) -> None:
    person = visit()
    said = {"study": True, "agreed": None}

    def answer(route: object) -> None:
        if route.request.method == "PUT":  # type: ignore[attr-defined]
            said["agreed"] = json.loads(route.request.post_data)["agreed"]  # type: ignore[attr-defined]
        route.fulfill(json=said)  # type: ignore[attr-defined]

    person.page.route("**/api/consent", answer)
    person.go()
    person.page.wait_for_selector(".tile")
    person.page.evaluate(
        "import('./consent.js').then(async ({ consentQuestion }) =>"
        " document.getElementById('main').append(await consentQuestion()))"
    )
    expect(person.page.get_by_role("heading", name="study how people play")).to_be_visible()
    check(person.page)
    person.page.get_by_role("button", name="Yes, I agree").click()
    expect(person.page.get_by_text("Thank you.")).to_be_visible()
    assert said["agreed"] is True
    assert person.page.evaluate("import('./consent.js').then(({ consentQuestion }) => consentQuestion())") is None
    person.page.get_by_role("button", name="Settings").click()
    person.page.get_by_text("My decisions may be studied").click()
    expect(person.page.get_by_text("Your games are no longer used.")).to_be_visible()
    assert said["agreed"] is False
