"""Long work is done in turn: nobody holds up the others, whoever asks for how much."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from komi.errors import SolveError
from komi.web.refusals import RefusalError
from komi.web.work import MOST_OF_ADDRESS, MOST_OF_PERSON, MOST_WAITING, Asker, Preparation, Work

SECONDS = 10
ANN, BOB, EVE = (Asker(name) for name in ("ann", "bob", "eve"))


class Apart:
    """Jobs that go on until they are told to end."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.begins = threading.Condition()
        self.may_end = threading.Semaphore(0)

    def run(self, job: str, arguments: dict[str, Any], preparation: Preparation) -> str:
        with self.begins:
            self.begun.append(preparation.key)
            self.begins.notify_all()
        self.may_end.acquire(timeout=SECONDS)
        if job == "fail":
            raise SolveError("it cannot be.")
        return job

    def wait_for(self, count: int) -> list[str]:
        with self.begins:
            assert self.begins.wait_for(lambda: len(self.begun) >= count, SECONDS)
            return list(self.begun)

    def close(self) -> None:
        self.may_end.release(100)


@pytest.fixture
def apart() -> Apart:
    return Apart()


@pytest.fixture
def work(apart: Apart) -> Iterator[Work]:
    work = Work(apart, "work", at_once=1)  # type: ignore[arg-type]
    yield work
    work.close()


def test_who_comes_later_is_served_before_anothers_second_piece(work: Work, apart: Apart) -> None:
    for key in ("eve 1", "eve 2", "eve 3"):
        work.ask(key, "solve", {}, EVE)
    apart.wait_for(1)
    work.ask("ann 1", "solve", {}, ANN)
    work.ask("bob 1", "solve", {}, BOB)
    apart.may_end.release(5)
    assert apart.wait_for(5) == ["eve 1", "ann 1", "bob 1", "eve 2", "eve 3"]


def test_what_waits_says_for_how_many(work: Work, apart: Apart) -> None:
    work.ask("ann 1", "solve", {}, ANN)
    apart.wait_for(1)
    asked = [work.ask(f"{asker.person} 2", "solve", {}, asker).stage for asker in (BOB, EVE)]
    assert asked == ["waiting; 1 before it", "waiting; 2 before it"]
    apart.may_end.release()
    apart.wait_for(2)
    found = [work.find(f"{asker.person} 2") for asker in (BOB, EVE)]
    assert [each and each.stage for each in found] == ["starting", "waiting; 1 before it"]


def test_nobody_has_two_pieces_done_at_once(apart: Apart) -> None:
    work = Work(apart, "work", at_once=2)  # type: ignore[arg-type]
    for key in ("eve 1", "eve 2"):
        work.ask(key, "solve", {}, EVE)
    apart.wait_for(1)
    work.ask("ann 1", "solve", {}, ANN)
    assert apart.wait_for(2) == ["eve 1", "ann 1"]
    apart.may_end.release(2)
    assert apart.wait_for(3)[-1] == "eve 2"
    work.close()


def test_one_person_cannot_fill_all_places(work: Work, apart: Apart) -> None:
    pieces = [work.ask(f"eve {number}", "solve", {}, EVE) for number in range(3 * MOST_WAITING)]
    waiting = [piece.key for piece in pieces if not piece.is_over]
    assert len(waiting) <= MOST_OF_PERSON + 1  # one is being done
    assert waiting[-1] == pieces[-1].key
    assert not work.ask("ann 1", "solve", {}, ANN).is_over


def test_many_people_at_one_address_cannot_either(work: Work) -> None:
    for number in range(MOST_OF_ADDRESS):
        work.ask(f"eve {number}", "solve", {}, Asker(f"eve {number}", "203.0.113.1"))
    with pytest.raises(RefusalError, match="Many games are waiting"):
        work.ask("eve", "solve", {}, Asker("another eve", "203.0.113.1"))
    work.ask("ann 1", "solve", {}, Asker("ann", "203.0.113.2"))


def test_piece_that_another_waits_for_too_stays(work: Work, apart: Apart) -> None:
    work.ask("first", "solve", {}, BOB)
    apart.wait_for(1)
    shared = work.ask("shared", "solve", {}, EVE)
    assert work.ask("shared", "solve", {}, ANN) is shared
    for number in range(2 * MOST_OF_PERSON):
        work.ask(f"eve {number}", "solve", {}, EVE)
    assert not shared.is_over
    assert shared.askers == [ANN]


def test_what_failed_is_told_and_what_is_done_is_remembered(work: Work, apart: Apart) -> None:
    apart.may_end.release(2)
    failed, done = work.ask("a", "fail", {}, ANN), work.ask("b", "solve", {}, ANN)
    apart.wait_for(2)
    work.close()
    assert (failed.error, failed.ready) == ("it cannot be.", False)
    assert (done.answer, done.ready) == ("solve", True)
    assert work.find("b") is done
    work.forget("b")
    assert work.find("b") is None
