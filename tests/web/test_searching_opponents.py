"""Opponents that search: they delay no other game, and their processes are kept for the next move."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import SolveError
from komi.policies.policy import legal_actions
from komi.progress import silent
from komi.web import job_process
from komi.web.job_process import MAX_IDLE, InterruptedJobError, JobRunner
from komi.web.job_queue import MAX_OF_PERSON, JobQueue
from komi.web.queued_job import Requester
from komi.web.responses import ApiError
from komi.web.services import SEARCHERS

from playing import Server, Visitor

SECONDS = 30  # after which a test gives up
WORKER = """
import json, os, signal, sys
for line in sys.stdin:
    job = json.loads(line)
    if job["arguments"] == "die":
        break
    if job["arguments"] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if job["arguments"] == "limit":
        os.kill(os.getpid(), signal.SIGXCPU)
    if os.path.exists(str(job["arguments"])):  # killed once
        os.remove(job["arguments"])
        os.kill(os.getpid(), signal.SIGKILL)
    answer = {"error": "it failed."} if job["arguments"] == "fail" else {"result": os.getpid()}
    print(json.dumps(answer), flush=True)
"""

LIMITED = """
import time
from komi.web import jobs, worker
def search(seconds, progress):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds
jobs.search, worker.MAX_SECONDS = search, {"search": 1}
worker.main()
"""


class HeldRunner:
    """Runs searches that go on until they may end, and then find the first legal action."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Semaphore(0), threading.Semaphore(0)

    def run(self, job: str, arguments: dict[str, Any], progress: Any = silent) -> int:
        assert job == "search"
        json.dumps(arguments)
        self.begun.release()
        assert self.may_end.acquire(timeout=SECONDS)
        game = komi.find(arguments["game"])
        return legal_actions(game, game.rules(arguments["rules"]), game.module.State(*arguments["state"]))[0]


def as_completed_until(futures: list[Future[Any]], count: int) -> Iterator[Future[Any]]:
    """The first of these that are done."""
    return islice(as_completed(futures, SECONDS), count)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldRunner:
    runner = HeldRunner()
    monkeypatch.setattr(JobRunner, "run", lambda _, *arguments: runner.run(*arguments))
    return runner


def visitor_of(server: Server) -> Visitor:
    """A visitor whose requests are served by one event loop and its threads, together with those of all others."""
    visitor = server.visitor()
    visitor.client.portal = server.inside.portal
    return visitor


def beginning_with_a_search(visitor: Visitor) -> dict[str, Any]:
    """Return the request of the page for a game in which the opponent moves first."""
    return visitor.wish("red7", "hard", seat="second", rules={"players": 2})


@contextmanager
def searching(server: Server, held: HeldRunner) -> Iterator[Any]:
    """A visitor whose opponent searches meanwhile."""
    visitor = visitor_of(server)
    wish = beginning_with_a_search(visitor)
    with ThreadPoolExecutor(1) as apart:
        game = apart.submit(visitor.ask, "POST", "/games", json=wish)
        try:
            assert held.begun.acquire(timeout=SECONDS)
            yield game
        finally:
            held.may_end.release(100)
        status, answer = game.result(SECONDS)
        assert status == 201
        assert "computer" in {line["by"] for line in answer["log"]}


def test_another_game_is_answered_while_an_opponent_searches(server: Server, held: HeldRunner) -> None:
    other = visitor_of(server)
    with searching(server, held) as game:
        theirs = other.begin("piglet", "random")
        assert other.moved(theirs, theirs["actions"][0]["label"])["number"] > theirs["number"]
        assert not game.done()


def test_more_searches_than_the_server_has_threads_for_are_put_off(
    server: Server, held: HeldRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = visitor_of(server)
    wish = beginning_with_a_search(other)
    with searching(server, held):
        monkeypatch.setattr(server.app.state.services.search_queue, "_max_waiting", 0)
        response = other.client.post("/api/games", json=wish)
        assert (response.status_code, response.headers["retry-after"]) == (503, "60")
        monkeypatch.setattr(server.app.state.services.search_queue, "_max_waiting", 1)
    assert other.ask("POST", "/games", json=wish)[0] == 201  # the page repeats the request


def test_games_of_one_person_delay_the_search_of_another_by_no_more_than_those_that_run(
    server: Server, held: HeldRunner
) -> None:
    eve, ann = visitor_of(server), visitor_of(server)
    wishes = [beginning_with_a_search(eve) for _ in range(20)]
    theirs = beginning_with_a_search(ann)
    with ThreadPoolExecutor(21) as apart:
        games = [apart.submit(eve.ask, "POST", "/games", json=wish) for wish in wishes]
        for _ in range(SEARCHERS):
            assert held.begun.acquire(timeout=SECONDS)
        waiting = SEARCHERS + MAX_OF_PERSON
        refused = [game.result(SECONDS) for game in as_completed_until(games, len(games) - waiting)]
        assert {status for status, _ in refused} == {503}
        game = apart.submit(ann.ask, "POST", "/games", json=theirs)
        while len(server.app.state.services.search_queue._waiting) < MAX_OF_PERSON + 1:
            assert not game.done()
        held.may_end.release(SEARCHERS + 1)
        assert game.result(SECONDS)[0] == 201
        held.may_end.release(100)


def test_a_search_of_a_second_can_be_named(server: Server, held: HeldRunner) -> None:
    held.may_end.release(100)
    visitor = visitor_of(server)
    asked = {"seat": "second", "rules": {"players": 2}}
    status, answer = visitor.ask("POST", "/games", json=visitor.wish("red7", "pimc:1s", **asked))
    assert (status, answer.get("error")) == (201, None)
    for name in ("ismcts:9s", "ismcts:100000"):
        status, answer = visitor.ask("POST", "/games", json=visitor.wish("red7", name, **asked))
        assert (status, answer["error"]) == (422, f"Red7 has no opponent {name!r}.")


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Iterator[JobRunner]:
    """A runner whose processes return their number at once."""

    def start() -> Any:
        return subprocess.Popen(
            [sys.executable, "-S", "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    monkeypatch.setattr(job_process, "_start", start)
    runner = JobRunner()
    yield runner
    runner.close()


def test_a_process_that_has_searched_searches_again(runner: JobRunner) -> None:
    first = runner.run("search", {})
    with pytest.raises(komi.KomiError, match="it failed"):
        runner.run("search", "fail")  # type: ignore[arg-type]
    assert runner.run("estimate", {}) == first
    assert runner.run("solve", {}) not in (first, runner.run("solve", {}))
    assert runner.run("search", {}) == first


def test_a_process_that_has_ended_is_replaced(runner: JobRunner) -> None:
    first = runner.run("search", {})
    with pytest.raises(SolveError, match="not enough memory or time"):
        runner.run("search", "die")  # type: ignore[arg-type]
    second = runner.run("search", {})
    [idle] = runner._idle
    idle.kill()
    idle.wait(SECONDS)
    assert len({first, second, runner.run("search", {})}) == 3


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_job_whose_process_is_killed_is_started_once_more(runner: JobRunner, tmp_path: Path) -> None:
    for job in ("solve", "search"):
        once = tmp_path / job
        once.touch()
        assert runner.run(job, str(once)) > 0  # type: ignore[arg-type]
        assert not once.exists()
        with pytest.raises(InterruptedJobError, match="try again"):
            runner.run(job, "killed")  # type: ignore[arg-type]
        with pytest.raises(SolveError, match="not enough memory or time"):
            runner.run(job, "limit")  # type: ignore[arg-type]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_job_is_not_a_fault_of_the_game_and_can_be_requested_again(runner: JobRunner, tmp_path: Path) -> None:
    queue, ann = JobQueue(runner, "work", at_once=1), Requester("ann")
    job = queue.run("search", "killed", ann)  # type: ignore[arg-type]
    with pytest.raises(ApiError, match="try again") as refused:
        job.finished("it waits.")
    assert (refused.value.status_code, refused.value.headers) == (503, {"retry-after": "5"})
    first = queue.submit("piglet", "solve", "killed", ann)  # type: ignore[arg-type]
    while not first.is_over:
        time.sleep(0.01)
    assert queue.submit("piglet", "solve", {}, ann) is not first
    queue.close()


def test_few_processes_are_kept_and_not_for_long(runner: JobRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    processes = [runner._take("search", silent) for _ in range(MAX_IDLE + 1)]
    for process in processes:
        runner._release(process, keep=True)
    assert [process.poll() is None for process in processes] == [True] * MAX_IDLE + [False]
    assert list(runner._idle) == processes[:MAX_IDLE]
    monkeypatch.setattr(job_process, "MAX_IDLE_SECONDS", 0.0)
    runner.run("search", {})
    processes[1].wait(SECONDS)
    assert processes[0].poll() is None


@pytest.mark.skipif(os.name != "posix", reason="limits of processes")
def test_no_process_outlives_the_server(runner: JobRunner) -> None:
    pid = runner.run("search", {})
    runner.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(SolveError, match="stopping"):
        runner.run("search", {})


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="limits of processes")
def test_each_job_of_a_process_has_its_own_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    command, popen = [sys.executable, "-c", LIMITED], subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda _, **settings: popen(command, **settings))
    runner = JobRunner()
    assert [runner.run("search", {"seconds": 0.7}) for _ in range(4)] == [0.7] * 4
    with pytest.raises(SolveError, match="not enough memory or time"):
        runner.run("search", {"seconds": 60})
    runner.close()
