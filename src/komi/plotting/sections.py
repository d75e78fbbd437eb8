"""Cross-sections of a policy's decisions: by turn total and one score, with the other score fixed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from komi.errors import InputError
from komi.evaluation.turns import NOWHERE, Turns

SCORES = ("score", "rival")


@dataclass(frozen=True)
class Cut:
    """The location of a cross-section: the score named `field` has this value."""

    field: str
    value: int

    @property
    def across(self) -> str:
        """The score that is not fixed."""
        return SCORES[1 - SCORES.index(self.field)]


def read_cut(text: str) -> Cut:
    """Parse a cross-section written as `field=value`.

    Raises:
        InputError: if it is malformed.
    """
    field, equals, value = (part.strip() for part in text.partition("="))
    if field not in SCORES or not (equals and value.isdecimal()):
        raise InputError(f"a slice is score=N or rival=N, not {text!r}.")
    return Cut(field, int(value))


def regions(turns: Turns, cut: Cut, reachable: bool) -> NDArray[np.int8]:
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
    return np.where(decisions == NOWHERE, 0, 1 + decisions + 2 * reached).astype(np.int8)
