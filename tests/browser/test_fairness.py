"""The page believes nothing that the server says of chance: whatever is altered in a finished game, it says so."""

import copy
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from typing import Any

import pytest
from finished import GAMES, against, play
from playwright.sync_api import Page, Route, expect
from visiting import CurrentServices, Visit

from komi.play.fairness import Commitment, random_number, random_seat

from slowly import slowly

Json = dict[str, Any]
OF_CHANCE = [game for game in GAMES if game != "traffic-lights"]
RACES = [game for game in OF_CHANCE if game not in ("red7", "own")]
SIMILAR = ("progressive-pig", "two-dice-pig", "big-pig")  # to pig: `make test-slow` alters their games, too


@pytest.fixture(scope="module")
def page(browser: Any, served: CurrentServices) -> Any:
    page = browser.new_page()
    page.goto(served.address)
    yield page
    page.close()


@pytest.fixture(scope="module")
def played(page: Page, served: CurrentServices) -> Callable[[str], tuple[Json, Json]]:
    """Return copies of a finished game of each kind and of what the page has stored, to be altered."""
    games: dict[str, tuple[Json, Json]] = {}

    def of(game: str) -> tuple[Json, Json]:
        while game not in games or not can_be_altered(game, games[game][0]):
            games[game] = play(served.address, page, game)
        return copy.deepcopy(games[game])

    return of


def events(view: Json) -> list[Json]:
    """Return the chance events with several outcomes."""
    return [entry for entry in view["log"] if entry["kind"] == "event" and len(entry["outcomes"]) > 1]


def can_be_altered(game: str, view: Json) -> bool:
    """Return whether the game was long enough to have events to exchange."""
    labels = [event["label"] for event in events(view)]
    return game == "traffic-lights" or (len(labels) > 3 and len(set(labels)) > 1)


def middle(view: Json) -> Json:
    found = events(view)
    return found[len(found) // 2]


def swap_labels(view: Json) -> int:
    """Report another of the possible outcomes."""
    event = middle(view)
    event["label"] = next(label for label, _ in event["outcomes"] if label != event["label"])
    return event["number"]


def swap_outcomes(view: Json) -> int:
    """Exchange outcomes, so that the random number selects another one."""
    event = middle(view)
    place = [label for label, _ in event["outcomes"]].index(event["label"])
    other = (place + 1) % len(event["outcomes"])
    for listed in (event["outcomes"], event["afters"]):
        listed[place], listed[other] = listed[other], listed[place]
    return event["number"]


def rename_outcomes(view: Json) -> int:
    """Report another outcome, with a list of outcomes that fits."""
    event = middle(view)
    place = [label for label, _ in event["outcomes"]].index(event["label"])
    other = (place + 1) % len(event["outcomes"])
    event["outcomes"][place][0], event["outcomes"][other][0] = event["outcomes"][other][0], event["label"]
    event["label"] = event["outcomes"][place][0]
    return event["number"]


def all_from_0_to_1(view: Json) -> int:
    for event in events(view):
        event["outcomes"] = [[label, 1] for label, _ in event["outcomes"]]
    return events(view)[0]["number"]


def no_outcomes(view: Json) -> int:
    altered = events(view)
    for event in altered:
        event["outcomes"] = None
    return altered[0]["number"]


def no_outcomes_at_all(view: Json) -> int:
    altered = events(view)
    for event in altered:
        del event["outcomes"], event["afters"]
    return altered[0]["number"]


def only_what_happened(view: Json) -> int:
    """Report the outcome as the only possible one."""
    event = middle(view)
    place = [label for label, _ in event["outcomes"]].index(event["label"])
    event["outcomes"], event["afters"] = [[event["label"], 1]], [event["afters"][place]]
    return event["number"]


def no_afters(view: Json) -> int:
    event = middle(view)
    event["afters"] = None
    return event["number"]


def no_luck(view: Json) -> int:
    for event in events(view):
        event["luck"] = None
    return events(view)[0]["number"]


def no_luck_at_all(view: Json) -> int:
    for entry in view["log"]:
        del entry["luck"]
    return events(view)[0]["number"] if view["log"][0]["kind"] == "event" else 0


def other_luck(view: Json) -> int:
    event = middle(view)
    event["luck"] = (event["luck"] + 0.5) % 1
    return event["number"]


def luck_a_little_off(view: Json) -> int:
    event = middle(view)
    event["luck"] += 1e-10
    return event["number"]


def other_chances(view: Json) -> int:
    """Make the first outcome more probable and the last one less, with the same sampled outcome."""
    event = middle(view)
    event["outcomes"][0][1] += 1e-8
    event["outcomes"][-1][1] -= 1e-8
    return event["number"]


def drop_an_event(view: Json) -> int:
    number = middle(view)["number"]
    del view["log"][number]
    return number


def drop_an_event_and_count_again(view: Json) -> int:
    number = drop_an_event(view)
    renumber(view)
    return number


def drop_an_action_and_its_event(view: Json) -> int:
    number = middle(view)["number"]
    first = number - 1 if view["log"][number - 1]["kind"] == "action" else number
    del view["log"][first : number + 1]
    renumber(view)
    return first


def put_an_event_in_again(view: Json) -> int:
    event = middle(view)
    view["log"].insert(event["number"], copy.deepcopy(event))
    number = event["number"]
    renumber(view)
    return number + 1


def exchange_two_events(view: Json) -> int:
    """Exchange two events."""
    first = events(view)[0]
    second = next(event for event in events(view) if event["label"] != first["label"])
    log = view["log"]
    log[first["number"]], log[second["number"]] = second, first
    renumber(view)
    return min(first["number"], second["number"])


def renumber(view: Json) -> None:
    for number, entry in enumerate(view["log"]):
        entry["number"] = number
    view["number"] = len(view["log"])


def cut_the_end_off(view: Json) -> int:
    del view["log"][-2:]
    view["number"] = len(view["log"])
    view["state"], view["observer"] = view["log"][-1]["state"], view["log"][-1]["observer"]
    return len(view["log"])


def raise_field(state: Json, name: str) -> None:
    """Change a number by one; large fields are sent as text."""
    state[name] = type(state[name])(int(state[name]) + 1)


def other_state(view: Json) -> int:
    event = middle(view)
    raise_field(event["state"], next(reversed(event["state"])))
    return event["number"]


def other_state_after(view: Json) -> int:
    """Change the state and its successor by one point."""
    event = middle(view)
    place = [label for label, _ in event["outcomes"]].index(event["label"])
    raise_field(event["state"], next(iter(event["state"])))
    event["afters"][place]["state"] = dict(event["state"])
    return event["number"]


def not_by_chance(view: Json) -> int:
    event = middle(view)
    event["by"] = "hand"
    return event["number"]


def chance_as_an_action(view: Json) -> int:
    """Report the event as if it were the opponent's action."""
    event = middle(view)
    event |= {"kind": "action", "by": "computer", "luck": None, "outcomes": None, "afters": None}
    return event["number"]


def another_seats_turn(view: Json) -> int:
    event = middle(view)
    event["seat"] = (event["seat"] + 1) % view["players"]
    return event["number"]


def other_start(view: Json) -> None:
    raise_field(view["start"]["state"], next(iter(view["start"]["state"])))


def other_seed(view: Json) -> None:
    """Report another seed, and the hash, luck and outcomes that follow from it."""
    seed = bytes(32)
    view["fairness"] |= {"seed": seed.hex(), "hash": Commitment(seed).hash}
    for event in events(view):
        event["luck"] = random_number(seed, view["fairness"]["number"], event["number"])


def seed_without_its_hash(view: Json) -> None:
    view["fairness"]["seed"] = "00" * 32


def other_hash(view: Json) -> None:
    view["fairness"]["hash"] = hashlib.sha256(b"other").hexdigest()


def no_seed(view: Json) -> None:
    view["fairness"]["seed"] = None


def empty_seed(view: Json) -> None:
    view["fairness"] |= {"seed": "", "hash": hashlib.sha256(b"").hexdigest()}


def other_number(view: Json) -> None:
    view["fairness"]["number"] = "0" * 32


def other_rules(view: Json) -> None:
    name = next(iter(view["rules"]))
    rule = view["rules"][name]
    view["rules"][name] = "other" if isinstance(rule, str) else rule + 1


def other_opponent(view: Json) -> None:
    view["opponent"]["name"] = "hard"


def lot_denied(view: Json) -> None:
    view["fairness"]["lot"] = False


def other_seat(view: Json) -> None:
    view["you"] = (view["you"] + 1) % view["players"]


def other_payoffs(view: Json) -> None:
    view["result"]["payoffs"].reverse()


def other_winner(view: Json) -> None:
    view["result"]["you"] = "lost" if view["result"]["you"] == "won" else "won"


def other_end(view: Json) -> None:
    raise_field(view["state"], next(iter(view["state"])))


ALTERED_EVENTS = [
    swap_labels, swap_outcomes, rename_outcomes, all_from_0_to_1, no_outcomes, no_outcomes_at_all, only_what_happened,
    no_afters, no_luck, no_luck_at_all, other_luck, luck_a_little_off, other_chances, drop_an_event,
    drop_an_event_and_count_again, drop_an_action_and_its_event, put_an_event_in_again, exchange_two_events,
    cut_the_end_off, other_state, other_state_after, not_by_chance, chance_as_an_action, another_seats_turn,
]  # fmt: skip
ALTERED_GAMES = [
    other_seed, seed_without_its_hash, other_hash, no_seed, empty_seed, other_number, other_rules, other_opponent,
    lot_denied, other_seat, other_winner, other_end,
]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_game_that_was_not_altered_is_fair(page: Page, played: Any, game: str) -> None:
    view, promise = played(game)
    assert against(page, view, promise) == []
    assert against(page, view, None) == []


@pytest.mark.parametrize("seat", ["first", "second"])
def test_game_with_a_seat_that_was_chosen_is_fair(page: Page, served: CurrentServices, seat: str) -> None:
    assert against(page, *play(served.address, page, "piglet", seat=seat)) == []


def is_slow(game: str, alter: Callable[[Json], int]) -> bool:
    """Return whether a game takes long: pig and its variants, and red7."""
    return game in SIMILAR or (game == "red7" and alter not in ALTERED_EVENTS[::6])


@pytest.mark.parametrize(
    ("game", "alter"),
    [
        pytest.param(game, alter, marks=pytest.mark.slow if is_slow(game, alter) else ())
        for game in OF_CHANCE
        for alter in ALTERED_EVENTS
    ],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_altered_event_is_named(page: Page, played: Any, game: str, alter: Callable[[Json], int]) -> None:
    view, promise = played(game)
    step = alter(view)
    assert step in {number for number, _ in against(page, view, promise)}


@pytest.mark.parametrize("alter", ALTERED_EVENTS, ids=lambda alter: alter.__name__)
@pytest.mark.parametrize(
    "game", ["fowl-play", *slowly("big-pig", "red-light")]
)  # a die and two stocks: the page's own chances
def test_altered_event_is_named_by_a_browser_that_was_not_there(
    page: Page, played: Any, game: str, alter: Callable[[Json], int]
) -> None:
    view, _ = played(game)
    step = alter(view)
    assert step in {number for number, _ in against(page, view, None)}


@pytest.mark.parametrize("alter", ALTERED_GAMES, ids=lambda alter: alter.__name__)
@pytest.mark.parametrize("game", [*(each for each in RACES if each not in SIMILAR), "own", *slowly(*SIMILAR, "red7")])
def test_altered_promise_or_result_is_reported(
    page: Page, played: Any, game: str, alter: Callable[[Json], None]
) -> None:
    view, promise = played(game)
    alter(view)
    assert against(page, view, promise)


@pytest.mark.parametrize("alter", [other_start, other_payoffs], ids=lambda alter: alter.__name__)
@pytest.mark.parametrize("game", [*RACES, "traffic-lights"])
def test_altered_start_and_payoffs_of_a_known_game_are_reported(
    page: Page, played: Any, game: str, alter: Callable[[Json], None]
) -> None:
    view, _ = played(game)
    alter(view)
    assert against(page, view, None)


def test_chances_that_were_never_those_of_the_game_are_reported(page: Page, played: Any) -> None:
    """A loaded die, rolled consistently from the first step to the last."""
    view, promise = played("pig")
    for event in events(view):
        place = [label for label, _ in event["outcomes"]].index(event["label"])
        event["outcomes"] = [
            [label, 0.9 if other == place else 0.02] for other, (label, _) in enumerate(event["outcomes"])
        ]
    promise["steps"] = []
    assert {number for number, _ in against(page, view, promise)} >= {event["number"] for event in events(view)}


def test_table_that_was_shown_before_no_step_of_the_game_is_reported(page: Page, played: Any) -> None:
    view, promise = played("piglet")
    sentence = "the table or the choices that this browser was shown before it are not those of the game."
    for number in (-1, 0.5, len(view["log"]) + 1):
        assert against(page, view, promise | {"views": [[number, "0" * 16]]}) == [(number, sentence)]


def test_lot_that_was_not_drawn_from_the_seed_is_reported(page: Page, played: Any) -> None:
    view, promise = played("piglet")
    chosen_seat = view["you"]
    while random_seat(bytes.fromhex(view["fairness"]["seed"]), view["fairness"]["number"], 2) == chosen_seat:
        view["fairness"]["number"] = promise["number"] = secrets.token_hex(16)
    sentences = [sentence for _, sentence in against(page, view, promise)]
    assert "The draw for the starting player does not follow from the seed." in sentences


def test_other_move_in_a_game_without_chance_is_named(page: Page, played: Any) -> None:
    view, _ = played("traffic-lights")
    entry = view["log"][len(view["log"]) // 2]
    entry["label"] = "a1" if entry["label"] != "a1" else "b2"
    assert entry["number"] in {number for number, _ in against(page, view, None)}


def test_page_computes_sha_256_and_random_numbers_as_the_server_does(page: Page) -> None:
    messages = [secrets.token_bytes(length).hex() for length in (0, 1, 55, 56, 63, 64, 65, 119, 200, 1000)]
    found = page.evaluate(
        """async (messages) => {
            const { bytesFromHex, hex, hmac, sha256 } = await import("/sha256.js");
            const key = bytesFromHex("0b".repeat(32));
            return messages.map(bytesFromHex).map((message) => [hex(sha256(message)), hex(hmac(key, message))]);
        }""",
        messages,
    )
    key = b"\x0b" * 32
    expected = [
        [hashlib.sha256(bytes.fromhex(each)).hexdigest(), hmac.new(key, bytes.fromhex(each), "sha256").hexdigest()]
        for each in messages
    ]
    assert found == expected
    seed, number = secrets.token_bytes(32), secrets.token_hex(16)
    lucks = page.evaluate(
        """async ([seed, number]) => {
            const { randomNumberOf } = await import("/random-numbers.js");
            return Array.from({ length: 200 }, (_, entry) => randomNumberOf(seed, number, entry));
        }""",
        [seed.hex(), number],
    )
    assert lucks == [random_number(seed, number, entry) for entry in range(200)]


@pytest.mark.parametrize(
    ("line", "replays"),
    [
        ("", True),
        ("await fetch('/api/me');", False),
        ("document.title = 'x';", False),
        ("await import(self.location.origin + '/replay.js');", False),
    ],
)
def test_rules_have_neither_page_nor_network(browser: Any, served: CurrentServices, line: str, replays: bool) -> None:
    page = browser.new_page()
    page.goto(served.address)
    view, _ = play(served.address, page, "own")

    def alter(route: Route) -> None:
        route.fulfill(json={"source": f"{line}\n{route.fetch().json()['source']}"})

    page.reload()
    page.route("**/api/rules/own", alter)
    replay = page.evaluate("async (view) => (await (await import('/game-rules.js')).rulesOf(view, null)).replay", view)
    page.close()
    assert (replay is not None) == replays


@pytest.mark.slow
def test_altered_response_is_refused_on_the_page_with_the_step(visit: Callable[..., Visit]) -> None:
    person = visit()
    altered = []

    def alter(route: Route) -> None:
        answer = route.fetch()
        view = answer.json()
        if view.get("result"):
            altered.append(swap_labels(view))
        route.fulfill(response=answer, json=view)

    person.page.route("**/api/games/*", alter)
    person.page.route("**/api/games/*/moves", alter)
    person.begin("piglet", goal=3)
    expect(person.page.locator(".promise .hash")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    person.play_on()
    expect(person.page.locator(".verdict")).to_contain_text("No.")
    expect(person.page.locator(".fairness")).to_contain_text(f"Step {altered[0]}:")


def as_a_test(view: Json) -> None:
    view["mode"] = "test"


def no_fairness(view: Json) -> None:
    view["fairness"] = None


def no_log(view: Json) -> None:
    del view["log"]


@pytest.mark.parametrize("alter", [no_fairness, *slowly(as_a_test, no_log)])
def test_incomplete_response_is_refused(visit: Callable[..., Visit], alter: Callable[[Json], None]) -> None:
    person = visit()

    def altered(route: Route) -> None:
        answer = route.fetch()
        view = answer.json()
        if view.get("result"):
            alter(view)
        route.fulfill(response=answer, json=view)

    person.begin("piglet", goal=3)
    person.play_on()
    expect(person.page.locator(".verdict")).to_have_text("Yes. ")
    person.page.route("**/api/games/*", altered)
    person.page.reload()
    expect(person.page.locator(".verdict")).to_contain_text("No.")


def test_game_begun_in_another_browser_is_not_called_proved(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.begin("piglet", goal=3)
    person.play_on()
    expect(person.page.locator(".verdict")).to_have_text("Yes. ")
    person.page.evaluate("localStorage.clear()")
    person.page.reload()
    expect(person.page.locator(".verdict")).to_have_text("It matches, but this browser did not see the beginning.")
