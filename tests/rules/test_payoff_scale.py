"""Payoffs and their shares of the range."""

import pytest

from komi.game import MAX_PLAYERS
from komi.rules.payoff_scale import sums_to_constant, to_share


@pytest.mark.parametrize("height", [0.3, 0.7, 1.0, 3.0, 1e-300, 1e300])
def test_a_share_tells_a_win_from_a_draw_and_a_loss(height: float) -> None:
    for players in range(2, MAX_PLAYERS + 1):
        lowest, highest = -height, (players - 1) * height
        assert sums_to_constant(lowest, highest, players)
        shares = [
            to_share(each * height, lowest, highest) * players for each in (-1.0, -1e-18, 0.0, 1e-18, players - 1)
        ]
        assert shares[0] == 0.0 <= shares[1] < 1.0 < shares[3] <= shares[4] == players
        assert 1.0 - 2.0**-52 <= shares[2] <= 1.0
