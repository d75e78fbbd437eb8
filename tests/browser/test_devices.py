"""A person goes on at another device, by six words or by the link in the QR code, and leaves it again."""

import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import DESK, PHONE, Visit, violations


def show_code(desk: Visit) -> str:
    desk.go()
    desk.page.get_by_role("button", name="Settings").click()
    desk.page.get_by_role("link", name="Another device").click()
    desk.page.get_by_role("button", name="Create a code").click()
    expect(desk.page.get_by_role("timer")).to_contain_text("Valid for ")
    assert violations(desk.page) == []
    return desk.page.locator(".device-words").inner_text()


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_phone_joins_by_the_six_words_and_brings_its_game(visit: Callable[..., Visit], how: str, width: int) -> None:
    desk, phone = visit("mouse", 1440), visit(how, width)
    desk.begin_at("piglet", "random", "test", goal=1)
    phone.begin_at("piglet", "random", "test", goal=2)
    words = show_code(desk)
    phone.go("device")
    phone.page.get_by_label("The six words").fill("babab dodod")
    phone.press("button:has-text('Check the code')")
    expect(phone.page.get_by_text("This code is not valid")).to_be_visible()
    phone.page.get_by_label("The six words").fill(words.upper())
    phone.press("button:has-text('Check the code')")
    expect(phone.page.locator(".device-question")).to_contain_text(
        "The code is that of a person without a name: 1 game."
    )
    assert violations(phone.page) == []
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
    phone.press(".device-question button.primary")
    expect(phone.page.locator(".archive li")).to_have_count(2)
    expect(desk.page.get_by_text("The code was used or withdrawn.")).to_be_visible()
    phone.go("device")
    phone.page.get_by_role("button", name="Leave this device").click()
    phone.page.get_by_role("button", name="Leave for good").click()
    expect(phone.page.get_by_text("Done. This browser is a new person.")).to_be_visible()
    phone.go("games")
    expect(phone.page.get_by_text("No games yet.")).to_be_visible()


@pytest.mark.parametrize(("how", "width"), DESK)
def test_link_of_the_qr_code_asks_before_it_joins(visit: Callable[..., Visit], how: str, width: int) -> None:
    desk, phone = visit(how, width), visit("touch", 360)
    words = show_code(desk)
    assert desk.page.locator(".device-code img").evaluate("image => image.naturalWidth > 0")
    phone.go(f"device/{words.replace(' ', '-')}")
    expect(phone.page.get_by_label("The six words")).to_have_value(words)
    assert phone.page.url.endswith("#/device")  # the code is not in the history
    expect(phone.page.locator(".device-question")).to_be_hidden()
    desk.page.get_by_role("button", name="Withdraw the code").click()
    expect(desk.page.get_by_text("The code was withdrawn.")).to_be_visible()
    phone.press("button:has-text('Check the code')")
    expect(phone.page.get_by_text("This code is not valid")).to_be_visible()


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_everything_is_deleted_by_one_press_and_its_confirmation(
    visit: Callable[..., Visit], how: str, width: int
) -> None:
    person = visit(how, width)
    person.begin_at("piglet", "random", "test", goal=1)
    person.go("device")
    person.press("button:has-text('Delete everything')")
    person.press("dialog button.danger")
    expect(person.page.get_by_text("Deleted. This server no longer stores anything about you.")).to_be_visible()
    person.go("games")
    expect(person.page.get_by_text("No games yet.")).to_be_visible()


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_name_and_password_open_the_games_on_another_device(visit: Callable[..., Visit], how: str, width: int) -> None:
    name, password = f"Ann {secrets.token_hex(4)}", "correct horse"
    desk, phone = visit("mouse", 1440), visit(how, width)
    desk.begin_at("piglet", "random", "test", goal=1)
    desk.go("device")
    fill(desk, "Set a name and a password", Name=name, Password=password)
    expect(desk.page.get_by_text(f"You sign in as {name}.")).to_be_visible()
    assert violations(desk.page) == []
    phone.go("device")
    fill(phone, "Sign in with a name and a password", Name=name, Password=password[1:])
    expect(phone.page.get_by_role("alert").first).to_have_text("The name or the password is wrong.")
    assert violations(phone.page) == []
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
    phone.page.locator("form [name=password]").first.fill(password)
    phone.press("form:has-text('Sign in') button")
    expect(phone.page.locator(".archive li")).to_have_count(1)
    desk.page.get_by_role("button", name="Sign out all other devices").click()
    desk.page.get_by_role("button", name="Sign them out").click()
    expect(desk.page.get_by_text("Done. This is your only device now.")).to_be_visible()
    phone.page.reload()
    expect(phone.page.get_by_text("No games yet.")).to_be_visible()
    desk.go("games")
    expect(desk.page.locator(".archive li")).to_have_count(1)


def fill(person: Visit, form: str, **values: str) -> None:
    """Open a form by its title, fill it in, and send it."""
    opened = person.page.locator("details", has=person.page.get_by_text(form, exact=True))
    opened.locator("summary").click()
    for label, value in values.items():
        opened.get_by_label(label).fill(value)
    opened.get_by_role("button").click()
