"""A class: the teacher opens a room, a pupil joins by the code and plays, and the board shows it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import PHONE, Visit, violations


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_pupil_joins_and_plays_and_the_board_shows_it(visit: Callable[..., Visit], how: str, width: int) -> None:
    teacher, ann = visit("mouse", 1440), visit(how, width)
    teacher.prepare("piglet", {"goal": 1})
    teacher.go("new/piglet/goal=1")
    teacher.page.locator("[name=opponent][value='@link']").check()
    teacher.page.get_by_role("button", name="Open a room for a class").click()
    expect(teacher.page.get_by_role("alert")).to_contain_text("choose one.")
    teacher.page.locator("[name=opponent][value=easy]").check()
    teacher.page.get_by_role("button", name="Open a room for a class").click()
    expect(teacher.page.get_by_text("Nobody has joined yet.")).to_be_visible()
    assert violations(teacher.page) == []
    ann.go()
    ann.page.get_by_role("link", name="Class").click()
    ann.page.get_by_label("The code of a room").fill(teacher.page.locator(".device-words").inner_text())
    assert violations(ann.page) == []
    ann.press("button:has-text('Enter')")
    ann.page.get_by_label("Your name on the board").fill("Ann")
    assert violations(ann.page) == []
    ann.press("button:has-text('Join')")
    ann.press("button.primary:has-text('Play')")
    ann.page.wait_for_selector(".table")
    row = teacher.page.locator(".class-board tbody tr")
    expect(row).to_contain_text("Annplays")
    ann.play_on()
    expect(row.locator("td").first).to_have_text("1")
    expect(row.locator("td").nth(2)).to_contain_text("%")
    expect(teacher.page.locator(".class-actions li").first).to_contain_text("%")
    assert violations(teacher.page) == []
    ann.go("class")
    ann.page.get_by_role("link", name="you have joined").click()
    ann.page.get_by_role("button", name="Leave the class").click()
    ann.page.get_by_role("button", name="Leave for good").click()
    expect(ann.page.get_by_label("The code of a room")).to_be_visible()
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= width
    expect(teacher.page.get_by_text("Nobody has joined yet.")).to_be_visible()
