"""The policy that looks ahead does what a plain search does."""

from typing import Any

import pytest

import komi
from komi.errors import InputError
from komi.policies.named import find
from komi.policies.tabulate import tabulate
from komi.solvers.stochastic.stochastic_solver import StochasticSolution


def test_ahead_looks_no_further_than_it_says() -> None:
    solution = komi.solve("piglet", goal=3)
    assert isinstance(solution, StochasticSolution)
    states = solution.optimal_play.states
    for moves in (1, 2, 3, 4):
        actions = tabulate(find(f"ahead:{moves}", solution), solution.compiled, solution.rules, states)
        for index in range(states.size):
            state = solution.game.module.State(*states.fields(index))
            worth = {
                action: expected(solution, state, action, moves)
                for action in solution.game.part("legal")(solution.rules, state)
            }
            assert worth[int(actions[index])] >= max(worth.values()) - 1e-9


def expected(solution: StochasticSolution, state: Any, action: int, moves: int) -> float:
    return sum(
        probability * (1 - ahead(solution, after, moves - 1) if passes else ahead(solution, after, moves - 1))
        for probability, after, passes in solution.game.outcomes(solution.rules, state, action)
    )


def ahead(solution: StochasticSolution, state: Any, moves: int) -> float:
    """Compute the result that is visible so many moves ahead: the slow twin."""
    if solution.game.part("over")(solution.rules, state):
        return solution.game.payoffs(solution.rules, state)[0]
    if moves == 0:
        return 0.5
    legal = solution.game.part("legal")(solution.rules, state)
    return max(expected(solution, state, action, moves) for action in legal)


@pytest.mark.parametrize("name", ["ahead:0", "ahead:1001", "ahead:x", "ahead:"])
def test_an_invalid_number_of_moves_is_refused(name: str) -> None:
    solution = komi.solve("piglet", goal=3)
    assert isinstance(solution, StochasticSolution)
    with pytest.raises(InputError, match="ahead needs a whole number from 1 to 1000, as in ahead:20, not"):
        find(name, solution)
