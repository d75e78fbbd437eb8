"""Small things that make a page pleasant: pace, no keys where there are none, nothing offered that is then refused."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import DESK, PHONE, WIDTHS, Visit, violations

from slowly import slowly

# Adds up the milliseconds that the page takes for pauses and animations.
WAITING = """
    waiting = 0;
    const { setTimeout: later } = window, { animate } = Element.prototype;
    window.setTimeout = (act, wait, ...more) => { waiting += wait ?? 0; return later(act, wait, ...more); };
    Element.prototype.animate = function (...how) { waiting += how[1].duration; return animate.apply(this, how); };
"""


@pytest.mark.parametrize(("how", "width"), DESK)
def test_opponent_moves_at_once_if_that_is_requested(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width, reduced_motion="no-preference")
    page = person.page
    page.add_init_script(WAITING)
    waits = []
    for pace in ("Calm", "At once"):
        person.begin("piglet", mode="test")
        page.get_by_role("button", name="Settings").click()
        page.get_by_label(pace).check()
        page.get_by_role("button", name="Done").click()
        person.wait()
        person.choose("hold")  # then the opponent flips
        page.wait_for_selector(".event:not([aria-disabled])")
        page.evaluate("waiting = 0")
        person.choose("heads")
        expect(page.locator(".theirs .risk")).to_have_text("1 at risk")
        page.wait_for_selector(".event:not([aria-disabled])")
        waits.append(page.evaluate("waiting"))
    assert waits[0] > 500
    assert waits[1] == 0


@pytest.mark.parametrize(("how", "width"), WIDTHS)
def test_keys_are_shown_where_there_are_keys(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width, is_mobile=how == "touch")
    person.begin("piglet")
    person.wait()
    expect(person.page.locator(".actions kbd").first).to_be_visible(visible=how == "mouse")


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_red7_offers_hints_that_search_and_no_test_mode_which_it_would_refuse(
    visit: Callable[..., Visit], how: str, width: int
) -> None:
    person = visit(how, width)
    person.go("new/red7")
    expect(person.page.get_by_role("button", name="Start")).to_be_visible()
    expect(person.page.get_by_text("Test Mode")).to_have_count(0)
    person.begin_with_choice("red7")
    expect(person.page.get_by_text("What would be best?")).to_be_visible()


@pytest.mark.slow
def test_estimates_of_a_search_replace_a_missing_solution(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin_with_choice("red7")
    person.press(".hint-button")
    hint = person.page.locator(".hint-answer")
    expect(hint.locator(".worth-value").first).to_have_text(re.compile(r"\d.* ± \d"))
    expect(hint).to_contain_text("These are estimates of a search, with their standard errors, and not proofs")
    person.play_on()
    person.press("text=Search for the costliest decision")
    found = person.page.locator(".estimated-worst")
    expect(found).to_have_text(re.compile("A search (thinks that step|finds no decision)"))


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_page_ends_where_its_last_section_does(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    person.begin("piglet", goal=5)
    person.play_on()
    person.page.wait_for_selector(".verdict")
    empty = person.page.evaluate(
        """() => document.documentElement.scrollHeight
            - Math.max(...[...document.querySelectorAll("section")].map((one) => one.getBoundingClientRect().bottom))
            - scrollY"""
    )
    assert empty < 150


ESTIMATES = """async (answers) => {
    const { WaitEstimate } = await import("/retry.js");
    const estimate = new WaitEstimate();
    return answers.map((seconds) => estimate.describe(seconds));
}"""


def test_estimate_of_a_wait_that_does_not_count_down_is_not_shown(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    said = person.page.evaluate(ESTIMATES, [20, 12, 25, 3])
    assert said == [
        "This takes about 20 seconds and continues automatically.",
        "This takes about 12 seconds and continues automatically.",
        "This continues automatically.",
        "This continues automatically.",
    ]


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        ("compiling part of Piglet: this takes a few seconds, once only", r"once only\.$"),
        ("preparing the opponents", r"^Preparing the opponents\. This is needed only once; the result is saved\.$"),
    ],
)
def test_preparing_says_once_that_it_is_needed_only_once(visit: Callable[..., Visit], stage: str, text: str) -> None:
    progress = {
        "key": "0" * 32,
        "ready": False,
        "playable": False,
        "stage": stage,
        "done": 0,
        "total": 0,
        "error": None,
    }
    person = visit()
    person.page.route("**/api/preparations**", lambda route: route.fulfill(json=progress, status=202))
    person.page.route("**/api/preparations/*", lambda route: route.fulfill(json=progress, status=202))
    person.go("new/piglet")
    person.page.locator("[name=opponent][value=easy]").check()
    person.page.get_by_role("button", name="Start").click()
    expect(person.page.locator(".preparing p")).to_have_text(re.compile(text))


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("width", [360, 1280])
def test_statistics_stay_in_their_cards(visit: Callable[..., Visit], width: int, locale: str) -> None:
    row = {"game": "piglet", "opponent": "easy", "games": 3, "wins": 0, "win_rate": 0.0, "low": 0.0, "high": 0.56}
    row |= {"average_mistake": 0.5, "streak": 0, "best_streak": 0, "luck": -1.09, "skill": -1.09}
    person = visit(width=width, locale=locale)
    person.page.route("**/api/statistics", lambda route: route.fulfill(json={"ratings": [], "rows": [row]}))
    person.go("statistics")
    expect(person.page.locator(".tiles dd")).to_have_count(7)
    wide = "tiles => tiles.filter((tile) => tile.scrollWidth > tile.clientWidth).map((tile) => tile.textContent)"
    assert person.page.locator(".tiles > div").evaluate_all(wide) == []
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


ELIMINATED = """async (written) => {
    const { Face } = await import("/faces/hands.js");
    const face = new Face({ players: 3, you: 0, rules: { scoring: true }, names: ["Ann", "Bob", "Cid"], log: [] });
    face.show({ written, observer: 0 });
    const stage = document.createElement("div");
    stage.className = "stage stage-hands";
    stage.append(face.root);
    document.querySelector("main").replaceChildren(stage);
}"""


def test_cards_of_eliminated_players_can_be_read(visit: Callable[..., Visit]) -> None:
    written = "hands=R7+O3//G5,palettes=V4+R5/G1+G2+Y1+B2+I6/I3,canvas=Y,seat=1,out=2"
    person = visit()
    person.go("sandbox/pig")
    person.page.wait_for_selector("main .table")
    person.page.evaluate(ELIMINATED, written)
    expect(person.page.locator(".other.is-out")).to_be_visible()
    assert violations(person.page, ".stage", ["color-contrast"]) == []


def test_red7_does_not_come_first(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    first = person.page.locator(".shelf").nth(1).locator(".game-card strong").first
    expect(first).to_have_text("Red Light")


@pytest.mark.slow
def test_differences_of_chances_are_reported_in_percentage_points(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", goal=3)
    person.play_on()
    expect(person.page.locator(".mistakes")).to_contain_text("percentage points")


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_begun_game_is_removed_with_two_presses(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    person.begin("piglet", goal=3)
    person.go()
    person.press(".begun-game button")
    expect(person.page.get_by_role("button", name="Remove: Piglet, for good")).to_be_visible()
    person.press(".begun-game button")
    expect(person.page.locator(".begun-game")).to_have_count(0)
    person.page.reload()
    person.page.wait_for_selector(".tile")
    expect(person.page.locator(".begun-game")).to_have_count(0)


@pytest.mark.parametrize("fonts", ["fonts", *slowly("no fonts")])
@pytest.mark.parametrize(("how", "width"), WIDTHS)
def test_moves_of_red7_are_in_view_and_keep_their_cards_inside(
    visit: Callable[..., Visit], how: str, width: int, fonts: str
) -> None:
    person = visit(how, width)
    if fonts == "no fonts":  # as on a slow network
        person.page.route("**/*.woff2", lambda route: route.abort())
    person.begin_with_choice("red7")
    page = person.page
    assert page.locator(".action").first.bounding_box()["y"] < page.evaluate("innerHeight") - 44  # type: ignore[index]
    outside = page.evaluate(
        """() => [...document.querySelectorAll('.action .card')].filter(card => {
            const [inner, outer] = [card, card.closest('.action')].map(one => one.getBoundingClientRect());
            return inner.left < outer.left || inner.right > outer.right
                || inner.top < outer.top || inner.bottom > outer.bottom;
        }).map(card => card.closest('.action').textContent)"""
    )
    assert outside == []
    page.locator(".all-rules summary").click()
    expect(page.locator(".all-rules li")).to_have_count(7)
    expect(page.locator(".all-rules")).to_contain_text("Violetmost cards below 4")
