"""Newton's method against plain sweeps, over components with one feedback row."""

from typing import Any

import numpy as np
import pytest

from komi.bellman.certificate import UNCONVERGED, certify
from komi.bellman.fixed_point import sweep
from komi.bellman.newton import step_to_fixed_point
from komi.jit.kernels import engine_kernels

RUNNING = np.zeros(1, np.bool_)
ROWS = 40


def random_rows(seed: int) -> Any:
    """Rows with up to three actions, that lead to rows before them and to the last, which is the feedback row.

    The turn passes with some of the outcomes, so that G is neither convex nor monotone.
    """
    random = np.random.default_rng(seed)
    actions_end, constant, outcomes_end, target, weight = [], [], [], [], []
    for row in range(ROWS):
        for _ in range(random.integers(1, 4)):
            left = 1.0
            gained = 0.0
            for after in {ROWS - 1, int(random.integers(0, row)) if row else ROWS - 1}:
                chance = left * random.uniform(0.2, 0.6)
                left -= chance
                passes = random.random() < 0.5
                gained += chance if passes else 0.0
                target.append(after)
                weight.append(-chance if passes else chance)
            constant.append(gained + left * random.random())
            outcomes_end.append(len(target))
        actions_end.append(len(constant))
    return (
        np.array(actions_end),
        np.array(constant),
        np.array(outcomes_end),
        np.array(target, np.int32),
        np.array(weight),
    )


def certified(rows: Any, value: Any, farthest_off: float) -> Any:
    below, above, choice = np.empty(ROWS), np.empty(ROWS), np.empty(ROWS, np.int32)
    feedback = np.array([ROWS - 1], np.int32)
    return engine_kernels()[certify](
        rows, value, feedback, 1e-14, 0.0, 1.0, below, above, choice, RUNNING, farthest_off
    )


@pytest.mark.parametrize("seed", range(20))
def test_steps_end_where_plain_sweeps_end(seed: int) -> None:
    rows = random_rows(seed)
    value, plain = np.full(ROWS, 0.5), np.full(ROWS, 0.5)
    assert engine_kernels()[step_to_fixed_point](rows, value, np.empty(ROWS), ROWS - 1, 0.0, 1.0, RUNNING)
    for _ in range(2000):
        engine_kernels()[sweep](rows, plain)
    assert value[-1] == pytest.approx(plain[-1], abs=1e-12)
    residual, longest = certified(rows, value, 1e-12)
    assert residual <= 1e-12 and longest > 0.0


def test_values_that_are_not_settled_are_not_proved() -> None:
    rows = random_rows(0)
    value = np.full(ROWS, 0.5)
    residual, longest = certified(rows, value, 1e-12)
    assert residual > 1e-12 and longest == UNCONVERGED
    assert certified(rows, value, np.inf)[1] != UNCONVERGED


def test_a_row_that_can_stall_free_of_charge_is_left_to_sweeps() -> None:
    rows = np.array([1]), np.array([0.0]), np.array([1]), np.array([0], np.int32), np.array([1.0])
    value = np.full(1, 0.5)
    assert not engine_kernels()[step_to_fixed_point](rows, value, np.empty(1), 0, 0.0, 1.0, RUNNING)


def test_steps_that_are_stopped_promise_nothing() -> None:
    stopped = np.ones(1, np.bool_)
    assert not engine_kernels()[step_to_fixed_point](
        random_rows(1), np.full(ROWS, 0.5), np.empty(ROWS), 39, 0.0, 1.0, stopped
    )
