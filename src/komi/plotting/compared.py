"""Comparison of the decisions of two policies."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from komi.evaluation.turns import NOWHERE, Turns


@dataclass(frozen=True, eq=False)
class Comparison:
    """The differences between the decisions of two policies, by own score and rival's score.

    Attributes:
        differing: float64[score, rival], the number of turn totals at which they differ; nan where no turn begins.
        later: float64[score, rival], the hold value of the first policy minus that of the second; nan where one of them
            never holds.
        alike: the fraction of all states shown in which they decide alike.
    """

    differing: NDArray[np.float64]
    later: NDArray[np.float64]
    alike: float

    @property
    def most_differing(self) -> float:
        """The largest number of turn totals at which they differ, at least 1."""
        return float(np.nanmax(np.append(self.differing, 1.0)))

    @property
    def most_apart(self) -> float:
        """The largest absolute difference of two hold values, at least 1."""
        return float(np.nanmax(np.abs(np.append(self.later, 1.0))))


def compare(one: Turns, other: Turns) -> Comparison:
    """Compare the decisions of two policies in turns that begin with the same deck."""
    known = one.decisions != NOWHERE
    unlike = one.decisions != other.decisions
    return Comparison(
        np.where(known.any(axis=2), unlike.sum(axis=2), np.nan),
        one.hold_values - other.hold_values,
        1.0 - float(unlike.sum() / known.sum()),
    )
