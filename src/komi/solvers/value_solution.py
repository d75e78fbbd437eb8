"""Solutions that read their values from one `Values`, whether or not transient states are stored in it."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from komi.bellman import Objective
from komi.errors import SolveError
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.solvers.numeric_solution import NumericSolution
from komi.solvers.optimal_values import Values, find_values
from komi.solvers.solution import SolutionArrays, VerifiedHints
from komi.transient import TransientEvaluator, TransientValue
from komi.typing import State

MAX_LISTED = 20_000_000
"""The most transient states that are stored when a list of all states is requested."""


class ValueSolution(NumericSolution[Values]):
    """A solution for one or two players in which each state has a single number as its value."""

    @property
    def solver_objective(self) -> Objective:
        """The objective of the values, as the solver takes it."""
        raise NotImplementedError

    @property
    def is_fully_stored(self) -> bool:
        """True if every state is stored and none is recomputed on request."""
        return not self.data.expanded

    @property
    def arrays(self) -> SolutionArrays:
        """Optimal play in all states as arrays, including transient states inside rolls.

        Raises:
            SolveError: if transient states are not stored, and too many to list.
        """
        return _table_of(self._complete if self.data.expanded else self.data)

    @property
    def stored_arrays(self) -> SolutionArrays:
        """Optimal play in the stored states as arrays: those before a roll, if transient states are not stored."""
        return _table_of(self.data)

    @property
    def all_states(self) -> StateSet:
        """All states solved so far, including transient states inside rolls.

        Raises:
            SolveError: if transient states are not stored, and too many to list.
        """
        return self.arrays.states

    @property
    def error_bound(self) -> float:
        """A bound on the error of every value."""
        return self.data.error_bound

    @property
    def verified_hints(self) -> VerifiedHints | None:
        """The hints for shared rolls, if any rolls are shared."""
        record = self.data
        return VerifiedHints(("roll", "totals"), record.checked, record.states.size) if record.checked else None

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve additional nonterminal states, and all states reachable from them, in one pass."""
        super().include([state for state in states if not self._is_moment(state)], progress)
        for state in states:
            if self._is_moment(state):
                self.moment(state)

    def moment(self, state: State) -> TransientValue:
        """Compute the value and an optimal action of a transient state; solve unknown outcomes of its roll first."""
        while True:
            found = self._transient_evaluator.evaluate(self.data.states, self.data.values, state)
            if not found.missing:
                return found
            self.include(found.missing)

    def optimal_action(self, state: State) -> int:
        """Return the number of an optimal action in a nonterminal state."""
        if self._is_moment(state):
            return self.moment(state).choice
        return super().optimal_action(state)

    def _is_moment(self, state: State) -> bool:
        """Return whether a state is transient and therefore not stored."""
        return self.kind.transient and bool(self.game.part("transient")(self.rules, state))

    def _value(self, state: State) -> float:
        if self._is_over(state):
            return float(self.game.payoffs(self.rules, state)[0])
        if self._is_moment(state):
            worth = self._transient_evaluator.cache.get(state)
            return self.moment(state).value if worth is None else worth
        self.include([state])
        return float(self.data.values[self.data.states.index_of(state)])

    @cached_property
    def _transient_evaluator(self) -> TransientEvaluator:
        return TransientEvaluator(
            self.compiled, self.rules, self.solver_objective.is_zero_sum, self.solver_objective.sign
        )

    @cached_property
    def _complete(self) -> Values:
        if self.data.expanded > MAX_LISTED:
            raise SolveError(
                f"{self.game.name} has {self.data.expanded:,} states inside its rolls, more than can be listed "
                f"({MAX_LISTED:,}): ask for the value of one state, or change the rules to a smaller game."
            )
        start = self.game.part("start")(self.rules)
        return find_values(self.compiled, self.rules, [start], objective=self.solver_objective)


def _table_of(record: Values) -> SolutionArrays:
    return SolutionArrays(record.states, record.values, record.choices)
