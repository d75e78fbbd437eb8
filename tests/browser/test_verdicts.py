"""What the page says of honest games: each kind gets the verdict that its check has proved, and no more."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from dishonest import GAME_ID, HASH, Json, Server, set_up, verdict
from finished import STORE
from playwright.sync_api import Page, expect
from visiting import CurrentServices, Visit

from komi.rules import catalog

from slowly import slowly

NUMBER = "0123456789abcdef" * 2
SHORT: dict[str, Json] = {
    "farkle": {"goal": 1000},
    "fowl-play": {"goal": 8},
    "hog": {"goal": 30},
    "pass-the-pigs": {"goal": 30},
    "pig": {"goal": 25},
    "piglet": {"goal": 6},
    "progressive-pig": {"goal": 25},
    "red-light": {"goal": 8},
    "skunk": {"goal": 30},
    "ten-thousand": {"goal": 1000},
    "traffic-lights": {"version": 3},
    "two-dice-pig": {"goal": 30},
    "big-pig": {"goal": 30},
}
LONG = ("hooligan", "royal-game-of-ur", "ten-thousand", "yahtzee")
SHOWN = 12  # views of a game that the page keeps, from its beginning on
JUDGE = """async ([view, promise]) => {
    const { readCatalog } = await import("/api.js");
    const { findObjections } = await import("/check.js");
    const { rulesOf } = await import("/game-rules.js");
    const { reservations } = await import("/terms-check.js");
    const game = (await readCatalog()).games.find(({ name }) => name === view.game);
    const rules = await rulesOf(view, promise);
    return [findObjections(view, promise, rules), reservations(view, promise, game, rules)];
}"""


@pytest.fixture(scope="module")
def page(browser: Any, served: CurrentServices) -> Any:
    page = browser.new_page()
    page.goto(served.address)
    yield page
    page.close()


def judged(
    page: Page, name: str, protocol: int | None = None, file: str | None = None, settings: Json | None = None
) -> tuple[list[Json], list[str]]:
    """Return the objections to an honest game, and the reservations about it."""
    chosen = random.Random(name)
    game = catalog.find(file or name)
    settings = settings or SHORT.get(name, {})
    rules = game.rules(settings)
    opponent = "easy" if game.players(rules) > 1 else None
    request = {"game": name, "rules": settings, "opponent": opponent, "seat": "either" if opponent else "first"}
    server = Server(file or name, protocol=protocol)
    live = server.begin(request, NUMBER)
    views = [server.view()]
    while not live.table.is_over:
        labels = list(live.table.actions)
        server.move(labels[0] if "hold" in labels and chosen.random() < 0.7 else chosen.choice(labels))
        if len(views) < SHOWN or live.table.is_over:
            views.append(server.view())
    kept = request | {"mode": "normal", "number": NUMBER, "commitment": GAME_ID}
    page.evaluate("localStorage.clear()")
    page.reload()  # the id of the game is always the same, which the page accepts once
    promise = page.evaluate(STORE, [views[:-1], kept, HASH, None, server.sent])
    against, reserved = page.evaluate(JUDGE, [views[-1], promise])
    return against, reserved


@pytest.mark.parametrize("name", [*(name for name in catalog.names() if name not in LONG), *slowly(*LONG)])
def test_honest_game_of_every_kind_gets_its_verdict(page: Page, name: str) -> None:
    against, reserved = judged(page, name)
    assert against == []
    assert reserved == []


def test_game_of_a_file_is_checked_by_its_rules(page: Page, served: CurrentServices) -> None:
    against, reserved = judged(page, "own", file=str(served.own_game))
    assert against == []
    assert reserved == []


def test_game_lost_on_time_is_checked_in_part(page: Page) -> None:
    """The clock is the server's."""
    answer = page.evaluate(
        """async ([view, promise]) =>
            (await import("/terms-check.js")).reservations(view, promise, { title: "Piglet" }, { replay: {} })""",
        [{"game": "piglet", "result": {"late": True}}, {"version": 2, "views": [], "aborted": 0}],
    )
    assert answer == ["You have to trust the server that the time ran out."]


OLD = """([id, hash, number]) => localStorage.setItem(`komi.promise.${id}`, JSON.stringify({
    hash, number, game: "two-dice-pig", rules: { goal: 10 }, opponent: "easy", seat: "first", mode: "normal",
    allRules: null, steps: [],
}))"""


def test_game_begun_by_an_earlier_page_is_checked_as_far_as_that_goes(visit: Callable[..., Visit]) -> None:
    """Outcomes in the order of the rules, and a promise that says less: nothing is kept of what was sent."""
    person = visit()
    server = Server("two-dice-pig", protocol=1).stand_before(person)
    set_up(person, "two-dice-pig", opponent="easy", goal=10)
    person.wait()
    number = person.page.evaluate("id => JSON.parse(localStorage.getItem(`komi.promise.${id}`)).number", GAME_ID)
    person.page.evaluate(OLD, [GAME_ID, HASH, number])
    person.page.reload()
    person.play_on()
    answer, reasons = verdict(person.page)
    assert server.live is not None
    assert answer == "Partly."
    assert len(reasons) == 1
    assert "an earlier version of komi" in reasons[0]
    expect(person.page.locator(".fairness")).not_to_contain_text("with the moves that it sent")


def test_promise_is_shown_with_every_rule_while_the_game_goes_on(visit: Callable[..., Visit]) -> None:
    person = visit()
    Server("pig").stand_before(person)
    set_up(person, "pig", opponent="easy", goal=10)
    person.wait()
    panel = person.page.locator(".promise")
    expect(panel.get_by_role("heading")).to_have_text("Verified randomness")
    expect(panel.locator(".hash")).to_have_text(HASH)
    panel.locator("summary").click()
    rules = catalog.find("pig").rules({"goal": 10})._asdict()
    for name, value in rules.items():
        assert str(value) in panel.locator(f"dt:text-is('{name.capitalize()}') + dd").all_text_contents()
    expect(panel.locator("dt:text-is('Opponent') + dd")).to_have_text("Easy")
    expect(panel.locator("dt:text-is('Who begins') + dd")).to_have_text("You")
