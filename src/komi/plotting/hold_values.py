"""The data of plots of hold values: maps, cross-sections, the differences of two policies, and captions."""

from dataclasses import dataclass
from math import ceil

import numpy as np

from komi.arrays import F64, I8, Flags
from komi.errors import InputError
from komi.evaluation.turn_decisions import UNREACHABLE, TurnDecisions
from komi.rules.vocabulary import field_label, format_rules

SCORES = ("score", "rival")
MIN_MARGIN = 3  # space on each side of a number, in hundredths of the goal


@dataclass(frozen=True)
class CrossSection:
    """The location of a cross-section: the score named `field` has this value."""

    field: str
    value: int

    @property
    def across(self) -> str:
        """The score that is not fixed."""
        return SCORES[1 - SCORES.index(self.field)]


def parse_cross_section(text: str) -> CrossSection:
    """Parse a cross-section written as `field=value`.

    Raises:
        InputError: if it is malformed.
    """
    field, equals, value = (part.strip() for part in text.partition("="))
    if field not in SCORES or not (equals and value.isdecimal()):
        raise InputError(f"a slice is score=N or rival=N, not {text!r}.")
    return CrossSection(field, int(value))


def label_regions(turns: TurnDecisions, cut: CrossSection, reachable: bool) -> I8:
    """Label the decisions of a policy on a cross-section by action, and by whether play reaches the state.

    If `reachable` is False, all states count as reached.

    Returns:
        int8[turn total, score across]: 0 for no such turn total; 1 (go on) and 2 (hold) in states that play does not
        reach; 3 (go on) and 4 (hold) in those that it reaches.

    Raises:
        InputError: if there is no such score.
    """
    goal = len(turns.decisions)
    if not 0 <= cut.value < goal:
        raise InputError(f"the {cut.field} of a slice must be 0 to {goal - 1}, not {cut.value}.")
    axis = SCORES.index(cut.field)
    decisions = np.take(turns.decisions, cut.value, axis).T
    reached = np.take(turns.reached, cut.value, axis).T | (not reachable)
    return np.where(decisions == UNREACHABLE, 0, 1 + decisions + 2 * reached).astype(np.int8)


@dataclass(frozen=True, eq=False)
class PolicyComparison:
    """The differences between the decisions of two policies, by own score and rival's score.

    Attributes:
        differing: float64[score, rival], the number of turn totals at which they differ; nan where no turn begins.
        hold_differences: float64[score, rival], the hold value of the first policy minus that of the second; nan where
            one of them never holds.
        agreement: the share of all states shown in which their decisions agree.
    """

    differing: F64
    hold_differences: F64
    agreement: float

    @property
    def max_differing(self) -> float:
        """The largest number of turn totals at which they differ, at least 1."""
        return float(np.nanmax(np.append(self.differing, 1.0)))

    @property
    def max_difference(self) -> float:
        """The largest absolute difference of two hold values, at least 1."""
        return float(np.nanmax(np.abs(np.append(self.hold_differences, 1.0))))


def compare(first: TurnDecisions, second: TurnDecisions) -> PolicyComparison:
    """Compare the decisions of two policies in turns that begin with the same deck."""
    is_known = first.decisions != UNREACHABLE
    differs = first.decisions != second.decisions
    return PolicyComparison(
        np.where(is_known.any(axis=2), differs.sum(axis=2), np.nan),
        first.hold_values - second.hold_values,
        1.0 - float(differs.sum() / is_known.sum()),
    )


def isolated_cells(values: F64) -> Flags:
    """Mark the cells with a value that are a corner of no 2 x 2 block of values; a surface consists of such blocks."""
    known = ~np.isnan(values)
    squares = np.pad(known[:-1, :-1] & known[1:, :-1] & known[:-1, 1:] & known[1:, 1:], 1)
    return known & ~(squares[:-1, :-1] | squares[1:, :-1] | squares[:-1, 1:] | squares[1:, 1:])


def subject(turns: TurnDecisions) -> str:
    """Describe the plot: hold values, and the policy that has them."""
    return f"hold values, {turns.policy} play"


def format_caption(turns: TurnDecisions, decks: int = 1) -> str:
    """Format the rules on one line, with the cards out of the deck if the plot shows only one deck."""
    rules, deck = format_rules(turns.rules), format_deck(turns)
    return f"{rules};  {deck}" if deck and decks == 1 else rules


def format_deck(turns: TurnDecisions, between: str = ", ") -> str:
    """Describe the cards out of the deck at the start of a turn; an empty text for a game without a deck."""
    return between.join(f"{value} {field_label(turns.game, field)}" for field, value in turns.deck.items())


def label_position(region: Flags) -> tuple[int, int] | None:
    """Find a cell with the widest margin to the edge of its region; None if a number does not fit there."""
    left = region
    for _ in range(ceil(MIN_MARGIN * len(region) / 100 - 0.5)):  # half of the cell itself counts as margin
        left = _without_edge(left)
    if not left.any():
        return None
    while left.any():
        inner, left = left, _without_edge(left)
    cells = np.argwhere(inner)
    x, y = cells[len(cells) // 2]
    return int(x), int(y)


def _without_edge(region: Flags) -> Flags:
    """Shrink a region to the cells whose four neighbours belong to it (erosion)."""
    padded = np.pad(region, 1)
    across = padded[:-2, 1:-1] & padded[2:, 1:-1]
    return region & across & padded[1:-1, :-2] & padded[1:-1, 2:]
