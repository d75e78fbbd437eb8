"""Random numbers of turns are the same however many numbers earlier turns used."""

import numpy as np
import pytest

from komi.streams import TURN_NUMBERS, Stream, begin_game, begin_turn, draw, key, next_number, numbers_at


@pytest.fixture
def stream() -> Stream:
    return Stream(key(1, 0), np.empty(TURN_NUMBERS), np.array([TURN_NUMBERS, 0, 0]))


def numbers(stream: Stream, count: int) -> list[float]:
    with np.errstate(over="ignore"):
        return [next_number(stream) for _ in range(count)]


def test_numbers_are_found_by_their_positions() -> None:
    drawn = np.empty(5)
    with np.errstate(over="ignore"):
        draw(key(7, 1), 40, drawn)
    assert numbers_at(key(7, 1), np.array([44, 40, 42])).tolist() == drawn[[4, 0, 2]].tolist()


def test_a_turn_has_its_own_numbers(stream: Stream) -> None:
    begin_game(stream, 3)
    first = numbers(stream, 2)
    begin_turn(stream)
    second = numbers(stream, 9)
    begin_game(stream, 3)
    assert numbers(stream, 7)[:2] == first
    begin_turn(stream)
    assert numbers(stream, 9) == second
    begin_game(stream, 3, turn=1)
    assert numbers(stream, 9) == second
    begin_game(stream, 4)
    assert len({*first, *second, *numbers(stream, 9)}) == 20
