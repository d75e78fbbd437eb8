"""The decisions that a search looks at: states, how much each action costs there, and what a person sees.

The cost of an action is its regret times how often play gets there. Of very many states a part is drawn, each as
likely as its largest cost is large, and counted as often as one is missed (sampling with probability proportional to
size).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from komi.teaching.features import Feature, measure
from komi.teaching.games import Games
from komi.teaching.strategy import Strategy

MOST = 20_000  # states


@dataclass(frozen=True, eq=False)
class Sample:
    """Decisions that play comes to.

    Attributes:
        values: float64[features, decisions], what a person sees.
        costs: float64[actions, decisions], what each action gives away, in all games.
    """

    values: NDArray[np.float64]
    costs: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        games: Games,
        features: Sequence[Feature],
        visits: NDArray[np.float64],
        random: np.random.Generator,
        values: NDArray[np.float64] | None = None,
    ) -> "Sample":
        """The decisions that matter if states occur so often.

        Args:
            games: of the game.
            features: what a person sees.
            visits: float64[states], how often states occur.
            random: where chance comes from.
            values: float64[2, states], the chances in the games of the strategy that is changed; without them, those of
                optimal play.
        """
        stakes = visits * games.regrets.max(axis=0)
        stakes[games.choices < 2] = 0.0
        indices, weights = drawn(stakes, MOST, random)
        drawbacks = games.regrets[:, indices] if values is None else games.drawbacks(values, indices)
        seen = measure(features, games.solution.values.states, indices)
        return cls(seen, drawbacks * (visits[indices] * weights))

    def loss(self, strategy: Strategy) -> float:
        """What a strategy gives away, to first order."""
        return float(self.costs_of(strategy).sum())

    def costs_of(self, strategy: Strategy) -> NDArray[np.float64]:
        """float64[decisions], what it gives away in each."""
        actions = strategy.actions(self.values)
        return np.asarray(np.take_along_axis(self.costs, actions[None], axis=0)[0])


def drawn(
    stakes: NDArray[np.float64], most: int, random: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Which states are drawn, in ascending order, and how often each counts: all with a stake, or about so many."""
    indices = np.flatnonzero(stakes)
    if len(indices) <= most:
        return indices, np.ones(len(indices))
    shares = _shares(stakes[indices], most)
    taken = random.random(len(indices)) < shares
    return indices[taken], 1.0 / shares[taken]


def _shares(stakes: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """How likely each state is to be drawn, so that about so many are."""
    scale, before = most / stakes.sum(), -1
    for _ in range(20):
        certain = stakes * scale >= 1.0
        if certain.sum() == before:
            break
        before = certain.sum()
        scale = (most - before) / max(stakes[~certain].sum(), 1e-300)
    shares: NDArray[np.float64] = np.minimum(stakes * scale, 1.0)
    return shares
