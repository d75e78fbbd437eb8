"""Where both choose at once values and mixed strategies are those of slow solutions."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import komi
from games import reference, twins
from komi.errors import SolveError
from komi.rules import catalog
from komi.solvers.simultaneous.matrix_game import MatrixBuffers, solve_matrix
from komi.solvers.simultaneous.matrix_game_sweeps import (
    ChoiceKind,
    MatrixGames,
    MixedEquations,
    StateStrategies,
    _residual,
)

PENNIES = Path(__file__).parents[1] / "games" / "matching_pennies.py"


@given(st.integers(1, 4), st.integers(1, 4), st.data())
@settings(max_examples=200)
def test_strategies_of_matrix_games_guarantee_the_value_to_both_sides(height: int, width: int, data: Any) -> None:
    row = st.lists(st.integers(0, 6), min_size=width, max_size=width)
    payoffs = np.array(data.draw(st.lists(row, min_size=height, max_size=height)), float) / 6
    buffers = MatrixBuffers.empty(max(height, width))
    value = solve_matrix(payoffs, buffers)
    rows, columns = buffers.rows[:height], buffers.columns[:width]
    assert rows.min() >= 0
    assert columns.min() >= 0
    assert rows.sum() == pytest.approx(1)
    assert columns.sum() == pytest.approx(1)
    assert (rows @ payoffs).min() == pytest.approx(value, abs=1e-12)
    assert (payoffs @ columns).max() == pytest.approx(value, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["share", "first"])
@pytest.mark.parametrize(("goal", "sides"), [(5, 3), (6, 6), (5, 6)])
def test_values_of_skunk_agree_with_the_twin_at_every_start_of_a_turn(ending: str, goal: int, sides: int) -> None:
    rules = {"goal": goal, "sides": sides, "ending": ending}
    solution = komi.solve("skunk", **rules)
    assert solution.error_bound <= 1e-6
    for (score, rival), value in twins.skunk(goal, ending, sides).items():
        state = f"score={score},rival={rival},turn=0"
        if max(score, rival) < goal:
            assert abs(solution.value(state) - value) <= solution.error_bound + 1e-9


def test_every_state_before_a_choice_is_within_the_bounds_of_iteration_from_both_sides() -> None:
    game = catalog.find("skunk")
    rules = {"goal": 5, "ending": "first"}
    solution = komi.solve(game, **rules)
    bounds = reference.bounds(game, game.rules(rules))
    for state, (low, high) in bounds.items():
        if not game.part("over")(game.rules(rules), state) and state.chosen == 0:
            value = solution.value(tuple(state))
            assert low - solution.error_bound - 1e-11 <= value <= high + solution.error_bound + 1e-11


def test_matching_pennies_are_mixed_evenly() -> None:
    solution = komi.solve(str(PENNIES))
    assert solution.value() == pytest.approx(0.5)
    assert list(solution.mixed().values()) == pytest.approx([0.5, 0.5])


def test_against_optimal_play_no_action_gets_more_than_the_value() -> None:
    solution = komi.solve("skunk", goal=12, ending="first")
    states = [solution.game.module.State(*solution.data.states.fields(i)) for i in range(0, solution.states, 7)]
    for state in states:
        if solution.game.is_chance(solution.rules, state):
            continue
        worths, mixed = solution.actions(tuple(state)), solution.mixed(tuple(state))
        assert max(worths.values()) <= solution.value(tuple(state)) + 1e-9
        assert sum(mixed.values()) == pytest.approx(1)


@pytest.mark.parametrize("ending", ["share", "first"])
def test_values_of_simultaneous_choices_agree_with_a_linear_program(ending: str) -> None:
    """The most that the mover can guarantee: max v with sum over a of x[a] M[a, b] >= v for all b."""
    optimize = pytest.importorskip("scipy.optimize")
    solution = komi.solve("skunk", goal=6, ending=ending)
    game, rules, record = solution.game, solution.rules, solution.data

    def worth(state: Any, action: int) -> float:
        [(_, after, passes)] = game.outcomes(rules, state, action)
        value = game.part("payoff")(rules, after) if game.part("over")(rules, after) else solution.value(tuple(after))
        return 1.0 - value if passes % 2 else value

    opened = np.flatnonzero(record.kinds == ChoiceKind.OPEN)
    assert len(opened) > 20
    for index in opened:
        state = game.module.State(*record.states.fields(int(index)))
        legal = list(game.part("legal")(rules, state))
        hidden = [next(iter(game.outcomes(rules, state, action)))[1] for action in legal]
        payoffs = np.array(
            [[1.0 - worth(after, solution) for solution in game.part("legal")(rules, after)] for after in hidden]
        )
        height, width = payoffs.shape
        found = optimize.linprog(
            [0.0] * height + [-1.0],
            A_ub=np.column_stack([-payoffs.T, np.ones(width)]),
            b_ub=np.zeros(width),
            A_eq=[[1.0] * height + [0.0]],
            b_eq=[1.0],
            bounds=[(0.0, 1.0)] * (height + 1),
        )
        assert solution.value(tuple(state)) == pytest.approx(-found.fun, abs=1e-9)


def test_a_game_without_a_value_says_so_in_one_sentence() -> None:
    with pytest.raises(SolveError, match="has no value under these rules"):
        komi.solve("skunk", ending="higher")


def test_value_says_how_often_to_take_each_action(run: Any) -> None:
    solution = run(
        "value", "skunk", "--set", "goal=10", "--state", "score=3,rival=5,turn=4,rolled=1", "--json"
    ).solution
    assert set(solution["mixed"]) == {"stand", "hold"}
    assert sum(solution["mixed"].values()) == pytest.approx(1)
    start = run("value", "skunk", "--set", "goal=10", "--state", "score=1,rival=0,turn=0", "--json").solution
    assert 0 < start["value"] < 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # by NumPy; compiled code does not warn
@pytest.mark.parametrize("unset", [np.nan, np.inf])
@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("column", [0, 1])
def test_payoffs_that_were_never_set_have_an_infinite_residual(row: int, column: int, unset: float) -> None:
    """State 0 is open, and the blind states 0 and 1 after its actions are solved."""
    equations, results = MixedEquations.empty(1, 2, 0, 2), StateStrategies.empty(2, 2)
    equations.kind[0], equations.workspace.actions_end[0], equations.follower[:] = ChoiceKind.OPEN, 2, (-1, -2)
    results.actions[:] = 2
    results.action_value[:] = (1.0, 0.0), (0.0, 1.0)
    games = MatrixGames(equations, MatrixBuffers.empty(2), results, 1)
    assert _residual(games, np.zeros(0, np.int32)) <= 1e-15
    results.action_value[row, column] = unset
    assert _residual(games, np.zeros(0, np.int32)) == np.inf
