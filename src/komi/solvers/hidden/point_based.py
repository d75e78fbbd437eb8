"""Bounds on the value of a game for one player with infinitely many beliefs: heuristic search value iteration.

A belief b is a row of weights of the states with one observation. V is the supremum, over all policies, of functions
that are linear in b, so V(s b) = s V(b) for s > 0, V(b + c) <= V(b) + V(c), and

    V(b) = max over a of (b R_a + sum over o of V((b T_a)_o)).

Lower bounds are vectors, each the values of one policy in all states; upper bounds are points, interpolated with linear
bounds from fast informed bounds (T. Smith and R. Simmons, "Heuristic search value iteration for POMDPs", UAI 2004,
sections 3 and 4; M. Hauskrecht, Journal of Artificial Intelligence Research 13, 2000, section 4.4).

Both bounds are proved by induction over the backups. They hold first: with rows of T_a that sum to at most g < 1, |V|
is at most M = max |R| / (1 - g) for a belief of mass 1, and the bounds begin at -M (1 + 1e-9) and M (1 + 1e-9). A
backup of a bound is a bound in exact arithmetic. Computed, it is a sum of products with at most 2 S + O + 20
roundings, for S states and O observations, of numbers whose absolute values sum to at most 4 M, and T, R and b are
rounded once each. V is Lipschitz in the weights with the constant M, so what is lost with a rounded weight is of the
same form. `slack`, 32 (S + O + 20) M units of rounding, exceeds all of this; each backup moves outwards by it.
"""

import time
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64
from komi.progress import Progress

ROUNDING = 2.0**-53
MAX_SECONDS = 60.0  # of a search, of processor time
MAX_SWEEPS = 10_000  # of the first upper bound
MIN_WEIGHT = 1e-12  # in a belief that is searched
BITS = 44  # of these weights, so that beliefs that differ by rounding are one


class BeliefModel(NamedTuple):
    """A decision process whose state the player does not see; the game ends where the rows of `steps` lack weight.

    Attributes:
        rewards: float64[actions, states], the expected reward, with what is paid if the game ends.
        steps: float64[actions, states, states], the probability of each next state.
        groups: the states with each observation; they are disjoint.
        legal: the actions that are legal with each observation.
        first: the observation and the weights of the states that have it, of each belief before the first choice.
        gained: the expected reward before the first choice, with what is paid if the game ends there.
        remaining: the largest sum of a row of `steps`, which is less than 1.
    """

    rewards: F64
    steps: F64
    groups: list[NDArray[np.int64]]
    legal: list[list[int]]
    first: list[tuple[int, F64]]
    gained: float
    remaining: float


@dataclass(frozen=True)
class PointBounds:
    """Bounds on the value.

    Attributes:
        lower, upper: the bounds.
        action: the first action of a policy that attains the lower bound; -1 if there are several first observations.
        points: the number of beliefs that were searched.
    """

    lower: float
    upper: float
    action: int
    points: int


def search_bounds(model: BeliefModel, tolerance: float, progress: Progress) -> PointBounds:
    """Search beliefs until the bounds differ by less than a tolerance, relative to values above 1, or time is up."""
    search, begin = _BeliefSearch(model), time.thread_time()
    while True:
        lower, upper = search.bounds()
        target = tolerance * max(1.0, abs(lower + upper) / 2)
        if upper - lower <= target or time.thread_time() - begin > MAX_SECONDS:
            break
        before = search.points
        for seen, weights in model.first:
            search.explore(seen, weights, max(target, upper - lower) / 2)  # a short way first
        if search.points == before:
            break
        progress(f"value between {lower:.6g} and {upper:.6g}: searching beliefs", search.points, 0)
    action = search.best_vector(*model.first[0])[1] if len(model.first) == 1 else -1
    return PointBounds(lower, upper, action, search.points)


class _BeliefSearch:
    """The bounds so far."""

    def __init__(self, model: BeliefModel) -> None:
        size, seen = len(model.rewards[0]), len(model.groups)
        self.points, self._model = 0, model
        self._largest = float(np.abs(model.rewards).max(initial=0.0)) / (1.0 - model.remaining) * (1.0 + 1e-9)
        self.slack = 32.0 * (size + seen + 20) * ROUNDING * self._largest
        self._vectors = [np.full((1, len(group)), -self._largest) for group in model.groups]
        self._actions = [[actions[0]] for actions in model.legal]
        self._corners = self._informed_bounds()
        self._beliefs = [np.empty((0, len(group))) for group in model.groups]
        self._excess = [np.empty(0) for _ in model.groups]  # of the points: their bound minus that of the corners

    def _informed_bounds(self) -> F64:
        """Return the fast informed bound of each state."""
        model = self._model
        bounds = np.full(model.rewards.shape, self._largest)
        for _ in range(MAX_SWEEPS):
            after = model.rewards + self.slack
            for group, legal in zip(model.groups, model.legal, strict=True):
                after += np.max([model.steps[:, :, group] @ bounds[each, group] for each in legal], axis=0)
            after = np.minimum(after, bounds)
            is_done = np.max(bounds - after) <= 1e-12 * self._largest
            bounds = after
            if is_done:
                break
        corners = np.empty(model.rewards.shape[1])
        for group, legal in zip(model.groups, model.legal, strict=True):
            corners[group] = bounds[np.ix_(np.array(legal), group)].max(axis=0)
        return corners

    def bounds(self) -> tuple[float, float]:
        """Return the bounds on the value of the game."""
        model = self._model
        room = (len(model.first) + 2) * self.slack + 4 * ROUNDING * abs(model.gained)
        lower = model.gained + sum(self.best_vector(*each)[2] for each in model.first)
        upper = model.gained + sum(self.upper(*each) for each in model.first)
        return lower - room, upper + room

    def best_vector(self, seen: int, weights: F64) -> tuple[F64, int, float]:
        """Return the best vector at a belief, the action that it takes first, and its value there."""
        values = self._vectors[seen] @ weights
        index = int(np.argmax(values))
        return self._vectors[seen][index], self._actions[seen][index], float(values[index])

    def upper(self, seen: int, weights: F64) -> float:
        """Return the upper bound at a belief: V(c) <= s V(b) + V(c - s b) for each point b, if c - s b >= 0."""
        beliefs, linear = self._beliefs[seen], float(weights @ self._corners[self._model.groups[seen]])
        if not len(beliefs):
            return linear
        ratios = np.divide(weights, beliefs, out=np.full(beliefs.shape, np.inf), where=beliefs > 0.0)
        return linear + min(0.0, float((ratios.min(axis=1) * self._excess[seen]).min()))

    def explore(self, seen: int, weights: F64, target: float) -> None:
        """Follow the actions with the greatest upper bound to where bounds are wide, and back up all on the way."""
        path, wanted = [], target
        while True:
            mass = float(weights.sum())
            if mass <= 0.0:
                break
            weights = _shortened(weights / mass)
            if self.upper(seen, weights) - self.best_vector(seen, weights)[2] <= wanted:
                break
            path.append((seen, weights))
            wanted /= self._model.remaining if self._model.remaining > 0.0 else 1e-300
            action = max(self._model.legal[seen], key=partial(self._upper_backup, seen, weights))
            after = self._after(seen, weights, action)
            gaps = [
                self.upper(each, child) - self.best_vector(each, child)[2] - wanted * float(child.sum())
                for each, child in enumerate(after)
            ]
            seen = int(np.argmax(gaps))
            weights = after[seen]
            if gaps[seen] <= 0.0:
                break
        for each, belief in reversed(path):
            self._back_up(each, belief)

    def _after(self, seen: int, weights: F64, action: int) -> list[F64]:
        """Return the weights of the next states, by observation."""
        after = weights @ self._model.steps[action, self._model.groups[seen]]
        return [after[group] for group in self._model.groups]

    def _upper_backup(self, seen: int, weights: F64, action: int) -> float:
        """Return the upper bound of an action, without the rounding."""
        after = self._after(seen, weights, action)
        gained = float(weights @ self._model.rewards[action, self._model.groups[seen]])
        return gained + sum(self.upper(each, child) for each, child in enumerate(after))

    def _back_up(self, seen: int, weights: F64) -> None:
        """Add a vector and a point at a belief."""
        model, group = self._model, self._model.groups[seen]
        self.points += 1
        best, chosen, taken = -np.inf, np.empty(0), -1
        following = np.empty(model.rewards.shape[1])
        for action in model.legal[seen]:
            for each, child in enumerate(self._after(seen, weights, action)):
                following[model.groups[each]] = self.best_vector(each, child)[0]
            vector = model.rewards[action, group] + model.steps[action, group] @ following - self.slack
            if weights @ vector > best:
                best, chosen, taken = float(weights @ vector), vector, action
        if best > self.best_vector(seen, weights)[2]:
            is_kept = np.asarray((self._vectors[seen] > chosen).any(axis=1), np.bool_)
            self._vectors[seen] = np.vstack([self._vectors[seen][is_kept], chosen])
            kept = [each for each, keep in zip(self._actions[seen], is_kept.tolist(), strict=True) if keep]
            self._actions[seen] = [*kept, taken]
        upper = max(self._upper_backup(seen, weights, each) for each in model.legal[seen]) + self.slack
        excess = min(0.0, upper - float(weights @ self._corners[group]) + self.slack)
        same = (self._beliefs[seen] == weights).all(axis=1)
        if same.any():
            index = int(np.argmax(same))
            self._excess[seen][index] = min(self._excess[seen][index], excess)
        else:
            self._beliefs[seen] = np.vstack([self._beliefs[seen], weights])
            self._excess[seen] = np.append(self._excess[seen], excess)


def _shortened(weights: F64) -> F64:
    """Return a belief nearby with fewer bits: every belief can be searched, and bounds at it are valid as they are."""
    mantissas, exponents = np.frexp(np.where(weights < MIN_WEIGHT, 0.0, weights))
    shortened: F64 = np.ldexp(np.round(np.ldexp(mantissas, BITS)), exponents - BITS)
    return shortened
