"""The arrays of a DiscreteDP have komi's values, by plain value iteration and by QuantEcon."""

from typing import Any

import numpy as np
import pytest

from komi.errors import InputError, SolveError
from komi.solvers import discrete_dp
from komi.solvers.solve import solve

GAMES: list[tuple[str, dict[str, Any], float]] = [
    ("pig-solitaire", {"goal": 20, "turns": 3}, 1.0),
    ("pig-solitaire", {"goal": 10, "objective": "turns"}, -1.0),
    ("risk-battle", {"attackers": 4, "defenders": 3}, 1.0),
]


@pytest.mark.parametrize(("game", "rules", "sign"), GAMES)
def test_value_iteration_finds_the_values(game: str, rules: dict[str, Any], sign: float) -> None:
    solution = solve(game, **rules)
    arrays = solution.discrete_dp()
    size = solution.all_states.size
    assert arrays.Q.shape == (len(arrays.R), size + 1)
    assert np.allclose(arrays.Q.sum(axis=1), 1.0)
    values = np.zeros(size + 1)
    begins = np.searchsorted(arrays.s_indices, np.arange(size + 1))
    for _ in range(2000):
        values = np.maximum.reduceat(arrays.R + arrays.beta * (arrays.Q @ values), begins)
    assert values[-1] == 0.0
    assert sign * values[:-1] == pytest.approx(solution.optimal_play.values, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rules", "sign"), GAMES)
@pytest.mark.filterwarnings("ignore")  # of QuantEcon: without a discount it offers backward induction only
def test_quantecon_finds_the_values(game: str, rules: dict[str, Any], sign: float) -> None:
    markov = pytest.importorskip("quantecon.markov", reason="pip install quantecon")
    solution = solve(game, **rules)
    process = markov.DiscreteDP(*solution.discrete_dp())
    values, _ = markov.backward_induction(process, 500)
    assert sign * values[0, :-1] == pytest.approx(solution.optimal_play.values, abs=1e-9)


def test_games_of_two_players_and_large_ones_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="a DiscreteDP is a decision process of one player: piglet is for 2"):
        solve("piglet", goal=4).discrete_dp()
    monkeypatch.setattr(discrete_dp, "MAX_OUTCOMES", 100)
    with pytest.raises(SolveError, match="transitions, more than 100"):
        solve("pig-solitaire", goal=20, turns=3).discrete_dp()
