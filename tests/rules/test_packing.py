"""Layouts: as narrow as the ranges allow, and wide enough for all states."""

from hypothesis import given
from hypothesis import strategies as st

from komi.compiling.packing import Layout

RANGES = st.lists(st.tuples(st.integers(-1000, 1000), st.integers(0, 2000)), min_size=1, max_size=6)


@given(RANGES)
def test_all_states_in_the_ranges_fit(ranges: list[tuple[int, int]]) -> None:
    lowest, highest = [low for low, _ in ranges], [low + width for low, width in ranges]
    layout = Layout.spanning(lowest, highest)
    for state in (lowest, highest):
        word = layout.pack(state)
        assert 0 <= word < layout.key_count
        assert list(layout.unpack(word)) == state
        assert layout.widened_to(state) == layout


def test_what_does_not_fit_has_no_word() -> None:
    assert Layout.spanning([0, -1], [3, 2]).pack((4, 0)) == -1


def test_no_bit_is_wasted() -> None:
    assert Layout.spanning([0, -1, -3, 0], [12, 12, 3, 0]).bits == (4, 4, 3, 0)


def test_fields_that_go_in_steps_take_fewer_bits() -> None:
    layout = Layout.spanning([0, -100], [10000, 150], [50, 50])
    assert layout.bits == (8, 3)
    assert layout.unpack(layout.pack((9950, -50))) == (9950, -50)
    assert layout.pack((75, 0)) == -1
    assert layout.maxima[0] >= 10000
