"""The equations of hand-made components, their sweeps and their certificates, against plain fractions."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from komi.arrays import I16
from komi.bellman.batch import Problem, RoleValues, solve_batch
from komi.bellman.certificate import Bounds, certify
from komi.bellman.component_solver import ComponentStatus, solve_lengths
from komi.bellman.equations import (
    ACTIONS,
    TURNS,
    VALUE,
    WIN_PROBABILITY,
    ActionCode,
    Boundary,
    Component,
    Equations,
    Objective,
    Workspace,
    all_free,
    equations_of,
    write_equations,
)
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import SWEEPS, solve_fixed_point, sweep
from komi.graph.transitions import Transitions

import exact

RUNNING = np.zeros(1, np.bool_)
SLACK = 10 * 2.0**-52
Action = tuple[Fraction, dict[int, Fraction]]  # the constant, and the weight of each equation


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komi.bellman.feedback_order.prefetch", lambda array, index: None)
    monkeypatch.setattr("komi.bellman.batch.prefetch", lambda array, index: None)


def equations(component: list[list[Action]]) -> Equations:
    actions = [action for state in component for action in state]
    return Equations(
        np.cumsum([len(state) for state in component]),
        np.array([float(constant) for constant, _ in actions]),
        np.cumsum([len(outcomes) for _, outcomes in actions]),
        np.array([target for _, outcomes in actions for target in outcomes], np.int32),
        np.array([float(weight) for _, outcomes in actions for weight in outcomes.values()]),
    )


def random_component(random: Random, passing: bool) -> list[list[Action]]:
    """Make up to four states, whose actions lead to any of them, or out of the component to a payoff from 0 to 1."""
    size = random.randint(1, 4)
    component = []
    for _ in range(size):
        actions: list[Action] = []
        for _ in range(random.randint(1, 3)):
            targets = random.sample(range(size), random.randint(1, size))
            parts = [random.randint(1, 3) for _ in targets]
            leaving = Fraction(1, random.randint(2, 9))
            constant, outcomes = leaving * Fraction(random.randint(0, 8), 8), {}
            for target, part in zip(targets, parts, strict=True):
                weight = (1 - leaving) * Fraction(part, sum(parts))
                passes = passing and random.random() < 0.5
                constant += weight if passes else 0
                outcomes[target] = -weight if passes else weight
            actions.append((constant, outcomes))
        component.append(actions)
    return component


def solve_policy(component: list[list[Action]], choice: tuple[int, ...]) -> list[Fraction]:
    size = len(component)
    taken = [component[i][choice[i]] for i in range(size)]
    rows = [[Fraction(i == j) - taken[i][1].get(j, Fraction(0)) for j in range(size)] for i in range(size)]
    return exact.eliminated([[*row, action[0]] for row, action in zip(rows, taken, strict=True)])


def action_value(action: Action, values: list[Fraction]) -> Fraction:
    return action[0] + sum((weight * values[target] for target, weight in action[1].items()), Fraction(0))


def true_values(component: list[list[Action]]) -> list[Fraction]:
    """Return the only solution of the Bellman equations, found among all policies."""
    for choice in product(*(range(len(state)) for state in component)):
        values = solve_policy(component, choice)
        if all(max(action_value(action, values) for action in component[i]) == values[i] for i in range(len(values))):
            return values
    raise AssertionError("no policy solves the equations")


def test_a_sweep_is_one_gauss_seidel_backup_of_each_equation() -> None:
    for seed in range(30):
        component = random_component(Random(seed), passing=True)
        values = [Fraction(i + 1, 8) for i in range(len(component))]
        value = np.array([float(each) for each in values])
        sweep(equations(component), value)
        for i, state in enumerate(component):
            values[i] = max(action_value(action, values) for action in state)
        assert value == pytest.approx([float(each) for each in values], abs=1e-15)


@pytest.mark.parametrize("passing", [False, True])
def test_values_differ_from_fractions_by_no_more_than_the_certificate_says(passing: bool) -> None:
    for seed in range(60):
        component = random_component(Random(seed), passing)
        size = len(component)
        value, feedback = np.full(size, 0.5), np.arange(size, dtype=np.int32)
        bounds = Bounds(np.empty(size), np.empty(size), np.empty(size, np.int32))
        assert not solve_fixed_point(equations(component), value, feedback, (0.0, 1.0), RUNNING)
        distance, largest = certify(equations(component), value, feedback, SLACK, (0.0, 1.0), bounds, RUNNING)
        assert 0.0 < distance * largest < 1e-11
        for found, true in zip(value, true_values(component), strict=True):
            assert abs(Fraction(float(found)) - true) <= Fraction(distance * largest)


def test_values_that_are_wrong_have_a_bound_that_covers_the_error() -> None:
    for seed in range(30):
        component = random_component(Random(seed), passing=True)
        true = true_values(component)
        value = np.array([min(float(each) + 1e-6, 1.0) for each in true])
        size, feedback = len(component), np.arange(len(component), dtype=np.int32)
        bounds = Bounds(np.empty(size), np.empty(size), np.empty(size, np.int32))
        distance, largest = certify(equations(component), value, feedback, SLACK, (0.0, 1.0), bounds, RUNNING)
        assert largest < 0.0 or all(
            abs(Fraction(float(found)) - each) <= Fraction(distance * largest)
            for found, each in zip(value, true, strict=True)
        )


def test_expected_lengths_differ_from_fractions_by_no_more_than_is_proved() -> None:
    for seed in range(60):
        random = Random(seed)
        component = [[(Fraction(1), action[0][1])] for action in random_component(random, passing=False)]
        size = len(component)
        workspace = Workspace.empty(1, size, size, size * size)
        workspace.feedback[:] = range(size)
        status, error = solve_lengths(equations(component), workspace, size, 1.0, SLACK, SWEEPS, RUNNING)
        assert status == ComponentStatus.SOLVED and error < 1e-11
        for found, true in zip(workspace.value, solve_policy(component, (0,) * size), strict=True):
            assert abs(Fraction(float(found)) - true) <= Fraction(error)


def test_play_that_never_ends_has_no_proved_length() -> None:
    forever = equations([[(Fraction(1), {1: Fraction(1)})], [(Fraction(1), {0: Fraction(1)})]])
    workspace = Workspace.empty(1, 2, 2, 2)
    workspace.feedback[:] = 0, 1
    assert solve_lengths(forever, workspace, 2, 1.0, SLACK, 300, RUNNING)[0] == ComponentStatus.UNMEASURED


@pytest.fixture
def batch() -> Transitions:
    """Build a batch of two states, 7 and 9, in a cycle; state 3 is solved.

    In state 7 action 4 passes the turn to 9 or 3, and action 5 ends the game; in state 9 chance (-1) passes it to 7.
    """
    return Transitions(
        state=np.array([7, 9], np.int32),
        postorder=np.array([1, 0], np.int32),
        actions_end=np.array([2, 3]),
        gain=np.array([0.0, 0.25, 0.0]),
        action=np.array([4, 5, -1], np.int16),
        outcomes_end=np.array([2, 2, 3]),
        target=np.array([-2, 3, -1], np.int32),
        probability=np.array([0.75, 0.25, 1.0]),
        passes=np.array([1, 1, 1], np.int8),
        ending=np.array([0.0, 1.0, 0.0]),
    )


def written(batch: Transitions, policies: I16, roles: int, quantity: int, objective: Objective) -> object:
    component = Component(batch, 0, 2)
    workspace = Workspace.empty(roles, 2, 3, 3, shares=3)
    workspace.share[:] = 0.5, 0.5, 1.0
    boundary = Boundary(np.full(10 * roles, 0.5), np.full(10 * roles, 0.125, np.float32))
    feedback = order_equations(component, roles, workspace, boundary.value)
    assert workspace.feedback[:feedback].tolist() == list(range(roles, 2 * roles))  # all cycles close in state 7
    exits_bound, _ = write_equations(component, policies, roles, quantity, objective, workspace, boundary)
    actions_end, constant, outcomes_end, target, weight = equations_of(workspace, 2 * roles)
    found, action, outcome = [], 0, 0
    for end in actions_end:
        found.append([])
        while action < end:
            last = outcomes_end[action]
            found[-1].append((constant[action], dict(zip(target[outcome:last], weight[outcome:last], strict=True))))
            action, outcome = action + 1, last
    return exits_bound, found


def test_equations_fold_solved_states_into_constants(batch: Transitions) -> None:
    """State 9 comes first: it has 1 - v(7); a turn that passes to a solved state is worth 1 - 0.5."""
    exits_bound, found = written(batch, all_free(1), 1, VALUE, WIN_PROBABILITY)
    assert exits_bound == 0.125
    assert found == [[(1.0, {1: -1.0})], [(0.75 + 0.125, {0: -0.75}), (0.25, {})]]


@pytest.mark.parametrize(
    ("prescribed", "expected"),
    [
        (ActionCode.FREE, [(0.875, {0: -0.75}), (0.25, {})]),
        (4, [(0.875, {0: -0.75})]),
        (5, [(0.25, {})]),
        (ActionCode.UNIFORM, [(0.5 * 0.875 + 0.125, {0: -0.375})]),
        (ActionCode.MIXED, [(0.5 * 0.875 + 0.125, {0: -0.375})]),
        (ActionCode.UNREACHED, [(0.0, {})]),
    ],
)
def test_a_policy_binds_the_player_to_move(batch: Transitions, prescribed: int, expected: object) -> None:
    policies = np.full(10, ActionCode.FREE, np.int16)
    policies[7] = prescribed
    assert written(batch, policies, 1, VALUE, WIN_PROBABILITY)[1][1] == expected  # type: ignore[index]


def test_lengths_count_actions_or_turns_in_two_roles(batch: Transitions) -> None:
    policies = np.full(20, 4, np.int16)
    policies[18:] = -1
    counted = WIN_PROBABILITY._replace(is_zero_sum=False)
    _, actions = written(batch, policies, 2, ACTIONS, counted)  # type: ignore[misc]
    assert actions == [[(0.0, {3: 1.0})], [(0.0, {2: 1.0})], [(1.125, {1: 0.75})], [(1.125, {0: 0.75})]]
    _, turns = written(batch, policies, 2, TURNS, counted)  # type: ignore[misc]
    assert turns == [[(1.0, {3: 1.0})], [(1.0, {2: 1.0})], [(1.125, {1: 0.75})], [(1.125, {0: 0.75})]]


def test_a_subset_of_actions_can_be_offered(batch: Transitions) -> None:
    policies = np.full(1, ActionCode.SUBSET, np.int16)
    _, found = written(batch, policies, 1, ACTIONS, WIN_PROBABILITY._replace(sign=-1.0))  # type: ignore[misc]
    assert [len(actions) for actions in found] == [1, 2]


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("unset", [np.nan, np.inf])
@pytest.mark.parametrize("successor", [1, 2])
def test_a_state_on_no_cycle_is_not_solved_from_a_value_that_was_never_set(successor: int, unset: float) -> None:
    """State 0 leads to 1 or to 2."""
    single = Transitions(
        state=np.array([0], np.int32),
        postorder=np.array([0], np.int32),
        actions_end=np.array([2]),
        gain=np.zeros(2),
        action=np.array([0, 1], np.int16),
        outcomes_end=np.array([1, 2]),
        target=np.array([1, 2], np.int32),
        probability=np.ones(2),
        passes=np.zeros(2, np.int8),
        ending=np.zeros(2),
    )
    results = RoleValues.empty(3, 0)
    results.value[:] = 0.25, 0.5, 0.75
    objective = WIN_PROBABILITY._replace(slack=SLACK)
    problem = Problem(all_free(1), 1, objective, Workspace.empty(1, 1, 2, 2), results, RUNNING)
    assert solve_batch(single, np.array([1]), 0, SWEEPS, problem) == (ComponentStatus.SOLVED, 1)
    assert results.value[0] == 0.75
    results.value[successor] = unset
    assert solve_batch(single, np.array([1]), 0, SWEEPS, problem) == (ComponentStatus.UNPROVED, 0)
