"""The page is accessible: keyboard, screen reader, contrast, small screens, fingers, any colour vision."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from visiting import Visit, violations

from slowly import slowly

MIN_TARGET = 44  # pixels
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
GAMES = {
    "red-light": {"goal": 4},
    "pig": {"goal": 10},
    "piglet": {"goal": 3},
    "fowl-play": {"goal": 4},
    "traffic-lights": {},
    "red7": {},
}


def check(page: Page) -> None:
    """Check the page on a desktop in the light scheme and on a phone in the dark one."""
    for width, height, scheme in ((1440, 900, "light"), (360, 740, "dark")):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        check_look(page)


def check_look(page: Page) -> None:
    """Check that axe finds no violation, nothing overflows, and every control is large enough for a finger."""
    assert violations(page, rules=AXE_RULES) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window"
    assert page.evaluate(TOO_SMALL, MIN_TARGET) == []


TOO_SMALL = """least => [...document.querySelectorAll('button, .button, nav a, summary, .choice, .segments label')]
    .filter(one => one.checkVisibility())
    .filter(one => { const box = one.getBoundingClientRect(); return box.height < least || box.width < least; })
    .map(one => one.textContent)"""


def test_pages_around_the_games(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    person.page.wait_for_selector(".tile")
    check(person.page)
    person.go("new/pig")
    person.page.wait_for_selector("form.setup")
    person.page.locator("details.rules > summary").click()
    check(person.page)
    person.go("statistics")
    expect(person.page.get_by_role("heading", name="Your results")).to_be_visible()
    check(person.page)
    person.page.get_by_role("button", name="Settings").click()
    check(person.page)


@pytest.mark.parametrize("game", ["pig", *slowly("piglet", "red-light", "fowl-play")])
def test_every_face(visit: Callable[..., Visit], game: str) -> None:
    person = visit()
    person.begin(game, **GAMES[game])
    person.wait()
    check(person.page)


def test_what_comes_after_a_game(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", goal=3)
    person.play_on()
    person.page.wait_for_selector(".verdict")
    for summary in person.page.locator(".end summary").all():
        summary.click()
    check(person.page)


def test_screen_reader_hears_what_happened_and_whose_turn_it_is(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", mode="test")
    person.wait()
    person.choose("flip")
    said = person.page.get_by_role("status").and_(person.page.locator("#announcer"))
    expect(said).to_contain_text("Flip a coin. Which side came up?")
    person.choose("heads")
    expect(said).to_have_text("Heads: 1 point at risk. Your turn.")


def test_keys_lead_from_the_first_page_to_the_end_of_a_game_with_at_most_twelve_tabs(
    visit: Callable[..., Visit],
) -> None:
    person = visit("keyboard")
    person.go()
    page = person.page
    page.wait_for_selector(".tile")
    tabs = 0

    def tab_to(selector: str) -> None:
        nonlocal tabs
        while not page.evaluate("selector => document.activeElement.matches(selector)", selector):
            page.keyboard.press("Tab")
            tabs += 1

    tab_to(".skip")
    page.keyboard.press("Enter")
    tab_to("[type=search]")
    page.keyboard.type("piglet")
    tab_to("[data-game=piglet]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table")
    person.wait()
    tab_to(".actions button")
    heads = 0
    while person.wait():
        label = "hold" if heads >= 3 and "hold" in person.offered() else "flip"
        key = page.locator(f".actions [data-label={label}]").get_attribute("data-key")
        page.keyboard.press(str(key))
        heads = heads + 1 if label == "flip" and page.locator(".actions [data-label=hold]").count() else 0
    expect(page.locator(".play.over .message")).to_be_visible()
    assert tabs <= 12, tabs


def test_yellow_and_blue_in_colours_and_words_is_remembered(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("red-light", mode="test", goal=4)
    person.page.get_by_role("button", name="Settings").click()
    person.page.get_by_label("Yellow and blue").check()
    person.page.get_by_role("button", name="Done").click()
    expect(person.page.locator(".left")).to_contain_text("24 blue")
    person.page.reload()
    person.wait()
    person.choose("draw")
    expect(person.page.locator(".event")).to_have_text(["Blueprobability 85.7 %b", "Yellowprobability 14.3 %y"])
    check(person.page)


def test_sound_can_be_switched_off_for_good(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    person.page.get_by_role("button", name="Settings").click()
    person.page.get_by_label("Sound").uncheck()
    person.page.reload()
    person.page.get_by_role("button", name="Settings").click()
    expect(person.page.get_by_label("Sound")).not_to_be_checked()


def test_shortcuts_can_be_switched_off(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", mode="test")
    person.page.get_by_role("button", name="Settings").click()
    person.page.get_by_label("Shortcuts").uncheck()
    person.page.get_by_role("button", name="Done").click()
    person.wait()
    person.page.keyboard.press("f")
    expect(person.page.get_by_role("button", name="Flip")).to_be_visible()
    expect(person.page.locator("kbd")).to_have_count(0)
