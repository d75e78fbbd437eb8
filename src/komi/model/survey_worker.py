"""One thread of a survey, with states of its own to visit."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.compile.packing import Layout
from komi.model import survey_kernel as survey

MOST_ACTIONS = 1 << 15  # choices are kept in 16 bits
TOTALS = 5


class Surveyor:
    """Visits states, and adds what they lead to to the set that all surveyors share.

    Attributes:
        height: how many states it has still to visit.
        totals: what it has counted, as in `survey.survey`.
        reason: how its last visit ended.
        witness: the fields of the state, and the action, that ended it.
    """

    def __init__(self, compiled: CompiledGame, rules: Any, layout: Layout, bits: NDArray[np.uint64]) -> None:
        self.height = 0
        self.totals = np.zeros(TOTALS, np.int64)
        self.reason = survey.DONE
        self.witness = np.zeros(len(layout.lows) + 1, np.int64)
        self._stack = np.empty(1 << 16, np.int64)
        self._layout, self._bits = layout, bits
        self._rules = rules
        listed = MOST_ACTIONS if compiled.game.has("label") else len(compiled.game.module.actions)
        self._known = min(listed, MOST_ACTIONS)
        self._kernel = compiled.kernels[survey.survey]

    def visit(self, steps: int) -> None:
        """Visit so many states, or all that are left if these are fewer."""
        self.reason, self.height = self._kernel(
            self._rules,
            self._known,
            self._layout,
            self._bits,
            self._stack,
            self.height,
            steps,
            self.totals,
            self.witness,
        )
        if self.reason == survey.CROWDED:
            self._grow()

    def take(self, words: NDArray[np.int64]) -> None:
        """Visit these states too."""
        while self.height + len(words) >= len(self._stack):
            self._grow()
        self._stack[self.height : self.height + len(words)] = words
        self.height += len(words)

    def give(self, count: int) -> NDArray[np.int64]:
        """Leave to another the states found first: most is still to be found behind them."""
        words = self._stack[:count].copy()
        self.height -= count
        self._stack[: self.height] = self._stack[count : count + self.height].copy()
        return words

    def move(self, layout: Layout, bits: NDArray[np.uint64]) -> None:
        """Go on with the same states in a wider layout."""
        words = self._stack[: self.height]
        self._stack[: self.height] = _relaid(words, self._layout, layout)
        self._layout, self._bits = layout, bits

    def next_state(self) -> tuple[int, ...]:
        """The fields of the state that is visited next."""
        return self._layout.fields(int(self._stack[self.height - 1]))

    def _grow(self) -> None:
        self._stack = np.concatenate((self._stack, np.empty_like(self._stack)))


def _relaid(words: NDArray[np.int64], layout: Layout, wider: Layout) -> NDArray[np.int64]:
    relaid = np.zeros_like(words)
    for low, shift, mask, new_low, new_shift, _ in zip(*layout, *wider, strict=True):
        relaid |= (((words >> shift) & mask) + low - new_low) << new_shift
    return relaid
