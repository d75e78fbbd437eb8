"""Test Mode: the person makes the chance and enters it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import Visit

from slowly import slowly


@pytest.mark.parametrize(("how", "width"), [("keyboard", 360), *slowly(("mouse", 1440), ("touch", 360))])
def test_person_makes_all_chance_of_a_game(visit: Callable[..., Visit], how: str, width: int) -> None:
    person = visit(how, width)
    person.begin("red-light", mode="test", goal=4)
    for label in ("draw", "green", "draw", "green", "draw", "green", "hold"):
        person.wait()
        assert label in person.offered()
        person.choose(label)
    while person.wait():
        if "red" in person.offered():
            person.choose("red")  # the opponent never gets anywhere
        else:
            person.choose("draw")
            person.wait()
            person.choose("green")  # with the goal reached, the hold is made by itself
    expect(person.page.locator(".message")).to_have_text("You win!")


def test_what_is_certain_is_not_requested(visit: Callable[..., Visit]) -> None:
    person = visit(hurry=False)
    person.begin("red-light", mode="test", goal=4, green=1)
    for label in ("draw", "green", "draw"):  # only red chips are left
        person.wait()
        person.choose(label)
    expect(person.page.locator(".theirs.moving")).to_be_visible()


def test_each_side_of_the_die_is_a_button_with_its_chance(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("pig", mode="test", goal=10)
    person.wait()
    person.choose("roll")
    person.page.wait_for_selector(".event")
    assert person.offered() == ["1", "2", "3", "4", "5", "6"]
    expect(person.page.locator(".event").first).to_contain_text("16.7 %")
    person.page.keyboard.press("5")
    expect(person.page.locator(".message")).to_contain_text("A 5: 5 points at risk. Your turn.")
