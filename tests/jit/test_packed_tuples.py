"""Compiled packing does what `Layout` does in Python, for layouts of tuples and of arrays."""

from typing import Any, NamedTuple, cast

import numba
import numpy as np
import pytest

from komi.compiling.packing import Layout
from komi.jit.packed_tuples import packing_functions, rules_reader

HIGHEST = (1 << 62) - 1


class State(NamedTuple):
    one: int
    two: int
    three: int
    four: int


LAYOUTS = {
    "short": Layout.spanning([0, -5, 0, 0], [10, 5, 1, 1000]),
    "with steps": Layout.spanning([0, -30, 0, 0], [100, 50, 1, 1000], [10, 5, 1, 25]),
    "a half": Layout.of([0, 0, 0, 0], [20, 20, 20, 3]),
    "long": Layout.of([-(1 << 40), 0, 0, -7], [41, 40, 1, 44]),
    "long with steps": Layout.of([0, -(1 << 20), 0, 0], [50, 40, 30, 6], [3, 2, 1, 7]),
    "across the halves": Layout.of([0, 0, 0, 0], [1, 62, 62, 1]),
}
IN_RANGE, AROUND = 200, 200


def states_of(layout: Layout, numbers: np.random.Generator) -> "list[State]":
    """Return states that fit, those with a field just beyond, and some that are off the steps or far away."""
    states = []
    for _ in range(IN_RANGE):
        offsets = [int(numbers.integers(0, mask, endpoint=True)) for mask in layout.masks]
        parts = zip(layout.lows, offsets, layout.steps, strict=True)
        states.append([(low + offset) * step for low, offset, step in parts])
    for row in range(AROUND):
        field, state = row % 4, list(states[row])
        beyond = [layout.maxima[field] + layout.steps[field], (layout.lows[field] - 1) * layout.steps[field]]
        state[field] = int(numbers.choice([*beyond, state[field] + 1, -HIGHEST, HIGHEST]))
        states.append(state)
    return [State(*state) for state in states]


@pytest.mark.parametrize("form", ["tuples", "arrays"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_packing_agrees_with_python(name: str, form: str) -> None:
    layout, numbers = LAYOUTS[name], np.random.default_rng(1)
    functions = packing_functions(State, layout.steps)
    pack, unpack, pack_long, unpack_long = (functions[key] for key in ("pack", "unpack", "pack_long", "unpack_long"))

    @numba.njit
    def long_pair(given: Any, state: Any) -> Any:
        return pack_long(given, state)

    @numba.njit
    def long_back(given: Any, high: int, low: int) -> Any:
        return unpack_long(given, high, low)

    @numba.njit
    def short_key(given: Any, state: Any) -> Any:
        return pack(given, state)

    @numba.njit
    def short_back(given: Any, key: int) -> Any:
        return unpack(given, key)

    given = layout if form == "tuples" else layout.for_all_games
    for state in states_of(layout, numbers):
        key = layout.pack(state)
        high, low = long_pair(given, state)
        assert (high << 63 | low if low >= 0 else -1) == key
        if key >= 0:
            assert long_back(given, high, low) == state
        if layout.halves == 1:
            assert short_key(given, state) == key
            assert key < 0 or short_back(given, key) == state


def test_rows_and_rules_are_read_with_their_types() -> None:
    class Rules(NamedTuple):
        goal: int = 3
        share: float = 0.5
        is_short: bool = True

    functions, rules_from = packing_functions(State, (1, 1, 1, 1)), rules_reader(Rules)
    state_from, state_inside = functions["state_from"], functions["state_inside"]

    @numba.njit
    def read(fields: Any, inside: Any, integers: Any, floats: Any) -> Any:
        state = state_from(fields, 1)
        rules = rules_from(integers, floats)
        return state, state_inside(state, fields, 0, inside), rules.goal, rules.share, rules.is_short

    fields, inside = np.arange(8).reshape(2, 4), np.array([True, False, False, True])
    state, mixed, *rules = read(fields, inside, np.array([7, 0, 0]), np.array([7.0, 0.25, 0.0]))
    assert cast(State, state) == State(4, 5, 6, 7)
    assert mixed == State(0, 5, 6, 3)
    assert rules == [7, 0.25, False]
