"""The shares of a result's variance that the deal and the play explain: an analysis of variance.

With p_d the true win rate of a seat under deal d and p its mean, a single game's result has the variance
p (1 - p) = var(p_d) + mean(p_d (1 - p_d)): the deal's component and the play's (analysis of variance with one
random factor; S. R. Searle, G. Casella and C. E. McCulloch, Variance Components, 1992, chapter 3).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64

MIN_VARIANCE = 1e-12  # a smaller variance is rounding error
MIN_SHARE = 0.0005  # a smaller share is printed as 0.0 %


@dataclass(frozen=True)
class VarianceShares:
    """The variance of one seat's result, if it is known and positive.

    Attributes:
        deal: the variance between deals.
        play: the variance between games of one deal.
        share: the deal's share of the total variance.
        stderr: standard error of the share, by the jackknife over deals.
    """

    deal: float
    play: float
    share: float
    stderr: float

    @property
    def is_visible(self) -> bool:
        """True if the deal explains a share that is visible and significant."""
        return self.share > max(MIN_SHARE, 2 * self.stderr)


def estimate_variance(payoffs: F64, per_deal: int) -> VarianceShares | None:
    """Estimate the variance of one seat's result from float64[deals], the deals' summed payoffs of won or lost games.

    Return None for fewer than three deals, for one game per deal, and where all results are the same, with or without
    any one deal.
    """
    rates = payoffs / per_deal
    deals = len(rates)
    if deals < 3 or per_deal < 2:
        return None
    deal, play = _components(rates.sum(), (rates * rates).sum(), deals, per_deal)
    without = _components(rates.sum() - rates, (rates * rates).sum() - rates * rates, deals - 1, per_deal)
    if not (deal + play > MIN_VARIANCE and (without[0] + without[1]).min() > MIN_VARIANCE):
        return None
    shares = without[0] / (without[0] + without[1])
    stderr = math.sqrt((deals - 1) * float(np.var(shares)))
    return VarianceShares(float(deal), float(play), float(deal / (deal + play)), stderr)


def _components(total: Any, squares: Any, deals: int, per_deal: int) -> tuple[Any, Any]:
    """Return the components of (the deal, the play) from sums of rates and of their squares, elementwise for arrays."""
    play = (total - squares) / deals * per_deal / (per_deal - 1)
    between = (squares - total * total / deals) / (deals - 1)
    return between - play / per_deal, play
