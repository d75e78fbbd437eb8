"""Text output for users: sentences, tables and formatted numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A result in words, for the user.

    Attributes:
        title: the heading; empty without one.
        lines: sentences.
        columns: headings of a table; empty without a table.
        rows: the rows of the table.
        after: sentences below the table.
        next_state: a state to look at next, in the game's notation.
    """

    title: str = ""
    lines: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    after: Sequence[str] = ()
    next_state: str | None = None


def percent(probability: float) -> str:
    """Format a probability as a percentage."""
    return f"{100 * probability:.4f} %"


def between(shortest: float, longest: float) -> str:
    """Format a range of lengths; the longest can be infinite."""
    return f"{shortest:.3f} to {longest:.3f}" if math.isfinite(longest) else f"{shortest:.3f} or more, without limit"
