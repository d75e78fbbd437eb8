"""Averages of games for two are those of all pairs of policies, one after the other, in exact fractions."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import komi
from komi.progress import silent
from komi.solvers.average.bounds import chance_depth
from komi.solvers.average.decision_process import DecisionProcess
from komi.solvers.average.strategy_iteration import find_best_strategies, nodes_of

from endless import Action, States, exact_gains, model_of, random_game, rule_file

STAY: Action = ([(Fraction(1), 0, 0)], Fraction(1))
PASS: Action = ([(Fraction(1), 0, 1)], Fraction(0))


def gains_of(states: States, one: tuple[int, ...], other: tuple[int, ...]) -> list[Fraction]:
    """Return what player 1 gains if these policies are played: where it moves, then where the other one does."""
    nodes = [
        (
            [(chance, after + len(states) * (seat ^ passes), 0) for chance, after, passes in outcomes],
            (1, -1)[seat] * reward,
        )
        for seat, policy in enumerate((one, other))
        for (_, actions), taken in zip(states, policy, strict=True)
        for outcomes, reward in [actions[taken]]
    ]
    return exact_gains(nodes, [int(not is_chance) for is_chance, _ in states] * 2)


def policies(states: States) -> list[tuple[int, ...]]:
    return list(product(*(range(len(actions)) for _, actions in states)))


def exact_averages(states: States) -> list[Fraction]:
    """Return the best of the worst gains of the player to move in each state, over all pairs of policies."""
    worst = [
        [min(gains) for gains in zip(*(gains_of(states, one, other) for other in policies(states)), strict=True)]
        for one in policies(states)
    ]
    best = [max(gains) for gains in zip(*worst, strict=True)]
    assert best[: len(states)] == [-gain for gain in best[len(states) :]]  # there is a value
    return best[: len(states)]


def check_bounds(seed: int) -> None:
    states = random_game(seed)
    takes = np.array([float(not is_chance) for is_chance, _ in states] * 2)
    process = DecisionProcess.of(nodes_of(model_of(states)), takes, 1.0)
    depth = chance_depth(process)
    assert depth is not None
    play = find_best_strategies(process, depth, silent)
    assert play is not None
    for state, exactly in enumerate(exact_averages(states)):
        assert play.lower[0][state] <= exactly <= play.upper[0][state], seed
        assert play.upper[0][state] - play.lower[0][state] <= 1e-10, seed
        assert abs(play.attained.gain[state] - float(exactly)) <= 1e-11, seed


def test_bounds_hold_the_value_of_all_pairs_of_policies() -> None:
    for seed in range(20):
        check_bounds(seed)


@pytest.mark.slow
def test_bounds_hold_the_values_of_a_thousand_games() -> None:
    for seed in range(1_000):
        check_bounds(1_000 + seed)


@pytest.mark.parametrize("seed", [2, 5, 11])
def test_solutions_of_rule_files_have_the_values(tmp_path: Path, seed: int) -> None:
    states = random_game(seed)
    file, values = rule_file(tmp_path, states, players=2), exact_averages(states)
    for begin, exactly in enumerate(values):
        solution = komi.solve(file, begin=begin)
        assert solution.is_audited
        assert abs(solution.value() - exactly) <= solution.error_bound <= 1e-11
        assert solution.expected_value(seat=1) == -solution.value()
        assert solution.arrays()["value"] == pytest.approx(
            [solution.value(f"at={at}") for at in solution.arrays()["at"]]
        )
