"""Pig to 60 points, and all games of it, for searches to look at."""

from typing import Any

import pytest

from komi.methods.answer import Answer
from komi.methods.solve import solve
from komi.teaching.games import Games


@pytest.fixture(scope="package")
def pig_to_60() -> Answer[Any]:
    return solve("pig", goal=60)


@pytest.fixture(scope="package")
def games(pig_to_60: Answer[Any]) -> Games:
    return Games.of(pig_to_60, 2)
