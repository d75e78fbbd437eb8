"""The claim that there is no winning strategy."""

from komi.reproduce.traffic_lights import claims


def test_there_is_a_winning_strategy_whatever_was_published() -> None:
    (claim,) = claims()
    assert set(claim) == {"id", "source", "published", "ours", "agrees", "note"}
    assert claim["ours"].startswith("win for the first player in 17 plies")
    assert not claim["agrees"]
