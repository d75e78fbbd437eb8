"""Solution data grow when states are requested that they do not contain."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from komi.progress import silent
from komi.solvers.solution import LazySolver


@dataclass(frozen=True)
class Numbers:
    """A set of numbers in place of a set of states."""

    known: frozenset[int]

    @property
    def size(self) -> int:
        return len(self.known)

    def index_of(self, number: int) -> int:
        return sorted(self.known).index(number) if number in self.known else -1


@dataclass(frozen=True)
class Data:
    states: Any


def solver(requests: list[list[int]]) -> Any:
    """Return a solver that records the numbers it is called with."""

    def extend(roots: Sequence[int], known: Data, progress: Any) -> Data:
        assert progress is silent
        requests.append(list(roots))
        return Data(Numbers(known.states.known | set(roots)))

    return extend


def test_unknown_states_are_solved_in_one_pass() -> None:
    requests: list[list[int]] = []
    numbers = LazySolver(Data(Numbers(frozenset({1, 2}))), solver(requests))
    assert numbers.include([1, 3, 4])
    assert requests == [[3, 4]]
    assert numbers.data.states.known == {1, 2, 3, 4}


def test_known_states_are_not_solved_again() -> None:
    requests: list[list[int]] = []
    numbers = LazySolver(Data(Numbers(frozenset({1, 2}))), solver(requests))
    assert not numbers.include([1, 2])
    assert requests == []


def test_the_number_of_reachable_states_does_not_grow() -> None:
    numbers = LazySolver(Data(Numbers(frozenset({1, 2}))), solver([]))
    numbers.include([3])
    assert numbers.reachable == 2
