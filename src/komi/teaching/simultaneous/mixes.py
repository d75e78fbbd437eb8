"""The mixtures of actions that a person can remember: one action, or two in a simple proportion."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from komi.arrays import F64, I16

SHARES = (Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4))
COUNTS = {2: "two", 3: "three", 4: "four"}


@dataclass(frozen=True)
class Mix:
    """A probability distribution over one or two actions.

    Attributes:
        action: the action, of two the rarer one.
        share: its probability.
        other: the other action, or None.
    """

    action: int
    share: Fraction = Fraction(1)
    other: int | None = None

    @property
    def numbers(self) -> int:
        """The number of numbers to remember: the probability, unless it is 1."""
        return int(self.other is not None)

    def text(self, labels: Sequence[str]) -> str:
        """Describe the mixture, given the name of each action."""
        if self.other is None:
            return labels[self.action]
        return f"{labels[self.action]} in one case out of {COUNTS[self.share.denominator]} (else {labels[self.other]})"

    def weights(self, actions: int) -> list[Fraction]:
        """Return the probability of each action, numbered below `actions`."""
        weights = [Fraction(0)] * actions
        weights[self.action] = self.share
        if self.other is not None:
            weights[self.other] = 1 - self.share
        return weights


def list_mixes(actions: int) -> list[Mix]:
    """List all mixtures of actions numbered below `actions`: those of one action come first."""
    mixes = [Mix(action) for action in range(actions)]
    for first, second in combinations(range(actions), 2):
        for share in SHARES:
            rare, other = (first, second) if share <= Fraction(1, 2) else (second, first)
            mixes.append(Mix(rare, min(share, 1 - share), other))
    return mixes


def mix_probabilities(mixes: Sequence[Mix], actions: int, legal_actions: I16) -> F64:
    """Compute float64[mixes, states, ranks], the probability of each legal action.

    Actions that are not legal leave their share to the others of the mixture; if none is legal, the first legal action
    is taken.

    Args:
        mixes: the mixtures.
        actions: the number of actions.
        legal_actions: int16[states, ranks], the legal actions in the order of the rules; -1 after the last.
    """
    weights = np.array([[float(each) for each in mix.weights(actions)] + [0.0] for mix in mixes])
    probabilities = weights[:, legal_actions]  # -1 is the last column
    total = probabilities.sum(axis=2, keepdims=True)
    probabilities[..., :1][total == 0.0] = 1.0
    return np.asarray(probabilities / np.where(total == 0.0, 1.0, total))
