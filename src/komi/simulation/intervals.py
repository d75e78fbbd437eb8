"""Confidence intervals of 95 %.

A share that is near 0 or 1 in a sample of n values can differ from the true share by many times its standard error: the
interval share ± 1.96 standard errors contains a true share of 1 % in 86 % of samples of 200 values. Intervals of shares
are therefore those of E. B. Wilson (Probable inference, the law of succession, and statistical inference, 1927): all
shares that are at most 1.96 of their own standard errors away,

    (share + z^2 / 2n ± z sqrt(share (1 - share) / n + z^2 / 4n^2)) / (1 + z^2 / n).
"""

from math import sqrt

Z_95 = 1.96  # half-width of a 95 % confidence interval in standard errors


def confidence_interval(share: float, count: float) -> tuple[float, float]:
    """Compute the 95 % confidence interval of a share in this number of independent values.

    Shared wins vary less than wins and losses: for them the interval is wider than necessary.
    """
    spread = Z_95 * Z_95 / count
    middle = (share + spread / 2) / (1 + spread)
    width = Z_95 / (1 + spread) * sqrt(share * (1 - share) / count + spread / (4 * count))
    return max(middle - width, 0.0), min(middle + width, 1.0)


def share_interval(share: float, stderr: float, count: float) -> tuple[float, float]:
    """Compute the 95 % confidence interval of a share with a known standard error.

    The interval is that of as many independent values as have this standard error.

    Args:
        share: the share.
        stderr: its standard error; 0 if all values are the same, nan if it is unknown.
        count: the number of values, which is used then.
    """
    return confidence_interval(share, share * (1 - share) / stderr**2 if stderr > 0.0 else count)
