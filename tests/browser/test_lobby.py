"""The lobby: who waits is seen, joined and watched; who looks elsewhere is called back; players say three things."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import PHONE, Visit, violations

ELSEWHERE = """
globalThis.isElsewhere = false;
Object.defineProperty(document, "visibilityState", { get: () => globalThis.isElsewhere ? "hidden" : "visible" });
globalThis.notified = [];
globalThis.Notification = class extends EventTarget {
  static permission = "default";
  static async requestPermission() { return (Notification.permission = "granted"); }
  constructor(words) { super(); globalThis.notified.push(words); }
};
"""
LOOK = "isElsewhere => { globalThis.isElsewhere = isElsewhere; document.dispatchEvent(new Event('visibilitychange')); }"


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_open_table_is_joined_from_the_lobby_and_watched(visit: Callable[..., Visit], how: str, width: int) -> None:
    ann, bob, eve = visit("mouse", 1440), visit(how, width), visit(how, width)
    ann.context.add_init_script(ELSEWHERE)
    ann.page.request.put(f"{ann.address}api/me", data={"name": "Ann"})
    bob.go()
    bob.page.get_by_role("link", name="Lobby").click()
    expect(bob.page.get_by_text("Nobody is waiting now.")).to_be_visible()
    assert violations(bob.page) == []
    ann.go("new/piglet/goal=3")
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_role("switch", name="Notifications").check(force=True)
    ann.page.get_by_role("button", name="Done").click()
    ann.page.locator("[name=opponent][value='@link']").check()
    ann.page.locator("#clock").select_option("30 minutes each, plus 20 s per turn")
    ann.page.get_by_label("Show the table in the lobby").check()
    ann.page.locator("[name=seat][value=first]").check()
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.get_by_text("The table is in the lobby")).to_be_visible()
    ann.page.evaluate(LOOK, True)
    table = bob.page.get_by_role("link", name="Ann waiting, one seat is free")
    expect(table).to_contain_text("30 minutes each, plus 20 s per turn · Goal 3")
    assert violations(bob.page) == []
    assert bob.page.evaluate("document.documentElement.scrollWidth") <= width
    table.click()
    bob.press("button:has-text('Take a seat')")
    bob.page.wait_for_selector(".table")
    expect(ann.page).to_have_title("(Your move) komi: Piglet")
    assert ann.page.evaluate("globalThis.notified") == ["Your move"]
    ann.page.evaluate(LOOK, False)
    expect(ann.page).to_have_title("komi: Piglet")
    eve.go("lobby")
    eve.page.get_by_role("link", name="Ann and Player 2, watch").click()
    expect(eve.page.locator(".message")).to_have_text("It is Ann's turn.")
    bob.page.get_by_role("button", name="Hello").click()
    expect(ann.page.locator(".phrases")).to_contain_text("Player 2: Hello")
    assert violations(ann.page) == []
    resign = bob.page.locator(".leaving button:has-text('Resign')")
    resign.click()
    resign.click()
    expect(ann.page.locator(".message")).to_contain_text("You win.")
    ann.page.get_by_role("button", name="Well played").click()
    expect(bob.page.locator(".phrases")).to_contain_text("Ann: Well played")
