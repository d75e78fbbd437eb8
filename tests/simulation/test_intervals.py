"""Confidence intervals contain the true share as often as they say: computed exactly from the binomial distribution."""

import numpy as np
import pytest
from scipy.stats import binom

from komi.simulation.intervals import confidence_interval, share_interval


def coverage(share: float, games: int) -> float:
    """Return the probability that the interval contains the true share."""
    wins = np.arange(games + 1)
    intervals = (confidence_interval(won / games, games) for won in wins)
    contains = np.array([low <= share <= high for low, high in intervals])
    return float(binom.pmf(wins, games, share)[contains].sum())


def test_the_interval_is_wilsons() -> None:
    low, high = confidence_interval(0.5, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert confidence_interval(0.0, 10)[0] == 0.0
    assert confidence_interval(1.0, 10)[1] == 1.0


@pytest.mark.parametrize("games", [50, 200, 1000])
@pytest.mark.parametrize("share", [0.01, 0.03, 0.1, 0.3, 0.5])
def test_intervals_cover_the_true_share(share: float, games: int) -> None:
    assert coverage(share, games) > 0.9
    assert np.mean([coverage(near, games) for near in np.linspace(share / 2, share, 20)]) > 0.94


def test_an_interval_of_correlated_values_is_that_of_fewer() -> None:
    error = (0.2 * 0.8 / 50) ** 0.5
    assert share_interval(0.2, error, 1000) == pytest.approx(confidence_interval(0.2, 50))
    assert share_interval(0.0, 0.0, 1000) == confidence_interval(0.0, 1000)
    assert share_interval(1.0, float("nan"), 1) == confidence_interval(1.0, 1)
