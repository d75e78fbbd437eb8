"""Opponents that search: they delay no other game."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest

import komi
from komi.errors import KomiError
from komi.policies.policy import legal_actions
from komi.progress import silent
from komi.web import jobs
from komi.web.job_queue import MAX_OF_PERSON, JobQueue
from komi.web.preparing import prepare_game
from komi.web.queued_job import QueuedJob
from komi.web.services import SEARCHERS

from playing import Server, Visitor

SECONDS = 30  # after which a test gives up


class Held:
    """Searches that run until they are released, and then find the first legal action."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Semaphore(0), threading.Semaphore(0)
        self.threads = ThreadPoolExecutor(SEARCHERS)

    def schedule(self, job: QueuedJob) -> Future[int]:
        assert job.function == "search"
        return self.threads.submit(self.search, **json.loads(json.dumps(job.arguments)))

    def search(self, game: str, rules: Any, state: list[int], **_: Any) -> int:
        self.begun.release()
        assert self.may_end.acquire(timeout=SECONDS)
        found = komi.find(game)
        return legal_actions(found, found.rules(rules), found.module.State(*state))[0]


def as_completed_until(futures: list[Future[Any]], count: int) -> Iterator[Future[Any]]:
    """Return the first of these that are done."""
    return islice(as_completed(futures, SECONDS), count)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    held = Held()
    monkeypatch.setattr(JobQueue, "_schedule", lambda _, job: held.schedule(job))
    return held


def visitor_of(server: Server) -> Visitor:
    """Return a visitor whose requests are served by one event loop and its threads, together with all others'."""
    visitor = server.visitor()
    visitor.client.portal = server.inside.portal
    return visitor


def beginning_with_a_search(visitor: Visitor) -> dict[str, Any]:
    """Return the request of the page for a game in which the opponent moves first."""
    return visitor.game_request("red7", "hard", seat="second", rules={"players": 2})


@contextmanager
def searching(server: Server, held: Held) -> Iterator[Any]:
    """Return a visitor whose opponent is searching."""
    visitor = visitor_of(server)
    request = beginning_with_a_search(visitor)
    with ThreadPoolExecutor(1) as apart:
        game = apart.submit(visitor.request, "POST", "/games", json=request)
        try:
            assert held.begun.acquire(timeout=SECONDS)
            yield game
        finally:
            held.may_end.release(100)
        status, answer = game.result(SECONDS)
        assert status == 201
        assert "computer" in {line["by"] for line in answer["log"]}


def test_another_game_is_answered_while_an_opponent_searches(server: Server, held: Held) -> None:
    other = visitor_of(server)
    with searching(server, held) as game:
        theirs = other.begin("piglet", "random")
        assert other.moved(theirs, theirs["actions"][0]["label"])["number"] > theirs["number"]
        assert not game.done()


def test_more_searches_than_the_server_has_threads_for_are_put_off(
    server: Server, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = visitor_of(server)
    request = beginning_with_a_search(other)
    with searching(server, held):
        monkeypatch.setattr(server.app.state.services.search_queue, "_max_waiting", 0)
        response = other.client.post("/api/games", json=request)
        assert (response.status_code, response.headers["retry-after"]) == (503, "60")
        monkeypatch.setattr(server.app.state.services.search_queue, "_max_waiting", 1)
    assert other.request("POST", "/games", json=request)[0] == 201  # the page repeats the request


def test_games_of_one_person_do_not_delay_the_search_of_another(server: Server, held: Held) -> None:
    eve, ann = visitor_of(server), visitor_of(server)
    requests = [beginning_with_a_search(eve) for _ in range(20)]
    theirs = beginning_with_a_search(ann)
    with ThreadPoolExecutor(21) as apart:
        games = [apart.submit(eve.request, "POST", "/games", json=request) for request in requests]
        assert held.begun.acquire(timeout=SECONDS)
        waiting = 1 + MAX_OF_PERSON
        refused = [game.result(SECONDS) for game in as_completed_until(games, len(games) - waiting)]
        assert {status for status, _ in refused} == {503}
        game = apart.submit(ann.request, "POST", "/games", json=theirs)
        assert held.begun.acquire(timeout=SECONDS)  # hers begins while the other one runs
        assert not game.done()
        held.may_end.release(100)
        assert game.result(SECONDS)[0] == 201


def test_a_search_of_a_second_can_be_named(server: Server, held: Held) -> None:
    held.may_end.release(100)
    visitor = visitor_of(server)
    settings = {"seat": "second", "rules": {"players": 2}}
    status, answer = visitor.request("POST", "/games", json=visitor.game_request("red7", "pimc:1s", **settings))
    assert (status, answer.get("error")) == (201, None)
    for name in ("ismcts:9s", "ismcts:100000"):
        status, answer = visitor.request("POST", "/games", json=visitor.game_request("red7", name, **settings))
        assert (status, answer["error"]) == (422, f"Red7 has no opponent {name!r}.")


def test_a_search_is_compiled_where_a_player_chooses_not_where_cards_are_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Any] = []

    class Searching:
        def choose(self, game: Any, rules: Any, observation: Any, _: float) -> int:
            searched.append(legal_actions(game, rules, observation))
            return 0

    monkeypatch.setattr(jobs, "find_or_solve", lambda *_: Searching())
    assert jobs.compile_search("red7", {}, "ismcts:1s", silent)
    assert len(searched) == 1


def test_preparing_solves_a_game_or_compiles_its_search(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, str]] = []
    monkeypatch.setattr(jobs, "solve", lambda game, *_: done.append(("solve", game)))
    monkeypatch.setattr(jobs, "compile_search", lambda game, _, policy, __: done.append((policy, game)))
    for name in ("piglet", "red7"):
        assert "ready" in prepare_game(komi.find(name), name, silent)
    assert done == [("solve", "piglet"), ("ismcts:1s", "red7")]


def test_what_cannot_be_prepared_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise KomiError("it is too large.")

    monkeypatch.setattr(jobs, "solve", refuse)
    assert prepare_game(komi.find("piglet"), "piglet", silent) == "Piglet: it is too large."
