"""The scale of payoffs: the engine's are from 0 to 1; a game can state others, such as points or money.

The engine maps payoffs from `lowest` to `highest` to

    share = (payoff - lowest) / (highest - lowest),

and maps results back. On the scale of probabilities, from 0 to 1, both maps are the identity, without rounding.

Where n players have a range from -h to (n - 1) h, what one player wins the others lose: their payoffs sum to 0 and
their shares to 1, so that all that is proved of probabilities of winning holds for them, too. The share of a positive
payoff is above 1/n, and of a negative one below, however small it is beside the range: a share tells a win from a draw
and a loss. With any other range than (0, 1) the interests of players need not be opposed: the game is general-sum.
"""

import math
from dataclasses import dataclass
from typing import TypeVar

from komi.arrays import F64
from komi.game import MAX_PLAYERS

Value = TypeVar("Value", float, F64)
EDGE = 2.0**-53  # the least distance from 1/n of the share of a win or a loss: one half keeps it if subtracted from 1
ROUNDING = 2.0**-50  # bounds the rounding of both maps, relative to the width or, if it is greater, the largest payoff


@dataclass(frozen=True)
class PayoffScale:
    """The payoffs that a game has, and their unit.

    Attributes:
        lowest, highest: all payoffs are from `lowest` to `highest`.
        unit: the name of an expected payoff, such as "expected points"; empty on the scale of probabilities.
        is_opposed: True if the payoffs of all players sum to a constant; False in a general-sum game.
    """

    lowest: float = 0.0
    highest: float = 1.0
    unit: str = ""
    is_opposed: bool = True

    @property
    def is_chance(self) -> bool:
        """True on the scale of probabilities: an expected payoff is a probability of winning."""
        return not self.unit

    @property
    def width(self) -> float:
        """The difference of the highest and the lowest payoff."""
        return self.highest - self.lowest

    @property
    def total(self) -> float:
        """The sum of the payoffs of all players, if their interests are opposed."""
        return 1.0 if self.is_chance else 0.0

    @property
    def even(self) -> float:
        """The payoff of a draw; the middle of the range in a general-sum game."""
        return 0.0 if self.is_opposed and not self.is_chance else (self.lowest + self.highest) / 2

    def share(self, payoff: float) -> float:
        """Map a payoff to a share, from 0 to 1."""
        return payoff if self.is_chance else to_share(payoff, self.lowest, self.highest)

    def payoff(self, share: Value) -> Value:
        """Map a share, or an array of shares, to payoffs; on the scale of probabilities a share is one."""
        return share if self.is_chance else self.lowest + self.width * share

    def opposite(self, payoff: float) -> float:
        """Return the payoff of the other one of two players whose interests are opposed."""
        return self.lowest + self.highest - payoff

    def difference(self, difference: float) -> float:
        """Map a difference of shares to a difference of payoffs."""
        return self.width * difference

    def bound(self, error: float) -> float:
        """Map the error bound of a share to that of its payoff; it includes the rounding of both maps."""
        if self.is_chance:
            return error
        return self.width * (error + ROUNDING * max(1.0, max(-self.lowest, self.highest) / self.width))


def to_share(payoff: float, lowest: float, highest: float) -> float:
    """Map a payoff from `lowest` to `highest` to a share, for compiled code, too."""
    share = (payoff - lowest) / (highest - lowest)
    if not 0.0 < highest <= MAX_PLAYERS * -lowest:
        return share
    players = int(1.5 - highest / lowest)
    if highest != (1 - players) * lowest:
        return share
    even = 1.0 / players
    if payoff == 0.0:
        return even
    return max(share, even + EDGE) if payoff > 0.0 else min(share, even - EDGE)


PROBABILITIES = PayoffScale()
"""The scale of probabilities: 1 for a win, 0 for a loss, and equal parts of 1 for a shared win."""


def sums_to_constant(lowest: float, highest: float, players: int) -> bool:
    """Return whether the payoffs of all players have one sum with this range of payoffs, for compiled code, too."""
    return (lowest == 0.0 and highest == 1.0) or (players > 1 and highest == (1 - players) * lowest)


def wrong_range(stated: object, players: int) -> str:
    """Return what is wrong with a stated range of payoffs; "" if nothing is."""
    if stated == (0, 1):
        return ""
    if not (isinstance(stated, tuple) and len(stated) == 2 and all(isinstance(end, int | float) for end in stated)):
        return f"is {stated!r}, not (lowest, highest)"
    lowest, highest = map(float, stated)
    if not (lowest < highest and math.isfinite(highest - lowest)):
        return f"is {stated!r}, not (lowest, highest)"
    return "is for two and more players: points of one player come from 'reward'" if players == 1 else ""
