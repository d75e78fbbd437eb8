"""Answers that read their values from one record, whether or not the states inside a roll are stored in it."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from komi.errors import SolveError
from komi.methods.answer import Answer, Reliance, Table
from komi.methods.backup.moments import Moment, Moments
from komi.methods.backup.values import Values, Wanted, find_values
from komi.model.states import StateSet
from komi.progress import Progress, silent

MOST_LISTED = 20_000_000
"""Transient states that are stored after all where a list of all states is asked for."""


class FromValues(Answer[Values]):
    """Optimal play of one seat or two, each state worth one number."""

    @property
    def wanted(self) -> Wanted:
        """What the values are."""
        raise NotImplementedError

    @property
    def stores_all(self) -> bool:
        """Whether every state is stored, and none is worked out again when it is asked for."""
        return not self.record.expanded

    @property
    def values(self) -> Table:
        """Optimal play in all states as arrays, those inside a roll too.

        Raises:
            SolveError: if these are not stored, and too many to list.
        """
        return _table_of(self._complete if self.record.expanded else self.record)

    @property
    def stored(self) -> Table:
        """The same in the states that are stored: those before a roll, where others are not."""
        return _table_of(self.record)

    @property
    def listed(self) -> StateSet:
        """All states solved so far, those inside a roll too.

        Raises:
            SolveError: if these are not stored, and too many to list.
        """
        return self.values.states

    @property
    def error_bound(self) -> float:
        """No value is further than this from the truth."""
        return self.record.error_bound

    @property
    def reliance(self) -> Reliance | None:
        """The hints for shared rolls, where some are shared."""
        record = self.record
        return Reliance(("roll", "totals"), record.checked, record.states.size) if record.checked else None

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve these states too, and what play can reach from them, all at once; in none the game is over."""
        stored = [state for state in states if not self._is_moment(state)]
        unknown = [state for state in stored if self.record.states.index_of(state) < 0]
        if unknown:
            self.record = find_values(self.compiled, self.rules, unknown, self.record, progress, self.wanted)
            self.check_bound()
        for state in states:
            if self._is_moment(state):
                self.moment(state)

    def moment(self, state: Any) -> Moment:
        """What a transient state is worth, and a best action; what its roll leads to is solved if it is not known."""
        while True:
            found = self._moments.look(self.record.states, self.record.values, state)
            if not found.missing:
                return found
            self.include(found.missing)

    def choice(self, state: Any) -> int:
        """The number of a best action in a state where the game is not over."""
        if self._is_moment(state):
            return self.moment(state).choice
        return super().choice(state)

    def _is_moment(self, state: Any) -> bool:
        """Whether a state is one that is not stored."""
        return self.wanted.expands and bool(self.game.part("transient")(self.rules, state))

    def _value(self, state: Any) -> float:
        if self._is_over(state):
            return float(self.game.payoffs(self.rules, state)[0])
        if self._is_moment(state):
            worth = self._moments.known.get(state)
            return self.moment(state).value if worth is None else worth
        self.include([state])
        return float(self.record.values[self.record.states.index_of(state)])

    @cached_property
    def _moments(self) -> Moments:
        return Moments(self.compiled, self.rules, self.wanted.flips, self.wanted.sign)

    @cached_property
    def _complete(self) -> Values:
        if self.record.expanded > MOST_LISTED:
            raise SolveError(
                f"{self.game.name} has {self.record.expanded:,} states inside its rolls, more than can be listed "
                f"({MOST_LISTED:,}): ask for the value of one state, or change the rules to a smaller game."
            )
        start = self.game.part("start")(self.rules)
        return find_values(self.compiled, self.rules, [start], wanted=self.wanted._replace(expands=False))


def _table_of(record: Values) -> Table:
    return Table(record.states, record.values, record.choices)
