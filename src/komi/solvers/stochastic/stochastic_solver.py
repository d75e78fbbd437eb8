"""Solutions that read their values from one `Values`, whether or not transient states are stored in it."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from komi.errors import SolveError
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.proof.audit import ListedPlay, Shares, one_hot, prove
from komi.rules.kind import Kind
from komi.solvers.discrete_dp import DiscreteDPArrays, list_pairs
from komi.solvers.numeric_solution import NumericSolution
from komi.solvers.solution import AnyState, OptimalPlay, VerifiedHints
from komi.solvers.solver import Solver, hidden_refusal, zero_sum_game_refusal
from komi.solvers.stochastic.certainty import is_certain
from komi.solvers.stochastic.optimal_values import Values, find_values, objective_of
from komi.transient import TransientEvaluator, TransientValue
from komi.typing import State

MAX_LISTED = 20_000_000
"""The most transient states that are stored when a list of all states is requested."""


class ValueSolution(NumericSolution[Values]):
    """A solution for one or two players in which each state has a single number as its value."""

    @property
    def listable_states(self) -> int:
        """The number of reachable states, including those inside rolls that are not stored."""
        return self.states + self.data.expanded

    @property
    def is_fully_stored(self) -> bool:
        """True if every state is stored and none is recomputed on request."""
        return not self.data.expanded

    @property
    def optimal_play(self) -> OptimalPlay:
        """Optimal play in all states as arrays, including transient states inside rolls.

        Raises:
            SolveError: if transient states are not stored, and too many to list.
        """
        return _table_of(self._complete if self.data.expanded else self.data)

    @property
    def stored_play(self) -> OptimalPlay:
        """Optimal play in the stored states as arrays: those before a roll, if transient states are not stored."""
        return _table_of(self.data)

    def check_listable(self) -> None:
        """Check that there are not too many transient states to list them."""
        if self.data.expanded > MAX_LISTED:
            raise SolveError(
                f"{self.game.name} has {self.data.expanded:,} states inside its rolls, more than can be listed "
                f"({MAX_LISTED:,}): ask for the value of one state, or change the rules to a smaller game."
            )

    @property
    def all_states(self) -> StateSet:
        """All states solved so far, including transient states inside rolls.

        Raises:
            SolveError: if transient states are not stored, and too many to list.
        """
        return self.optimal_play.states

    @property
    def verified_hints(self) -> VerifiedHints | None:
        """The hints for shared rolls, if any rolls are shared."""
        return hints_of(self.data)

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:
        """Solve additional nonterminal states, and all states reachable from them, in one pass."""
        super().include([state for state in states if not self._is_transient(state)], progress)
        for state in states:
            if self._is_transient(state):
                self.transient_value(state)

    def transient_value(self, state: State) -> TransientValue:
        """Compute the value and an optimal action of a transient state; solve unknown outcomes of its roll first."""
        while True:
            found = self._transient_evaluator.evaluate(self.data.states, self.data.values, state)
            if not found.missing:
                return found
            self.include(found.missing)

    def optimal_action(self, state: State) -> int:
        """Return the number of an optimal action in a nonterminal state."""
        if self._is_transient(state):
            return self.transient_value(state).choice
        return super().optimal_action(state)

    def is_certain(self, state: AnyState | None = None) -> bool:
        """Return whether the value of a state is exactly 0 or 1, since with optimal play no other end is possible.

        False also means that this was not found in a graph of moderate size.
        """
        return is_certain(self, self.read(state))

    def _is_transient(self, state: State) -> bool:
        """Return whether a state is transient and therefore not stored."""
        return self.kind.transient and bool(self.game.part("transient")(self.rules, state))

    def _value(self, state: State) -> float:
        index = self.data.states.index_of(state)
        if index < 0:
            if self._is_over(state):
                return float(self.game.shares(self.rules, state)[0])
            if self._is_transient(state):
                cached = self._transient_evaluator.cache.get(state)
                return self.transient_value(state).value if cached is None else cached
            self.include([state])
            index = self.data.states.index_of(state)
        return float(self.data.values[index])

    def audit(self, play: ListedPlay) -> bool:
        """Check the values, and that the policy attains them, against the rules as Python runs them."""
        objective, index = objective_of(self.kind), self.data.states.indices_of_fields(play.flat_fields(self.game))
        values = np.where(index >= 0, objective.sign * self.data.values[index], np.nan)
        plays: list[tuple[str, tuple[Shares, ...]]] = [("optimal play", (None,))]
        if (index >= 0).all():  # else the policy is not stored inside rolls
            policy = one_hot(play, self.data.choices[index].astype(np.int64))
            followed = [(policy, None), (None, policy)] if objective.is_zero_sum else [(policy,)]
            plays += [("the optimal policy", seats) for seats in followed]
        is_confirmed = True
        for what, seats in plays:
            results = np.tile(values, len(seats))
            found = prove(play.model(objective.sign, seats), results, objective.lowest, objective.highest)
            named = f"the value of {what} of {self.game.name}"
            is_confirmed &= found is not None and found.check(results, self.data.error_bound, play.states, named)
        return is_confirmed

    @cached_property
    def _transient_evaluator(self) -> TransientEvaluator:
        objective = objective_of(self.kind)
        return TransientEvaluator(self.compiled, self.rules, objective.is_zero_sum, objective.sign)

    @cached_property
    def _complete(self) -> Values:
        self.check_listable()
        start = self.game.part("start")(self.rules)
        return find_values(self.compiled, self.rules, [start], has_rolls=False)


class StochasticSolution(ValueSolution):
    """Optimal play of a two-player stochastic game: winning probabilities, where a shared win counts half.

    With a `payoff_range`, values are expected payoffs; in the arrays they are mapped to 0 to 1.

    Examples:
        >>> import komi
        >>> red_light = komi.solve("red-light")
        >>> round(red_light.value(), 6)
        0.500011
        >>> red_light.best("score=47,rival=49,turn=2,red=3,green=23")
        'draw'
    """


class SinglePlayerSolution(ValueSolution):
    """Optimal play of a single-player game: the maximal probability, or the maximal or minimal expected total reward.

    The value of a state does not include rewards received before it.

    Example:
        >>> import komi
        >>> countdown = komi.solve("pig-solitaire", objective="turns", goal=20)
        >>> countdown.objective, round(countdown.value(), 4)
        ('expected turns', 2.6634)
    """

    @property
    def scale(self) -> float:
        """The scale of the error bound: that of expected rewards is relative to the largest of them."""
        return max(1.0, float(abs(self.data.values).max(initial=0.0))) if self.kind.rewards else 1.0

    def discrete_dp(self) -> DiscreteDPArrays:
        """Return the arrays of a `quantecon.markov.DiscreteDP`; state i is that of `all_states`, the last one the end.

        Raises:
            SolveError: if there are too many outcomes, or transient states.

        Example:
            >>> import komi
            >>> R, Q, beta, s_indices, a_indices = komi.solve("pig-solitaire", goal=20, turns=2).discrete_dp()
            >>> Q.shape[0] == len(R) == len(s_indices) == len(a_indices), beta
            (True, 1.0)
        """
        return list_pairs(self.compiled, self.rules, self.all_states, objective_of(self.kind).sign)

    def _outcome_value(self, state: State, action: int, successor: State, passes: int) -> float:  # noqa: ARG002
        has_reward = self.game.has("reward")
        reward = self.game.part("reward")(self.rules, state, action, successor) if has_reward else 0.0
        return reward + self._value(successor)


def hints_of(values: Values) -> VerifiedHints | None:
    """Return the hints that values rely on; None if no rolls are shared."""
    return VerifiedHints(("roll", "totals"), values.checked, values.states.size) if values.checked else None


def _table_of(record: Values) -> OptimalPlay:
    return OptimalPlay(record.states, record.values, record.choices)


def _single_player_refusal(kind: Kind) -> str | None:
    """Return a sentence on why the total is not what a game is about; None if it is."""
    return hidden_refusal(kind) or (f"the value of {kind.name} is an average per action." if kind.average else None)


STOCHASTIC = Solver("stochastic", Values, StochasticSolution, range(2, 3), zero_sum_game_refusal, find_values)
"""Two-player zero-sum stochastic games: each player maximizes the probability of winning (Shapley 1953)."""
SINGLE_PLAYER = Solver("single-player", Values, SinglePlayerSolution, range(1, 2), _single_player_refusal, find_values)
"""Markov decision processes, with or without choices (Puterman 1994)."""
