"""Long work is done in an order that is fair to people and addresses, whoever asks for how much."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from komi.errors import SolveError
from komi.web.refusals import RefusalError
from komi.web.work import (
    MAX_OF_ADDRESS,
    MAX_OF_PERSON,
    MAX_WAIT,
    TURN,
    Asker,
    Preparation,
    Work,
)

SECONDS = 10
LOOK = 0.01
HERE, THERE = "203.0.113.1", "203.0.113.2"
ANN, BOB, EVE = (Asker(name) for name in ("ann", "bob", "eve"))


class Apart:
    """Jobs that go on until they may end, or are stopped."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.begins = threading.Condition()
        self.may_end = threading.Semaphore(0)
        self.stopped: list[Preparation] = []

    def run(self, job: str, arguments: dict[str, Any], preparation: Preparation) -> str:
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

    def stop(self, preparation: Preparation) -> bool:
        if preparation.key in self.begun:
            self.stopped.append(preparation)
        return preparation.key in self.begun

    def close(self) -> None:
        self.may_end.release(1000)


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


def test_one_person_cannot_fill_all_places(work: Work, apart: Apart) -> None:
    pieces = [work.ask(f"eve {number}", "solve", {}, EVE) for number in range(3 * MAX_OF_PERSON)]
    waiting = [piece.key for piece in pieces if not piece.is_over]
    assert len(waiting) <= MAX_OF_PERSON + 1  # one is being done
    assert waiting[-1] == pieces[-1].key
    assert not work.ask("ann 1", "solve", {}, ANN).is_over


def test_one_address_cannot_either_and_default_rules_are_taken_all_the_same(work: Work, apart: Apart) -> None:
    for number in range(MAX_OF_ADDRESS + 1):
        work.ask(f"eve {number}", "solve", {}, Asker(f"eve {number}", HERE))
        apart.wait_for(1)
    with pytest.raises(RefusalError, match="Many games are waiting") as refused:
        work.ask("eve", "solve", {}, Asker("another eve", HERE))
    assert refused.value.headers == {"retry-after": "60"}
    assert not work.ask("ann 1", "solve", {}, Asker("ann", THERE)).is_over
    assert not work.ask("usual", "solve", {}, Asker("another eve", HERE), is_usual=True).is_over


def test_people_without_a_cookie_at_an_address_are_one(work: Work, apart: Apart) -> None:
    work.ask("ann 1", "solve", {}, ANN)
    apart.wait_for(1)
    asked = [work.ask(f"eve {n}", "solve", {}, Asker(f"eve {n}", HERE, has_cookie=False)) for n in range(8)]
    assert [piece.is_over for piece in asked] == [True] * (8 - MAX_OF_PERSON) + [False] * MAX_OF_PERSON
    assert not work.ask("pupil", "solve", {}, Asker("pupil", HERE)).is_over
    assert not any(piece.is_over for piece in asked[-MAX_OF_PERSON:])


def test_address_that_has_used_less_comes_first_then_the_person(work: Work, apart: Apart) -> None:
    eve, pupil, ann = Asker("eve", HERE), Asker("pupil", HERE), Asker("ann", THERE)
    for number in range(3):
        work.ask(f"eve {number}", "solve", {}, eve)
    apart.wait_for(1)
    for number in range(2):
        work.ask(f"pupil {number}", "solve", {}, pupil)
    for number in range(3):
        work.ask(f"ann {number}", "solve", {}, ann)
    apart.may_end.release(8)
    order = apart.wait_for(8)
    assert order[:5] == ["eve 0", "ann 0", "pupil 0", "ann 1", "eve 1"]


def test_default_rules_have_a_place_of_their_own(apart: Apart) -> None:
    work = Work(apart, "work", at_once=3)  # type: ignore[arg-type]
    for number in range(2):
        work.ask(f"eve {number}", "solve", {}, Asker(f"eve {number}", f"192.0.2.{number}"))
    apart.wait_for(2)
    work.ask("odd", "solve", {}, ANN)
    work.ask("usual", "solve", {}, BOB, is_usual=True)
    assert apart.wait_for(3)[2] == "usual"
    work.close()


def test_default_rules_come_first_among_equals(work: Work, apart: Apart) -> None:
    work.ask("eve", "solve", {}, EVE)
    apart.wait_for(1)
    work.ask("odd", "solve", {}, ANN)
    work.ask("usual", "solve", {}, BOB, is_usual=True)
    apart.may_end.release(2)
    assert apart.wait_for(3)[1] == "usual"


def test_piece_that_had_its_turn_gives_way_and_is_done_later(apart: Apart) -> None:
    work = Work(apart, "work", at_once=1, turn=0.0)  # type: ignore[arg-type]
    long = work.ask("eve", "solve", {}, EVE)
    apart.wait_for(1)
    work.ask("ann", "solve", {}, ANN)
    assert apart.wait_for(2) == ["eve", "ann"]
    assert not long.is_over
    apart.may_end.release(2)
    assert apart.wait_for(3) == ["eve", "ann", "eve"]
    work.close()
    assert long.ready


def test_piece_stays_as_long_as_nobody_else_waits_or_it_has_not_had_its_turn(work: Work, apart: Apart) -> None:
    work.ask("eve 1", "solve", {}, EVE)
    apart.wait_for(1)
    work.ask("eve 2", "solve", {}, EVE)
    work.ask("ann", "solve", {}, ANN)
    assert work._overdue() is None
    work._running[0].begun -= 2 * TURN
    work._waiting = [each for each in work._waiting if each.key == "eve 2"]
    assert work._overdue() is None


def test_default_rules_never_give_way(apart: Apart) -> None:
    work = Work(apart, "work", at_once=1, turn=0.0)  # type: ignore[arg-type]
    work.ask("usual", "solve", {}, EVE, is_usual=True)
    apart.wait_for(1)
    work.ask("ann", "solve", {}, ANN)
    assert work._overdue() is None
    work.close()


def test_second_place_of_an_address_is_given_to_another_at_once(apart: Apart) -> None:
    work = Work(apart, "work", at_once=3)  # type: ignore[arg-type]
    for number in range(2):
        work.ask(f"eve {number}", "solve", {}, Asker(f"eve {number}", HERE))
    apart.wait_for(2)
    work.ask("ann", "solve", {}, Asker("ann", THERE))
    assert apart.wait_for(3)[2] == "ann"
    work.close()


def test_many_addresses_cannot_keep_all_places(apart: Apart) -> None:
    work = Work(apart, "work", at_once=3, turn=0.0)  # type: ignore[arg-type]
    for number in range(24):
        work.ask(f"eve {number}", "solve", {}, Asker(f"eve {number}", f"192.0.2.{number % 3}", has_cookie=False))
    apart.wait_for(2)
    work.ask("ann", "solve", {}, Asker("ann", THERE))
    with apart.begins:
        assert apart.begins.wait_for(lambda: "ann" in apart.begun, SECONDS)
    work.close()


def test_piece_does_not_keep_its_place_by_being_asked_for_from_elsewhere(apart: Apart) -> None:
    work = Work(apart, "work", at_once=1, turn=0.0)  # type: ignore[arg-type]
    work.ask("eve", "solve", {}, Asker("eve", HERE))
    apart.wait_for(1)
    work.ask("eve", "solve", {}, Asker("another eve", THERE))
    work.ask("ann", "solve", {}, ANN)
    assert apart.wait_for(2)[1] == "ann"
    work.close()


def test_what_waits_longer_says_so(work: Work, apart: Apart) -> None:
    asked = [work.ask(f"{asker.person} 1", "solve", {}, asker).seconds for asker in (ANN, BOB, EVE)]
    assert 1 <= asked[0] < asked[1] < asked[2] <= MAX_WAIT


def test_piece_that_another_waits_for_too_stays(work: Work, apart: Apart) -> None:
    work.ask("first", "solve", {}, BOB)
    apart.wait_for(1)
    shared = work.ask("shared", "solve", {}, EVE)
    assert work.ask("shared", "solve", {}, ANN) is shared
    for number in range(2 * MAX_OF_PERSON):
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
