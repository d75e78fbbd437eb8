"""How much of a result the deal explains, and how much the play: an analysis of variance.

With p_d the true win rate of a seat under deal d and p its mean, a single game's result has the variance
p (1 - p) = var(p_d) + mean(p_d (1 - p_d)): the deal's part and the play's (analysis of variance with one
random factor; S. R. Searle, G. Casella and C. E. McCulloch, Variance Components, 1992, chapter 3).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST = 1e-12  # of a variance: less is rounding
SEEN = 0.0005  # of a share: less is told as 0.0 %


@dataclass(frozen=True)
class Variance:
    """The variance of one seat's result, where it is known and not nothing.

    Attributes:
        deal: what differs between deals.
        play: what differs between games of one deal.
        share: of the whole, the deal's part.
        stderr: of the share, by the jackknife over deals.
    """

    deal: float
    play: float
    share: float
    stderr: float

    @property
    def shows(self) -> bool:
        """Whether the deal explains anything that can be seen, and told from its error."""
        return self.share > max(SEEN, 2 * self.stderr)


def variance(payoffs: NDArray[np.float64], per_deal: int) -> Variance | None:
    """The variance of one seat's result, from float64[deals], the deals' summed payoffs of games won or lost.

    None of fewer than three deals, of one game a deal, and where all results are the same, but for those of one deal.
    """
    rates = payoffs / per_deal
    deals = len(rates)
    if deals < 3 or per_deal < 2:
        return None
    deal, play = _parts(rates.sum(), (rates * rates).sum(), deals, per_deal)
    without = _parts(rates.sum() - rates, (rates * rates).sum() - rates * rates, deals - 1, per_deal)
    if not (deal + play > LEAST and (without[0] + without[1]).min() > LEAST):
        return None
    shares = without[0] / (without[0] + without[1])
    stderr = math.sqrt((deals - 1) * float(np.var(shares)))
    return Variance(float(deal), float(play), float(deal / (deal + play)), stderr)


def _parts(total: Any, squares: Any, deals: int, per_deal: int) -> tuple[Any, Any]:
    """(the deal's part, the play's) from the sums of rates and of their squares; arrays work element by element."""
    play = (total - squares) / deals * per_deal / (per_deal - 1)
    between = (squares - total * total / deals) / (deals - 1)
    return between - play / per_deal, play
