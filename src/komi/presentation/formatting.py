"""Text for people: a report of sentences and a table, and formatted numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from komi.rules.kind import Kind


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


def value_heading(kind: Kind, whose: str = "") -> str:
    """Return the heading of a column of values of a player, such as "optimal wins" or "optimal: expected points"."""
    if kind.payoffs.is_chance:
        return f"{whose} wins".strip()
    return f"{whose}: {kind.payoffs.unit}" if whose else kind.payoffs.unit


def format_proof(kind: Kind, error_bound: float) -> str:
    """Say what an error bound of values proves."""
    return f"Proved: no {'probability' if kind.is_chance else 'value'} is off by more than {error_bound:.1e}."


def format_range(shortest: float, longest: float) -> str:
    """Format a range of lengths; the longest can be infinite."""
    return f"{shortest:.3f} to {longest:.3f}" if math.isfinite(longest) else f"{shortest:.3f} or more, without limit"
