"""Rewritten functions return what the originals return, and compile."""

from typing import NamedTuple

from komi.jit.kernels import Kernels
from komi.jit.specialization import Specializer


class Place(NamedTuple):
    row: int
    column: int = -1
    level: int = 2


def places(row: int):  # type: ignore[no-untyped-def]
    yield Place(row)
    yield Place(row, 3)
    yield Place(row, level=4)
    yield Place(row, 3, 4)
    yield Place(level=4, row=row)


def test_fields_left_to_their_defaults_are_filled_in() -> None:
    kernel = Kernels("places", Specializer({}, lambda module: module.__name__ == __name__))[list_places]
    assert kernel(7) == list_places(7)


def list_places(row: int) -> list[Place]:
    return list(places(row))
