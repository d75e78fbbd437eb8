"""Dice to keep, a card to score on, and pieces on a path: by touch, by keys, and for those who cannot see them."""

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect
from test_for_everybody import check
from visiting import OVER, Visit

from slowly import slowly

ACTION = ".actions .hold:not([aria-disabled]), .actions button:not([aria-disabled])"
CHOICE = f"{ACTION}, .card-box, .mover, .tray-dice button, {OVER}"
FIRST = {"yahtzee": None, "hooligan": None, "ten-thousand": "easy", "royal-game-of-ur": "easy"}


def begin(person: Visit, game: str, mode: str = "normal", labels: Sequence[str] = (), **rules: object) -> None:
    """Start a game that needs no solution, and play some actions and events."""
    person.begin_at(game, FIRST[game], mode, labels, **rules)


def test_dice_are_kept_and_a_box_is_filled_by_touch(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 360)
    begin(person, "yahtzee", "test", ["13336"])
    dice = person.page.locator(".tray-dice button")
    for place in range(3):  # 1 3 3 3 6 lie there
        dice.nth(place + 1).tap()
    expect(person.page.locator(".tray-dice [aria-pressed=true]")).to_have_count(3)
    expect(person.page.locator(".actions .action")).to_have_text(re.compile("Roll the other two"))
    person.page.locator(".actions .action").tap()
    for side in (5, 5):
        person.page.get_by_role("button", name=f"A {side} came up").tap()
    person.page.get_by_role("button", name="Enter this roll").tap()
    box = person.page.get_by_role("button", name=re.compile("Full house would score 25"))
    expect(person.page.locator(".tray-dice [aria-pressed=true]")).to_have_count(3)
    box.tap()
    expect(person.page.locator(".card-filled")).to_have_text("Full house25")
    expect(person.page.locator(".card-total")).to_have_text("Total25")


def test_dice_are_kept_and_a_box_is_filled_by_keys(visit: Callable[..., Visit]) -> None:
    person = visit("keyboard", 1440)
    begin(person, "yahtzee", "test")
    person.page.wait_for_selector(".pad-sides button")
    for key in ("3", "3", "4", "Backspace", "3", "1", "6"):
        person.page.keyboard.press(key)
    person.tab_to(".pad .primary")
    person.page.keyboard.press("Enter")
    person.page.wait_for_selector(".tray-dice button")
    person.page.keyboard.press("3")
    person.page.keyboard.press("3")
    expect(person.page.locator(".tray-dice [aria-pressed=true]")).to_have_count(2)
    person.tab_to(".tray-dice button")
    person.page.keyboard.press("Space")
    expect(person.page.locator(".tray-dice button").first).to_be_focused()
    expect(person.page.locator(".tray-dice [aria-pressed=true]")).to_have_count(3)
    expect(person.page.locator(".actions .action")).to_have_attribute("aria-keyshortcuts", "r")
    person.tab_to(".card-box[data-label=threes]")
    person.page.keyboard.press("Enter")
    expect(person.page.locator("#announcer")).to_contain_text("You score 9 points in threes.")


def test_button_says_why_the_dice_that_are_kept_cannot_be(visit: Callable[..., Visit]) -> None:
    person = visit()
    begin(person, "ten-thousand", "test", ["roll", "1222 can score"])
    hold, roll = person.page.locator(".actions .hold"), person.page.locator(".actions .go-on")
    for button in (hold, roll):
        expect(button).to_have_attribute("aria-disabled", "true")
        expect(button).to_have_accessible_description(re.compile("^Select the dice to set aside"))
    dice = person.page.locator(".tray-dice button")
    dice.nth(1).click()
    expect(roll).to_have_accessible_description("Not all of these dice score.")
    dice.nth(1).click()
    dice.nth(0).click()
    expect(person.page.locator(".tray-words")).to_have_text("1: 100 points.")
    expect(roll).not_to_have_attribute("aria-disabled", "true")
    hold.click()
    expect(person.page.locator(".mine .score")).to_have_text("100")


def test_dice_that_do_not_score_need_not_be_distinguished(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 360)
    begin(person, "ten-thousand", "test", ["roll"])
    for side in (1, 4, 3, 5, 6, 4):
        person.page.get_by_role("button", name=f"A {side} came up").tap()
    person.page.get_by_role("button", name="Enter this roll").tap()
    expect(person.page.locator(".message")).to_have_text("1 and 5 can score. Your turn.")
    expect(person.page.locator(".tray-dice .blank")).to_have_count(4)


def test_piece_moves_to_the_square_that_is_shown_and_the_move_is_marked(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 360)
    begin(person, "royal-game-of-ur", "test", ["4"])
    expect(person.page.locator(".path-square")).to_have_count(20)
    expect(person.page.locator(".path-dice")).to_contain_text("4 of 4 dice show their mark.")
    expect(person.page.locator(".aimed-at")).to_have_attribute("aria-label", "Rosette, empty")
    person.page.get_by_role("button", name="Enter at 4").tap()
    expect(person.page.locator(".path-square.last")).to_have_attribute(
        "aria-label", "Rosette, your piece, the last move"
    )
    expect(person.page.locator(".path-tray.mine")).to_contain_text("6 waiting")
    expect(person.page.locator(".message")).to_contain_text("What came up?")


@pytest.mark.parametrize(
    ("game", "labels"),
    [
        ("yahtzee", ["13336"]),
        *slowly(("ten-thousand", ["roll", "1222 can score"]), ("royal-game-of-ur", ["4", "enter at 4", "2"])),
    ],
)
def test_faces_are_accessible(visit: Callable[..., Visit], game: str, labels: list[str]) -> None:
    person = visit()
    begin(person, game, "test", labels)
    person.page.wait_for_selector(".tray-dice button, .mover")
    check(person.page)


def test_entering_dice_is_accessible(visit: Callable[..., Visit]) -> None:
    person = visit()
    begin(person, "yahtzee", "test", ["13336", "keep 333"])
    person.page.wait_for_selector(".pad-sides button")
    check(person.page)


def set_aside(person: Visit) -> None:
    """Set dice aside that score: all of one face, or all there are."""
    dice = person.page.locator(".tray-dice button")
    sides = sorted({str(die.get_attribute("aria-label")) for die in dice.all()})
    for chosen in [*([side] for side in sides), sides]:
        for side in chosen:
            for _ in range(person.page.locator(f".tray-dice button[aria-label='{side}']").count()):
                person.press(f".tray-dice button[aria-label='{side}'][aria-pressed=false]")
        if person.page.locator(ACTION).count():
            return
        for side in chosen:
            for _ in range(person.page.locator(f".tray-dice button[aria-label='{side}']").count()):
                person.press(f".tray-dice button[aria-label='{side}'][aria-pressed=true]")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "rules"), [("hooligan", {}), ("ten-thousand", {"goal": 1000}), ("royal-game-of-ur", {"pieces": 1})]
)
@pytest.mark.parametrize(("how", "width"), [("touch", 360), ("keyboard", 1440)])
def test_game_is_played_to_its_end(
    visit: Callable[..., Visit], game: str, rules: dict[str, object], how: str, width: int
) -> None:
    person = visit(how, width)
    person.prepare(game, rules)
    begin(person, game, **rules)
    for _ in range(400):
        person.page.wait_for_selector(CHOICE)
        if person.page.locator(OVER).count():
            break
        if not person.page.locator(f"{ACTION}, .card-box, .mover").count():
            set_aside(person)
        person.press(f".card-box, .mover, {ACTION}")
        person.page.wait_for_timeout(50)
    expect(person.page.locator(".verdict")).to_have_text(re.compile("^It matches"))


@pytest.mark.slow
def test_hint_marks_the_dice_to_keep(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.prepare("hooligan", {})
    begin(person, "hooligan", "test", ["12446"])
    person.page.get_by_role("button", name="What would be best?").click()
    expect(person.page.locator(".tray-die.advised")).to_have_count(2)
    expect(person.page.locator(".tray-die.advised").first).to_have_attribute("aria-label", "4, the hint: keep it")


@pytest.mark.slow
def test_hint_says_what_each_piece_that_can_move_is_worth(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.prepare("royal-game-of-ur", {"pieces": 2})
    begin(person, "royal-game-of-ur", "test", ["4", "enter at 4", "3"], pieces=2)
    person.page.get_by_role("button", name="What would be best?").click()
    expect(person.page.locator(".mover .path-worth")).to_have_count(2)
    expect(person.page.locator(".mover.advised")).to_have_count(1)
