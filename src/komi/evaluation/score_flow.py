"""All games of a policy in a single-player game at once: the probability of each state and total of rewards.

It is followed forward from the start. With the states in topological order, one pass propagates all probability to the
end. In cycles, the probability that returns is propagated by further passes, until less than `MAX_REMAINDER` is left.

All terms are positive, so that rounding errors are relative to each term: for a sum of n terms, after a path of d
actions, at most d (n + 6) units in the last place. The probability left, and the difference of the total from 1, count
as error.
"""

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I16, I64
from komi.errors import SolveError
from komi.evaluation.play_search import order_play, policy_outcomes
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules.interface import over, payoff, reward
from komi.rules.target import MAX_DENOMINATOR, TOLERANCE, find_unit
from komi.solvers.solution import Solution
from komi.typing import Rules

MAX_REMAINDER = 1e-12  # of the probability of games: longer ones are not followed to their end
MAX_PASSES = 100_000  # over the states: a game that is still undecided then does not end
INITIAL_SPAN = 256  # totals
MAX_MEMORY = 2 << 30  # bytes
MAX_GAINS = 4096  # different rewards of a policy, if they are fractions
WHOLE = Fraction(1)
PROPAGATED, TOO_LOW, TOO_HIGH, NO_MULTIPLE = range(4)


class ResultTarget(NamedTuple):
    """A result that a game can miss before its last turn.

    Attributes:
        needed: the result, times the sign of the objective.
        attainable: float64[states], the best that a state can still bring, times the sign; empty if none is missed.
        sign: that of the objective.
    """

    needed: float
    attainable: F64
    sign: float


NO_TARGET = ResultTarget(0.0, np.empty(0), 1.0)


class FollowedGames(NamedTuple):
    """All games of a policy.

    Attributes:
        least: the first total of `ended`, in units.
        ended: float64[totals], the probability of finished games by total.
        missed: the probability of games that begin a turn in which the target is out of reach; they are not finished.
        error: an error bound of any sum of these probabilities.
        unit: the unit of totals.
    """

    least: int
    ended: F64
    missed: float
    error: float
    unit: Fraction


def follow_scores(
    solution: Solution[Any], policy: Policy, target: ResultTarget = NO_TARGET, progress: Progress = silent
) -> FollowedGames:
    """Follow all games of a policy.

    Args:
        solution: the solved game of one player.
        policy: the policy.
        target: games that miss it before a turn are not followed any further.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if the rewards are not multiples of a unit, or games are too long.
    """
    states = solution.optimal_play.states
    actions = tabulate(policy, solution.compiled, solution.rules, states)
    order = order_play(solution.compiled, solution.rules, states, actions[None]).handles
    low, span, unit = 0, INITIAL_SPAN, WHOLE
    while True:
        if len(order) * span * 8 > MAX_MEMORY:
            name = solution.game.name
            raise SolveError(f"{name} has too many states and scores to follow all games: choose fewer turns.")
        flow = ScoreFlow.from_start(states, actions, order, low, span, target)
        status, remainder = _propagate(solution, policy, flow, unit, progress)
        if status == PROPAGATED:
            depth, terms, ended = (int(maximum) for maximum in flow.maxima)
            rounding = (depth * (terms + 6) + ended + 6) * 2.0**-52
            missed = float(flow.missed[0])
            error = remainder + rounding + abs(1.0 - remainder - missed - float(flow.ended.sum()))
            return FollowedGames(low, flow.ended, missed, error, unit)
        if status == NO_MULTIPLE:
            unit = _find_unit(solution, flow)
            continue
        low -= span if status == TOO_LOW else 0
        span *= 2


class ScoreFlow(NamedTuple):
    """The probability of all games of a policy, by state and total of rewards.

    Attributes:
        actions: int16[states], the policy's.
        order: int64[rows], the handles of the states that it reaches, in topological order except for cycles.
        rows: int64[states], the row of each in the order.
        mass: float64[rows, totals], the probability of each row and total.
        ends: int64[rows, 2], the first and the last nonzero total of each row.
        ended: float64[totals], the probability of finished games by total.
        depths: int64[rows], the length of the longest path, in actions, to each row.
        terms: int64[rows], the maximum number of terms summed in each row.
        maxima: int64[3], the largest depth and number of terms, and the number of terms of finished games.
        low: the first total, in units.
        target: the target that games can miss.
        missed: float64[1], the probability of games that miss it.
    """

    actions: I16
    order: I64
    rows: I64
    mass: F64
    ends: I64
    ended: F64
    depths: I64
    terms: I64
    maxima: I64
    low: int
    target: ResultTarget
    missed: F64

    @classmethod
    def from_start(
        cls, states: StateSet, actions: I16, order: I64, low: int, span: int, target: ResultTarget
    ) -> "ScoreFlow":
        """Put probability 1 into the initial state with total 0; `low` is the lowest of `span` totals."""
        rows = np.full(states.size, -1, np.int64)
        rows[states.indices_at(order)] = np.arange(len(order))
        mass = np.zeros((len(order), span))
        mass[0, -low] = 1.0
        ends = np.tile(np.array([span, -1]), (len(order), 1))
        ends[0] = -low
        counters = np.zeros((2, len(order)), np.int64)
        ended, maxima = np.zeros(span), np.zeros(3, np.int64)
        return cls(actions, order, rows, mass, ends, ended, counters[0], counters[1], maxima, low, target, np.zeros(1))


def _find_unit(solution: Solution[Any], flow: ScoreFlow) -> Fraction:
    """Return the unit of all rewards of a policy.

    Raises:
        SolveError: if they are not multiples of one.
    """
    gains = np.empty(MAX_GAINS)
    count = GraphKernels(solution.compiled)[list_gains](solution.rules, solution.optimal_play.states, flow, gains)
    unit = find_unit(gains[:count].tolist()) if count <= MAX_GAINS else None
    if unit is None or unit == WHOLE:
        example = next((gain for gain in gains[: min(count, MAX_GAINS)].tolist() if gain != int(gain)), math.nan)
        raise SolveError(
            f"scores are counted in a unit of 1/{MAX_DENOMINATOR} or more: rewards of {solution.game.name}, such as "
            f"{example:.10g}, are not all multiples of one."
        )
    return unit


def _propagate(
    solution: Solution[Any], policy: Policy, flow: ScoreFlow, unit: Fraction, progress: Progress
) -> tuple[int, float]:
    """Propagate all probability to the end.

    Returns:
        (PROPAGATED, TOO_LOW, TOO_HIGH or NO_MULTIPLE; the probability that is left)
    """
    states, kernel = solution.optimal_play.states, GraphKernels(solution.compiled)[propagate_scores]
    for passes in range(MAX_PASSES):
        status = kernel(solution.rules, states, flow, float(unit))
        remainder = float(flow.mass.sum())
        if status != PROPAGATED:
            return int(status), remainder
        progress("following games", passes + 1, 0)
        if remainder <= MAX_REMAINDER:
            return PROPAGATED, remainder
    raise SolveError(f"games of {policy.name} are too long to follow.")


def list_gains(rules: Rules, states: StateIndex, flow: ScoreFlow, gains: F64) -> int:
    """List the different rewards of a policy; return their number, one more than fit if there are too many."""
    count = 0
    for handle in flow.order:
        state = state_at(states, handle)
        for action, _, after, _ in policy_outcomes(rules, state, flow.actions[index_of(states, handle)]):
            gain = reward(rules, state, action, after)
            if over(rules, after):
                gain += payoff(rules, after)
            is_new = True
            for i in range(count):
                if gains[i] == gain:
                    is_new = False
            if is_new:
                if count == len(gains):
                    return count + 1
                gains[count] = gain
                count += 1
    return count


def propagate_scores(rules: Rules, states: StateIndex, flow: ScoreFlow, unit: float) -> int:
    """Propagate the probability of every state and total once, from the first state in the order to the last.

    Probability that returns to earlier rows stays there.

    Returns:
        PROPAGATED; TOO_LOW or TOO_HIGH if a total exceeds the capacity; or NO_MULTIPLE if a reward is not a multiple of
        the unit.
    """
    tolerance = 0.0 if unit == 1.0 else TOLERANCE
    order, rows, mass, ends, ended = flow.order, flow.rows, flow.mass, flow.ends, flow.ended
    depths, terms, maxima, aim = flow.depths, flow.terms, flow.maxima, flow.target
    span = mass.shape[1]
    now = np.empty(span)
    for row in range(len(order)):
        first, last = ends[row, 0], ends[row, 1]
        if first > last:
            continue
        for total in range(first, last + 1):
            now[total] = mass[row, total]
            mass[row, total] = 0.0
        ends[row, 0], ends[row, 1] = span, -1
        maxima[0], maxima[1] = max(maxima[0], depths[row] + 1), max(maxima[1], terms[row])
        terms[row] = 0
        handle = order[row]
        state = state_at(states, handle)
        choice = flow.actions[index_of(states, handle)]
        for action, probability, after, passes in policy_outcomes(rules, state, choice):
            if probability <= 0.0:
                continue
            gain = reward(rules, state, action, after)
            is_end = over(rules, after)
            if is_end:
                gain += payoff(rules, after)
            step = math.floor(gain / unit + 0.5)
            if abs(step * unit - gain) > tolerance:
                return NO_MULTIPLE
            if first + step < 0:
                return TOO_LOW
            if last + step >= span:
                return TOO_HIGH
            if is_end:
                maxima[2] += 1
                for total in range(first, last + 1):
                    ended[total + step] += probability * now[total]
                continue
            index = index_of(states, locate(states, after))
            target = rows[index]
            can_miss = passes != 0 and len(aim.attainable) > 0
            for total in range(first, last + 1):
                if can_miss and now[total] > 0.0:
                    gained = aim.sign * unit * (flow.low + total + step)
                    if gained + aim.attainable[index] < aim.needed - TOLERANCE:
                        flow.missed[0] += probability * now[total]
                        maxima[2] += 1
                        continue
                mass[target, total + step] += probability * now[total]
            ends[target, 0] = min(ends[target, 0], first + step)
            ends[target, 1] = max(ends[target, 1], last + step)
            depths[target] = max(depths[target], depths[row] + 1)
            terms[target] += 1
    return PROPAGATED
