"""Direct solutions of random components against exact fractions: no bound is broken, however rarely play leaves."""

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from komi.bellman.equations import Objective
from komi.bellman.policy_equations import PolicyEquations
from komi.bellman.policy_iteration import iterate_policies
from komi.bellman.rounding import ProbabilityError

import exact

RUNNING = np.zeros(1, np.bool_)
ROUNDING = ProbabilityError(10 * 2.0**-52, 0.0)
Action = tuple[Fraction, Fraction, dict[int, Fraction]]  # what is sure, how often play leaves, and where else it goes
Component = list[list[Action]]


def component(random: Random, flips: bool) -> Component:
    """Build a few equations in which play stays long; the turn passes where a weight is negative."""
    size = random.randint(1, 6)
    rare = Fraction(1, 10 ** random.randint(1, 12))
    rows = []
    for _ in range(size):
        actions: list[Action] = []
        for _ in range(random.randint(1, 3)):
            parts = [random.randint(0, 3) for _ in range(size)]
            leaving = random.randint(0, 2) * rare if any(parts) else Fraction(1)
            stays = {
                j: (1 - leaving) * Fraction(part, sum(parts)) * (random.choice((-1, 1)) if flips else 1)
                for j, part in enumerate(parts)
                if part
            }
            gain = Fraction(random.randint(0, 8), 8)
            actions.append((leaving * gain if flips else gain, leaving, stays))
        rows.append(actions)
    return rows


def laid_out(rows: Component) -> PolicyEquations:
    actions = [action for row in rows for action in row]
    outcomes = [(j, float(weight)) for _, _, stays in actions for j, weight in stays.items()]
    return PolicyEquations(
        np.cumsum([len(row) for row in rows]),
        np.cumsum([len(stays) for _, _, stays in actions]),
        np.array([j for j, _ in outcomes], np.int64),
        np.array([weight for _, weight in outcomes]),
        np.array([float(sure) for sure, _, _ in actions]),
        np.array([float(leaving) for _, leaving, _ in actions]),
        np.array([float(max(abs(sure), leaving)) for sure, leaving, _ in actions]),
    )


def worth(action: Action, values: list[Fraction]) -> Fraction:
    sure, _, stays = action
    return sure + sum(p * values[j] if p > 0 else -p * (1 - values[j]) for j, p in stays.items())


def values_of(rows: Component, choice: list[int]) -> list[Fraction]:
    """Compute the values of the equations under the chosen actions, by elimination."""
    size = len(rows)
    equations = []
    for i, actions in enumerate(rows):
        sure, _, stays = actions[choice[i]]
        row = [Fraction(int(i == j)) - stays.get(j, Fraction(0)) for j in range(size)]
        equations.append([*row, sure + sum(-p for p in stays.values() if p < 0)])
    return exact.eliminated(equations)


@pytest.mark.parametrize("flips", [False, True])
def test_values_of_random_components_agree_with_fractions(flips: bool) -> None:
    solved = 0
    for seed in range(1500):
        rows = component(Random(seed), flips)
        found = iterate_policies(
            laid_out(rows), Objective(flips, 1.0, 0.0, 1.0 if flips else np.inf), ROUNDING, RUNNING
        )
        if found is None:
            continue
        solved += 1
        firsts = np.cumsum([0, *map(len, rows)])
        choice = [int(taken - first) for taken, first in zip(found.choice, firsts, strict=False)]
        values = values_of(rows, choice)
        best = [max(worth(action, values) for action in actions) for actions in rows]
        for value, bound, exactly, better in zip(found.value, found.bound, values, best, strict=True):
            assert abs(Fraction(value) - exactly) <= Fraction(bound), seed
            assert better - exactly <= 2 * Fraction(bound), seed
        assert found.bound.max() <= 1e-12 * max(1.0, found.value.max()), seed
    assert solved > 500


def test_a_component_that_is_never_left_has_no_solution() -> None:
    never: Any = [[(Fraction(0), Fraction(0), {1: Fraction(1)})], [(Fraction(0), Fraction(0), {0: Fraction(1)})]]
    assert iterate_policies(laid_out(never), Objective(False, 1.0, 0.0, 1.0), ROUNDING, RUNNING) is None


def test_a_player_who_can_stall_free_of_charge_while_something_is_at_stake_leaves_no_proof() -> None:
    """The mover ends the game at 7/10, or passes it to an opponent who can only pass it back."""
    stalling: Any = [
        [(Fraction(7, 10), Fraction(1), {}), (Fraction(0), Fraction(0), {1: Fraction(-1)})],
        [(Fraction(0), Fraction(0), {0: Fraction(-1)})],
    ]
    assert iterate_policies(laid_out(stalling), Objective(True, 1.0, 0.0, 1.0), ROUNDING, RUNNING) is None


def test_what_would_take_too_much_memory_is_left_to_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    size = 3000
    stays = [{random.randrange(size): Fraction(1, 3) for _ in range(3)} for _ in range(size)]
    rows: Component = [[(Fraction(1), 1 - sum(to.values()), to)] for to in stays]
    assert iterate_policies(laid_out(rows), Objective(False, 1.0, 0.0, np.inf), ROUNDING, RUNNING) is not None
    monkeypatch.setattr("komi.bellman.policy_iteration.MAX_ENTRIES", 100_000)
    assert iterate_policies(laid_out(rows), Objective(False, 1.0, 0.0, np.inf), ROUNDING, RUNNING) is None


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("unset", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("action", [0, 1, 2])
def test_an_action_whose_value_was_never_set_leaves_no_proof(action: int, unset: float) -> None:
    """One node, whose three actions end play."""
    sure = np.array([0.5, 0.25, 0.25])
    sure[action] = unset
    none, ones = np.empty(0), np.ones(3)
    equations = PolicyEquations(np.array([3]), np.zeros(3, np.int64), none.astype(np.int64), none, sure, ones, ones)
    objective = Objective(False, 1.0, -np.inf, np.inf)
    assert iterate_policies(equations, objective, ROUNDING, RUNNING) is None
