"""Long work is done in an order that is fair to people and addresses, whoever asks for how much."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from komi.errors import SolveError
from komi.web.job_queue import MAX_OF_ADDRESS, MAX_OF_PERSON, MAX_WAIT, JobQueue
from komi.web.queued_job import FIRST_SLICE, QueuedJob, Requester
from komi.web.responses import ApiError

SECONDS = 10
LOOK = 0.01
HERE, THERE = "203.0.113.1", "203.0.113.2"
ANN, BOB, EVE = (Requester(name) for name in ("ann", "bob", "eve"))


class JobRunner:
    """Jobs that go on until they may end, or are stopped."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.begins = threading.Condition()
        self.may_end = threading.Semaphore(0)
        self.stopped: list[QueuedJob] = []

    def run(self, job: str, arguments: dict[str, Any], preparation: QueuedJob) -> str:
        with self.begins:
            self.begun.append(preparation.key)
            self.begins.notify_all()
        while not self.may_end.acquire(timeout=LOOK):
            if preparation in self.stopped:
                self.stopped.remove(preparation)
                raise SolveError("it was stopped.")
        if job == "fail":
            raise SolveError("it cannot be.")
        return job

    def wait_for(self, count: int) -> list[str]:
        with self.begins:
            assert self.begins.wait_for(lambda: len(self.begun) >= count, SECONDS)
            return list(self.begun)

    def stop(self, preparation: QueuedJob) -> bool:
        if preparation.key in self.begun:
            self.stopped.append(preparation)
        return preparation.key in self.begun

    def close(self) -> None:
        self.may_end.release(1000)


@pytest.fixture
def runner() -> JobRunner:
    return JobRunner()


@pytest.fixture
def queue(runner: JobRunner) -> Iterator[JobQueue]:
    queue = JobQueue(runner, "work", at_once=1)  # type: ignore[arg-type]
    yield queue
    queue.close()


def test_who_comes_later_is_served_before_anothers_second_piece(queue: JobQueue, runner: JobRunner) -> None:
    for key in ("eve 1", "eve 2", "eve 3"):
        queue.submit(key, "solve", {}, EVE)
    runner.wait_for(1)
    queue.submit("ann 1", "solve", {}, ANN)
    queue.submit("bob 1", "solve", {}, BOB)
    runner.may_end.release(5)
    assert runner.wait_for(5) == ["eve 1", "ann 1", "bob 1", "eve 2", "eve 3"]


def test_what_waits_says_for_how_many(queue: JobQueue, runner: JobRunner) -> None:
    queue.submit("ann 1", "solve", {}, ANN)
    runner.wait_for(1)
    asked = [queue.submit(f"{requester.person} 2", "solve", {}, requester).stage for requester in (BOB, EVE)]
    assert asked == ["waiting; 1 before it", "waiting; 2 before it"]
    runner.may_end.release()
    runner.wait_for(2)
    found = [queue.find(f"{requester.person} 2") for requester in (BOB, EVE)]
    assert [each and each.stage for each in found] == ["starting", "waiting; 1 before it"]


def test_one_person_cannot_fill_all_places(queue: JobQueue, runner: JobRunner) -> None:
    pieces = [queue.submit(f"eve {number}", "solve", {}, EVE) for number in range(3 * MAX_OF_PERSON)]
    waiting = [piece.key for piece in pieces if not piece.is_over]
    assert len(waiting) <= MAX_OF_PERSON + 1  # one is being done
    assert waiting[-1] == pieces[-1].key
    assert not queue.submit("ann 1", "solve", {}, ANN).is_over


def test_one_address_cannot_either_and_default_rules_are_taken_all_the_same(queue: JobQueue, runner: JobRunner) -> None:
    for number in range(MAX_OF_ADDRESS + 1):
        queue.submit(f"eve {number}", "solve", {}, Requester(f"eve {number}", HERE))
        runner.wait_for(1)
    with pytest.raises(ApiError, match="Many games are waiting") as refused:
        queue.submit("eve", "solve", {}, Requester("another eve", HERE))
    assert refused.value.headers == {"retry-after": "60"}
    assert not queue.submit("ann 1", "solve", {}, Requester("ann", THERE)).is_over
    assert not queue.submit("usual", "solve", {}, Requester("another eve", HERE), has_default_rules=True).is_over


def test_people_without_a_cookie_at_an_address_are_one(queue: JobQueue, runner: JobRunner) -> None:
    queue.submit("ann 1", "solve", {}, ANN)
    runner.wait_for(1)
    asked = [queue.submit(f"eve {n}", "solve", {}, Requester(f"eve {n}", HERE, has_cookie=False)) for n in range(8)]
    assert [piece.is_over for piece in asked] == [True] * (8 - MAX_OF_PERSON) + [False] * MAX_OF_PERSON
    assert not queue.submit("pupil", "solve", {}, Requester("pupil", HERE)).is_over
    assert not any(piece.is_over for piece in asked[-MAX_OF_PERSON:])


def test_address_that_has_used_less_comes_first_then_the_person(queue: JobQueue, runner: JobRunner) -> None:
    eve, pupil, ann = Requester("eve", HERE), Requester("pupil", HERE), Requester("ann", THERE)
    for number in range(3):
        queue.submit(f"eve {number}", "solve", {}, eve)
    runner.wait_for(1)
    for number in range(2):
        queue.submit(f"pupil {number}", "solve", {}, pupil)
    for number in range(3):
        queue.submit(f"ann {number}", "solve", {}, ann)
    runner.may_end.release(8)
    order = runner.wait_for(8)
    assert order[:5] == ["eve 0", "ann 0", "pupil 0", "ann 1", "eve 1"]


def test_default_rules_have_a_place_of_their_own(runner: JobRunner) -> None:
    queue = JobQueue(runner, "work", at_once=3)  # type: ignore[arg-type]
    for number in range(2):
        queue.submit(f"eve {number}", "solve", {}, Requester(f"eve {number}", f"192.0.2.{number}"))
    runner.wait_for(2)
    queue.submit("odd", "solve", {}, ANN)
    queue.submit("usual", "solve", {}, BOB, has_default_rules=True)
    assert runner.wait_for(3)[2] == "usual"
    queue.close()


def test_default_rules_come_first_among_equals(queue: JobQueue, runner: JobRunner) -> None:
    queue.submit("eve", "solve", {}, EVE)
    runner.wait_for(1)
    queue.submit("odd", "solve", {}, ANN)
    queue.submit("usual", "solve", {}, BOB, has_default_rules=True)
    runner.may_end.release(2)
    assert runner.wait_for(3)[1] == "usual"


def test_piece_that_had_its_turn_gives_way_and_is_done_later(runner: JobRunner) -> None:
    queue = JobQueue(runner, "work", at_once=1, first_slice=0.0)  # type: ignore[arg-type]
    long = queue.submit("eve", "solve", {}, EVE)
    runner.wait_for(1)
    queue.submit("ann", "solve", {}, ANN)
    assert runner.wait_for(2) == ["eve", "ann"]
    assert not long.is_over
    runner.may_end.release(2)
    assert runner.wait_for(3) == ["eve", "ann", "eve"]
    queue.close()
    assert long.ready


def test_piece_stays_as_long_as_nobody_else_waits_or_it_has_not_had_its_turn(
    queue: JobQueue, runner: JobRunner
) -> None:
    queue.submit("eve 1", "solve", {}, EVE)
    runner.wait_for(1)
    queue.submit("eve 2", "solve", {}, EVE)
    queue.submit("ann", "solve", {}, ANN)
    assert queue._job_to_preempt() is None
    queue._running[0].started_at -= 2 * FIRST_SLICE
    queue._waiting = [each for each in queue._waiting if each.key == "eve 2"]
    assert queue._job_to_preempt() is None


def test_default_rules_never_give_way(runner: JobRunner) -> None:
    queue = JobQueue(runner, "work", at_once=1, first_slice=0.0)  # type: ignore[arg-type]
    queue.submit("usual", "solve", {}, EVE, has_default_rules=True)
    runner.wait_for(1)
    queue.submit("ann", "solve", {}, ANN)
    assert queue._job_to_preempt() is None
    queue.close()


def test_second_place_of_an_address_is_given_to_another_at_once(runner: JobRunner) -> None:
    queue = JobQueue(runner, "work", at_once=3)  # type: ignore[arg-type]
    for number in range(2):
        queue.submit(f"eve {number}", "solve", {}, Requester(f"eve {number}", HERE))
    runner.wait_for(2)
    queue.submit("ann", "solve", {}, Requester("ann", THERE))
    assert runner.wait_for(3)[2] == "ann"
    queue.close()


def test_many_addresses_cannot_keep_all_places(runner: JobRunner) -> None:
    queue = JobQueue(runner, "work", at_once=3, first_slice=0.0)  # type: ignore[arg-type]
    for number in range(24):
        queue.submit(
            f"eve {number}", "solve", {}, Requester(f"eve {number}", f"192.0.2.{number % 3}", has_cookie=False)
        )
    runner.wait_for(2)
    queue.submit("ann", "solve", {}, Requester("ann", THERE))
    with runner.begins:
        assert runner.begins.wait_for(lambda: "ann" in runner.begun, SECONDS)
    queue.close()


def test_piece_does_not_keep_its_place_by_being_asked_for_from_elsewhere(runner: JobRunner) -> None:
    queue = JobQueue(runner, "work", at_once=1, first_slice=0.0)  # type: ignore[arg-type]
    queue.submit("eve", "solve", {}, Requester("eve", HERE))
    runner.wait_for(1)
    queue.submit("eve", "solve", {}, Requester("another eve", THERE))
    queue.submit("ann", "solve", {}, ANN)
    assert runner.wait_for(2)[1] == "ann"
    queue.close()


def test_what_waits_longer_says_so(queue: JobQueue, runner: JobRunner) -> None:
    asked = [queue.submit(f"{requester.person} 1", "solve", {}, requester).seconds for requester in (ANN, BOB, EVE)]
    assert 1 <= asked[0] < asked[1] < asked[2] <= MAX_WAIT


def test_piece_that_another_waits_for_too_stays(queue: JobQueue, runner: JobRunner) -> None:
    queue.submit("first", "solve", {}, BOB)
    runner.wait_for(1)
    shared = queue.submit("shared", "solve", {}, EVE)
    assert queue.submit("shared", "solve", {}, ANN) is shared
    for number in range(2 * MAX_OF_PERSON):
        queue.submit(f"eve {number}", "solve", {}, EVE)
    assert not shared.is_over
    assert shared.requesters == [ANN]


def test_what_failed_is_told_and_what_is_done_is_remembered(queue: JobQueue, runner: JobRunner) -> None:
    runner.may_end.release(2)
    failed, done = queue.submit("a", "fail", {}, ANN), queue.submit("b", "solve", {}, ANN)
    runner.wait_for(2)
    queue.close()
    assert (failed.error, failed.ready) == ("it cannot be.", False)
    assert (done.result, done.ready) == ("solve", True)
    assert queue.find("b") is done
    queue.forget("b")
    assert queue.find("b") is None


def test_a_short_job_waits_for_its_result(queue: JobQueue, runner: JobRunner) -> None:
    runner.may_end.release(2)
    assert queue.run("search", {}, ANN).finished("it waits.") == "search"
    job = queue.run("fail", {}, ANN)
    with pytest.raises(ApiError, match="it cannot be") as refused:
        job.finished("it waits.")
    assert refused.value.status_code == 422
    assert queue.find(job.key) is None


def test_in_a_full_queue_the_job_of_who_has_used_most_makes_room(runner: JobRunner) -> None:
    queue = JobQueue(runner, "work", at_once=1, max_waiting=2)  # type: ignore[arg-type]
    here = [Requester(f"eve {number}", HERE) for number in range(4)]
    jobs = [queue.submit(f"eve {number}", "solve", {}, here[number]) for number in range(1)]
    runner.wait_for(1)
    jobs += [queue.submit(f"eve {number}", "solve", {}, here[number]) for number in (1, 2)]
    with pytest.raises(ApiError) as refused:
        queue.submit("eve 3", "solve", {}, here[3])
    assert refused.value.status_code == 503
    queue.submit("ann", "solve", {}, Requester("ann", THERE))
    assert [job.is_interrupted for job in jobs].count(True) == 1
    with pytest.raises(ApiError) as refused:
        next(job for job in jobs if job.is_interrupted).finished("it waits.")
    assert (refused.value.status_code, refused.value.headers) == (503, {"retry-after": "5"})
    runner.may_end.release(3)
    assert runner.wait_for(2)[:2] == ["eve 0", "ann"]
    queue.close()
