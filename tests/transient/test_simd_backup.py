"""States side by side are backed up as each alone."""

from typing import Any

import numpy as np

from komi.jit.kernels import engine_kernels
from komi.jit.simd import LANES, Sums, back_up_row


def back_up(value: Any, largest: Any, ends: Any, gain: Any, terms_end: Any, weight: Any, target: Any) -> Any:
    sums = Sums(gain, terms_end, weight, target)
    action = term = np.int64(0)
    for row in range(len(ends)):
        term = back_up_row(value, row, largest, action, ends[row], term, -1.0, sums)
        action = ends[row]
    return term


def test_lanes_come_to_what_each_of_them_would() -> None:
    random = np.random.default_rng(1)
    rows, actions = 40, np.cumsum(random.integers(0, 4, 40))
    terms_end = np.cumsum(random.integers(0, 5, actions[-1]))
    row_of = np.repeat(np.arange(rows), np.diff(actions, prepend=0))
    target = np.array(
        [random.integers(0, max(row_of[np.searchsorted(terms_end, t, "right")], 1)) for t in range(terms_end[-1])],
        np.int32,
    )
    weight, gain = random.random(terms_end[-1]), random.normal(size=actions[-1])
    value = random.normal(size=(rows, LANES))
    expected, most = value.copy(), np.zeros(LANES)
    for row in range(rows):
        for action in range(actions[row - 1] if row else 0, actions[row]):
            total = np.full(LANES, -gain[action])
            for term in range(terms_end[action - 1] if action else 0, terms_end[action]):
                total += weight[term] * expected[target[term]]
            most = np.maximum(most, abs(total))
            expected[row] = np.maximum(expected[row], total)
        most = np.maximum(most, abs(expected[row]))
    largest = np.zeros(LANES)
    assert engine_kernels()[back_up](value, largest, actions, gain, terms_end, weight, target) == terms_end[-1]
    assert (value == expected).all()
    assert (largest == most).all()
