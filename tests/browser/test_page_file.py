"""A page in one file: it is opened from the disk, without a network, and plays the game as the web app does."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import komi
from komi.web.page_file import export_page

EXAMPLES = Path(__file__).parents[2] / "examples"
KUHN = str(EXAMPLES / "kuhn_poker.py")
FAIR = "It has replayed the game: every step, choice and result follows from the rules."
SOLVED = {"max_stored": 0}  # by the page, when it is opened
SAMPLE = """async (number) => {
    const post = async (path, body) =>
        (await fetch(`api/${path}`, { method: "POST", body: JSON.stringify(body) })).json();
    while (!(await post("preparations", { opponent: null })).ready) await new Promise((go) => setTimeout(go, 1000));
    const found = [];
    while (found.length < number) {
        const request = { start: null, labels: [], names: [] };
        for (let isOver = false; !isOver; ) {
            const { state, waiting, actions, events } = await post("sandbox", request);
            isOver = waiting === null;
            if (waiting === "action") {
                const { actions } = await post("sandbox/hint", request);
                found.push([state, Object.fromEntries(actions.map(({ label, worth }) => [label, worth]))]);
            }
            const choices = waiting === "event" ? events : actions;
            request.labels.push(choices[Math.floor(Math.random() * choices.length)]?.label);
        }
    }
    return found;
}"""
WAITING_SOLVER = """window.Worker = class extends Worker {
    postMessage(data) {
        const send = () => super.postMessage(data);
        if (data.table) window.solve = send;
        else send();
    }
};"""
WITHOUT_WORKERS = "window.Worker = class { constructor() { throw new Error(); } };"
SKIP = (
    "sessionStorage.clear(); window.setTimeout = ((later) => (act, wait) => later(act, (wait ?? 0) / 20))(setTimeout);"
)
LOCAL = ("file:", "blob:", "data:")
CHOICES = ".actions button:not([aria-disabled]), .board .square:not([aria-disabled])"

pages: dict[str, bytes] = {}  # that have been exported, by game and rules
Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Writes and opens pages; requests and errors in the console fail the test."""
    troubles: list[str] = []
    contexts = []

    def write_and_open(game: str, width: int = 1440, locale: str = "en-GB", script: str = SKIP, **options: Any) -> Page:
        file = tmp_path / "game.html"
        key = f"{game} {options}"
        if key not in pages:
            export_page(game, file, **options)
            pages[key] = file.read_bytes()
        file.write_bytes(pages[key])
        context = browser.new_context(
            offline=True, viewport={"width": width, "height": 800}, reduced_motion="reduce", locale=locale
        )
        contexts.append(context)
        context.set_default_timeout(20_000)
        context.add_init_script(script)
        page: Page = context.new_page()
        page.on("console", lambda message: troubles.append(message.text) if message.type != "log" else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(LOCAL) else troubles.append(request.url))
        page.goto(file.as_uri())
        return page

    yield write_and_open
    for context in contexts:
        context.close()
    assert not troubles


def begin(page: Page, opponent: str = "", shown: str = ".table") -> None:
    page.locator("a.game-card").click()
    if opponent:
        page.get_by_label(opponent).check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator(shown)).to_be_visible()


def hint_of(page: Page) -> dict[str, float]:
    """Return the values that the page knows of the actions, by label."""
    return page.evaluate(
        """async () => {
            const id = location.hash.split("/")[2];
            const { actions } = await (await fetch(`api/games/${id}/hint`)).json();
            return Object.fromEntries(actions.map(({ label, worth }) => [label, worth]));
        }"""
    )


def state_of(page: Page) -> dict[str, int]:
    return page.evaluate("async () => (await (await fetch(`api/games/${location.hash.split('/')[2]}`)).json()).state")


def play_on(page: Page, solution: Any) -> int:
    """Play to the end, by any actions. Compare each hint with the solution, and return how many were compared."""
    compared = 0
    while not page.locator(".play.over").count():
        if not page.locator(CHOICES).count():
            page.keyboard.press("Escape")
            page.wait_for_timeout(20)
            continue
        if page.locator(".actions button").count() > 1 or not compared:
            exact = {action.label: action.value for action in solution.action_values(state_of(page))}
            assert hint_of(page) == pytest.approx(exact, abs=3e-6 * solution.kind.payoffs.width)
            compared += 1
        choices = page.locator(CHOICES)
        choices.nth(compared % choices.count()).click()
    return compared


@pytest.mark.parametrize(
    ("game", "opponent", "rules", "options"),
    [
        ("pig", "Hard", {"goal": 10}, {}),
        ("pig", "Hard", {"goal": 10}, SOLVED),
        ("pig-solitaire", "", {"goal": 15}, {}),
        ("pig-solitaire", "", {"goal": 15}, SOLVED),
        (str(EXAMPLES / "connect_four.py"), "Hard", {"line": 3}, {}),
        (str(EXAMPLES / "connect_four.py"), "Medium", {"line": 3}, SOLVED),
        (KUHN, "Hard", {}, {}),
        pytest.param(str(EXAMPLES / "leduc_poker.py"), "Hard", {}, {}, marks=pytest.mark.slow),
        pytest.param("skunk", "Hard", {"goal": 12}, {}, marks=pytest.mark.slow),
        pytest.param("piglet", "Hard", {"goal": 3, "players": 3}, {}, marks=pytest.mark.slow),
    ],
)
def test_game_is_played_to_the_end_with_exact_hints(
    open_page: Open, game: str, opponent: str, rules: dict[str, Any], options: dict[str, Any]
) -> None:
    page = open_page(game, **rules, **options)
    begin(page, opponent)
    assert play_on(page, komi.solve(game, **rules)) > 0
    expect(page.get_by_role("heading", name="Your decisions")).to_be_visible()
    fairness = page.locator(".fairness")
    expect(fairness).to_be_hidden()
    if fairness.count():  # what the page shows is what the rules require
        expect(fairness).to_contain_text(FAIR)


@pytest.mark.slow
def test_game_that_is_not_solved_is_played_against_a_search(open_page: Open) -> None:
    page = open_page("red7", players=2)
    expect(page.locator(".lead")).to_have_text(
        "This page does not have optimal play of the game: hints are estimates of a search."
    )
    begin(page, "Hard")
    while not page.locator(CHOICES).count():  # who cannot lead with the first cards is out at once
        if page.locator(".play.over").count():
            page.get_by_role("button", name="Play again").click()
            expect(page.locator(".play.over")).to_have_count(0, timeout=30_000)
        page.wait_for_timeout(50)
    page.get_by_role("button", name="What would be best?").click()
    expect(page.locator(".hint .estimates")).to_contain_text("These are estimates of a search", timeout=30_000)
    while not page.locator(".play.over").count():
        choices = page.locator(CHOICES)
        if choices.count():
            choices.first.click()
        else:
            page.keyboard.press("Escape")
        page.wait_for_timeout(50)
    page.get_by_role("button", name="Search for the costliest decision").click()
    expect(page.locator(".estimated-worst")).to_contain_text("A search", timeout=30_000)
    page.get_by_role("link", name="Statistics").click()
    expect(page.locator(".against .tiles")).to_contain_text(re.compile(r"Games\d"))


def test_two_people_play_at_one_device(open_page: Open) -> None:
    page = open_page("piglet", goal=3)
    begin(page, "Friends on this device")
    expect(page.locator(".hint")).to_be_visible()
    assert play_on(page, komi.solve("piglet", goal=3)) > 0
    expect(page.locator(".message")).to_have_text(re.compile(r"Player \d wins"))


def test_two_people_with_hidden_cards_hand_the_device_over(open_page: Open) -> None:
    page = open_page(KUHN)
    begin(page, "Friends on this device", shown=".curtain")
    cards = {}
    for player, action in (("Player 1", "Bet"), ("Player 2", "Pass")):
        expect(page.get_by_role("heading", name=f"Hand the device to {player}")).to_be_visible()
        expect(page.locator(".table")).to_be_hidden()
        page.get_by_role("button", name=f"I am {player}").click()
        cards[player] = state_of(page)
        assert cards[player]["rival"] == 0 < cards[player]["card"]
        page.get_by_role("button", name=action).click()
    expect(page.locator(".message")).to_have_text(re.compile("Player 1 wins"))
    end = state_of(page)
    assert {end["card"], end["rival"]} == {each["card"] for each in cards.values()}
    expect(page.locator(".fairness")).to_contain_text(FAIR)


def test_progress_is_shown_while_the_page_solves_a_game(open_page: Open) -> None:
    page = open_page("pig", script=SKIP + WAITING_SOLVER, goal=10, **SOLVED)
    page.locator("a.game-card").click()
    expect(page.locator(".preparing")).to_contain_text("Finding states. The result is kept until you close this page.")
    page.evaluate("solve()")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Roll").click()
    page.locator(".hint button").click()
    expect(page.locator(".hint")).to_contain_text("%")


@pytest.mark.slow
def test_page_of_red_light_is_small_and_has_exact_hints(open_page: Open) -> None:
    page = open_page("red-light", script="")
    expect(page.locator("a.game-card")).to_be_visible()
    assert len(pages["red-light {}"]) < 300_000
    solution = komi.solve("red-light")
    for state, worths in page.evaluate(SAMPLE, 1000):
        assert worths == pytest.approx({each.label: each.value for each in solution.action_values(state)}, abs=1e-9)


def test_two_people_play_a_game_that_the_page_cannot_solve(open_page: Open) -> None:
    page = open_page("piglet", script=SKIP + WITHOUT_WORKERS, goal=3, **SOLVED)
    page.locator("a.game-card").click()
    refusal = "This browser cannot solve the game, for lack of memory or time"
    expect(page.get_by_role("alert")).to_contain_text(refusal)
    page.get_by_label("Friends on this device").check()
    page.get_by_role("button", name="Start").click()
    page.locator(".hint button").click()
    expect(page.locator(".hint")).to_contain_text(refusal)
    while not page.locator(".play.over").count():
        page.keyboard.press("Escape")
        if page.locator(CHOICES).count():
            page.locator(CHOICES).first.click()
    expect(page.locator(".message")).to_have_text(re.compile(r"Player \d wins"))


def test_test_mode_takes_entries_back(open_page: Open) -> None:
    page = open_page("piglet", goal=3)
    page.locator("a.game-card").click()
    page.get_by_label("Test Mode").check()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Flip").click()
    page.get_by_role("button", name="heads").click()
    expect(page.locator(".history")).to_contain_text("heads")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".history")).not_to_contain_text("heads")


def test_sandbox_plays_for_all_seats(open_page: Open) -> None:
    page = open_page("piglet", goal=3)
    page.locator("a.game-card").click()
    page.get_by_role("link", name="Sandbox").click()
    expect(page.get_by_text("is best for")).to_be_visible()
    page.get_by_role("button", name="Flip").click()
    page.get_by_role("button", name="Draw it for me").click()
    expect(page.locator(".history li, .history .turn").first).to_be_visible()


def test_page_has_the_language_of_the_browser_and_changes_it(open_page: Open) -> None:
    page = open_page("piglet", width=360, locale="de-DE", goal=3)
    expect(page.get_by_role("button", name="Einstellungen")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("button", name="Settings")).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width == 360


def test_game_continues_after_the_page_was_closed(open_page: Open) -> None:
    page = open_page("pig", goal=10)
    begin(page, "Easy")
    page.goto(page.url.partition("#")[0])
    page.reload()
    page.locator(".begun-game a").click()
    expect(page.locator(".table")).to_contain_text("against Easy")


def test_hold_values_and_statistics_are_shown(open_page: Open) -> None:
    page = open_page("pig", goal=10)
    begin(page, "Easy")
    page.get_by_role("heading", name="When to hold").click()
    expect(page.locator(".landscape-words")).to_have_text("Score 0, rival 0: hold at 10. At risk now: 0.")
    play_on(page, komi.solve("pig", goal=10))
    page.get_by_role("link", name="Statistics").click()
    expect(page.locator(".against .tiles")).to_contain_text("Games1")
    expect(page.locator(".danger")).to_be_hidden()


def stored_games(page: Page) -> list[dict[str, Any]]:
    return page.evaluate("async () => (await (await fetch('api/games')).json()).games")


def test_a_game_goes_on_after_another_was_begun(open_page: Open) -> None:
    page = open_page("piglet", goal=3)
    begin(page, "Easy")
    first = page.url
    page.evaluate("location.hash = '#/'")
    begin(page, "Easy")
    page.goto(first)
    play_on(page, komi.solve("piglet", goal=3))
    lengths = {game["id"]: game["number"] for game in stored_games(page)}
    page.reload()
    expect(page.locator(".play.over")).to_be_visible()
    assert {game["id"]: game["number"] for game in stored_games(page)} == lengths


def test_rules_of_another_page_are_refused(open_page: Open) -> None:
    page = open_page("piglet", goal=3)
    page.locator("a.game-card").wait_for()
    answer = page.evaluate(
        """async () => {
            const send = (path, body) => fetch(`api/${path}`, { method: "POST", body: JSON.stringify(body) });
            const { commitment } = await (await send("commitments", {})).json();
            const who = { opponent: "easy", seat: "first", mode: "normal" };
            const answer = await send("games", { commitment, rules: { goal: 9 }, ...who, number: commitment });
            return [answer.status, (await answer.json()).error];
        }"""
    )
    assert answer == [422, "The rules of Piglet cannot be changed here."]


def test_archive_lists_what_this_browser_stores(open_page: Open) -> None:
    page = open_page("pig", goal=10)
    begin(page, "Easy")
    play_on(page, komi.solve("pig", goal=10))
    page.evaluate("location.hash = '#/'")
    begin(page, "Easy")
    page.get_by_role("link", name="Archive").click()
    expect(page.locator(".archive li")).to_have_count(2)
    page.get_by_label("Result").select_option("running")
    expect(page.locator(".archive li")).to_have_count(1)
    expect(page.locator(".archive li")).to_contain_text("your move")
