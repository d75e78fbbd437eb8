"""What was said of Traffic Lights."""

from komi.reproduce.claims import reproduce


def test_the_first_player_has_the_winning_strategy_that_was_not_found() -> None:
    (outcome,) = reproduce("traffic-lights")
    assert outcome.ours == "first player wins"
    assert not outcome.agrees
    assert not outcome.fails
