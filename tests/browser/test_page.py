"""What the page has beside the games: quick to come, hints, landscape, statistics, the strip that moves."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect
from visiting import Visit

from slowly import slowly

MAX_REQUESTS = 27  # one for each module, style and font, and for the games


def test_first_page_is_there_after_few_requests(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    person.page.wait_for_selector(".tile")
    requested: list[str] = []
    person.page.on("request", lambda request: requested.append(request.url))
    person.page.reload()
    person.page.wait_for_selector(".tile")
    assert len(requested) <= MAX_REQUESTS
    assert all(url.startswith(person.address) for url in requested)


def test_hint_shows_the_chance_of_each_action(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", mode="test")
    for label in ("flip", "heads"):
        person.wait()
        person.choose(label)
    person.wait()
    person.page.keyboard.press("?")
    expect(person.page.locator(".hint .worths li")).to_have_count(2)
    expect(person.page.locator(".hint .best")).to_contain_text("best")


@pytest.mark.slow
def test_landscape_is_requested_again_when_no_answer_came(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", mode="test", goal=3)
    person.wait()
    person.page.route("**/surface", lambda route: route.abort(), times=1)
    person.page.locator(".landscape summary").click()
    words = person.page.locator(".landscape-words")
    expect(words).to_have_text("The server cannot be reached.")
    expect(words).to_contain_text("Score 0, rival 0: hold at")


@pytest.mark.slow
def test_landscape_marks_the_state_and_turns_by_keys_and_mouse(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", mode="test", goal=3)
    person.wait()
    page = person.page
    page.locator(".landscape summary").click()
    expect(page.locator(".landscape-words")).to_contain_text("Score 0, rival 0: hold at")
    frame = page.locator(".landscape-frame")
    before = frame.screenshot()
    frame.focus()
    page.keyboard.press("ArrowRight")
    turned = frame.screenshot()
    assert turned != before
    frame.drag_to(frame, source_position={"x": 60, "y": 60}, target_position={"x": 200, "y": 60})
    assert frame.screenshot() != turned


@pytest.mark.parametrize(("how", "width"), [("touch", 360), *slowly(("mouse", 1440))])
def test_landscape_fills_the_screen(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    person.begin("piglet", mode="test", goal=3)
    person.wait()
    page = person.page
    waiting: list[Route] = []
    page.route("**/surface", lambda route: waiting.append(route))
    page.locator(".landscape summary").click()
    expect(page.locator(".landscape-words")).to_have_text("Computing when to hold …")
    while not waiting:
        page.wait_for_timeout(50)
    waiting[0].continue_()
    page.unroute("**/surface")
    expect(page.locator(".landscape-words")).to_contain_text("hold at")
    page.get_by_role("button", name="Full screen").click()
    expect(page.locator(".landscape-whole:fullscreen")).to_have_count(1)
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport()
    expect(page.locator(".landscape-words")).to_be_in_viewport()
    box = page.locator(".landscape canvas").bounding_box()
    assert box
    assert box["width"] == page.evaluate("innerWidth")
    assert box["height"] > 0.75 * page.evaluate("innerHeight")
    person.press("button:has-text('Close')")
    expect(page.locator(":fullscreen")).to_have_count(0)
    expect(page.get_by_role("button", name="Full screen")).to_be_visible()


def test_curve_shows_the_table_as_it_was(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", goal=3)
    person.play_on()
    steps = person.page.get_by_label("Step of the game")
    steps.wait_for()
    steps.press("Home")
    expect(person.page.locator(".curve-readout")).to_contain_text("At the start:")
    expect(person.page.locator(".table .race .score")).to_have_text(["0", "0"])


def test_statistics_count_go_along_and_are_deleted(visit: Callable[..., Visit], tmp_path: Path) -> None:
    person = visit()
    page = person.page
    person.begin("piglet", goal=3)
    person.play_on()
    person.go("statistics")
    expect(page.locator(".against")).to_contain_text("Against Easy")
    for button, name in (("Save as CSV", "komi.csv"), ("Save as JSON", "komi.json")):
        with page.expect_download() as saved:
            page.get_by_text(button).click()
        saved.value.save_as(tmp_path / name)
    assert "piglet" in (tmp_path / "komi.csv").read_text()
    assert json.loads((tmp_path / "komi.json").read_text())
    page.get_by_role("button", name="Delete everything …").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".against")).to_have_count(1)
    page.get_by_role("button", name="Delete everything …").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("This server no longer stores anything about you.")).to_be_visible()
    expect(page.locator(".against")).to_have_count(0)


def test_name_is_kept_and_can_be_taken_away(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    for name in ("Ada", ""):
        person.page.get_by_role("button", name="Settings").click()
        person.page.get_by_label("Your name (optional)").fill(name)
        person.page.get_by_role("button", name="Done").click()
        person.page.get_by_role("button", name="Settings").click()
        expect(person.page.get_by_label("Your name (optional)")).to_have_value(name)
        person.page.get_by_role("button", name="Done").click()


def test_strengths_are_reported_in_words(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go("new/piglet")
    expect(person.page.locator(".strength").last).to_contain_text("of the time")
    expect(person.page.locator(".strength").last).to_contain_text("Beats Easy")


def test_rules_are_changed_by_typing(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go("new/piglet")
    person.page.locator("details.rules > summary").click()
    person.page.fill("#rule-goal", "3")
    person.page.get_by_role("button", name="Start").click()
    expect(person.page.locator(".rule-words")).to_have_text("goal 3")


def test_wrong_rule_is_reported_in_a_sentence(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go("new/piglet")
    person.page.locator("details.rules > summary").click()
    person.page.fill("#rule-komi", "99")
    expect(person.page.locator(".setup .notice")).to_have_text("“Komi” must be from 0 to 9.")
    person.page.fill("#rule-goal", "")
    expect(person.page.locator(".setup .notice")).to_have_text("“Goal” must be from 1 to 1000.")


def test_address_of_no_game_is_reported_in_a_sentence(visit: Callable[..., Visit]) -> None:
    person = visit()
    for place in ("game/..%2f..", "game/zz"):
        person.go(place)
        expect(person.page.locator(".notice")).to_contain_text("There is no such game")
        person.go()
        person.page.wait_for_selector(".tile")


def test_games_that_are_called_the_same_are_distinguished_by_their_files(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    titles = person.page.locator(".tile strong", has_text=re.compile(r"^Pig (own|pig)\.py$"))
    expect(titles).to_have_text(["Pig own.py", "Pig pig.py"])  # games of this server come first


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
def test_strip_is_moved_and_turned(visit: Callable[..., Visit], how: str) -> None:
    person = visit(how)
    page = person.page
    person.begin_at("traffic-lights", ["Ann", "Bob"], "normal", ["s1"], version=3)
    person.wait()
    if how == "mouse":
        page.get_by_label("strip 2:").drag_to(page.get_by_label("b1:"), target_position={"x": 30, "y": 10})
        page.get_by_role("button", name="Turn it around").click()
        page.get_by_role("button", name="Place it here").click()
    else:
        page.get_by_role("button", name="Move the strip").press("Enter")
        expect(page.get_by_role("button", name="Place it here")).to_be_visible()
        for key in ("ArrowUp", "t", "Enter"):
            page.keyboard.press(key)
    expect(page.locator(".turns")).to_contain_text("strip to N turned")


ACTING = "hands=R7+O3/Y1+G5/B2,palettes=V4+R5/G1+G2/I3,canvas=Y,seat=1,top=B6+I2,known=G5,acting=R5,scored=V7+O2//R1"
SHOWN = """async (written) => {
    const { Face } = await import("/faces/hands.js");
    const face = new Face({ players: 3, you: 0, rules: { scoring: true }, names: ["Ann", "Bob", "Cid"], log: [] });
    face.show({ written, observer: 0 });
    const texts = (selector) => [...face.root.querySelectorAll(selector)].map((each) => each.textContent);
    return [texts(".notes > span"), texts("h2"), texts(".other .small-row .card")];
}"""


def test_red7_shows_what_acts_and_what_all_know(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    notes, headings, hands = person.page.evaluate(SHOWN, ACTING)
    assert notes == ["R5 play another card.", "On top of the deck, the first to be drawn first: B6I2"]
    assert headings == ["Bob: 0 points", "Cid: 1 point", "Your palette: 9 points", "Your hand"]
    assert hands == ["", "G5", ""]


@pytest.mark.parametrize(
    ("locale", "decided"), [("en-GB", "The first to decide said"), ("de-DE", "Wer zuerst entschied, wählte")]
)
def test_rolls_of_skunk_are_shown_and_choices_when_both_are_made(
    visit: Callable[..., Visit], locale: str, decided: str
) -> None:
    person = visit(locale=locale)
    person.begin_at("skunk", "easy", "normal", goal=40)
    person.wait()
    log = person.page.locator(".history")
    expect(log.locator(".mark-event").first).to_have_text(re.compile(r"^[1-6], $"))
    person.choose("stand")
    expect(log).to_contain_text(decided)
    expect(person.page.locator(".message")).not_to_contain_text("plus 0")


def test_cards_of_red7_choose_their_moves_and_other_hands_stay_hidden(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin_with_choice("red7")
    page = person.page
    shown = page.locator(".face-hands .hand-row .card:not(.back)").all_text_contents()
    assert len(shown) == 3 + 7  # the palettes and the own hand
    expect(page.locator(".other .back")).to_have_count(14)
    everything = person.offered()
    held = page.locator(".own-hand button").all()
    assert {card.text_content() for card in held} == {
        name for label in everything for name in shown[3:] if name in label
    }
    name = held[0].text_content() or ""
    held[0].click()
    expect(held[0]).to_have_attribute("aria-pressed", "true")
    assert person.offered() == [label for label in everything if name in label]
    held[0].click()
    assert person.offered() == everything
    person.choose(person.offered()[0])
    person.wait()
