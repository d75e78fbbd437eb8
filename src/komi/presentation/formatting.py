"""Text for people: a report of sentences and a table, and formatted numbers."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from komi.rounding import format_bound
from komi.rules.kind import Kind

if TYPE_CHECKING:  # text needs no compiler
    from komi.design.openings import Opening
    from komi.simulation.result import Estimate
    from komi.solvers.solution import VerifiedHints

AN_EQUILIBRIUM = "The players keep to an equilibrium; others may exist, with other values."
"""The note below values of three and more seats."""
BRACKETS = "Where there are few cases, brackets are a 95 % confidence interval."
"""The note beside estimates that `format_share` formats, if one of them is rare."""


@dataclass(frozen=True)
class TextReport:
    """A result in words.

    Attributes:
        title: the heading; empty without one.
        lines: sentences.
        columns: headings of a table; empty without a table.
        rows: the rows of the table.
        footer: sentences below the table.
        next_state: a state for the next command, in the game's notation.
    """

    title: str = ""
    lines: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    footer: Sequence[str] = ()
    next_state: str | None = None


def format_percent(probability: float) -> str:
    """Format a probability as a percentage."""
    return f"{100 * probability:.4f} %"


def format_value(kind: Kind, value: float) -> str:
    """Format a value: a percentage if it is a probability, else a number with six decimals."""
    return format_percent(value) if kind.is_chance else f"{round(value, 6) + 0.0:.6f}"  # no -0.000000


def format_change(kind: Kind, difference: float) -> str:
    """Format a difference of values, with its sign."""
    return f"{100 * difference:+.4f} %" if kind.is_chance else f"{difference:+.6f}"


def value_cells(kind: Kind, opening: "Opening") -> tuple[str, ...]:
    """Format the value of each seat, and how far the one farthest from its equal share is from it."""
    seats = opening.seats or (opening.first,)
    farthest = max(seats, key=lambda value: abs(value - opening.even))
    return *(format_value(kind, value) for value in seats), format_change(kind, farthest - opening.even)


def format_estimate(estimate: "Estimate", digits: int = 3) -> str:
    """Format an estimate with its standard error, which is omitted if it is unknown, as for a single game."""
    error = "" if math.isnan(estimate.stderr) else f" ± {estimate.stderr:.{digits}f}"
    return f"{estimate.mean:.{digits}f}{error}"


def format_share(estimate: "Estimate", digits: int = 3) -> str:
    """Format an estimated share as a percentage; if it is rare, with its 95 % interval in place of the error."""
    mean, error = (f"{100 * number:.{digits}f}" for number in (estimate.mean, estimate.stderr))
    if estimate.is_rare and estimate.interval:
        low, high = (f"{100 * number:.{digits}f}" for number in estimate.interval)
        return f"{mean} ({low} to {high}) %"
    return f"{mean} %" if math.isnan(estimate.stderr) else f"{mean} ± {error} %"


def value_heading(kind: Kind, whose: str = "") -> str:
    """Return the heading of a column of values of a player, such as "optimal wins" or "optimal: expected points"."""
    if kind.payoffs.is_chance:
        return f"{whose} wins".strip()
    return f"{whose}: {kind.payoffs.unit}" if whose else kind.payoffs.unit


def format_proof(kind: Kind, error_bound: float, hints: "VerifiedHints | None" = None) -> str:
    """Say what an error bound of values that rely on hints proves."""
    what = "probability" if kind.is_chance else "value"
    return state_proof(f"no {what} is off by more than {format_bound(error_bound)}", hints)


def state_proof(claim: str, hints: "VerifiedHints | None") -> str:
    """State that a claim is proved, or which hints it rests on where they were verified in a sample of the states."""
    if hints is None or hints.is_complete:
        return f"Proved: {claim}."
    return f"{hint_sentence(hints)} If they hold in all states, {claim}."


def weakest_hints(hints: Iterable["VerifiedHints | None"]) -> "VerifiedHints | None":
    """Return the hints of the result that were verified in the smallest share of its states; None without hints."""
    return min(filter(None, hints), key=lambda each: each.verified / each.states, default=None)


def hint_sentence(hints: "VerifiedHints") -> str:
    """Name the hints that a result relies on, and where they were verified."""
    names = " and ".join(map(repr, hints.hints))
    noun, verb = ("hint", "holds") if len(hints.hints) == 1 else ("hints", "hold")
    if hints.is_complete:
        return f"Uses the {noun} {names}, verified in all {hints.states:,} states."
    return (
        f"Not proved: this rests on the {noun} {names}, which {verb} in a random sample of {hints.verified:,} of "
        f"{hints.states:,} states."
    )


def format_range(shortest: float, longest: float) -> str:
    """Format a range of lengths; the longest can be infinite."""
    return f"{shortest:.3f} to {longest:.3f}" if math.isfinite(longest) else f"{shortest:.3f} or more, without limit"
