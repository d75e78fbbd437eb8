"""What people are told: sentences, tables and numbers in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """An answer in words, for a person.

    Attributes:
        title: what it is about; empty without one.
        lines: sentences.
        columns: headings of a table; none without one.
        rows: of the table.
        after: sentences below the table.
        next_state: a state that is worth a look next, in the game's notation.
    """

    title: str = ""
    lines: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    after: Sequence[str] = ()
    next_state: str | None = None


def percent(probability: float) -> str:
    """A probability for people."""
    return f"{100 * probability:.4f} %"


def between(shortest: float, longest: float) -> str:
    """A range of lengths in words; the longest may be infinite."""
    return f"{shortest:.3f} to {longest:.3f}" if math.isfinite(longest) else f"{shortest:.3f} or more, without limit"
