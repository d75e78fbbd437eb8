"""The archive: a person finds a game again, with its review, and a friend's game that waits for a move."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import PHONE, WIDTHS, Visit, violations


@pytest.mark.parametrize(("how", "width"), WIDTHS)
def test_a_finished_game_is_found_again(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    page = person.page
    person.go("games")
    expect(page.get_by_text("No games yet.")).to_be_visible()
    assert violations(page) == []
    person.begin_at("piglet", "random", "test", goal=1)
    person.begin("piglet", goal=1)
    person.play_on()
    played = page.url.rpartition("/")[2]
    page.get_by_role("link", name="Archive").click()
    games = page.locator(".archive li")
    expect(games).to_have_count(2)
    expect(games.nth(1)).to_contain_text("your move, in Test Mode")
    assert violations(page) == []
    page.get_by_label("Result").select_option("running")
    expect(games).to_have_count(1)
    page.get_by_label("Result").select_option("drawn")
    expect(page.get_by_text("No game of yours is like this.")).to_be_visible()
    page.get_by_label("Result").select_option("all")
    expect(games).to_have_count(2)
    games.first.get_by_role("link").click()
    page.wait_for_selector(".play.over")
    assert page.url.endswith(f"#/game/{played}")


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_archive_is_no_wider_than_the_window_in_german(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width, locale="de-DE")
    person.begin_at("piglet", ["Ann", "Bob"], "test", goal=1)
    person.go("games")
    expect(person.page.get_by_label("Name am Tisch")).to_be_visible()
    person.page.get_by_label("Name am Tisch").fill("ann")
    expect(person.page.locator(".archive li")).to_have_count(1)
    assert person.page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(person.page) == []
