"""Pig to 60 points, and all games of it, for searches to look at."""

from typing import Any

import pytest

from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.teaching.loss_evaluation import LossEvaluator


@pytest.fixture(scope="package")
def pig_to_60() -> Solution[Any]:
    return solve("pig", goal=60)


@pytest.fixture(scope="package")
def games(pig_to_60: Solution[Any]) -> LossEvaluator:
    return LossEvaluator.of(pig_to_60, 2)
