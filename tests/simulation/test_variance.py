"""How much the deal explains is said only where there is something to be said."""

from pathlib import Path

import numpy as np
import pytest

import komi
from komi.presentation.simulation_report import simulation_json
from komi.simulation.variance import estimate_variance

GAMES = Path(__file__).parents[1] / "games"


def test_shares_are_those_of_known_parts():
    chance = np.random.default_rng(1)
    rates = np.where(chance.random(4000) < 0.5, 0.2, 0.8)
    found = estimate_variance(chance.binomial(50, rates).astype(float), 50)
    assert found.share == pytest.approx(0.09 / 0.25, abs=4 * found.stderr)
    assert found.is_visible


@pytest.mark.parametrize(
    "payoffs",
    [[0.0] * 20, [8.0] * 20, [4.0] * 2, [8.0] * 19 + [0.0]],
    ids=["all lost", "all won", "two deals", "all but one won"],
)
def test_where_results_do_not_vary_nothing_is_known_and_nothing_warned(payoffs):
    assert estimate_variance(np.array(payoffs), 8) is None


def test_of_one_game_a_deal_nothing_is_known():
    assert estimate_variance(np.array([0.0, 1.0] * 10), 1) is None


def test_a_game_for_one_player_has_no_variance_of_results():
    seen = komi.simulate(str(GAMES / "best_of_turns.py"), deals=50, per_deal=20)
    assert seen.explained is None
    assert simulation_json(seen)["deals"]["variance"] == [None]


def test_what_cannot_be_seen_is_not_explained():
    assert komi.simulate("pig", deals=300, per_deal=50, seed=1).explained is None
    assert komi.simulate("red7", deals=300, per_deal=50, seed=1).explained is not None
