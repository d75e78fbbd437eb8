"""Cross-sections through the decisions of a policy: by turn total and one score, the other one fixed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from komi.errors import InputError
from komi.evaluation.turns import NOWHERE, Turns

SCORES = ("score", "rival")


@dataclass(frozen=True)
class Cut:
    """Where a cross-section is: the score named `field` has this value."""

    field: str
    value: int

    @property
    def across(self) -> str:
        """The score that is not fixed."""
        return SCORES[1 - SCORES.index(self.field)]


def read_cut(text: str) -> Cut:
    """The cross-section that `field=value` means.

    Raises:
        InputError: if it is malformed.
    """
    field, equals, value = (part.strip() for part in text.partition("="))
    if field not in SCORES or not (equals and value.isdecimal()):
        raise InputError(f"a slice is score=N or rival=N, not {text!r}.")
    return Cut(field, int(value))


def regions(turns: Turns, cut: Cut, reachable: bool) -> NDArray[np.int8]:
    """int8[turn total, score across]: 0 no such total; 1, 2 go on, hold, where play does not come to; 3, 4 the same.

    If the reachable part is not asked for, all counts as come to.

    Raises:
        InputError: if there is no such score.
    """
    goal = len(turns.decisions)
    if not 0 <= cut.value < goal:
        raise InputError(f"the {cut.field} of a slice must be 0 to {goal - 1}, not {cut.value}.")
    axis = SCORES.index(cut.field)
    decisions = np.take(turns.decisions, cut.value, axis).T
    reached = np.take(turns.reached, cut.value, axis).T | (not reachable)
    return np.where(decisions == NOWHERE, 0, 1 + decisions + 2 * reached).astype(np.int8)
