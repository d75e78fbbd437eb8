"""Bounds on rounding errors: of one Bellman backup, of probabilities, and of stored bounds."""

from typing import Any, NamedTuple

from komi.graph.reachability_kernel import DEFICIT_UNITS
from komi.graph.transitions import GraphCounts


class ProbabilityError(NamedTuple):
    """The errors of probabilities; see `policy_equations.measure_gaps`.

    Attributes:
        unit: the relative error of a probability, or of the sum of an action's terms.
        deficit: the difference between the sum of an action's probabilities and 1, if it exceeds rounding.
    """

    unit: float
    deficit: float

    @classmethod
    def of(cls, counts: GraphCounts, mixing: bool) -> "ProbabilityError":
        """Bound the errors in a game; with `mixing`, backups average over all actions of a state."""
        return cls((4.0 + 0.5 * (_terms(counts, mixing) + 4)) * 2.0**-52, probability_deficit(counts))


def rounding_slack(counts: GraphCounts, mixing: bool) -> float:
    """Bound the rounding error of one backup of terms that sum to at most 2.

    A backup sums at most `_terms` terms, each with a probability that is accurate to 4 units in its last place. If the
    probabilities of an action differ from a sum of 1 by more than that explains, each of them can have an error as
    large as the difference.
    """
    return (_terms(counts, mixing) + 6) * 2.0**-52 + probability_deficit(counts)


def roll_rounding_slack(counts: GraphCounts) -> float:
    """Bound the rounding error of one backup inside rolls, more closely than `rounding_slack`.

    Partial sums never exceed 1, so that each addition, and all products together, have an error of at most 2^-53. A
    probability is accurate to 5 units in its last place: it can be a share of one, divided by the sum of all.
    """
    additions = counts.max_outcomes
    return (5.0 + 0.5 * (additions + 1)) * 2.0**-52 + _deficit(counts, 5.0)


def probability_deficit(counts: GraphCounts) -> float:
    """Return the largest difference between an action's sum of probabilities and 1; 0 if it is within rounding."""
    return _deficit(counts, counts.max_outcomes + 4.0)


def _terms(counts: GraphCounts, mixing: bool) -> int:
    return counts.max_outcomes * (counts.max_actions if mixing else 1)


def _deficit(counts: GraphCounts, rounding_units: float) -> float:
    """Return the deficit of probabilities if it exceeds `rounding_units`, in units of 2^-52; else 0."""
    deficit = counts.deficit / DEFICIT_UNITS
    return deficit if deficit > rounding_units * 2.0**-52 else 0.0


def rounding_error(objective: Any, magnitude: float) -> Any:
    """Bound the rounding error of a backup of terms whose magnitudes sum to `magnitude`."""
    return objective.slack if objective.is_zero_sum else objective.slack * (1.0 + magnitude)


def round_up(bound: Any) -> Any:
    """Increase a bound to cover its own rounding and its storage in single precision."""
    return bound * (1.0 + 2.0**-22)
