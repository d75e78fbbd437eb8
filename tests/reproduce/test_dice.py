"""Published numbers of battles and of Pig alone come out."""

import pytest

from komi.reproduce.claims import reproduce


@pytest.mark.parametrize("claim", ["risk-battle", "pig-solitaire"])
def test_published_numbers_come_out(claim: str) -> None:
    (outcome,) = reproduce(claim)
    assert outcome.agrees


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["farkle", "yahtzee", "yahtzee-free", "yahtzee-plain"])
def test_published_numbers_that_take_minutes_come_out(claim: str) -> None:
    (outcome,) = reproduce(claim)
    assert outcome.agrees
