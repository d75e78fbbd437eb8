"""The distribution of the final score of a policy in a single-player game.

Scores are multiples of a unit: 1, or where rewards are fractions the greatest of which all are multiples.

All games of the policy are followed at once, forward from the start: the probability of each pair of a state and the
total of rewards so far. With the states in topological order, one pass propagates all probability to the end. In
cycles, the probability that returns is propagated by further passes, until less than `MAX_REMAINDER` is left.

All terms are positive, so that rounding errors are relative to each term: for a sum of n terms, after a path of d
actions, at most d (n + 6) units in the last place. The probability left, and the difference of the total from 1, count
as error.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I16, I64
from komi.errors import SolveError
from komi.evaluation.play_search import order_play, policy_outcomes
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.state_sets import StateSet
from komi.policies import named
from komi.policies.named import PolicyLike
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.interface import over, payoff, reward
from komi.rules.score_unit import MAX_DENOMINATOR, TOLERANCE, find_unit
from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules

MAX_REMAINDER = 1e-12  # of the probability of games: longer ones are not followed to their end
MAX_PASSES = 100_000  # over the states: a game that is still undecided then does not end
INITIAL_SPAN = 256  # totals
MAX_MEMORY = 2 << 30  # bytes
MAX_GAINS = 4096  # different rewards of a policy, if they are fractions
WHOLE = Fraction(1)
PROPAGATED, TOO_LOW, TOO_HIGH, NO_MULTIPLE = range(4)


@dataclass(frozen=True, eq=False)
class ScoreDistribution(Tabular):
    """The probability distribution of the final score.

    Attributes:
        policy: the policy's name.
        objective: the name of the objective: "expected points".
        least: the lowest score with positive probability.
        probabilities: float64[scores], the probability of each score from `least` on, in steps of the unit.
        error_bound: error bound of any sum of these probabilities.
        unit: scores are multiples of it; up to rounding, if rewards are fractions.
    """

    policy: str
    objective: str
    least: float
    probabilities: F64
    error_bound: float
    unit: Fraction = WHOLE

    def __repr__(self) -> str:
        found = f"{self.objective} {self.mean:.6f}, standard deviation {self.deviation:.6f}"
        return f"<ScoreDistribution of {self.policy}: {found}>"

    def records(self) -> list[Record]:
        """List each possible score with its probability."""
        return [{"score": score, "probability": chance} for score, chance in self.distribution.items()]

    @cached_property
    def distribution(self) -> dict[float, float]:
        """The probability of each possible score."""
        return {self._score(int(i)): float(self.probabilities[i]) for i in np.flatnonzero(self.probabilities)}

    @property
    def mean(self) -> float:
        """The expected score."""
        return float(self._scores @ self.probabilities)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return float(np.sqrt((self._scores - self.mean) ** 2 @ self.probabilities))

    def at_least(self, score: float) -> float:
        """Return the probability of this score or more."""
        first = math.ceil(score / float(self.unit) - self._first - TOLERANCE)
        return float(self.probabilities[max(first, 0) :].sum())

    def between(self, low: float, high: float) -> list[float]:
        """List the multiples of the unit from one score to another."""
        first, last = (round(Fraction(score) / self.unit) - self._first for score in (low, high))
        return [self._score(index) for index in range(first, last + 1)]

    @cached_property
    def _first(self) -> int:
        """The lowest score, in units."""
        return round(Fraction(self.least) / self.unit)

    @property
    def _scores(self) -> F64:
        units = self._first + np.arange(len(self.probabilities))
        return np.asarray(units * self.unit.numerator / self.unit.denominator, np.float64)

    def _score(self, index: int) -> float:
        """Return a score: an integer if all are."""
        return in_units(self._first + index, self.unit)

    def quantile(self, share: float) -> float:
        """Return the quantile of the score: the lowest score that is exceeded with at most probability 1 - share."""
        index = int(np.searchsorted(np.cumsum(self.probabilities), share * (1.0 - self.error_bound)))
        return self._score(min(index, len(self.probabilities) - 1))


def in_units(number: int, unit: Fraction) -> float:
    """Return a number of units: an integer if the unit is one."""
    return number * int(unit) if unit.denominator == 1 else float(number * unit)


def scores(
    game: GameLike, policy: PolicyLike = "optimal", *, progress: Progress = silent, **rules: object
) -> ScoreDistribution:
    """Compute the distribution of a policy's final score in a single-player game.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        policy: the name of a policy, or a Python function; as in `komi.match`.
        progress: progress callback, called during long work; see `komi.progress`.
        rules: values of rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy.
        GameError: if the rules are broken, or the policy takes an action that is not legal.
        SolveError: if the game has no rewards, they are not multiples of a unit, or games are too long.

    Examples:
        >>> import komi
        >>> turn = komi.scores("pig-solitaire", "hold-at:20", objective="score", turns=1)
        >>> round(turn.distribution[0], 6), round(turn.distribution[20], 6)
        (0.624541, 0.099713)
    """
    game = catalog.find(game)
    solution = solve(game, progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
    return score_distribution(solution, named.as_policy(policy, solution), progress)


def score_distribution(solution: Solution[Any], policy: Policy, progress: Progress = silent) -> ScoreDistribution:
    """Compute the distribution of a policy's final score in a solved single-player game.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if the game has no rewards, they are not multiples of a unit, or games are too long.
    """
    kind = solution.kind
    if kind.seats != 1 or not kind.rewards:
        reason = f"{kind.name} is for {kind.seats} players" if kind.seats != 1 else f"{kind.name} has no rewards"
        raise SolveError(f"only single-player games with rewards have scores: {reason}.")
    states = solution.optimal_play.states
    actions = tabulate(policy, solution.compiled, solution.rules, states)
    order = order_play(solution.compiled, solution.rules, states, actions[None]).handles
    low, span, unit = 0, INITIAL_SPAN, WHOLE
    while True:
        if len(order) * span * 8 > MAX_MEMORY:
            raise SolveError(f"{kind.name} has too many states and scores to follow all games: choose fewer turns.")
        flow = _ScoreFlow.from_start(states, actions, order, low, span)
        status, left = _propagate(solution, policy, flow, unit, progress)
        if status == PROPAGATED:
            return _distribution(solution, policy, flow, low, left, unit)
        if status == NO_MULTIPLE:
            unit = _find_unit(solution, flow)
            continue
        low -= span if status == TOO_LOW else 0
        span *= 2


class _ScoreFlow(NamedTuple):
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

    @classmethod
    def from_start(cls, states: StateSet, actions: I16, order: I64, low: int, span: int) -> "_ScoreFlow":
        """Put probability 1 into the initial state with total 0; `low` is the lowest of `span` totals."""
        rows = np.full(states.size, -1, np.int64)
        rows[states.indices_at(order)] = np.arange(len(order))
        mass = np.zeros((len(order), span))
        mass[0, -low] = 1.0
        ends = np.tile(np.array([span, -1]), (len(order), 1))
        ends[0] = -low
        counters = np.zeros((2, len(order)), np.int64)
        return cls(actions, order, rows, mass, ends, np.zeros(span), counters[0], counters[1], np.zeros(3, np.int64))


def _find_unit(solution: Solution[Any], flow: _ScoreFlow) -> Fraction:
    """Return the unit of all rewards of a policy.

    Raises:
        SolveError: if they are not multiples of one.
    """
    gains = np.empty(MAX_GAINS)
    count = solution.compiled.kernels[list_gains](solution.rules, solution.optimal_play.states, flow, gains)
    unit = find_unit(gains[:count].tolist()) if count <= MAX_GAINS else None
    if unit is None or unit == WHOLE:
        example = next((gain for gain in gains[: min(count, MAX_GAINS)].tolist() if gain != int(gain)), math.nan)
        raise SolveError(
            f"scores are counted in a unit of 1/{MAX_DENOMINATOR} or more: rewards of {solution.game.name}, such as "
            f"{example:.10g}, are not all multiples of one."
        )
    return unit


def _propagate(
    solution: Solution[Any], policy: Policy, flow: _ScoreFlow, unit: Fraction, progress: Progress
) -> tuple[int, float]:
    """Propagate all probability to the end.

    Returns:
        (PROPAGATED, TOO_LOW, TOO_HIGH or NO_MULTIPLE; the probability that is left)
    """
    states, kernel = solution.optimal_play.states, solution.compiled.kernels[propagate_scores]
    for passes in range(MAX_PASSES):
        status = kernel(solution.rules, states, flow, float(unit))
        left = float(flow.mass.sum())
        if status != PROPAGATED:
            return int(status), left
        progress("following games", passes + 1, 0)
        if left <= MAX_REMAINDER:
            return PROPAGATED, left
    raise SolveError(f"games of {policy.name} are too long to follow.")


def _distribution(
    solution: Solution[Any], policy: Policy, flow: _ScoreFlow, low: int, left: float, unit: Fraction
) -> ScoreDistribution:
    occurring = np.flatnonzero(flow.ended)
    probabilities = flow.ended[occurring[0] : occurring[-1] + 1].copy()
    depth, terms, ended = (int(maximum) for maximum in flow.maxima)
    rounding = (depth * (terms + 6) + ended + 6) * 2.0**-52
    bound = left + rounding + abs(1.0 - left - float(probabilities.sum()))
    least = in_units(low + int(occurring[0]), unit)
    return ScoreDistribution(policy.name, solution.objective, least, probabilities, bound, unit)


def list_gains(rules: Rules, states: StateIndex, flow: _ScoreFlow, gains: F64) -> int:
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


def propagate_scores(rules: Rules, states: StateIndex, flow: _ScoreFlow, unit: float) -> int:
    """Propagate the probability of every state and total once, from the first state in the order to the last.

    Probability that returns to earlier rows stays there.

    Returns:
        PROPAGATED; TOO_LOW or TOO_HIGH if a total exceeds the capacity; or NO_MULTIPLE if a reward is no multiple of
        the unit.
    """
    tolerance = 0.0 if unit == 1.0 else TOLERANCE
    order, rows, mass, ends, ended = flow.order, flow.rows, flow.mass, flow.ends, flow.ended
    depths, terms, maxima = flow.depths, flow.terms, flow.maxima
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
        for action, probability, after, _ in policy_outcomes(rules, state, choice):
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
            target = rows[index_of(states, locate(states, after))]
            for total in range(first, last + 1):
                mass[target, total + step] += probability * now[total]
            ends[target, 0] = min(ends[target, 0], first + step)
            ends[target, 1] = max(ends[target, 1], last + step)
            depths[target] = max(depths[target], depths[row] + 1)
            terms[target] += 1
    return PROPAGATED
