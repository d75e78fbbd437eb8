"""The sandbox: a position set up, weighed, played on, taken back, written down and read again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from visiting import DESK, PHONE, Visit, violations


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_position_is_set_up_weighed_and_played_on(
    visit: Callable[..., Visit], how: str, width: int, tmp_path: Path
) -> None:
    person = visit(how, width)
    page = person.page
    person.prepare("piglet", {})
    person.go("new/piglet")
    page.get_by_role("link", name="Sandbox").click()
    person.wait()
    expect(page.locator(".beside .worths li")).to_have_count(2)
    page.get_by_text("Set up a position").click()
    page.get_by_label("Score", exact=True).fill("7")
    page.get_by_label("Turn", exact=True).fill("-1")
    page.get_by_role("button", name="Set up").click()
    expect(page.locator(".table .notice:not([hidden])")).to_have_count(1)
    page.get_by_label("Turn", exact=True).fill("2")
    page.get_by_role("button", name="Set up").click()
    expect(page.locator(".table .notice:not([hidden])")).to_have_count(0)
    expect(page.locator(".lane .score").first).to_have_text("7")
    expect(page.locator(".lane .risk").first).to_have_text("2 at risk")
    person.choose("flip")
    person.choose("heads")
    expect(page.locator(".lane .risk").first).to_have_text("3 at risk")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".event:not([aria-disabled])")
    person.choose("tails")
    expect(page.locator(".message")).to_contain_text("Player 2, your turn.")
    assert violations(page) == []
    page.get_by_role("button", name="The best move").click()
    page.wait_for_selector(".event:not([aria-disabled])")
    page.get_by_role("button", name="Draw it for me").click()
    page.wait_for_selector(".action:not(.event)")
    page.get_by_role("button", name="Review as Player 1").click()
    expect(page.locator(".mistakes .accuracy")).to_contain_text("of 100")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save the record").click()
    record = tmp_path / "piglet.txt"
    downloading.value.save_as(record)
    assert "start: score=7,rival=0,turn=2\n" in record.read_text()
    page.get_by_role("button", name="Back to the beginning").click()
    expect(page.locator(".turns .mark")).to_have_count(0)
    page.get_by_label("Record to open").set_input_files(record)
    expect(page.locator(".turns .mark").first).to_be_visible()
    record.write_text("nonsense")
    page.get_by_label("Record to open").set_input_files(record)
    expect(page.get_by_text("This is not a game record")).to_be_visible()


def test_finished_game_is_opened_in_the_sandbox(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", goal=2)
    person.play_on()
    steps = person.page.locator(".turns .mark").count()
    person.page.get_by_role("button", name="Open in the sandbox").click()
    expect(person.page.get_by_text("In the sandbox, you play for every seat")).to_be_visible()
    expect(person.page.locator(".turns .mark")).to_have_count(steps)
    person.page.get_by_role("button", name="Undo").click()
    person.page.wait_for_selector(".actions button:not([aria-disabled])")


@pytest.mark.parametrize(("how", "width"), PHONE)
def test_two_opponents_are_watched_to_the_end(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    page = person.page
    person.prepare("piglet", {"goal": 2})
    page.add_init_script("localStorage.setItem('komi.settings', JSON.stringify({ pace: 'instant' }))")
    person.go("sandbox/piglet/goal=2")
    person.wait()
    page.locator("#plays-0").select_option("hard")
    page.locator("#plays-1").select_option("medium")
    page.get_by_role("button", name="Let them play").click()
    expect(page.locator(".message")).to_contain_text("wins!")
    expect(page.get_by_role("button", name="Let them play")).to_be_visible()


@pytest.mark.parametrize(("how", "width"), DESK)
def test_class_votes_before_the_answer_is_shown(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    page = person.page
    person.prepare("piglet", {})
    person.go("sandbox/piglet")
    person.wait()
    page.get_by_role("button", name="Classroom mode").click()
    expect(page.locator(".worths")).to_have_count(0)
    for _ in range(3):
        page.locator(".ballot button").first.click()
    expect(page.locator(".votes").first).to_have_text("3")
    assert violations(page) == []
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".worths li")).to_have_count(2)
    expect(page.locator(".votes").first).to_have_text("3")
    person.choose("flip")
    page.wait_for_selector(".event:not([aria-disabled])")
    person.choose("heads")
    expect(page.locator(".votes").first).to_have_text("0")
    page.get_by_role("button", name="Leave classroom mode").click()
    expect(page.locator(".worths li")).to_have_count(2)
