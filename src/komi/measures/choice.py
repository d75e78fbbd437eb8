"""The choices of players: the number of actions, that of good ones, and the value of a decision.

A decision is a node of play in which a player has at least two legal actions. Q(a) is the value of an action to the
player if the policies are followed afterwards. All means are over the decisions of a game, each weighted with its
expected visits.

| measure | of one decision |
|---|---|
| actions | the number of legal actions |
| near best | the number of actions with Q(a) >= max Q - 0.01; for points less 1 % of the expected result |
| random loss | max Q less the mean of Q: what a decision is worth |
| narrowness | the share of actions with Q(a) > mean Q + 0.75 (max Q - mean Q) |

Narrowness is that of Ludii (`metrics.multiple.metrics.ClarityNarrowness`), with exact values in place of an evaluation
function; Ludii also counts moves without a choice, as 0. A value that is within the proved error of a limit counts as
equal to it: as near the best, and not as outstanding.

The variance of the result is the sum over moves of the expected |V' - V|^2 (see `komi.measures.tension`), which is
that of chance, |V' - Q(a)|^2, plus that of the choice, |Q(a) - V|^2. The second is 0 unless a policy randomizes. Luck
is the share of the first.

*Kingmaking*, with three or more players: a player who cannot win any more, whatever the players do and chance brings,
decides how the others fare. The shift of a decision is the largest difference that the action makes in the chance of
one of the others, max Q[i] - min Q[i]; kingmaking is the expected sum of the shifts of a game.

**Error.** Q is off by at most b, so a random loss or a shift by 2 b, and |Q - V|^2 by 2 c b (2 D + 2 c b), with c and
D as in `komi.measures.tension`. The differences that are compared are off by at most 2 b, or 4 b for narrowness.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.bellman import ActionCode
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, state_at
from komi.measures.attainable import find_attainable
from komi.measures.bounded import UNIT, Bounded, add_up
from komi.measures.chain import Play, PlayTable, fill_after
from komi.measures.flow import Flow
from komi.rules.interface import legal, outcomes, reward
from komi.typing import Rules

NEAR = 0.01  # of winning, or of the expected result: actions that are this close to the best
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
        kingmaker_decisions: the expected number of decisions of players who cannot win any more.
        kingmaking: the expected sum of the shifts of these decisions.
    """

    decisions: Bounded
    actions: Bounded
    near_best: Bounded
    random_loss: Bounded
    narrowness: Bounded
    choice_variance: Bounded
    kingmaker_decisions: Bounded
    kingmaking: Bounded


class DecisionMeasures(NamedTuple):
    """The decision at each node, in float64[nodes]; all 0 if it is none.

    Attributes:
        number, near, loss, narrow, variance: its measures.
        hopeless: 1 if the player cannot win any more, with three or more players.
        shift: the shift of a player who cannot win any more.
    """

    number: F64
    near: F64
    loss: F64
    narrow: F64
    variance: F64
    hopeless: F64
    shift: F64


class DecisionNodes(NamedTuple):
    """The nodes whose decisions are measured.

    Attributes:
        handles, rows: int64[nodes], as in `PlayChain`.
        attainable: float64[states, seats], as returned by `find_attainable`; no rows with one or two players.
        near: the greatest loss of an action that is near the best.
        same: the difference within which a value counts as equal to a limit.
    """

    handles: I64
    rows: I64
    attainable: F64
    near: float
    same: float


def measure_choice(play: Play, flow: Flow) -> Choice:
    """Compute the measures of choice; they need the values of all states."""
    chain, evaluator, counts = play.chain, play.evaluator, play.evaluator.counts
    views, bound, scale = chain.value.shape[1], chain.bound, 1.0
    attainable = np.empty((0, chain.seats))
    if chain.seats > 2:
        attainable = find_attainable(play.compiled, play.rules, evaluator.states)
    if chain.sides == 1:
        scale = abs(play.first.value)
    decisions = DecisionMeasures(*np.zeros((len(DecisionMeasures._fields), len(chain.rows))))
    near = NEAR * scale + SAME_BEST * bound
    nodes = DecisionNodes(chain.handles, chain.rows, attainable, near, SAME_LIMIT * bound)
    q = np.empty((counts.max_actions, views))
    GraphKernels(play.compiled)[fill_decisions](play.rules, evaluator.states, nodes, play.table, q, decisions)
    visits, flow_error = flow.visits, flow.residual * chain.max_moves
    largest = 1.0 if chain.sides > 1 else float(np.abs(chain.value).max() + np.abs(chain.edges.after).max())
    rounding = 4.0 * (counts.max_actions * counts.max_outcomes + 8) * views * UNIT * max(largest, 1.0) ** 2
    norm = 1.0 if views == 1 else math.sqrt(views / 2)

    def expected(each: F64, error: float, often: Bounded) -> Bounded:
        return add_up(
            visits * each, (float(each.max()) + error) * flow_error + error * (often.value + often.error) + rounding
        )

    none = Bounded(0.0, 0.0)
    number = expected(np.where(decisions.number > 0.0, 1.0, 0.0), 0.0, none)
    kings = expected(decisions.hopeless, 0.0, none)
    moves = add_up(visits, flow_error)
    squared = 4.0 * norm * bound * (math.sqrt(views) * largest + norm * bound) + rounding
    return Choice(
        number,
        expected(decisions.number, 0.0, none).over(number),
        expected(decisions.near, 0.0, none).over(number),
        expected(decisions.loss, 2.0 * bound + rounding, number).over(number),
        expected(decisions.narrow, 0.0, none).over(number),
        expected(decisions.variance, squared, moves),
        kings,
        expected(decisions.shift, 2.0 * bound + rounding, kings),
    )


def fill_decisions(
    rules: Rules, states: StateIndex, nodes: DecisionNodes, table: PlayTable, q: F64, decisions: DecisionMeasures
) -> None:
    """Fill in the decision at each node.

    Args:
        rules: the rules.
        states: the set of states.
        nodes: the nodes.
        table: the policies and values.
        q: float64[actions, views], a buffer for the values of actions.
        decisions: filled in.
    """
    roles, views, rows, value = len(table.policies), q.shape[1], nodes.rows, table.after
    for node in range(len(rows)):
        state = state_at(states, nodes.handles[node])
        index, role = rows[node] // roles, rows[node] % roles
        count: Any = np.int64(0)
        for action in legal(rules, state):
            if action == CHANCE:
                continue
            for view in range(views):
                q[count, view] = 0.0
            for probability, after, passes in outcomes(rules, state, action):
                if probability <= 0.0:
                    continue
                fill_after(rules, states, table, role, after, passes)
                value[0] += table.sign * reward(rules, state, action, after)
                for view in range(views):
                    q[count, view] += probability * value[view]
            count += 1
        if count < 2:
            continue
        _fill_decision(q, count, nodes, node, decisions)
        if table.policies[role, index] == ActionCode.UNIFORM:
            decisions.variance[node] = _variance(q, count)
        if len(nodes.attainable) and nodes.attainable[index, 0] <= 0.0:
            decisions.hopeless[node], decisions.shift[node] = 1.0, _shift(q, count)


def _fill_decision(q: F64, count: int, nodes: DecisionNodes, node: int, decisions: DecisionMeasures) -> None:
    """Fill in the decision between `count` actions of these values, as its player sees it."""
    best, total = -np.inf, 0.0
    for i in range(count):
        best = max(best, q[i, 0])
        total += q[i, 0]
    mean = total / count
    narrow = mean + NARROW * (best - mean) + nodes.same
    decisions.number[node], decisions.loss[node] = count, best - mean
    for i in range(count):
        if q[i, 0] >= best - nodes.near:
            decisions.near[node] += 1.0
        if q[i, 0] > narrow:
            decisions.narrow[node] += 1.0 / count


def _variance(q: F64, count: int) -> float:
    """Return the variance of the values of `count` actions of equal probability."""
    views = q.shape[1]
    half = 1.0 if views == 1 else 0.5
    variance = 0.0
    for view in range(views):
        total = 0.0
        for i in range(count):
            total += q[i, view]
        for i in range(count):
            difference = q[i, view] - total / count
            variance += half * difference * difference / count
    return variance


def _shift(q: F64, count: int) -> float:
    """Return the largest difference that the choice among `count` actions makes to a player other than the mover."""
    shift = 0.0
    for view in range(1, q.shape[1]):
        least = greatest = q[0, view]
        for i in range(1, count):
            least, greatest = min(least, q[i, view]), max(greatest, q[i, view])
        shift = max(shift, greatest - least)
    return shift
