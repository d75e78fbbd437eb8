"""After a game: the table and the curve together, the last turn still on it, joy, and the focus where it was."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import DESK, PHONE, Visit

from slowly import slowly


def play_in_test_mode(person: Visit, *, is_won: bool) -> None:
    """Play Piglet to 3 in which one side flips heads three times."""
    person.begin("piglet", mode="test", goal=3)
    for _ in range(20):
        if not person.wait():
            return
        offered = person.offered()
        own = person.page.locator(".lane.mine.moving").count() == 1
        if "heads" in offered:
            person.choose("heads" if own == is_won else "tails")
        else:
            person.choose("flip" if "flip" in offered and is_won else "hold" if "hold" in offered else "flip")


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_curve_is_pressed_and_the_table_above_it_shows_the_game_as_it_was(
    visit: Callable[..., Visit], how: str, width: int
) -> None:
    person = visit(how, width)
    play_in_test_mode(person, is_won=True)
    page = person.page
    curve = page.locator(".curve svg")
    curve.wait_for()
    expect(page.locator(".table .race .score").first).to_have_text("3")
    expect(page.locator(".table .heads svg")).to_have_count(3)  # as it ended
    curve.scroll_into_view_if_needed()
    curve.click(position={"x": 50, "y": 30})
    expect(page.locator(".curve-readout")).to_contain_text("At the start:")
    expect(page.locator(".table .race .score").first).to_have_text("0")
    expect(page.locator(".table .heads svg")).to_have_count(0)
    stage, plot = page.locator(".table .stage").bounding_box(), curve.bounding_box()
    assert stage
    assert plot
    assert plot["y"] + plot["height"] - stage["y"] < page.evaluate("innerHeight")  # both are seen at once


@pytest.mark.parametrize(
    ("motion", "is_won"), [("no-preference", True), *slowly(("reduce", True), ("no-preference", False))]
)
def test_win_is_celebrated_unless_less_motion_is_requested(
    visit: Callable[..., Visit], motion: str, *, is_won: bool
) -> None:
    person = visit(reduced_motion=motion)
    play_in_test_mode(person, is_won=is_won)
    expect(person.page.locator(".message")).to_contain_text("You win!" if is_won else "Easy wins.")
    if motion == "no-preference" and is_won:
        expect(person.page.locator(".confetti i").first).to_be_attached()
    expect(person.page.locator(".confetti i")).to_have_count(0)


def test_focus_is_on_the_result_when_the_buttons_are_gone(visit: Callable[..., Visit]) -> None:
    person = visit("keyboard")
    play_in_test_mode(person, is_won=True)
    assert person.page.evaluate("document.activeElement.className") == "message"
    person.page.keyboard.press("Tab")
    assert person.page.evaluate("document.activeElement.closest('main') !== null")


def test_last_move_hint_and_line_of_a_board_are_marked(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 360)
    page = person.page
    person.begin("traffic-lights")
    person.wait()
    page.get_by_role("button", name="What would be best?").tap()
    expect(page.locator(".hint-answer")).to_contain_text("Best: b2.")
    expect(page.locator(".square.advised")).to_have_count(1)
    expect(page.get_by_label("b2: empty, the hint")).to_be_visible()
    page.get_by_label("b2: empty").tap()
    person.wait()
    expect(page.locator(".square.last")).to_have_count(1)
    expect(page.locator(".square.advised")).to_have_count(0)
    person.play_on()
    assert page.locator(".square.line").count() >= 3


@pytest.mark.slow
def test_moves_that_are_as_good_are_reported_together_those_of_the_strip_too(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("traffic-lights", version=3)
    person.wait()
    person.page.keyboard.press("?")
    answer = person.page.locator(".hint-answer")
    expect(answer).to_contain_text("one of")
    expect(answer).to_contain_text("strip to")
    texts = person.page.locator(".outcome .small").all_text_contents()
    assert sum(text.count(", ") + text.count(" and ") + 1 for text in texts) == 12 + 3


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_finished_game_is_shown_to_who_has_the_link_until_it_is_withdrawn(
    visit: Callable[..., Visit], how: str, width: int
) -> None:
    person = visit(how, width)
    person.begin("piglet", goal=3)
    person.play_on()
    person.press(".share button")
    link = person.page.get_by_label("The link").input_value()
    friend = visit(how, width)
    friend.page.goto(link)
    expect(friend.page.locator(".notice").first).to_contain_text("Another player shared this game with you.")
    expect(friend.page.locator(".message")).to_have_text(person.page.locator(".message").text_content() or "")
    friend.page.get_by_label("Step of the game").press("Home")
    expect(friend.page.locator(".table .race .score")).to_have_text(["0", "0"])
    expect(friend.page.locator(".verdict")).to_have_text("It matches, but this browser did not see the beginning.")
    expect(friend.page.get_by_role("button", name="Share this game")).to_have_count(0)
    person.page.get_by_role("button", name="Stop sharing").click()
    expect(person.page.locator(".share")).to_contain_text("The link no longer works.")
    friend.page.reload()
    expect(friend.page.get_by_role("alert")).to_contain_text("its link may have been withdrawn")


@pytest.mark.parametrize(("how", "width"), DESK)
def test_costly_decision_is_requested_again_before_the_answer_is_shown(
    visit: Callable[..., Visit], how: str, width: int
) -> None:
    person = visit(how, width)
    page = person.page
    person.begin("piglet", mode="test", goal=3)
    for _ in range(20):  # holds with nothing, and the other flips heads
        if not person.wait():
            break
        person.choose("heads" if "heads" in person.offered() else "hold")
    coach = page.locator(".coach")
    coach.wait_for()
    expect(page.locator(".worst")).to_be_hidden()
    person.press(".coach button")
    expect(coach.locator(".coach-message")).to_contain_text("step 0: what is best here?")
    expect(coach.locator(".worths")).to_have_count(0)
    person.press("[data-answer='hold']")
    expect(coach.locator(".coach-message")).to_contain_text("No: hold (your choice in the game) is worth")
    expect(coach.locator(".coach-message")).to_contain_text("; flip is worth")
    expect(coach.locator(".coach-message")).to_contain_text("After hold the other player moves, and wins in")
    expect(coach.locator(".coach-message")).to_contain_text("With flip, in 50.0 % of cases")
    while page.get_by_role("button", name="Next").count():
        page.get_by_role("button", name="Next").click()
        person.press("[data-answer='flip']")
        expect(coach.locator(".coach-message")).to_contain_text("Right: flip is worth")
    expect(coach.locator(".coach-end")).to_contain_text("You found")
