"""Games from the first page to the last word, of every kind, by mouse, touch and keyboard, on a phone and on a desk."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from visiting import Visit

GAMES = {
    "red-light": {"goal": 4},
    "pig": {"goal": 10},
    "two-dice-pig": {"goal": 10},
    "piglet": {"goal": 3},
    "fowl-play": {"goal": 4},
    "traffic-lights": {},
    "red7": {},
}
WAYS = [("mouse", 1440), ("touch", 360), ("keyboard", 1440)]
USUAL = {("traffic-lights", "mouse"), ("red7", "touch"), ("piglet", "keyboard")}
UNSOLVED = {"red7"}


@pytest.mark.parametrize(
    ("game", "how", "width"),
    [
        pytest.param(game, *way, marks=() if (game, way[0]) in USUAL else pytest.mark.slow)
        for game in GAMES
        for way in WAYS
    ],
)
def test_game_is_played_to_its_end(visit: Callable[..., Visit], game: str, how: str, width: int) -> None:
    person = visit(how, width)
    person.begin(game, **GAMES[game])
    person.play_on()
    expect(person.page.locator(".message")).to_have_text(re.compile("You win!|wins\\.|You lose\\."))
    expect(person.page.locator(".verdict")).to_have_text("Yes. ")
    if game not in UNSOLVED:
        expect(person.page.locator(".mistakes .meter")).to_contain_text("given away")


def test_second_seat_sees_what_the_opponent_did_first(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", seat="second", goal=3)
    person.wait()
    expect(person.page.locator(".turns > li").last).to_contain_text("Easy")


@pytest.mark.slow
def test_game_for_one_is_played_alone_and_reported_in_points(visit: Callable[..., Visit]) -> None:
    person = visit("touch", 360)
    person.prepare("think", {"turns": 1})
    person.go("new/think/turns=1")
    person.page.get_by_role("button", name="Start").tap()
    person.page.wait_for_selector(".table")
    person.wait()
    person.choose("hold")
    expect(person.page.locator(".message")).to_have_text("It is over: 0 points.")
    expect(person.page.locator(".mistakes .meter")).to_contain_text("8.1 points")
    expect(person.page.locator(".curve h2")).to_have_text("Expected points")


@pytest.mark.slow
def test_game_for_three_shows_the_points_of_all(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", players=3, goal=3)
    expect(person.page.locator(".table .lane strong")).to_have_text(["You", "Easy 2", "Easy 3"])
    person.play_on()
    expect(person.page.locator(".verdict")).to_have_text("Yes. ")
    scores = [int(text) for text in person.page.locator(".table .lane .score").all_text_contents()]
    assert max(scores) >= 3
