"""From the first page to the first move: pictures, rules, one press to play, a setup that fits on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect
from visiting import DESK, PHONE, WIDTHS, Visit

SCENES = """() => [...document.querySelectorAll(".tile .scene")].map(one => one.innerHTML)"""


def test_first_page_is_painted_before_the_games_are_known(visit: Callable[..., Visit]) -> None:
    person = visit()
    waiting: list[Route] = []
    person.page.route("**/api/catalog", lambda route: waiting.append(route))
    person.go()
    expect(person.page.get_by_role("heading", name="One more, or stop here?")).to_be_visible()
    expect(person.page.get_by_text("Loading the games …")).to_be_visible()
    while not waiting:
        person.page.wait_for_timeout(50)
    waiting[0].continue_()
    expect(person.page.locator(".tile").first).to_be_visible()


def test_every_game_has_its_own_picture_which_stays_the_same(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    person.page.wait_for_selector(".tile")
    scenes = person.page.evaluate(SCENES)
    assert len(set(scenes)) == len(scenes) == person.page.locator(".tile").count()
    person.page.reload()
    person.page.wait_for_selector(".tile")
    assert person.page.evaluate(SCENES) == scenes


@pytest.mark.parametrize(("how", "width"), DESK)
def test_two_presses_lead_from_the_first_page_to_the_first_flip(
    visit: Callable[..., Visit], how: str, width: int
) -> None:
    person = visit(how, width)
    person.go()
    person.press("button[data-game='piglet']")
    person.page.wait_for_selector(".actions button:not([aria-disabled])")
    person.choose("flip")
    expect(person.page.locator(".turns .mine")).to_have_count(1)


def test_play_now_is_against_the_last_opponent(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", opponent="hard", goal=3)
    person.go()
    button = person.page.locator("button[data-game='piglet']")
    expect(button).to_contain_text("against Hard")
    button.click()
    person.page.wait_for_selector(".table")
    expect(person.page.locator(".table-head")).to_contain_text("against Hard")
    expect(person.page.locator(".rule-words")).to_have_text("goal 3")


def test_setup_fits_on_a_phone_with_start_in_reach_of_the_thumb(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 360, is_mobile=True)
    person.go("new/piglet")
    start = person.page.get_by_role("button", name="Start")
    expect(start).to_be_visible()
    expect(person.page.locator(".preparing")).to_have_count(0)
    box, above = start.bounding_box(), person.page.locator(".choices.two label").last.bounding_box()
    assert box
    assert above
    assert 370 < box["y"] < box["y"] + box["height"] <= 740
    assert above["y"] + above["height"] < box["y"]


@pytest.mark.parametrize(("how", "width"), WIDTHS)
def test_rules_are_reported_before_the_game_and_beside_it(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    person.go("new/piglet/goal=3")
    person.press(".rules-button")
    sheet = person.page.get_by_role("dialog")
    expect(sheet).to_contain_text("First to 3 points wins.")
    expect(sheet.locator(".example")).to_contain_text("Your opponent flips heads, then tails")
    sheet.get_by_role("button", name="Done").click()
    expect(sheet).to_have_count(0)
    person.begin("piglet", goal=3)
    essence = person.page.locator(".essence")
    expect(essence).to_have_text(
        "Flip a coin as often as you dare, and hold before tails comes. First to 3 points wins."
    )
    person.press(".rules-button")
    expect(sheet).to_contain_text("How to play Piglet")
    person.page.keyboard.press("Escape")
    person.play_on()
    expect(essence).to_be_hidden()
    person.begin("piglet", goal=3)
    person.wait()
    expect(essence).to_be_hidden()


def test_traffic_lights_says_what_pressing_again_does(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 360)
    person.begin("traffic-lights")
    expect(person.page.locator(".essence")).to_contain_text("pressing a square again turns red to orange to green")


def test_file_without_written_rules_says_so(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.page.route("**/api/how-to-play", lambda route: route.fulfill(json={"paragraphs": []}))
    person.go("new/piglet")
    person.press(".rules-button")
    expect(person.page.get_by_role("dialog")).to_contain_text("The rule file of this game has no explanation.")


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_rules_that_make_a_game_too_large_leave_those_who_can_play_it(
    visit: Callable[..., Visit], how: str, width: int
) -> None:
    person = visit(how, width)
    page = person.page
    failed = {"key": "0" * 32, "ready": False, "stage": "", "done": 0, "total": 0, "error": "this game is too large."}

    def prepare(route: Route) -> None:
        playable = route.request.post_data_json["opponent"] in ("easy", "medium")
        route.fulfill(json=failed | {"playable": playable})

    page.route("**/api/preparations", prepare)
    person.go("new/piglet")
    expect(page.get_by_role("alert")).to_contain_text("the game is too large to be solved here: you can play it")
    expect(page.locator("[name=opponent][value=hard]")).to_be_disabled()
    expect(page.locator("[name=opponent][value=medium]")).to_be_checked()
    page.get_by_role("button", name="Start").click()
    person.wait()


def test_opponents_are_those_of_the_rules_chosen(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go("new/hog")
    person.press("details.rules summary")
    offered = person.page.locator("[name=opponent][value=medium]")
    expect(offered).to_be_checked()
    person.page.fill("[name=rule-goal]", "12")
    person.page.fill("[name=rule-players]", "3")
    expect(offered).to_have_count(0)
    expect(person.page.locator("[name=opponent][value=hard]")).to_be_checked()
    person.page.fill("[name=rule-players]", "2")
    expect(offered).to_have_count(1)
    expect(person.page.locator("[name=opponent][value=hard]")).to_be_checked()
