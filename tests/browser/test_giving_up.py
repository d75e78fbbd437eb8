"""Leaving a game: resigning, taking back what was mistyped, and moves that outlive the page."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import DESK, PHONE, Visit, violations


@pytest.mark.parametrize(("how", "width"), DESK)
def test_resigning_takes_two_presses_and_is_fair(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    person.begin("piglet")
    person.wait()
    person.press(".leaving button")
    expect(person.page.locator(".play.over")).to_have_count(0)
    person.press(".leaving button")
    expect(person.page.locator(".message")).to_have_text("You have resigned: Easy wins.")
    expect(person.page.locator(".verdict")).to_have_text("Yes.")
    expect(person.page.locator(".leaving button")).to_be_hidden()


@pytest.mark.parametrize(
    ("locale", "chosen", "end"),
    [
        ("en-GB", "resign; play on was", "At the end: 0.0"),
        ("de-DE", "„aufgeben“ gewählt; „weiterspielen“", "Am Ende: 0,0"),
    ],
)
def test_resigning_is_reviewed_as_the_decision_it_is(
    visit: Callable[..., Visit], locale: str, chosen: str, end: str
) -> None:
    person = visit(locale=locale)
    person.begin_at("piglet", "easy", "normal")
    person.wait()
    person.press(".leaving button")
    person.press(".leaving button")
    expect(person.page.locator(".accuracy strong")).to_have_text(re.compile(r"^0[.,]0$"))
    expect(person.page.locator(".curve-readout")).to_contain_text(end)
    expect(person.page.locator(".mistakes")).to_contain_text(chosen)
    person.page.locator(".coach button").click()
    person.page.locator("[data-answer='play on']").click()
    expect(person.page.locator(".coach-end")).to_be_visible()


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_mistyped_chance_is_taken_back(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    person.begin("piglet", mode="test")
    person.wait()
    expect(person.page.locator(".leaving button").first).to_be_hidden()
    for label in ("flip", "tails"):
        person.wait()
        person.choose(label)
    person.page.wait_for_selector(".theirs.moving")
    person.page.wait_for_selector(".event:not([aria-disabled])")
    person.press(".leaving button")
    expect(person.page.locator(".mine.moving")).to_be_visible()
    person.page.wait_for_selector(".event:not([aria-disabled])")
    person.choose("heads")
    expect(person.page.locator(".mine .risk")).to_have_text("1 at risk")
    person.page.reload()
    expect(person.page.locator(".mine .risk")).to_have_text("1 at risk")


def test_move_is_repeated_while_the_database_is_away(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin_at("piglet", "easy", "normal")
    person.wait()
    away = {"status": 503, "headers": {"retry-after": "2"}, "json": {"error": "The database does not respond."}}
    person.page.route("**/moves", lambda route: route.fulfill(**away), times=2)
    person.choose("flip")
    expect(person.page.locator(".table .notice")).to_contain_text("Your move is saved")
    expect(person.page.locator(".table .notice")).to_be_hidden()
    expect(person.page.locator(".history .mark-event").first).to_be_visible()


def test_pages_are_requested_again_while_the_database_is_away(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin_at("piglet", "easy", "normal")
    away = {"status": 503, "headers": {"retry-after": "2"}, "json": {"error": "The database does not respond."}}
    person.page.route("**/api/statistics", lambda route: route.fulfill(**away), times=2)
    person.page.goto(f"{person.page.url.partition('#')[0]}#/statistics")
    expect(person.page.get_by_role("alert")).to_have_text("The database does not respond.")
    expect(person.page.get_by_role("heading", name="Your results")).to_be_visible()
    person.page.route("**/api/games", lambda route: route.fulfill(**away), times=2)
    person.page.goto(f"{person.page.url.partition('#')[0]}#/")
    expect(person.page.locator(".begun")).to_be_visible()


def test_kept_move_survives_leaving_the_page(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", mode="test")
    for label in ("flip", "heads"):
        person.wait()
        person.choose(label)
    person.wait()
    person.page.route("**/moves", lambda route: route.abort())
    person.choose("hold")
    expect(person.page.locator(".table .notice")).to_contain_text("Your move is saved")
    address = person.page.url
    person.page.goto("about:blank")
    person.page.unroute("**/moves")
    person.page.goto(address)
    expect(person.page.locator(".mine .score")).to_have_text("1")


def test_two_windows_of_one_browser_are_in_step(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", mode="test")
    person.wait()
    other = visit(same=person)
    other.page.goto(person.page.url)
    other.wait()
    person.choose("flip")
    person.page.wait_for_selector(".event:not([aria-disabled])")
    person.choose("heads")
    expect(other.page.locator(".mine .risk")).to_have_text("1 at risk")
    person.page.bring_to_front()
    expect(person.page.locator(".mine .risk")).to_have_text("1 at risk")


def test_buttons_do_not_cover_the_message_on_the_smallest_phone(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 320, viewport={"width": 320, "height": 568})
    person.begin("piglet")
    person.wait()
    message, buttons = (person.page.locator(one).bounding_box() for one in (".message", ".actions"))
    assert message
    assert buttons
    assert message["y"] + message["height"] <= buttons["y"] + 1
    assert buttons["y"] + buttons["height"] <= 568


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_guide_says_what_there_is_to_decide(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    person.begin("piglet")
    person.wait()
    person.page.get_by_role("button", name="Guide me through this game").click()
    expect(person.page.locator(".guide p")).to_contain_text("You need 10 points more to win")
    expect(person.page.locator(".guide p")).to_contain_text(
        "Flip: a chance of 50.0 % that the turn brings nothing, otherwise 1 on average."
    )
    expect(person.page.locator(".guide p")).to_contain_text("Flip is best: ")
    expect(person.page.locator(".guide p")).to_contain_text("% to win, against hold")
    assert violations(person.page, ".guide") == []
