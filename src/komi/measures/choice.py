"""The choices of players: the number of actions, that of good ones, and the value of a decision.

A decision is a node of play in which a player has at least two legal actions. Q(a) is the value of an action if both
policies are followed afterwards. All means are over the decisions of a game, each weighted with its expected visits.

| measure | of one decision |
|---|---|
| actions | the number of legal actions |
| near best | the number of actions with Q(a) >= max Q - 0.01 |
| random loss | max Q less the mean of Q: what a decision is worth |
| narrowness | the share of actions with Q(a) > mean Q + 0.75 (max Q - mean Q) |

Narrowness is that of Ludii (`metrics.multiple.metrics.ClarityNarrowness`), with exact values in place of an evaluation
function; Ludii also counts moves without a choice, as 0. A value that is within the proved error of a limit counts as
equal to it: as near the best, and not as outstanding.

The variance of the result is the sum over moves of the expected (V' - V)^2, which is that of chance, (V' - Q(a))^2,
plus that of the choice, (Q(a) - V)^2. The second is 0 unless a policy randomizes. Luck is the share of the first.

**Error.** Q is off by at most b, so a random loss by 2 b, and (Q - V)^2 by 4 b (1 + b). The differences that are
compared are off by at most 2 b, or 4 b for narrowness.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I16, I64
from komi.bellman import UNIFORM
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.transitions import to_mover
from komi.measures.bounded import UNIT, Bounded, add_up
from komi.measures.chain import Play
from komi.measures.flow import Flow
from komi.rules.interface import legal, outcomes, over, payoff
from komi.typing import Rules

NEAR = 0.01  # of winning: actions that are this close to the best
NARROW = 0.75  # of the distance from the mean to the best
SAME_BEST, SAME_LIMIT = 2.0, 4.0  # error bounds within which a value counts as equal to the two limits


class Choice(NamedTuple):
    """The measures of choice, each with its error bound; see the module. All are 0 in games without decisions.

    Attributes:
        decisions: the expected number of decisions in a game.
        actions: the mean number of legal actions.
        near_best: the mean number of actions within 0.01 of the best.
        random_loss: the mean loss of a random action.
        narrowness: the mean share of outstanding actions.
        choice_variance: the variance of the result that is due to randomizing policies.
    """

    decisions: Bounded
    actions: Bounded
    near_best: Bounded
    random_loss: Bounded
    narrowness: Bounded
    choice_variance: Bounded


class Decisions(NamedTuple):
    """The decision at each node, in float64[nodes]; all 0 if it is none, except for the `variance`."""

    number: F64
    near: F64
    loss: F64
    narrow: F64
    variance: F64


def measure_choice(play: Play, flow: Flow) -> Choice:
    """Compute the measures of choice; they need the values of all states."""
    chain, evaluator = play.chain, play.evaluator
    decisions = Decisions(*np.zeros((len(Decisions._fields), len(chain.rows))))
    play.compiled.kernels[fill_decisions](
        play.rules,
        evaluator.states,
        chain.handles,
        chain.rows,
        play.tables,
        play.results.value,
        chain.bound,
        np.empty(evaluator.counts.max_actions),
        decisions,
    )
    visits, flow_error, bound = flow.visits, flow.residual * chain.max_moves, chain.bound
    most = float(decisions.number.max(initial=0.0))
    rounding = 4.0 * (evaluator.counts.max_actions * evaluator.counts.max_outcomes + 8) * UNIT

    def expected(each: F64, largest: float, error: float) -> Bounded:
        return add_up(visits * each, largest * flow_error + error)

    number = expected(np.where(decisions.number > 0.0, 1.0, 0.0), 1.0, 0.0)
    moves = float(visits.sum()) * (1.0 + 1e-9) + flow_error
    return Choice(
        number,
        expected(decisions.number, most, 0.0).over(number),
        expected(decisions.near, most, 0.0).over(number),
        expected(decisions.loss, 1.0, (2.0 * bound + rounding) * number.value).over(number),
        expected(decisions.narrow, 1.0, 0.0).over(number),
        expected(decisions.variance, 1.0, (4.0 * bound * (1.0 + bound) + rounding) * moves),
    )


def fill_decisions(
    rules: Rules,
    states: StateIndex,
    handles: I64,
    rows: I64,
    policies: I16,
    values: F64,
    bound: float,
    q: F64,
    decisions: Decisions,
) -> None:
    """Fill in the decision at each node.

    Args:
        rules: the rules.
        states: the set of states.
        handles, rows: int64[nodes], as in `PlayChain`.
        policies: int16[roles, states], the policy of each role.
        values: float64[states * roles].
        bound: the error bound of the values.
        q: float64[actions], a buffer for the values of actions.
        decisions: filled in.
    """
    roles = len(policies)
    for node in range(len(rows)):
        state = state_at(states, handles[node])
        role = rows[node] % roles
        count: Any = np.int64(0)
        for action in legal(rules, state):
            if action == CHANCE:
                continue
            total = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                if over(rules, after):
                    value = payoff(rules, after)
                else:
                    value = values[index_of(states, locate(states, after)) * roles + (role + passes) % roles]
                total += probability * to_mover(value, passes)
            q[count] = total
            count += 1
        if count > 1:
            is_random = policies[role, rows[node] // roles] == UNIFORM
            _fill_decision(q[:count], bound, is_random, node, decisions)


def _fill_decision(q: F64, bound: float, is_random: bool, node: int, decisions: Decisions) -> None:
    """Fill in the decision between actions of these values."""
    best, mean = q.max(), q.mean()
    near = best - NEAR - SAME_BEST * bound
    narrow = mean + NARROW * (best - mean) + SAME_LIMIT * bound
    decisions.number[node], decisions.loss[node] = len(q), best - mean
    for value in q:
        if value >= near:
            decisions.near[node] += 1.0
        if value > narrow:
            decisions.narrow[node] += 1.0 / len(q)
        if is_random:
            decisions.variance[node] += (value - mean) * (value - mean) / len(q)
