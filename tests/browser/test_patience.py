"""A busy server: the page says how long it takes, and asks again by itself."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect
from visiting import Visit

BUSY = json.dumps({"error": "Many games are waiting to be prepared; try again in a minute."})


def busy_once(visit: Visit, address: str, seconds: int, status: int = 503) -> list[str]:
    """Refuse the first request to the address, and let all later ones through; record the methods of all."""
    requests: list[str] = []

    def answer(route: Route) -> None:
        requests.append(route.request.method)
        if len(requests) > 1:
            route.continue_()
        else:
            headers = {"retry-after": str(seconds), "content-type": "application/json"}
            route.fulfill(status=status, headers=headers, body=BUSY)

    visit.page.route(address, answer)
    return requests


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This takes about 4 seconds and continues automatically."),
        ("de", "Das dauert etwa 4 Sekunden und geht von selbst weiter."),
    ],
)
def test_game_is_begun_once_the_solver_has_room(visit: Callable[..., Visit], language: str, sentence: str) -> None:
    person = visit(locale=language)
    person.go("new/piglet")
    person.page.wait_for_selector("[name=opponent][value=easy]")
    person.prepare("piglet", {})
    requests = busy_once(person, "**/api/preparations", 4)
    person.page.locator("button[type=submit].primary").click()
    expect(person.page.locator(".preparing")).to_contain_text(sentence)
    person.page.wait_for_selector(".table")
    assert len(requests) > 1


def test_limit_on_beginning_games_is_waited_for(visit: Callable[..., Visit]) -> None:
    person = visit()
    requests = busy_once(person, "**/api/commitments", 1, status=429)
    person.begin("piglet")
    assert requests == ["POST", "POST"]


@pytest.mark.slow
def test_puzzle_is_waited_for(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.prepare("piglet", {})
    requests = busy_once(person, "**/api/puzzles/piglet", 100)
    person.go("puzzle/piglet")
    expect(person.page.locator("[role=status]").first).to_contain_text("This takes about 2 minutes")
    expect(person.page.locator(".puzzle, .notice")).to_be_visible()
    assert len(requests) > 1


def test_guide_and_hint_answer_once_the_game_is_solved(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", mode="test")
    person.wait()
    busy_once(person, "**/hint", 3)
    person.page.get_by_role("button", name="Guide me through this game").click()
    expect(person.page.locator(".guide [role=status]")).to_contain_text(
        "still being solved … This takes about 3 seconds"
    )
    expect(person.page.locator(".guide [role=status]")).to_contain_text("is best")
    person.page.unroute("**/hint")
    requests = busy_once(person, "**/hint", 1)
    person.page.get_by_role("button", name="What would be best?").click()
    expect(person.page.locator(".hint-answer").first).to_contain_text("best")
    assert len(requests) == 2
