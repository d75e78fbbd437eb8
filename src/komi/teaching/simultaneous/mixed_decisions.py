"""Decisions of games of simultaneous choice, and the cost of each mixture of actions there.

Where both players choose, the player's winning probability is a matrix game: M[a, b] is the value of what follows. A
mixture x guarantees

    min over b of  sum over a of x[a] M[a, b],

and its cost is what it guarantees less than the best mixture, times how often games reach the decision. With the values
of optimal play, and in games of a strategy with its best response, the sum of these costs is an upper bound of its
exploitability (up to the loss of the best mixture), as the best response need not take the b of the minimum. With the
values of the strategy in these games, costs have the gradient of the exploitability. Games are sampled: costs select
strategies, and do not measure them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I8, I16, I64
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members, state_at
from komi.graph.state_sets import StateSet
from komi.graph.transitions import to_mover
from komi.rules.interface import legal, outcomes, over, payoff, sample
from komi.solvers.simultaneous.matrix_game_sweeps import ChoiceKind
from komi.solvers.simultaneous.mixed_solver import SimultaneousSolution
from komi.solvers.simultaneous.mixed_values import legal_actions
from komi.teaching.features import Feature, Quantity, compute_features
from komi.typing import Rules

STEPS = 1_000_000  # actions and chance moves of the games of a sample


class LearnerDecisions(NamedTuple):
    """Decisions of one player, the learner.

    Attributes:
        indices: int64[decisions], the index of a state that the learner sees so, in ascending order.
        payoffs: float64[decisions, own ranks, other ranks], the learner's winning probability by the ranks of both
            actions; only in column 0 where one player chooses. Columns of actions that the other does not have are 2.
        visits: float64[decisions], how often they occur in a game, averaged over both seats.
    """

    indices: I64
    payoffs: F64
    visits: F64

    def at(self, rows: I64) -> "LearnerDecisions":
        """Return some of the decisions."""
        return LearnerDecisions(self.indices[rows], self.payoffs[rows], self.visits[rows])

    def guaranteed(self, probabilities: F64) -> F64:
        """Compute float64[mixes, decisions], what mixtures guarantee, given float64[mixes, decisions, own ranks]."""
        return np.asarray(np.einsum("mda,dab->mdb", probabilities, self.payoffs).min(axis=2))


@dataclass(frozen=True, eq=False)
class MixedGames:
    """Games of learners against other players."""

    solution: SimultaneousSolution

    @property
    def states(self) -> StateSet:
        """The states of the solution."""
        return self.solution.data.states

    @cached_property
    def legal_actions(self) -> I16:
        """int16[states, ranks], the legal actions in the order of the rules; -1 after the last, and at chance nodes."""
        most = self.solution.data.mixes.shape[1]
        return legal_actions(self.solution.compiled, self.solution.rules, self.states, most, -1)

    @property
    def choices(self) -> I64:
        """int64[states], the number of legal actions; 0 at chance nodes."""
        return np.asarray((self.legal_actions >= 0).sum(axis=1))

    @cached_property
    def hidden_fields(self) -> frozenset[str]:
        """The fields that differ between states that the second of two players to choose cannot tell apart."""
        data, fields = self.solution.data, self.solution.game.module.State._fields
        blind = np.flatnonzero(data.kinds == ChoiceKind.BLIND)
        if not len(blind):
            return frozenset()
        quantities = [Quantity(name, index) for index, name in enumerate(fields)]
        columns = compute_features([Feature("identity", each, each) for each in quantities], self.states, blind)
        order = np.argsort(data.before[blind], kind="stable")
        firsts = np.flatnonzero(np.diff(data.before[blind][order], prepend=-1))
        columns = columns[:, order]
        spreads = np.maximum.reduceat(columns, firsts, axis=1) - np.minimum.reduceat(columns, firsts, axis=1)
        return frozenset(name for name, spread in zip(fields, spreads, strict=True) if spread.any())

    @property
    def optimal_values(self) -> F64:
        """float64[states, 2], the learner's winning probability in optimal play, where it is to move or the other."""
        values = np.asarray(self.solution.data.values)
        return np.stack([values, 1.0 - values], axis=1)

    def payoffs(self, values: F64, role: int) -> F64:
        """Compute float64[states, own ranks, other ranks], the learner's winning probability in each state.

        Args:
            values: float64[states, 2], the learner's winning probability where it is to move, and where the other is.
            role: 0 if the learner chooses first, 1 if second, or if the other chooses alone.
        """
        data = self.solution.data
        payoffs = np.full((*data.mixes.shape, data.mixes.shape[1]), np.nan)
        GraphKernels(self.solution.compiled)[_fill_payoffs](
            self.solution.rules, self.states, data.kinds, values, role, payoffs
        )
        if role:
            payoffs = np.ascontiguousarray(payoffs.transpose(0, 2, 1))
        is_missing = np.isnan(payoffs)
        payoffs[is_missing] = 0.0
        payoffs[np.broadcast_to(is_missing.all(axis=1, keepdims=True), payoffs.shape)] = 2.0
        return payoffs

    def best_response(self, learner: F64, values: F64) -> F64:
        """Compute float64[states, ranks], the other player's best action in each state, with probability 1.

        Args:
            learner: float64[states, ranks], the probability of each legal action.
            values: as in `payoffs`.
        """
        data = self.solution.data
        blind = np.flatnonzero(data.kinds == ChoiceKind.BLIND)
        seen = np.zeros(self.states.size, np.int64)
        seen[data.before[blind]] = blind
        is_open = data.kinds == ChoiceKind.OPEN
        second = np.where(is_open[:, None], learner[seen], 1.0)  # alone, the learner has no action
        second[~is_open, 1:] = 0.0
        first_choices = np.einsum("sb,sba->sa", second, self.payoffs(values, 1)).argmin(axis=1)
        second_choices = np.einsum("sa,sab->sb", learner, self.payoffs(values, 0)).argmin(axis=1)
        choices = np.where(data.kinds == ChoiceKind.BLIND, second_choices[data.before], first_choices)
        return np.asarray(np.eye(learner.shape[1])[choices])

    def decisions(self, learner: F64, other: F64, values: F64, seed: int) -> LearnerDecisions:
        """Sample games of a learner against another player; return the learner's decisions.

        Args:
            learner, other: float64[states, ranks], the probability of each legal action.
            values: as in `payoffs`.
            seed: the seed of the games.
        """
        data, rules = self.solution.data, self.solution.rules
        visits = np.zeros(self.states.size)
        uniform = np.random.default_rng(seed).random(2 * STEPS)
        start = self.states.handle(self.solution.game.part("start")(rules))
        visits /= GraphKernels(self.solution.compiled)[_play](
            rules, start, self.states, learner, other, uniform, visits
        )
        blind = np.flatnonzero((data.kinds == ChoiceKind.BLIND) & (self.choices > 1))
        second, seen = np.zeros(self.states.size), np.zeros(self.states.size, np.int64)
        np.add.at(second, data.before[blind], visits[blind])  # the second to choose does not see the first choice
        seen[data.before[blind]] = blind
        visits[(data.kinds == ChoiceKind.BLIND) | (self.choices < 2)] = 0.0
        firsts, seconds = np.flatnonzero(visits), np.flatnonzero(second)
        found = LearnerDecisions(
            np.concatenate([firsts, seen[seconds]]),
            np.concatenate([self.payoffs(values, 0)[firsts], self.payoffs(values, 1)[seconds]]),
            np.concatenate([visits[firsts], second[seconds]]),
        )
        return found.at(np.argsort(found.indices, kind="stable"))


def _play(rules: Rules, start: int, states: StateIndex, learner: F64, other: F64, uniform: F64, visits: F64) -> int:
    """Play games of a learner, in alternate seats, until the random numbers are used up.

    Args:
        rules: the rules.
        start: the handle of the initial state.
        states: the set of states.
        learner: float64[states, ranks], the probability of each legal action.
        other: the same, of the other player.
        uniform: float64[.], random numbers in [0, 1), two for each step.
        visits: float64[states], counts the states in which the learner is to move.

    Returns:
        The number of games.
    """
    games, step = 0, 0
    while 2 * step + 1 < len(uniform):
        handle = start
        mover = games & 1  # 0: the learner
        while 2 * step + 1 < len(uniform):
            state, index = state_at(states, handle), index_of(states, handle)
            if mover == 0:
                visits[index] += 1.0
            action = _draw(rules, state, learner[index] if mover == 0 else other[index], uniform[2 * step])
            _, after, passes = sample(rules, state, action, uniform[2 * step + 1])
            step += 1
            if passes < 0 or over(rules, after):
                break
            mover = (mover + passes) & 1
            handle = locate(states, after)
        games += 1
    return games


def _draw(rules: Rules, state: Any, probabilities: F64, uniform: float) -> int:
    """Sample one of the legal actions; return CHANCE at a chance node."""
    total = 0.0
    chosen: Any = np.int64(CHANCE)
    for rank, action in enumerate(legal(rules, state)):
        if action == CHANCE:
            return action
        if rank == 0 or probabilities[rank] > 0.0:
            chosen = action
        total += probabilities[rank]
        if uniform < total:
            break
    return chosen  # type: ignore[no-any-return]


def _fill_payoffs(rules: Rules, states: StateIndex, kinds: I8, values: F64, role: int, payoffs: F64) -> None:
    """Fill in float64[states, ranks, ranks], the learner's winning probability by the ranks of both choices.

    The ranks are those of the first and the second to choose; where one chooses, those of its actions and 0.

    Args:
        rules: the rules.
        states: the set of states.
        kinds: int8[states], the kinds of states.
        values: float64[states, 2], the learner's winning probability where it is to move, and where the other is.
        role: 0 if the learner is to move.
        payoffs: filled in; entries without an action keep their value.
    """
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        if kinds[index] == ChoiceKind.BLIND:
            continue
        is_open = kinds[index] == ChoiceKind.OPEN
        for rank, action in enumerate(legal(rules, state)):
            value = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                if is_open:
                    for reply_rank, reply in enumerate(legal(rules, after)):
                        reply_value = 0.0
                        for chance, end, turn in outcomes(rules, after, reply):
                            reply_value += chance * _learner_value(rules, states, values, end, role + passes + turn)
                        payoffs[index, rank, reply_rank] = reply_value
                else:
                    value += probability * _learner_value(rules, states, values, after, role + passes)
            if not is_open:
                payoffs[index, rank, 0] = value


def _learner_value(rules: Rules, states: StateIndex, values: F64, state: Any, role: int) -> float:
    """Return the learner's winning probability in a state; the learner is to move if `role` is even."""
    if over(rules, state):
        return to_mover(payoff(rules, state), role)  # type: ignore[no-any-return]
    return values[index_of(states, locate(states, state)), role & 1]  # type: ignore[no-any-return]
