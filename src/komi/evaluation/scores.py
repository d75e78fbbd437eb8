"""The distribution of the final score of a policy in a single-player game.

All games of the policy are followed at once, forward from the start: the probability of each pair of a state and the
total gained so far. With the states in topological order, one pass carries all probability to the end. In cycles, the
probability that returns is carried by further passes, until less than `REST` is left.

All terms are positive, so that rounding errors are relative to each term: for a sum of n terms, after a path of d
actions, at most d (n + 6) units in the last place. The probability left, and the difference of the total from 1, count
as error.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from komi.arrays import F64, I16, I64
from komi.bellman import UNIFORM
from komi.errors import SolveError
from komi.game import Game
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.policies import named
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.interface import legal, outcomes, over, payoff, reward
from komi.solvers.solution import Solution
from komi.solvers.solve import solve

REST = 1e-12  # maximum probability of games that are not followed to their end
MAX_PASSES = 100_000
FIRST_SPAN = 256  # initial capacity: number of totals
MAX_MEMORY = 2 << 30  # bytes
CARRIED, TOO_LOW, TOO_HIGH, BROKEN = range(4)


@dataclass(frozen=True, eq=False)
class Scores:
    """The probability distribution of the final score.

    Attributes:
        policy: the policy's name.
        objective: the name of the objective: "expected points".
        least: the lowest score with positive probability.
        chances: float64[scores], the probability of each score from `least` on.
        error_bound: error bound of any sum of these probabilities.
    """

    policy: str
    objective: str
    least: int
    chances: F64
    error_bound: float

    @cached_property
    def distribution(self) -> dict[int, float]:
        """The probability of each possible score."""
        return {self.least + int(place): float(self.chances[place]) for place in np.flatnonzero(self.chances)}

    @property
    def mean(self) -> float:
        """The expected score."""
        return float((self.least + np.arange(len(self.chances))) @ self.chances)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return float(np.sqrt((self.least + np.arange(len(self.chances)) - self.mean) ** 2 @ self.chances))

    def at_least(self, score: int) -> float:
        """Return the probability of this score or more."""
        return float(self.chances[max(score - self.least, 0) :].sum())

    def quantile(self, share: float) -> int:
        """Return the quantile of the score: the lowest score that is exceeded with at most probability 1 - share."""
        place = int(np.searchsorted(np.cumsum(self.chances), share * (1.0 - self.error_bound)))
        return self.least + min(place, len(self.chances) - 1)


def scores(game: str | Game, policy: str = "optimal", *, progress: Progress = silent, **rules: object) -> Scores:
    """Compute the distribution of a policy's final score in a single-player game.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        policy: its name, as `komi match` takes it.
        progress: progress callback, called during long work; see `komi.progress`.
        rules: values of rules to change, by name.

    Raises:
        InputError: for an unknown game, rule or policy.
        GameError: if the rules are broken, or the policy takes an action that is not legal.
        SolveError: if the game has no rewards, rewards are not integers, or games are too long.

    Examples:
        >>> import komi
        >>> turn = komi.scores("pig-solitaire", "hold-at:20", objective="score", turns=1)
        >>> round(turn.distribution[0], 6), round(turn.distribution[20], 6)
        (0.624541, 0.099713)
    """
    found = catalog.find(game) if isinstance(game, str) else game
    solution = solve(found, progress=progress, **rules)  # type: ignore[arg-type]  # the rules are named by the game
    return find_scores(solution, named.find(policy, solution), progress)


def find_scores(solution: Solution[Any], policy: Policy, progress: Progress = silent) -> Scores:
    """Compute the distribution of a policy's final score in a solved single-player game.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if the game has no rewards, rewards are not integers, or games are too long.
    """
    kind = solution.kind
    if kind.seats != 1 or not kind.rewards:
        why = f"{kind.name} is for {kind.seats} players" if kind.seats != 1 else f"{kind.name} counts none"
        raise SolveError(f"scores are those of games for one player in which something is gained on the way: {why}.")
    states = solution.arrays.states
    actions = tabulate(policy, solution.compiled, solution.rules, states)
    start = states.handle(solution.game.part("start")(solution.rules))
    order, rows = _ordered(solution, actions, start)
    low, span = 0, FIRST_SPAN
    while True:
        if len(order) * span * 8 > MAX_MEMORY:
            raise SolveError(f"{kind.name} has too many states and scores to follow all games: try fewer turns.")
        following = _Following(solution, actions, order, rows, low, span)
        how = following.follow(policy.name, progress)
        if how == CARRIED:
            return following.result(policy.name)
        low -= span if how == TOO_LOW else 0
        span *= 2


class _Following:
    """All games of a policy followed at once, with capacity for `span` totals from the lowest on."""

    def __init__(
        self,
        solution: Solution[Any],
        actions: I16,
        order: I64,
        rows: I64,
        low: int,
        span: int,
    ) -> None:
        self._solution, self._actions, self._order, self._rows, self._low = solution, actions, order, rows, low
        self._mass = np.zeros((len(order), span))
        self._ended = np.zeros(span)
        self._ends = np.tile(np.array([span, -1]), (len(order), 1))  # first and last nonzero total of each row
        self._depths, self._added = np.zeros((2, len(order)), np.int64)
        self._most = np.zeros(3, np.int64)
        self._mass[0, -low] = 1.0
        self._ends[0] = -low
        self._left = 1.0

    def follow(self, name: str, progress: Progress) -> int:
        """Carry all probability to the end; return CARRIED, TOO_LOW or TOO_HIGH."""
        solution, states = self._solution, self._solution.arrays.states
        kernel = solution.compiled.kernels[carry_gains]
        for passed in range(MAX_PASSES):
            how, index = kernel(
                solution.rules, states, self._actions, self._order, self._rows,
                self._mass, self._ends, self._ended, self._depths, self._added, self._most,
            )  # fmt: skip
            if how == BROKEN:
                state = solution.game.module.State(*states.fields_at(index))
                written = solution.game.write(solution.rules, state)
                raise SolveError(f"scores are whole numbers: {solution.game.name} gains a part of one in {written}.")
            if how != CARRIED:
                return int(how)
            self._left = float(self._mass.sum())
            progress("following games", passed + 1, 0)
            if self._left <= REST:
                return CARRIED
        raise SolveError(f"games of {name} go on for too long to be followed.")

    def result(self, name: str) -> Scores:
        """Return the distribution found."""
        occurring = np.flatnonzero(self._ended)
        chances = self._ended[occurring[0] : occurring[-1] + 1].copy()
        depth, added, ended = (int(each) for each in self._most)
        rounding = (depth * (added + 6) + ended + 6) * 2.0**-52
        bound = self._left + rounding + abs(1.0 - self._left - float(chances.sum()))
        return Scores(name, self._solution.objective, self._low + int(occurring[0]), chances, bound)


def _ordered(solution: Solution[Any], actions: I16, start: int) -> tuple[I64, I64]:
    """Return the hash slots of the states that the policy reaches, in topological order, and their rows by index."""
    states = solution.arrays.states
    rows = np.full(states.size, -1, np.int64)
    kernel = solution.compiled.kernels[order_states]
    order = kernel(solution.rules, states, actions, start, rows)
    return order, rows


def order_states(rules: Any, states: StateIndex, actions: Any, start: int, rows: Any) -> Any:
    """Return the reverse postorder of a depth-first search from the start.

    Args:
        rules: the rules.
        states: the `StateSet`.
        actions: int16[states], the policy's.
        start: the hash slot of the initial state.
        rows: int64[states], -1; modified in place: the row of each state in the order.

    Returns:
        int64[.], hash slots.
    """
    order, size = np.empty(64, np.int64), 0
    stack, height = np.empty(64, np.int64), 1
    stack[0] = start
    while height:
        height -= 1
        place = stack[height]
        if place < 0:  # all successors are in the order
            if size == len(order):
                order = np.append(order, np.empty(size, np.int64))
            order[size] = -1 - place
            size += 1
            continue
        index = index_of(states, place)
        if rows[index] >= 0:
            continue
        rows[index] = 0
        state = state_at(states, place)
        stack[height] = -1 - place
        height += 1
        for action in legal(rules, state):
            if actions[index] != UNIFORM and action != actions[index]:
                continue
            for probability, after, _ in outcomes(rules, state, action):
                if probability > 0.0 and not over(rules, after):
                    if height + 1 >= len(stack):
                        stack = np.append(stack, np.empty(len(stack), np.int64))
                    stack[height] = locate(states, after)
                    height += 1
    order = order[:size][::-1].copy()
    for row in range(size):
        rows[index_of(states, order[row])] = row
    return order


def carry_gains(
    rules: Any,
    states: StateIndex,
    actions: Any,
    order: Any,
    rows: Any,
    mass: Any,
    ends: Any,
    ended: Any,
    depths: Any,
    added: Any,
    most: Any,
) -> tuple[int, int]:
    """Carry the probability of every state and total one pass on, from the first state in the order to the last.

    Args:
        rules: the rules.
        states: the `StateSet`.
        actions: int16[states], the policy's.
        order: int64[rows], hash slots.
        rows: int64[states], the row of each.
        mass: float64[rows, totals], carried on; probability that returns to earlier rows stays there.
        ends: int64[rows, 2], the first and the last nonzero total of each row.
        ended: float64[totals], accumulates the probability of finished games by total.
        depths: int64[rows], the length of the longest path, in actions, to each row.
        added: int64[rows], the maximum number of terms summed in each row.
        most: int64[3], the largest depth and number of terms, and the number of terms of finished games.

    Returns:
        (CARRIED; TOO_LOW or TOO_HIGH if a total exceeds the capacity; or BROKEN, and the hash slot of the state
        concerned)
    """
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
        most[0], most[1] = max(most[0], depths[row] + 1), max(most[1], added[row])
        added[row] = 0
        place = order[row]
        state = state_at(states, place)
        choice = actions[index_of(states, place)]
        count = 1
        if choice == UNIFORM:
            count = 0
            for _ in legal(rules, state):
                count += 1
        for action in legal(rules, state):
            if choice != UNIFORM and action != choice:
                continue
            for probability, after, _ in outcomes(rules, state, action):
                if probability <= 0.0:
                    continue
                gained = reward(rules, state, action, after)
                is_end = over(rules, after)
                if is_end:
                    gained += payoff(rules, after)
                step = int(gained)
                if step != gained:
                    return BROKEN, place
                if first + step < 0:
                    return TOO_LOW, place
                if last + step >= span:
                    return TOO_HIGH, place
                share = probability / count
                if is_end:
                    most[2] += 1
                    for total in range(first, last + 1):
                        ended[total + step] += share * now[total]
                    continue
                target = rows[index_of(states, locate(states, after))]
                for total in range(first, last + 1):
                    mass[target, total + step] += share * now[total]
                ends[target, 0] = min(ends[target, 0], first + step)
                ends[target, 1] = max(ends[target, 1], last + step)
                depths[target] = max(depths[target], depths[row] + 1)
                added[target] += 1
    return CARRIED, -1
