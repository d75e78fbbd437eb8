"""The fixed point and its certificate, uncompiled, on components of a few rows."""

from typing import Any

import numpy as np
import pytest

from komi.bellman.certificate import Bounds, certify
from komi.bellman.equations import Equations
from komi.bellman.fixed_point import solve_fixed_point
from komi.bellman.lengths import certify_lengths

STOP = np.zeros(1, np.bool_)
SLACK = 10 * 2.0**-52

Action = tuple[float, dict[int, float]]  # the constant, and the weight of each row: negative where the turn passes


def rows(component: list[list[Action]]) -> Any:
    actions = [action for state in component for action in state]
    return (
        np.cumsum([len(state) for state in component]),
        np.array([constant for constant, _ in actions]),
        np.cumsum([len(outcomes) for _, outcomes in actions]),
        np.array([target for _, outcomes in actions for target in outcomes]),
        np.array([weight for _, outcomes in actions for weight in outcomes.values()]),
    )


def solve(component: list[list[Action]]) -> tuple[Any, Any, float]:
    """Return the values, the chosen actions, and the bound, which is -1 without a proof."""
    laid = rows(component)
    feedback = np.arange(len(component))
    value = np.full(len(component), 0.5)
    solve_fixed_point(laid, value, feedback, (0.0, 1.0), STOP)
    bounds = Bounds(*np.zeros((2, len(component))), np.zeros(len(component), np.int32))
    distance, largest = certify(laid, value, feedback, SLACK, (0.0, 1.0), bounds, STOP)
    return value, bounds.choice, distance * largest if largest >= 0.0 else -1.0


@pytest.mark.parametrize("start", [0.5, 0.0, 1.0, 0.55])
def test_guesses_that_would_circle_for_ever_give_way_to_plain_sweeps(start: float) -> None:
    """Pass with probability 1/6 and stay otherwise, or win with 1/3 and pass otherwise: 0.6."""
    value = np.full(1, start)
    alone = rows([[(1 / 6, {0: 5 / 6 - 1 / 6}), (1.0, {0: -2 / 3})]])
    solve_fixed_point(alone, value, np.zeros(1, np.int64), (0.0, 1.0), STOP)
    assert value[0] == pytest.approx(0.6, abs=1e-14)


def climb(steps: int) -> list[list[Action]]:
    """Build a chain: each step succeeds once in ten times, leads back, or waits; the last step wins."""
    component = []
    for i in range(steps):
        step: dict[int, float] = {}
        for target, chance in ((i - 1, 0.1), (i, 0.2), (steps - 1, 0.7)):
            if target >= 0:
                step[target] = step.get(target, 0.0) + chance
        component.append([(0.0 if i else 0.1, step), (0.0, {i: 1.0})])
    return component


@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_a_sure_win_needs_no_value_of_exactly_one(steps: int) -> None:
    value, choice, bound = solve(climb(steps))
    assert np.all(np.abs(value - 1.0) <= bound)
    assert 0.0 <= bound <= 1e-9
    assert list(choice) == [2 * i for i in range(steps)]


def test_a_costly_end_component_does_not_prevent_the_proof() -> None:
    """The mover ends the game at 0.7, or passes it to an opponent who ends it at 0.6, or passes it back."""
    _, _, bound = solve([[(0.7, {}), (1.0, {1: -1.0})], [(0.6, {}), (1.0, {0: -1.0})]])
    assert 0.0 <= bound <= 1e-13


def test_a_stall_free_of_charge_while_something_is_at_stake_leaves_no_proof() -> None:
    """The mover ends the game at 0.7, or passes it to an opponent who can only pass it back."""
    waiting: list[list[Action]] = [[(0.7, {}), (1.0, {1: -1.0})], [(1.0, {0: -1.0})]]
    assert solve(waiting)[2] == -1.0


@pytest.mark.filterwarnings("ignore:invalid value")  # by NumPy; compiled code does not warn
@pytest.mark.parametrize("unset", [np.nan, np.inf])
@pytest.mark.parametrize("action", [0, 1])
@pytest.mark.parametrize("state", [0, 1, 2])
def test_values_that_were_never_set_prove_nothing(state: int, action: int, unset: float) -> None:
    """A value outside the component, folded into a constant, can be garbage."""
    component: list[list[Action]] = [
        [(0.2, {1: 0.5}), (0.4, {})],
        [(0.1, {2: -0.5}), (0.5, {2: 0.25})],
        [(0.3, {}), (0.6, {0: 0.1})],
    ]
    assert 0.0 <= solve(component)[2] <= 1e-12
    component[state][action] = (unset, component[state][action][1])
    laid = rows(component)
    feedback = np.array([0])
    value = np.full(len(component), 0.5)
    bounds = Bounds(*np.zeros((2, len(component))), np.zeros(len(component), np.int32))
    assert certify(laid, value, feedback, SLACK, (0.0, 1.0), bounds, STOP)[1] < 0.0


@pytest.mark.parametrize("unset", [np.nan, np.inf, -np.inf])
def test_a_value_that_was_never_set_proves_nothing_even_if_no_equation_reads_it(unset: float) -> None:
    laid, value = rows([[(0.5, {})]]), np.array([unset])
    bounds = Bounds(*np.zeros((2, 1)), np.zeros(1, np.int32))
    assert certify(laid, value, np.array([0]), SLACK, (0.0, 1.0), bounds, STOP)[1] < 0.0


@pytest.mark.filterwarnings("ignore:invalid value")
def test_lengths_that_were_never_set_prove_nothing() -> None:
    laid = Equations(*rows([[(np.nan, {1: 0.5})], [(1.0, {0: 0.5})]]))
    value = np.zeros(2)
    assert certify_lengths(laid, value, np.array([0]), SLACK, np.zeros(2), STOP)[1] < 0.0
