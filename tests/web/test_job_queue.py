"""Long jobs start in the order of their requests, and addresses take turns."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest
from pebble import ProcessExpired

from komi.errors import SolveError
from komi.web.job_queue import INTERRUPTED, MAX_OF_ADDRESS, MAX_OF_PERSON, MAX_WAIT, OUT_OF_RESOURCES, JobQueue
from komi.web.queued_job import QueuedJob, Requester
from komi.web.responses import ApiError

SECONDS = 10
HERE, THERE = "203.0.113.1", "203.0.113.2"
ANN, BOB, EVE = (Requester(name) for name in ("ann", "bob", "eve"))


class Begun:
    """The jobs that have begun; each runs until it is ended."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.futures: list[Future[Any]] = []
        self.changed = threading.Condition()

    def schedule(self, _: JobQueue, job: QueuedJob) -> Future[Any]:
        if job.function == "refuse":
            raise OSError("no more processes")
        with self.changed:
            self.keys.append(job.key)
            self.futures.append(Future())
            self.changed.notify_all()
            return self.futures[-1]

    def wait_for(self, count: int) -> list[str]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.keys) >= count, SECONDS)
            return list(self.keys)

    def in_turn(self, count: int) -> list[str]:
        """Return the first jobs in the order in which they begin; each is ended at once."""
        for number in range(count):
            self.wait_for(number + 1)
            self.futures[number].set_result(None)
        return self.keys

    def end(self, job: QueuedJob, result: Any = None, error: Exception | None = None) -> QueuedJob:
        self.wait_for(1)
        future = self.futures[self.keys.index(job.key)]
        future.set_result(result) if error is None else future.set_exception(error)
        return job


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Begun:
    begun = Begun()
    monkeypatch.setattr(JobQueue, "_schedule", lambda queue, job: begun.schedule(queue, job))
    return begun


@pytest.fixture
def queue(begun: Begun) -> Iterator[JobQueue]:
    queue = JobQueue(1)
    yield queue
    queue.close()


def at(address: str, name: str = "eve") -> Requester:
    return Requester(f"{name} of {address}", address)


def test_addresses_take_turns_and_each_is_served_in_order(queue: JobQueue, begun: Begun) -> None:
    for key in ("eve 1", "eve 2", "eve 3", "eve 4"):
        queue.submit(key, "solve", {}, EVE)
        begun.wait_for(1)
    queue.submit("ann 1", "solve", {}, ANN)
    queue.submit("bob 1", "solve", {}, BOB)
    queue.submit("ann 2", "solve", {}, ANN)
    assert begun.in_turn(7) == ["eve 1", "ann 1", "bob 1", "eve 2", "ann 2", "eve 3", "eve 4"]


def test_people_at_an_address_take_turns(queue: JobQueue, begun: Begun) -> None:
    for name in ("eve 1", "eve 2", "eve 3", "pupil 1", "pupil 2"):
        queue.submit(name, "solve", {}, at(HERE, name.split()[0]))
        begun.wait_for(1)
    queue.submit("ann 1", "solve", {}, at(THERE))
    assert begun.in_turn(6) == ["eve 1", "ann 1", "pupil 1", "eve 2", "pupil 2", "eve 3"]


def test_jobs_that_run_count_as_turns(queue: JobQueue, begun: Begun) -> None:
    first = queue.submit("eve 1", "solve", {}, EVE)
    begun.wait_for(1)
    for number in (1, 2):
        queue.submit(f"ann {number}", "solve", {}, ANN)
    begun.end(first)
    begun.wait_for(2)
    queue.submit("eve 2", "solve", {}, EVE)
    queue.submit("eve 3", "solve", {}, EVE)
    begun.futures[0] = Future()
    assert begun.in_turn(5) == ["eve 1", "ann 1", "eve 2", "ann 2", "eve 3"]


def test_what_waits_says_for_how_many(queue: JobQueue, begun: Begun) -> None:
    first = queue.submit("ann 1", "solve", {}, ANN)
    begun.wait_for(1)
    submitted = [queue.submit(f"{requester.person} 2", "solve", {}, requester).stage for requester in (BOB, EVE)]
    assert submitted == ["waiting; 1 before it", "waiting; 2 before it"]
    begun.end(first)
    begun.wait_for(2)
    found = [queue.find(f"{requester.person} 2") for requester in (BOB, EVE)]
    assert [each and each.stage for each in found] == ["starting", "waiting; 1 before it"]


def test_one_person_cannot_fill_all_places(queue: JobQueue, begun: Begun) -> None:
    pieces = []
    for number in range(3 * MAX_OF_PERSON):
        pieces.append(queue.submit(f"eve {number}", "solve", {}, EVE))
        begun.wait_for(1)
    assert [piece.is_over for piece in pieces] == [False, *[True] * (2 * MAX_OF_PERSON - 1), *[False] * MAX_OF_PERSON]
    assert not queue.submit("ann 1", "solve", {}, ANN).is_over


def test_one_address_cannot_either_and_default_rules_are_taken_all_the_same(queue: JobQueue, begun: Begun) -> None:
    for number in range(MAX_OF_ADDRESS + 1):
        queue.submit(f"eve {number}", "solve", {}, Requester(f"eve {number}", HERE))
        begun.wait_for(1)
    with pytest.raises(ApiError, match="Many games are waiting") as refused:
        queue.submit("eve", "solve", {}, Requester("another eve", HERE))
    assert refused.value.headers == {"retry-after": "60"}
    assert not queue.submit("ann 1", "solve", {}, Requester("ann", THERE)).is_over
    assert not queue.submit("usual", "solve", {}, Requester("another eve", HERE), has_default_rules=True).is_over


def test_people_without_a_cookie_at_an_address_are_one(queue: JobQueue, begun: Begun) -> None:
    queue.submit("ann 1", "solve", {}, ANN)
    begun.wait_for(1)
    submitted = [queue.submit(f"eve {n}", "solve", {}, Requester(f"eve {n}", HERE, has_cookie=False)) for n in range(8)]
    assert [piece.is_over for piece in submitted] == [True] * (8 - MAX_OF_PERSON) + [False] * MAX_OF_PERSON
    assert not queue.submit("pupil", "solve", {}, Requester("pupil", HERE)).is_over
    assert not any(piece.is_over for piece in submitted[-MAX_OF_PERSON:])


def test_in_a_full_queue_the_address_with_most_jobs_makes_room(begun: Begun) -> None:
    queue = JobQueue(1, max_waiting=2)
    jobs = []
    for number in range(3):
        jobs.append(queue.submit(f"eve {number}", "solve", {}, Requester(f"eve {number}", HERE)))
        begun.wait_for(1)
    with pytest.raises(ApiError) as refused:
        queue.submit("eve 3", "solve", {}, Requester("eve 3", HERE))
    assert refused.value.status_code == 503
    queue.submit("ann", "solve", {}, Requester("ann", THERE))
    assert [job.is_interrupted for job in jobs] == [False, False, True]
    with pytest.raises(ApiError) as refused:
        jobs[2].finished("it waits.")
    assert (refused.value.status_code, refused.value.headers) == (503, {"retry-after": "5"})
    assert begun.in_turn(3) == ["eve 0", "ann", "eve 1"]
    queue.close()


def test_newcomers_do_not_keep_an_address_from_its_turn(queue: JobQueue, begun: Begun) -> None:
    queue.submit("eve 1", "solve", {}, EVE)
    begun.wait_for(1)
    queue.submit("eve 2", "solve", {}, EVE)
    for number in range(1, 9):
        queue.submit(f"other {number}", "solve", {}, at(f"192.0.2.{number}"))
        begun.futures[number - 1].set_result(None)
        begun.wait_for(number + 1)
    assert begun.keys[:4] == ["eve 1", "other 1", "eve 2", "other 2"]


def test_default_rules_have_a_worker_of_their_own(begun: Begun) -> None:
    queue = JobQueue(3)
    for number in range(3):
        queue.submit(f"eve {number}", "solve", {}, at(f"192.0.2.{number}"))
    begun.wait_for(2)
    queue.submit("odd", "solve", {}, ANN)
    queue.submit("usual", "solve", {}, BOB, has_default_rules=True)
    assert begun.wait_for(3) == ["eve 0", "eve 1", "usual"]
    queue.close()


def test_default_rules_use_all_workers(begun: Begun) -> None:
    queue = JobQueue(3)
    for number in range(4):
        queue.submit(f"usual {number}", "solve", {}, at(f"192.0.2.{number}"), has_default_rules=True)
    assert begun.wait_for(3) == ["usual 0", "usual 1", "usual 2"]
    queue.close()


def test_what_waits_longer_says_so(queue: JobQueue, begun: Begun) -> None:
    submitted = [queue.submit(f"{requester.person} 1", "solve", {}, requester).seconds for requester in (ANN, BOB, EVE)]
    assert 1 <= submitted[0] < submitted[1] < submitted[2] <= MAX_WAIT


def test_job_that_another_waits_for_too_stays(queue: JobQueue, begun: Begun) -> None:
    queue.submit("first", "solve", {}, BOB)
    begun.wait_for(1)
    shared = queue.submit("shared", "solve", {}, EVE)
    assert queue.submit("shared", "solve", {}, ANN) is shared
    for number in range(2 * MAX_OF_PERSON):
        queue.submit(f"eve {number}", "solve", {}, EVE)
    assert not shared.is_over
    assert shared.users == {"ann"}


def test_what_failed_is_reported_and_what_is_done_is_remembered(queue: JobQueue, begun: Begun) -> None:
    failed = begun.end(queue.submit("a", "solve", {}, ANN), error=SolveError("it cannot be."))
    assert (failed.error, failed.ready, failed.can_be_retried) == ("it cannot be.", False, False)
    done = queue.submit("b", "solve", {}, ANN)
    begun.wait_for(2)
    begun.end(done, "solved")
    assert (done.result, done.ready) == ("solved", True)
    assert queue.find("b") is done
    queue.forget("b")
    assert queue.find("b") is None


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ProcessExpired("killed", -9), INTERRUPTED),
        (BrokenProcessPool("killed"), INTERRUPTED),
        (ProcessExpired("it has used up its time", -24), OUT_OF_RESOURCES),
        (TimeoutError(), OUT_OF_RESOURCES),
        (RuntimeError("a bug"), "the solver failed; it has been logged."),
    ],
)
def test_only_what_was_killed_from_outside_can_be_retried_at_once(
    queue: JobQueue, begun: Begun, error: Exception, sentence: str
) -> None:
    job = begun.end(queue.submit("a", "solve", {}, ANN), error=error)
    assert (job.error, job.is_interrupted) == (sentence, sentence == INTERRUPTED)
    assert (queue.submit("a", "solve", {}, ANN) is job) is not job.is_interrupted


def test_a_job_that_cannot_be_started_fails_alone(queue: JobQueue, begun: Begun) -> None:
    assert queue.run("refuse", {}, ANN).error == "the solver failed; it has been logged."
    queue.submit("b", "solve", {}, ANN)
    assert begun.wait_for(1) == ["b"]


def test_a_short_job_waits_for_its_result(queue: JobQueue, begun: Begun) -> None:
    ends = threading.Thread(target=lambda: begun.in_turn(1))
    ends.start()
    job = queue.run("search", {}, ANN)
    ends.join()
    assert job.finished("it waits.") is None
    assert queue.find(job.key) is None


def test_a_person_whose_job_runs_does_not_get_the_last_worker(begun: Begun) -> None:
    queue = JobQueue(2)
    for number in range(2):
        queue.submit(f"eve {number}", "excitement", {}, EVE, has_default_rules=True)
    begun.wait_for(1)
    queue.submit("bob", "excitement", {}, BOB, has_default_rules=True)
    assert begun.wait_for(2) == ["eve 0", "bob"]
    begun.futures[0].set_result(None)
    assert begun.wait_for(3) == ["eve 0", "bob", "eve 1"]
    queue.close()


def test_a_move_does_not_wait_for_an_estimate_of_the_same_person(begun: Begun) -> None:
    queue = JobQueue(2)
    queue.submit("estimate", "costliest", {}, EVE)
    begun.wait_for(1)
    queue.submit("search", "search", {}, EVE, has_default_rules=True)
    assert begun.wait_for(2) == ["estimate", "search"]
    queue.close()


def test_a_person_alone_leaves_one_worker_for_other_rules_free(begun: Begun) -> None:
    queue = JobQueue(3)
    for number in range(3):
        queue.submit(f"eve {number}", "solve", {}, EVE)
    begun.wait_for(1)
    queue.submit("bob", "solve", {}, BOB)
    assert begun.wait_for(2) == ["eve 0", "bob"]
    queue.close()
