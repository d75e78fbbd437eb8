"""Accelerated sweeps stay within the limits of values."""

import numpy as np

from komi.bellman.fixed_point import _keep_within


def test_values_beyond_a_limit_by_rounding_stay_as_they_are() -> None:
    above, below = np.nextafter(1.0, 2.0), np.nextafter(0.0, -1.0)
    for beyond in (above, below):
        x, g = np.array([beyond, 0.5]), np.array([beyond, 0.25])
        _keep_within(x, g, 0.0, 1.0)
        assert x.tolist() == [beyond, 0.5]


def test_a_step_ends_where_the_first_value_comes_to_a_limit() -> None:
    x, g = np.array([1.5, 0.75]), np.array([0.5, 0.25])
    _keep_within(x, g, 0.0, 1.0)
    assert x.tolist() == [1.0, 0.5]
