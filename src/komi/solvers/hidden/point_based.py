"""Bounds on the value of a game for one player with infinitely many beliefs: heuristic search value iteration.

A belief b is a row of weights of the states with one observation. V is the supremum, over all policies, of functions
that are linear in b, so V(s b) = s V(b) for s > 0, V(b + c) <= V(b) + V(c), and

    V(b) = max over a of (b R_a + sum over o of V((b T_a)_o)).

Lower bounds are vectors, each the values of one policy in all states; upper bounds are points, interpolated with linear
bounds from fast informed bounds (T. Smith and R. Simmons, "Heuristic search value iteration for POMDPs", UAI 2004,
sections 3 and 4; M. Hauskrecht, Journal of Artificial Intelligence Research 13, 2000, section 4.4).

Both bounds are proved by induction over the backups. With n(s) of `belief_model`, no policy gains more than
m(s) = n(s) max |R| from state s, nor less than -m(s), and the bounds begin there. A backup of a bound is a bound in
exact arithmetic. Let u be the unit of rounding, S the largest number of states with one observation or after one
action, and O that of observations after one action: all other terms of sums are 0. Bounds in them, and V, are at most
b m, their sums over o at most b T_a m <= b m - b max |R|, and T and R are rounded once each. So a vector is off by at
most (S + 4) u m(s), and a linear bound by (S + O + 4) u m(s). At a point, products with T are off by (S + 2) u b m,
which moves V by as much; interpolation by (S + 8) u b m, since the excess of a point, its bound minus the linear one,
is at most 2 b m; sums over o by (O + 1) u b m; and the excess itself by (S + 2) u b m. `slack` is 4 (S + O + 8) u m,
and each backup moves outwards by it: this exceeds all of that, with terms in u^2 and numbers that underflow.
"""

from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I16, I64
from komi.game import CHANCE
from komi.progress import Progress
from komi.solvers.hidden.belief_model import ROUNDING, BeliefModel

MAX_SWEEPS = 200  # of the first upper bound
MIN_WEIGHT = 1e-12  # in a belief that is searched
BITS = 44  # of these weights, so that beliefs that differ by rounding are one
LEAST = 1e-200  # in place of max |R| below it, so that nothing that counts underflows
BEGIN = -1  # in place of a node of the search
MIN_SHARE = 2.0**-10  # of the gap between the bounds: if a search for less changes nothing, rounding is in the way


class Controller(NamedTuple):
    """A policy with a memory: the node that it is at, which determines its action (E. A. Hansen, UAI 1998).

    What the player sees next leads to a node by an edge; without one, to node 1 + the number of the observation. Play
    begins at node 0.

    Attributes:
        actions: int16[nodes], the action at each node; CHANCE at node 0.
        ends: int64[nodes + 1], the edges of node n are those from ends[n] to ends[n + 1].
        seen: int64[edges], the number of the observation of each.
        after: int64[edges], the node that it leads to.
    """

    actions: I16
    ends: I64
    seen: I64
    after: I64

    def follow(self, node: int, number: int) -> int:
        """Return the node after the observation with this number."""
        edges = range(self.ends[node], self.ends[node + 1])
        return next((int(self.after[edge]) for edge in edges if self.seen[edge] == number), 1 + number)


@dataclass(frozen=True)
class PointBounds:
    """Bounds on the value.

    Attributes:
        lower, upper: the bounds.
        controller: a policy that attains the lower bound.
        backups: the number of beliefs that were searched; one that is searched again counts again.
    """

    lower: float
    upper: float
    controller: Controller
    backups: int


def search_bounds(model: BeliefModel, tolerance: float, max_backups: int, progress: Progress) -> PointBounds:
    """Search beliefs until the bounds differ by at most a tolerance, relative to values above 1.

    The search stops before, if there were `max_backups`, or if rounding keeps the bounds apart.
    """
    search, share = _BeliefSearch(model, max_backups), 0.5
    weight = sum(float(weights @ model.lengths[model.groups[seen]]) for seen, weights in model.first)
    while True:
        lower, upper = search.bounds()
        target = tolerance * max(1.0, abs(lower + upper) / 2)
        if upper - lower <= target or search.backups >= max_backups or share < MIN_SHARE:
            break
        progress("searching beliefs", search.backups, 0, f"bounds {upper - lower:.2g} apart")
        changes = search.changes
        for seen, weights in model.first:
            search.explore(seen, weights, share * (upper - lower) / weight)  # a short way first
        share = 0.5 if search.changes > changes else share / 2
    return PointBounds(lower, upper, search.controller(), search.backups)


class _BeliefSearch:
    """The bounds so far, and the numbers of backups and of those that changed a bound by more than their slack."""

    def __init__(self, model: BeliefModel, max_backups: int) -> None:
        largest = max(float(np.abs(model.rewards).max(initial=0.0)), LEAST)
        self.backups, self.changes = 0, 0
        self._model, self._max_backups = model, max_backups
        self._most = model.lengths * largest
        self._next = _next_observations(model)
        terms = max((len(group) for group in model.groups), default=0)
        terms = max(terms, int(np.count_nonzero(model.steps, axis=2).max(initial=0)))
        terms += max((len(each) for after in self._next for each in after.values()), default=0)
        self._slack = 4 * (terms + 8) * ROUNDING * self._most
        self._shrinking = float((model.steps @ model.lengths / model.lengths).max(initial=0.0))
        self._vectors = [-self._most[group][None] for group in model.groups]
        self._nodes = [(actions[0], dict[int, int]()) for actions in model.legal]  # the policies of all vectors so far
        self._node_of = [[seen] for seen in range(len(model.groups))]  # each vector's
        self._corners = self._informed_bounds()
        self._beliefs = [np.empty((0, len(group))) for group in model.groups]
        self._excess = [np.empty(0) for _ in model.groups]  # of the points: their bound minus that of the corners

    def _informed_bounds(self) -> F64:
        """Return the fast informed bound of each state."""
        model, flat, leading = self._model, self._model.steps.reshape(-1, len(self._most)), []
        at = [np.ix_(np.array(legal), group) for group, legal in zip(model.groups, model.legal, strict=True)]
        for group in model.groups:
            rows = np.flatnonzero(flat[:, group].any(axis=1))
            leading.append((rows, flat[np.ix_(rows, group)]))
        bounds = np.tile(self._most, (len(model.rewards), 1))
        for _ in range(MAX_SWEEPS):
            after = model.rewards + self._slack
            for here, (rows, steps) in zip(at, leading, strict=True):
                after.reshape(-1)[rows] += (steps @ bounds[here].T).max(axis=1)
            after = np.minimum(after, bounds)
            is_done = (bounds - after <= 1e-12 * self._most).all()
            bounds = after
            if is_done:
                break
        corners = np.empty(len(model.lengths))
        for group, here in zip(model.groups, at, strict=True):
            corners[group] = bounds[here].max(axis=0)
        return corners

    def bounds(self) -> tuple[float, float]:
        """Return the bounds on the value of the game."""
        model = self._model
        room = 4 * ROUNDING * abs(model.gained) + LEAST
        room += fsum(float(weights @ self._slack[model.groups[seen]]) for seen, weights in model.first)
        lower = fsum([model.gained, *(self.best_vector(*each)[2] for each in model.first)])
        upper = fsum([model.gained, *(self.upper(*each) for each in model.first)])
        return lower - room, upper + room

    def controller(self) -> Controller:
        """Return the policy that attains the lower bound."""
        first = {seen: self.best_vector(seen, weights)[1] for seen, weights in self._model.first}
        reached = [BEGIN, *range(len(self._model.groups))]
        number_of = {node: number for number, node in enumerate(reached)}
        actions, rows = list[int](), list[dict[int, int]]()
        for node in reached:  # grows
            action, after = (CHANCE, first) if node == BEGIN else self._nodes[node]
            for each in after.values():
                if number_of.setdefault(each, len(reached)) == len(reached):
                    reached.append(each)
            actions.append(action)
            rows.append({seen: number_of[each] for seen, each in after.items()})
        return Controller(
            np.array(actions, np.int16),
            np.cumsum([0, *map(len, rows)]),
            np.array([seen for row in rows for seen in row], np.int64),
            np.array([each for row in rows for each in row.values()], np.int64),
        )

    def best_vector(self, seen: int, weights: F64) -> tuple[F64, int, float]:
        """Return the best vector at a belief, the node of its policy, and its value there."""
        values = self._vectors[seen] @ weights
        index = int(np.argmax(values))
        return self._vectors[seen][index], self._node_of[seen][index], float(values[index])

    def upper(self, seen: int, weights: F64) -> float:
        """Return the upper bound at a belief: V(c) <= s V(b) + V(c - s b) for each point b, if c - s b >= 0."""
        beliefs, linear = self._beliefs[seen], float(weights @ self._corners[self._model.groups[seen]])
        if not len(beliefs):
            return linear
        ratios = np.divide(weights, beliefs, out=np.full(beliefs.shape, np.inf), where=beliefs > 0.0)
        return linear + min(0.0, float((ratios.min(axis=1) * self._excess[seen]).min()))

    def explore(self, seen: int, weights: F64, wanted: float) -> None:
        """Follow the actions with the greatest upper bound to where bounds are wide, and back up all on the way.

        Args:
            seen: the observation.
            weights: the belief.
            wanted: the gap to allow, for each expected action. It grows with each action as weights times `lengths`
                shrink, so that the gaps after an action sum to what is wanted before it.
        """
        path = list[tuple[int, F64]]()
        lengths, groups = self._model.lengths, self._model.groups
        while len(path) + self.backups < self._max_backups and (mass := float(weights.sum())) > 0.0:
            weights = _shortened(weights / mass)
            if self._gap(seen, weights) <= wanted * float(weights @ lengths[groups[seen]]):
                break
            path.append((seen, weights))
            wanted /= max(self._shrinking, LEAST)
            after = max(
                (self._upper_backup(seen, weights, each) for each in self._model.legal[seen]), key=lambda each: each[0]
            )[1]
            gaps = [self._gap(*each) - wanted * float(each[1] @ lengths[groups[each[0]]]) for each in after]
            if not gaps or max(gaps) <= 0.0:
                break
            seen, weights = after[int(np.argmax(gaps))]
        for each, belief in reversed(path):
            self._back_up(each, belief)

    def _gap(self, seen: int, weights: F64) -> float:
        return self.upper(seen, weights) - self.best_vector(seen, weights)[2]

    def _after(self, seen: int, weights: F64, action: int) -> list[tuple[int, F64]]:
        """Return the weights of the next states, by observation."""
        after = weights @ self._model.steps[action, self._model.groups[seen]]
        return [(each, after[self._model.groups[each]]) for each in self._next[seen][action]]

    def _upper_backup(self, seen: int, weights: F64, action: int) -> tuple[float, list[tuple[int, F64]]]:
        """Return the upper bound of an action, without the slack, and the weights of the next states."""
        after = self._after(seen, weights, action)
        gained = float(weights @ self._model.rewards[action, self._model.groups[seen]])
        return gained + sum(self.upper(*each) for each in after), after

    def _back_up(self, seen: int, weights: F64) -> None:
        """Add a vector and a point at a belief."""
        group, self.backups = self._model.groups[seen], self.backups + 1
        backed_up = {each: self._upper_backup(seen, weights, each) for each in self._model.legal[seen]}
        slack = float(weights @ self._slack[group])
        self._add_vector(seen, weights, slack, {action: after for action, (_, after) in backed_up.items()})
        upper = max(upper for upper, _ in backed_up.values()) + slack
        if upper >= self.upper(seen, weights) - slack:
            return
        self.changes += 1
        excess = upper - float(weights @ self._corners[group])
        kept = (self._beliefs[seen] != weights).any(axis=1)
        self._beliefs[seen] = np.vstack([self._beliefs[seen][kept], weights])
        self._excess[seen] = np.append(self._excess[seen][kept], excess)

    def _add_vector(self, seen: int, weights: F64, slack: float, after: dict[int, list[tuple[int, F64]]]) -> None:
        """Add the best vector at a belief, given the weights of the next states of each action."""
        model, group = self._model, self._model.groups[seen]
        best, chosen, node = self.best_vector(seen, weights)[2] + slack, None, (-1, dict[int, int]())
        for action, children in after.items():
            following, nodes = np.zeros(len(model.lengths)), dict[int, int]()
            for each, child in children:
                following[model.groups[each]], nodes[each], _ = self.best_vector(each, child)
            vector = model.rewards[action, group] + model.steps[action, group] @ following - self._slack[group]
            if weights @ vector > best:
                best, chosen = float(weights @ vector), np.maximum(vector, -self._most[group])
                node = action, nodes
        if chosen is None:
            return
        self.changes += 1
        is_kept = np.asarray((self._vectors[seen] > chosen).any(axis=1), np.bool_)
        self._vectors[seen] = np.vstack([self._vectors[seen][is_kept], chosen])
        kept = [each for each, keep in zip(self._node_of[seen], is_kept.tolist(), strict=True) if keep]
        self._node_of[seen] = [*kept, len(self._nodes)]
        self._nodes.append(node)


def _next_observations(model: BeliefModel) -> list[dict[int, list[int]]]:
    """List the observations that can follow each action with each observation."""
    seen_in = np.empty(len(model.lengths), np.int64)
    for number, group in enumerate(model.groups):
        seen_in[group] = number
    return [
        {each: np.unique(seen_in[model.steps[each, group].any(axis=0)]).tolist() for each in legal}
        for group, legal in zip(model.groups, model.legal, strict=True)
    ]


def _shortened(weights: F64) -> F64:
    """Return a belief nearby with fewer bits: every belief can be searched, and bounds at it are valid as they are."""
    mantissas, exponents = np.frexp(np.where(weights < MIN_WEIGHT, 0.0, weights))
    shortened: F64 = np.ldexp(np.round(np.ldexp(mantissas, BITS)), exponents - BITS)
    return shortened
