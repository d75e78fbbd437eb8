"""A dishonest server before an unaltered page: each attack ends in "No", which names the step or the reason."""

import json
import random
import re
import secrets
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import pytest
from dishonest import (
    FRIENDS_NUMBER,
    GAME_ID,
    HASH,
    SEED,
    Json,
    Server,
    set_up,
    sha256,
    verdict,
)
from finished import STORE, against
from playwright.sync_api import Route, expect
from visiting import CurrentServices, Visit

from komi.play.fairness import random_number
from komi.web.participants import combined_number

from slowly import slowly

Visits = Callable[..., Visit]


def judged(person: Visit, server: Server, game: str = "piglet", **more: Any) -> tuple[str, list[str]]:
    """Play against the server, and return the page's verdict with its reasons."""
    server.stand_before(person)
    set_up(person, game, opponent="easy", **more)
    person.play_on()
    return verdict(person.page)


def beaten(person: Visit, server: Server, game: str = "piglet", **more: Any) -> list[str]:
    """Play against the server, and return why the page says No."""
    answer, reasons = judged(person, server, game, **more)
    assert answer == "No. This does not match what the server promised:", reasons
    return reasons


def ground(*numbers: str) -> str:
    """Find a number for the server, given the others, with which the person's first flip is lost."""
    while random_number(SEED, combined_number([*numbers, found := secrets.token_hex(16)]), 1) < 0.5:
        pass
    return found


def test_honest_server_is_found_fair(visit: Visits) -> None:
    person = visit()
    assert judged(person, Server(), seat="either", goal=3) == ("Yes.", [])
    expect(person.page.locator(".fairness")).to_contain_text("Not checked: how Easy chose its moves")


def test_second_number_against_a_computer_is_reported(visit: Visits) -> None:
    added = []

    def number(mine: str) -> str:
        added.append(ground(mine))
        return combined_number([mine, *added])

    reasons = beaten(visit(), Server(number=number, numbers=lambda mine: [mine, *added]), goal=3)
    assert "Other numbers were added to the number that this browser drew." in reasons


def among_friends(person: Visit, server: Server) -> None:
    """Create a table on the server; the friend joins at once."""
    server.stand_before(person)
    set_up(person, "piglet", opponent="@link", goal=1)
    person.page.wait_for_selector(".table")
    person.play_on()


def test_games_that_the_server_did_not_begin_after_it_saw_the_number_are_reported(visit: Visits) -> None:
    """It could refuse until the luck suits it."""

    class Refuses(Server):
        refused = 0

        def answer(self, route: Route) -> None:
            if route.request.url.endswith("/api/commitments") and self.refused < 2:
                return route.fulfill(json={"commitment": f"{self.refused:032}", "hash": HASH})
            if route.request.url.endswith("/api/games") and self.refused < 2:
                self.refused += 1
                return route.fulfill(json={"error": "Try again in a moment."}, status=503)
            return super().answer(route)

    person = visit()
    Refuses().stand_before(person)
    set_up(person, "piglet", opponent="easy", goal=2)
    for _ in range(2):
        expect(person.page.get_by_role("alert")).to_be_visible()
        person.page.get_by_role("button", name="Start").click()
    person.play_on()
    answer, reasons = verdict(person.page)
    assert answer == "Partly."
    assert reasons == [
        "2 times before this game, the server saw this browser's number and then started no game, or lost it: "
        "it could have picked the luckiest one."
    ]


def test_game_that_vanished_after_its_beginning_is_reported(visit: Visits) -> None:
    class Loses(Server):
        lost = False

        def answer(self, route: Route) -> None:
            if route.request.url.endswith("/api/commitments") and not self.lost:
                return route.fulfill(json={"commitment": "cd" * 16, "hash": HASH})
            if route.request.url.endswith("/moves") and not self.lost:
                self.lost = True
                return route.fulfill(json={"error": "There is no such game."}, status=404)
            return super().answer(route)

        def view(self) -> Json:
            view = super().view()
            return view if self.lost else view | {"id": "cd" * 16}

    person, server = visit(), Loses()
    server.stand_before(person)
    person.page.route(f"**/api/games/{'cd' * 16}", lambda route: route.fulfill(json=server.view()))
    set_up(person, "piglet", opponent="easy", goal=2)
    person.wait()
    person.choose("flip")
    expect(person.page.locator(".table .notice")).to_have_text("There is no such game.")
    set_up(person, "piglet", opponent="easy", goal=2)
    person.play_on()
    assert verdict(person.page) == (
        "Partly.",
        [
            "Once before this game, the server saw this browser's number and then started no game, or lost it: "
            "it could have picked the luckier one."
        ],
    )


def test_refused_legal_move_is_reported(visit: Visits) -> None:
    class RefusesMove(Server):
        has_refused = False

        def answer(self, route: Route) -> None:
            if route.request.url.endswith("/moves") and not self.has_refused:
                self.has_refused = True
                return route.fulfill(json={"error": "That is not possible.", "game": self.view()}, status=422)
            return super().answer(route)

    person = visit()
    RefusesMove().stand_before(person)
    set_up(person, "piglet", opponent="easy", goal=1)
    person.wait()
    person.choose("flip")
    expect(person.page.locator(".table .notice")).to_have_text("That is not possible.")
    person.play_on()
    assert verdict(person.page) == (
        "Partly.",
        ["The server refused 1 move that was legal: it could have refused an unlucky one."],
    )


def test_commitment_of_an_earlier_game_is_refused(visit: Visits) -> None:
    person = visit()
    Server().stand_before(person)
    set_up(person, "piglet", opponent="easy", goal=1)
    person.play_on()
    kept = person.page.evaluate("id => localStorage.getItem(`komi.promise.${id}`)", GAME_ID)
    set_up(person, "piglet", opponent="easy", goal=2)
    expect(person.page.get_by_role("alert")).to_contain_text("the commitment of an earlier game again")
    assert person.page.evaluate("id => localStorage.getItem(`komi.promise.${id}`)", GAME_ID) == kept


def test_honest_game_of_friends_is_found_fair(visit: Visits) -> None:
    person = visit()
    among_friends(person, Server())
    assert verdict(person.page) == ("Yes.", [])
    expect(person.page.locator(".fairness")).to_contain_text(
        "ask the players for their results, and compare these words."
    )


def test_third_number_at_a_table_of_two_is_reported(visit: Visits) -> None:
    person, added = visit(), []

    def number(*both: str) -> str:
        added.append(ground(*both))
        return combined_number([*both, *added])

    among_friends(person, Server(number=number, numbers=lambda *both: [*both, *added]))
    answer, reasons = verdict(person.page)
    assert answer.startswith("No.")
    assert "There are not as many numbers as people at the table." in reasons


def test_number_that_a_friend_had_not_committed_to_is_reported(visit: Visits) -> None:
    person, added = visit(), []

    def number(mine: str, _: str) -> str:
        added.append(ground(mine))
        return combined_number([mine, *added])

    among_friends(person, Server(number=number, numbers=lambda mine, _: [mine, *added]))
    answer, reasons = verdict(person.page)
    assert answer.startswith("No.")
    sentence = "The numbers are not the ones to which the players had committed before this browser revealed its own."
    assert reasons == [sentence]


def one_too_many(table: Json) -> None:
    table["number_hashes"] = sorted([*table["number_hashes"], sha256("third")])


def three_seats(table: Json) -> None:
    table["players"] = 3
    if len(table["number_hashes"]) > 1:
        table["number_hashes"] = [table["number_hashes"][0], *sorted([sha256("third"), sha256(FRIENDS_NUMBER)])]
        table["names"] = ["Ann", "Bob", "Eve"]


def not_mine(table: Json) -> None:
    table["number_hashes"] = [sha256("another"), *table["number_hashes"][1:]]


def copied(table: Json) -> None:
    table["number_hashes"] = [table["number_hashes"][0]] * len(table["number_hashes"])


def other_table_rules(table: Json) -> None:
    if len(table["names"]) > 1:
        table["rules"] = table["rules"] | {"goal": 9}


def not_the_host(table: Json) -> None:
    table["host"] = False
    table["number_hashes"].reverse()


@pytest.mark.parametrize("alter", [one_too_many, three_seats, not_mine, copied, other_table_rules, not_the_host])
def test_number_is_not_revealed_at_a_table_that_was_not_agreed_on(visit: Visits, alter: Callable[[Json], None]) -> None:
    person = visit()
    server = Server(alter_table=alter).stand_before(person)
    set_up(person, "piglet", opponent="@link", goal=1)
    expect(person.page.get_by_role("alert")).to_contain_text("your number is not revealed")
    assert server.live is None


def test_commitments_cannot_be_exchanged_once_the_number_was_revealed(visit: Visits) -> None:
    """The server answers the first reveal as if it had not heard, and exchanges the friend's commitment."""

    class Forgets(Server):
        revealed = 0

        def begin(self, *_: Any) -> None:
            self.revealed += 1

        def waiting(self) -> Json:
            table = super().waiting()
            if self.revealed:
                table["number_hashes"][1] = sha256("chosen after the first number was seen")
            return table

    person = visit()
    server = Forgets().stand_before(person)
    set_up(person, "piglet", opponent="@link", goal=1)
    expect(person.page.get_by_role("alert")).to_contain_text("your number is not revealed")
    assert server.revealed == 1


def test_number_is_not_used_again_with_another_seed(visit: Visits) -> None:
    """The server forgets the seat, and shows another hash: the browser draws another number."""

    class Forgets(Server):
        numbers_seen: list[Any] = []  # noqa: RUF012

        def answer(self, route: Route) -> None:
            body = route.request.post_data_json if route.request.post_data else {}
            if "number_hash" in body:
                self.numbers_seen.append(body["number_hash"])
            if route.request.url.endswith("/join"):
                return route.fulfill(json=self.waiting())
            return super().answer(route)

        def begin(self, *_: Any) -> None:
            pass

        def waiting(self) -> Json:
            table = super().waiting()
            if self.table["joined"]:
                table |= {"seated": False, "host": False, "hash": "0" * 64, "names": ["Ann"]}
            return table

    person = visit()
    server = Forgets().stand_before(person)
    set_up(person, "piglet", opponent="@link", goal=1)
    with person.page.expect_response("**/join"):
        person.page.get_by_role("button", name="Take a seat").click()
    assert len(set(server.numbers_seen)) == len(server.numbers_seen) == 2


def test_resignation_that_was_not_sent_is_reported(visit: Visits) -> None:
    class GivesUp(Server):
        def move(self, _: str) -> None:
            self.live.table.resign(self.live.settings.seat)

    reasons = beaten(visit(), GivesUp(), goal=5)
    assert "This browser did not send your resignation." in reasons


def test_move_in_place_of_the_one_that_was_sent_is_reported(visit: Visits) -> None:
    reasons = beaten(visit(), Server(label=lambda live, _: list(live.table.actions)[-1]), goal=2)
    assert any(reason.startswith("Step ") and reason.endswith("this browser did not send hold.") for reason in reasons)
    assert any(reason.endswith("this browser sent flip, which is missing.") for reason in reasons)


def test_moves_that_no_one_sent_are_reported(visit: Visits) -> None:
    class PlaysOn(Server):
        def move(self, label: str) -> None:
            super().move(label)
            while not self.live.table.is_over:
                super().move(self.mover.choice(list(self.live.table.actions)))

    reasons = beaten(visit(), PlaysOn(), goal=2)
    assert any("this browser did not send " in reason for reason in reasons)


class Refuses(Server):
    """It refuses the first request of a kind, and denies the result of the game that it sends with the refusal."""

    refused = ""

    def answer(self, route: Route) -> None:
        if self.refused and route.request.url.endswith(self.refused):
            self.refused = ""
            return route.fulfill(json={"error": "Not now.", "game": self.view() | {"result": False}}, status=409)
        return super().answer(route)


def test_legal_move_that_is_refused_is_counted(visit: Visits) -> None:
    server = Refuses()
    server.refused = "/moves"
    answer, [reason] = judged(visit(), server, goal=2)
    assert answer == "Partly."
    assert "refused" in reason


def test_resignation_that_was_refused_is_not_valid_later(visit: Visits) -> None:
    class Resigns(Refuses):
        def move(self, _: str) -> None:
            self.live.table.resign(self.live.settings.seat)

    person, server = visit(), Resigns()
    server.refused = "/resign"
    server.stand_before(person)
    set_up(person, "piglet", opponent="easy", goal=5)
    person.wait()
    person.press(".leaving button")
    person.press(".leaving button")
    person.play_on()
    answer, reasons = verdict(person.page)
    assert answer.startswith("No.")
    assert "This browser did not send your resignation." in reasons


def test_resignation_that_was_sent_and_is_not_there_is_reported(visit: Visits) -> None:
    class Deaf(Server):
        def answer(self, route: Route) -> None:
            if route.request.url.endswith("/resign"):
                route.fulfill(json=self.view())
            else:
                super().answer(route)

    person = visit()
    Deaf().stand_before(person)
    set_up(person, "piglet", opponent="easy", goal=2)
    person.wait()
    person.press(".leaving button")
    person.press(".leaving button")
    person.play_on()
    answer, reasons = verdict(person.page)
    assert answer.startswith("No.")
    assert "This browser sent your resignation, but the result does not show it." in reasons


def test_rules_that_no_one_requested_are_reported(visit: Visits) -> None:
    """After Play now, with a die of three sides: all follows from the rules that the server shows."""
    person = visit()
    Server("pig", rules=lambda rules: rules | {"sides": 3, "goal": 10}).stand_before(person)
    person.go()
    person.page.locator("[data-game=pig]").click()
    person.play_on()
    answer, reasons = verdict(person.page)
    assert answer.startswith("No.")
    assert "The rules are not the ones that this browser requested." in reasons


def test_action_without_its_event_is_reported(visit: Visits, served: CurrentServices) -> None:
    """The luck of a step depends on its number: a roll of which nothing comes moves what follows to other luck."""
    page = visit().page
    page.goto(served.address)
    server, number = honest_but_moved()
    request = {"game": "piglet", "rules": {"goal": 1}, "opponent": "easy", "seat": "second", "mode": "normal"}
    kept = request | {"number": number, "commitment": GAME_ID}
    view = server.view()
    last = next(entry for entry in reversed(view["log"]) if entry["kind"] == "event")["number"]
    view["log"].insert(last - 1, dict(view["log"][last - 1]))
    for place, entry in enumerate(view["log"]):
        entry["number"] = place
        if entry["kind"] == "event":
            entry["luck"] = random_number(SEED, number, place)
    view["number"] += 1
    sent = [[place + (place >= last), label] for place, label in server.sent]
    promise = page.evaluate(STORE, [[], kept, HASH, None, sent])
    assert (last, "a chance event is missing before it.") in against(page, view, promise)


def honest_but_moved() -> tuple[Server, str]:
    """A game whose last event, the opponent's, would be the same one step later; and the person's number."""
    for attempt in range(1000):
        number = f"{attempt:032x}"
        server = Server("piglet", mover=random.Random(attempt))
        live = server.begin({"rules": {"goal": 1}, "seat": "second", "opponent": "easy"}, number)
        while not live.table.is_over:
            server.move("hold")
        events = [entry for entry in live.table.log if entry.kind == "event"]
        if not events or live.table.is_stopped:
            continue
        last = events[-1]
        later = "heads" if random_number(SEED, number, last.number + 1) < 0.5 else "tails"
        if last.seat != live.settings.seat and last.label == later:
            return server, number
    raise AssertionError("no number does")


def other_title(view: Json) -> None:
    view["opponent"]["title"] = "Hard"


def another_rule(view: Json) -> None:
    view["rules"]["luck"] = 1


def late(view: Json) -> None:
    view["result"]["late"] = True


def score(view: Json) -> None:
    view["result"]["score"] = 100


def another_key(view: Json) -> None:
    view["advice"] = "hold"


def another_key_of_the_result(view: Json) -> None:
    view["result"]["bonus"] = 1


def another_key_of_a_step(view: Json) -> None:
    view["log"][-1]["note"] = "x"


def other_face(view: Json) -> None:
    view["face"] = "bag"


def faces(view: Json) -> None:
    view["log"][-1]["faces"] = [6]


def notation(view: Json) -> None:
    view["written"] = "score=9"


def an_objective(view: Json) -> None:
    view["objective"] = "expected points"


def names(view: Json) -> None:
    view |= {"names": ["Ann", "Bob"], "company": "link"}


def another_clock(view: Json) -> None:
    view["clock"] = {"minutes": 1, "seconds": 0, "left": [0.0, 5.0]}


def going_on(view: Json) -> None:
    view["pending"] = {"label": "flip"}


def shared(view: Json) -> None:
    view["result"]["you"] = "shared"


def another_protocol(view: Json) -> None:
    view["fairness"]["protocol"] = 1


ALTERATIONS: list[Any] = [
    (other_title, "The opponent is Hard, but this browser requested Easy."),
    (another_rule, "The rules are not the ones that this browser requested."),
    (score, "The score is not the one reached in the game."),
    (faces, "the table does not show the current position."),
    (notation, "The final position is not the one after the last step."),
    *slowly(
        (late, "The server says that the game was lost on time, but there was no clock."),
        (another_key_of_a_step, "the server reports “note”, which was not agreed."),
        (other_face, "The game is not shown as it was at the beginning."),
        (names, "The players at the table are not the agreed ones."),
        (another_clock, "The clock is not the agreed one."),
        (another_protocol, "Chance events were not drawn with the agreed protocol."),
        (another_key, "The server reports “advice”, which was not agreed."),
        (another_key_of_the_result, "The server reports “bonus”, which was not agreed."),
        (an_objective, "The game is not shown as it was at the beginning."),
        (going_on, "The server says that the game goes on, but it is over."),
        (shared, "The result does not match the payoffs."),
    ),
]


@pytest.mark.parametrize(("alter", "sentence"), ALTERATIONS, ids=lambda each: getattr(each, "__name__", ""))
def test_whatever_else_is_altered_in_the_end_is_reported(
    visit: Visits, alter: Callable[[Json], None], sentence: str
) -> None:
    reasons = beaten(visit(), Server(alter_game=lambda view: alter(view) if view["result"] else None), goal=1)
    assert any(reason.endswith(sentence) for reason in reasons), reasons


def other_rules(route: Route) -> None:
    """The module of the rules, with another beginning."""
    module = route.fetch().json()
    route.fulfill(json={"source": f"// improved\n{module['source']}"})


NOT_PROMISED = "The rules that the server sends are not the ones that were promised before the game."


def test_other_rules_than_those_of_the_page_are_reported(visit: Visits) -> None:
    person = visit()
    person.page.route("**/api/rules/piglet", other_rules)
    answer, reasons = judged(person, Server(), goal=1)
    assert (answer[:3], reasons) == ("No.", [NOT_PROMISED])


def test_other_rules_of_ones_own_than_those_that_were_promised_are_reported(
    visit: Visits, served: CurrentServices
) -> None:
    person = visit()
    assert judged(person, Server(str(served.own_game)), "own", goal=12) == ("Yes.", [])
    expect(person.page.locator(".fairness > .found > .hash")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    expect(person.page.get_by_role("link", name="Save the rules")).to_be_visible()
    person.page.route("**/api/rules/own", other_rules)
    person.page.reload()
    answer, reasons = verdict(person.page)
    assert (answer[:3], reasons) == ("No.", [NOT_PROMISED])


def test_without_rules_the_verdict_is_not_yes(visit: Visits) -> None:
    person = visit()
    person.page.route("**/api/rules/piglet", lambda route: route.fulfill(json={"error": "Not now."}, status=503))
    answer, [reason] = judged(person, Server(), goal=1)
    assert answer == "Partly."
    assert reason.startswith("Your browser does not have the rules of Piglet")


def plays_by_itself(view: Json) -> None:
    if len(view["actions"]) > 1:
        view |= {"actions": view["actions"][:1], "decided": True}


def leaves_hold_out(view: Json) -> None:
    if len(view["actions"]) > 1:
        view["actions"] = [action for action in view["actions"] if action["label"] != "hold"]


def more_at_risk(view: Json) -> None:
    view["state"]["turn"] += 1


def orange_for_red(view: Json) -> None:
    for square in view["squares"]:
        square["shows"] = square["shows"].replace("red", "orange")


def moves_elsewhere(view: Json) -> None:
    view["actions"][0]["square"], view["actions"][1]["square"] = [action["square"] for action in view["actions"][1::-1]]


def hides_moves(view: Json) -> None:
    for entry in view["log"]:
        if entry["by"] == "computer":
            entry["label"] = "hidden"


def denies_the_result(view: Json) -> None:
    more_at_risk(view)
    view["result"] = False


def invents_a_sentence(view: Json) -> None:
    view["log"][-1]["revealed"] = "Easy has a six."


SHOWN = "the table or the choices that this browser was shown before it are not those of the game."
DURING_THE_GAME: list[Any] = [
    ("piglet", plays_by_itself, SHOWN),
    ("piglet", leaves_hold_out, SHOWN),
    ("piglet", more_at_risk, SHOWN),
    ("traffic-lights", orange_for_red, SHOWN),
    ("traffic-lights", moves_elsewhere, SHOWN),
    ("piglet", denies_the_result, SHOWN),
    ("piglet", hides_moves, "it was hidden from this browser, but not by the rules."),
    ("piglet", invents_a_sentence, "it differs from what this browser was shown during the game."),
]


@pytest.mark.parametrize(("game", "alter", "sentence"), DURING_THE_GAME, ids=lambda each: getattr(each, "__name__", ""))
def test_whatever_is_altered_during_the_game_is_reported(
    visit: Visits, game: str, alter: Callable[[Json], None], sentence: str
) -> None:
    def alter_unfinished(view: Json) -> None:
        if not view["result"]:
            alter(view)

    rules = {"goal": 3} if game == "piglet" else {}
    reasons = beaten(visit(), Server(game, alter_game=alter_unfinished), game, seat="second", **rules)
    assert any(reason.startswith("Step ") and reason.endswith(sentence) for reason in reasons), reasons


def other_title(view: Json) -> None:
    view["opponent"]["title"] = "Hard"


def other_rules_of_play(view: Json) -> None:
    view["rules"]["goal"] = 60


def other_first_step(view: Json) -> None:
    view["log"][0]["state"]["turn"] += 1


@pytest.mark.parametrize("alter", [other_title, other_rules_of_play, other_first_step])
def test_what_is_altered_after_it_was_shown_is_reported(visit: Visits, alter: Callable[[Json], None]) -> None:
    """The first response and the last are right."""
    responses: list[None] = []

    def alter_later(view: Json) -> None:
        if responses and not view["result"]:
            alter(view)
        responses.append(None)

    reasons = beaten(visit(), Server(alter_game=alter_later), seat="second", goal=4)
    assert reasons == ["What this browser was shown before was altered during the game."]


def visit_with_time(visit: Visits) -> Visit:
    """Open a window in which the rules have a minute for a response instead of two seconds: the machine may be busy."""
    person = visit()
    person.context.add_init_script(
        "const limit = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = (wait) => limit(30 * wait);"
    )
    return person


def false_scores(view: Json) -> None:
    for position in (view, view["start"], *view["log"]):
        position["state"] |= {"score": 7, "rival": 8}


def lost_already(view: Json) -> None:
    false_scores(view)
    view |= {"mover": 1 - view["you"], "waiting": "event", "actions": []}


@pytest.mark.parametrize("alter", [false_scores, lost_already])
def test_table_shows_the_true_position_whatever_the_server_reports(
    visit: Visits, alter: Callable[[Json], None]
) -> None:
    person, server = visit_with_time(visit), Server(alter_game=alter)
    server.stand_before(person)
    set_up(person, "piglet", opponent="easy", seat="second", goal=9)
    for _ in range(2):
        person.wait()
        state = server.live.table.state
        expect(person.page.locator(".table .lane .score")).to_have_text([str(state.rival), str(state.score)])
        expect(person.page.locator(".message")).to_contain_text("Your turn.")
        person.choose("hold")


def test_true_squares_are_shown_whatever_the_server_reports(visit: Visits) -> None:
    person = visit_with_time(visit)
    server = Server("traffic-lights", alter_game=lambda view: view.update(squares=[], actions=[])).stand_before(person)
    set_up(person, "traffic-lights", opponent="easy", seat="second")
    person.wait()
    expect(person.page.locator(".board .square:not([aria-disabled])")).to_have_count(len(server.live.table.actions))
    expect(person.page.locator(".board .square:not([aria-label*=': empty'])")).to_have_count(1)


def test_action_that_the_server_leaves_out_is_offered(visit: Visits) -> None:
    person = visit_with_time(visit)
    Server(alter_game=leaves_hold_out).stand_before(person)
    set_up(person, "piglet", opponent="easy", goal=3)
    person.wait()
    assert person.offered() == ["flip", "hold"]


def other_terms_and_result(view: Json) -> None:
    other_title(view)
    other_rules_of_play(view)
    if view["result"]:
        view["result"] |= {"payoffs": view["result"]["payoffs"][::-1], "you": "drew"}


def test_promised_terms_and_the_true_result_are_shown(visit: Visits) -> None:
    person, server = visit_with_time(visit), Server(alter_game=other_terms_and_result)
    server.stand_before(person)
    set_up(person, "piglet", opponent="easy", goal=1)
    expect(person.page.locator(".table-head")).to_contain_text("against Easy")
    expect(person.page.locator(".lane small")).to_have_text(["of 1"] * 2)
    person.play_on()
    is_won = server.live.table.results[server.live.settings.seat] == 1.0
    expect(person.page.locator(".message")).to_have_text("You win!" if is_won else "Easy wins.")


@pytest.mark.parametrize("path", ["watch", *slowly("shared")])
def test_games_of_others_are_shown_as_they_follow_from_the_steps(visit: Visits, path: str) -> None:
    person, server = visit_with_time(visit), Server(alter_game=false_scores)
    table = server.begin({"rules": {"goal": 3}, "seat": "first"}, "1" * 32, FRIENDS_NUMBER).table
    server.move("flip")
    while path == "shared" and not table.is_over:
        server.move("flip")
    person.page.route(f"**/api/{path}/*", lambda route: route.fulfill(json=server.view()))
    person.go(f"{path}/{'c' * 32}")
    scores = [str(table.state.score), str(table.state.rival)]
    expect(person.page.locator(".table .lane .score")).to_have_text(scores if table.observer == 0 else scores[::-1])


def test_game_goes_on_while_the_rules_do_not_come(visit: Visits) -> None:
    person, requests = visit(), []
    person.page.route("**/api/rules/piglet", lambda route: requests.append(route))
    Server().stand_before(person)
    set_up(person, "piglet", opponent="easy", goal=3)
    person.wait()
    assert len(requests) == 1
    requests[0].continue_()
    person.play_on()
    assert verdict(person.page) == ("Yes.", [])


def points(view: Json) -> None:
    view["result"]["points"] = [-1e8, 1e8]


def revealed(view: Json) -> None:
    view["log"][-1]["revealed"] = "Hard has a six."


@pytest.mark.parametrize(
    ("alter", "sentence"),
    [(points, "The result is not that of the last step."), (revealed, "its consequences are not those of the rules.")],
)
def test_invented_points_and_sentences_are_reported(
    visit: Visits, alter: Callable[[Json], None], sentence: str
) -> None:
    reasons = beaten(visit(), Server(alter_game=lambda view: alter(view) if view["result"] else None), goal=1)
    assert any(reason.endswith(sentence) for reason in reasons), reasons


def in_the_catalog(person: Visit, alter: Callable[[Json], None]) -> None:
    def altered(route: Route) -> None:
        catalog = route.fetch().json()
        alter(next(game for game in catalog["games"] if game["name"] == "piglet"))
        route.fulfill(json=catalog)

    Server().stand_before(person)
    person.page.route("**/api/catalog", altered)


def begins_at_five(game: Json) -> None:
    next(rule for rule in game["rules"] if rule["name"] == "komi")["default"] = 5


def hides(game: Json) -> None:
    game["hides"] = True


@pytest.mark.parametrize(
    ("alter", "sentence"),
    [
        (begins_at_five, "“komi” is 5, but by default it is 0."),
        (hides, "The game is not shown as its rules require."),
    ],
)
def test_false_catalog_is_reported(visit: Visits, alter: Callable[[Json], None], sentence: str) -> None:
    person = visit()
    in_the_catalog(person, alter)
    set_up(person, "piglet", opponent="easy", goal=6)
    person.play_on()
    answer, reasons = verdict(person.page)
    assert (answer[:3], reasons) == ("No.", [sentence])


def test_confirmation_of_another_game_is_reported(visit: Visits) -> None:
    """The friend's browser has seen another game; the server has nothing with which to confirm this one."""

    class Splits(Server):
        def answer(self, route: Route) -> None:
            if route.request.url.endswith("/confirm"):
                own = route.request.post_data_json["confirmation"]
                return route.fulfill(json={"confirmations": [own, own]})
            return super().answer(route)

    person = visit()
    Splits().stand_before(person)
    set_up(person, "piglet", opponent="@link", goal=1)
    person.page.wait_for_selector(".table")
    person.play_on()
    expect(person.page.locator(".verdict")).to_contain_text("No.")
    reasons = person.page.locator(".found li")
    expect(reasons).to_have_text([re.compile(r"The browser of Player \d has confirmed another game\.")])


def test_browser_without_the_rules_confirms_nothing(visit: Visits) -> None:
    """Its friend would be told that it has checked the game."""
    person = visit()
    person.page.route("**/api/rules/piglet", lambda route: route.fulfill(json={"error": "Not now."}, status=503))
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.url))
    Server().stand_before(person)
    set_up(person, "piglet", opponent="@link", goal=1)
    person.page.wait_for_selector(".table")
    person.play_on()
    expect(person.page.locator(".verdict")).to_have_text("Partly.")
    expect(person.page.locator(".fairness .words")).to_be_visible()
    assert not any(url.endswith("/confirm") for url in asked)


def test_key_in_the_link_reaches_no_server(visit: Visits) -> None:
    ann, bob = visit(), visit()
    requests: list[str] = []
    for person in (ann, bob):
        person.page.on("request", lambda request: requests.append(f"{request.url} {request.post_data}"))
    set_up(ann, "piglet", opponent="@link", goal=1)
    link = ann.page.get_by_label("Send this link to the other player").input_value()
    bob.page.goto(link)
    bob.press("button:has-text('Take a seat')")
    bob.page.wait_for_selector(".table")
    key = link.rpartition("/")[2]
    assert len(key) == 32
    assert not any(key in request.replace(link, "") for request in requests)


def test_friends_who_are_shown_different_games_see_different_words(visit: Visits) -> None:
    person = visit()
    among_friends(person, server := Server())
    words = person.page.locator(".fairness .words").text_content()
    assert re.fullmatch(r"([a-z]{5} ){5}[a-z]{5}", words or "")
    script = """async (views) => {
        const { comparisonWords } = await import("/commitment.js");
        return views.map(comparisonWords);
    }"""
    view = server.view()
    theirs, other = view | {"you": 1 - view["you"]}, json.loads(json.dumps(view))
    other["log"][0]["label"] = "hold"
    assert person.page.evaluate(script, [view, theirs]) == [words, words]
    assert person.page.evaluate(script, [other]) != [words]


def test_game_that_is_lost_as_soon_as_it_has_begun_is_reported(visit: Visits) -> None:
    class Loses(Server):
        lost = False

        def answer(self, route: Route) -> None:
            if route.request.url.endswith("/api/commitments") and not self.lost:
                return route.fulfill(json={"commitment": "cd" * 16, "hash": HASH})
            if route.request.url.endswith("cd" * 16):
                self.lost = True
                return route.fulfill(json={"error": "There is no such game."}, status=404)
            return super().answer(route)

        def view(self) -> Json:
            view = super().view()
            return view if self.lost else view | {"id": "cd" * 16}

    person = visit()
    Loses().stand_before(person)
    set_up(person, "piglet", opponent="easy", goal=2)
    expect(person.page.get_by_text("There is no such game.")).to_be_visible()
    set_up(person, "piglet", opponent="easy", goal=2)
    person.play_on()
    answer, [reason] = verdict(person.page)
    assert answer == "Partly."
    assert reason.startswith("Once before this game")


def test_board_that_shows_another_position_is_reported(visit: Visits) -> None:
    def alter(view: Json) -> None:
        if view["result"]:
            view["squares"][0]["shows"] = "green" if view["squares"][0]["shows"] != "green" else "red"

    reasons = beaten(visit(), Server("traffic-lights", alter_game=alter), "traffic-lights")
    assert "The final position is not the one after the last step." in reasons


def test_outcomes_reordered_once_the_number_is_known_are_reported(visit: Visits, served: CurrentServices) -> None:
    """In a game that the page does not know, luck is made to fall on what suits the server."""

    class Reorders(Server):
        def view(self) -> Json:
            view = super().view()
            for entry in view["log"]:
                if entry["kind"] == "event":
                    reorder(entry, entry["label"])
            return view

        def draw(self) -> None:
            self.live.enter("1" if self.live.table.mover == self.live.settings.seat else "6", "chance")

    reasons = beaten(visit(), Reorders(str(served.own_game)), "own", goal=12)
    assert any(reason.startswith("Step ") and "not in the order of their names" in reason for reason in reasons)


def reorder(entry: Json, label: str) -> None:
    """Exchange the sampled outcome for another one of the same probability."""
    ends = accumulate(probability for _, probability in entry["outcomes"])
    place = next(place for place, end in enumerate(ends) if entry["luck"] < end)
    other = [each for each, _ in entry["outcomes"]].index(label)
    for listed in (entry["outcomes"], entry["afters"] or []):
        if listed:
            listed[place], listed[other] = listed[other], listed[place]
