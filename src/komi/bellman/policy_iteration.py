"""Policy iteration with a sparse direct solver, for components in which sweeps converge slowly, and its proof.

Play may stay in a component for millions of actions, as in the gambler's ruin. Sweeps then converge slowly; linear
equations are solved directly, however long play takes.

**Values.** Each policy is evaluated by sparse LU factors, with iterative refinement in double-double arithmetic
(`komi.bellman.policy_equations`). One player improves the policy wherever an action is better (R. A. Howard, Dynamic
Programming and Markov Processes, 1960). Of two players, one answers each policy of the other with a best response,
computed in the same way, and then the other improves (A. J. Hoffman and R. M. Karp, Management Sci. 12(5), 1966);
simultaneous improvement of both mostly takes fewer steps, and is tried first. The first policy leaves the
component in the fewest steps, except where one that is greedy with respect to the values of uniformly random play is
better. An action is replaced only by one that is better beyond rounding, so that play keeps ending: a cycle that is
entered for such an action would increase the reward without limit.

**Proof.** It is that of `certificate`, with U = x + h in place of v + eta above: in all nodes, except those where U is
at least the greatest value, every action where A is free, and the chosen action elsewhere, satisfies

    gap(a) + error(a) + sum of w(j) (h(j) - h(i)) - q h(i)  <  0.

Then A gets x + h at most, against these actions of the opponent. h solves the same equations as x, with about twice the
error on the right side: the increment that one state needs counts as often as play visits it. Lower bounds are upper
bounds of the other player; in single-player games, those of the loss of the policy, with all signs reversed.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.arrays import Flags
from komi.bellman.equations import Objective
from komi.bellman.policy_equations import (
    PolicyEquations,
    add,
    choose_proper_policy,
    choose_violations,
    count_fill,
    improve,
    measure_gaps,
    mix_uniformly,
    restrict,
    unfold,
)
from komi.bellman.rounding import ProbabilityError
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
from komi.tuning import MINIMUM_DEGREE_NODES, POLICIES_IMPROVED_TOGETHER, UNORDERED_NODES

POLICIES = 300  # the most iterations
REFINEMENTS = 50  # the most refinements of one solution
EXACT = 2.0**-10  # refinement stops at this ratio of the residual to its error bound
NEARLY = 2.0**-45  # no bound is computed for values this close to the greatest value
BOUNDS = 20  # attempts to compute a bound
SHARE = 2.0**-6  # the share of a bound that covers its own rounding
MAX_ENTRIES = 20_000_000  # the most entries of a factor
PIVOTS: dict[str, Any] = {"diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
"""Pivots are on the diagonal, so the factors have a symmetric pattern."""
MINIMUM_DEGREE, ROUGH = "MMD_AT_PLUS_A", "COLAMD"
"""Elimination orders: minimum degree causes less fill-in, the rough one is computed faster."""


class PolicySolution(NamedTuple):
    """The solution of a component's equations."""

    value: NDArray[np.float64]
    bound: NDArray[np.float64]  # the error bound of each value
    choice: NDArray[np.int64]  # actions that attain the values, as indices into all actions of the component


class _UnsolvedError(Exception):
    """The solver found no solution of the equations."""


def iterate_policies(
    equations: PolicyEquations,
    objective: Objective,
    rounding: ProbabilityError,
    stop: Flags,
    progress: Progress = silent,
) -> PolicySolution | None:
    """Solve a component's equations by policy iteration, and prove the values.

    Args:
        equations: the component's equations; each takes the action with the greatest value. In a zero-sum game the
            turn passes where a weight is negative.
        objective: the range of the values, and whether the game is a zero-sum game.
        rounding: the errors of probabilities.
        stop: bool[1], set by another thread to stop early.
        progress: called with the number of evaluated policies of a large component.

    Returns:
        the solution; None if there is no proof, or the factors would take too much memory
    """
    try:
        return _Component(equations, objective, rounding, stop, progress).solve()
    except (_UnsolvedError, MemoryError):
        return None


class _Component:
    def __init__(
        self,
        equations: PolicyEquations,
        objective: Objective,
        rounding: ProbabilityError,
        stop: Flags,
        progress: Progress,
    ) -> None:
        self._chain = unfold(equations, objective.is_zero_sum)
        self._size = len(equations.actions_end)
        self._passes = self._chain is not equations
        self._limits, self._rounding, self._stop = (objective.lowest, objective.highest), rounding, stop
        self._progress = progress if len(self._chain.actions_end) > UNORDERED_NODES else silent
        actions = len(self._chain.outcomes_end)
        self._gap, self._error = np.empty((2, actions))
        self._choice = np.empty(len(self._chain.actions_end), np.int64)

    def solve(self) -> PolicySolution:
        """Solve the equations, and prove the values."""
        try:
            high, low = self._iterate(POLICIES_IMPROVED_TOGETHER)
        except _UnsolvedError:  # simultaneous improvement has ended in a cycle
            if not self._passes:
                raise
            high, low = self._iterate(0)
        size, (lowest, highest) = self._size, self._limits
        value = np.clip(high[:size], lowest, highest)
        bound = self._bound(high, low, self._gap, highest, free=size)
        if self._passes:
            choice = self._choice[size:] - len(self._chain.outcomes_end) // 2
            apart = np.abs((high[:size] + (high[size:] - 1.0)) + (low[:size] + low[size:]))
            bound = np.maximum(bound[:size], bound[size:] + apart)
        else:
            choice = self._choice
            bound = np.maximum(bound, self._bound(-high, -low, -self._gap, -lowest, free=0))
        if not np.isfinite(value + bound).all():
            raise _UnsolvedError
        return PolicySolution(value, bound + 2.0**-52 * (np.abs(value) + bound), choice)

    def _iterate(self, together: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compute the values of all nodes under optimal policies, as high and low parts; `_choice` holds the policies.

        In the first `together` iterations both players improve simultaneously; then one of them answers each policy of
        the other with a best response.
        """
        self._begin()
        for number in range(POLICIES):
            self._progress("improving policies", number, 0)
            high, low = self._evaluated(restrict(self._chain, self._choice))
            changed = self._improve(self._size, len(self._choice), -1.0)
            if number < together or not changed:
                changed += self._improve(0, self._size, 1.0)
            if not changed:
                return high, low
        raise _UnsolvedError

    def _begin(self) -> None:
        """Choose the initial policies."""
        if not engine_kernels()[choose_proper_policy](self._chain, self._choice):
            raise _UnsolvedError
        if len(self._choice) == len(self._gap):  # no node has a choice
            return
        try:
            self._evaluated(mix_uniformly(self._chain))
        except _UnsolvedError:  # for example because there are too many outcomes
            return
        self._improve(self._size, len(self._choice), -1.0)
        self._improve(0, self._size, 1.0)

    def _improve(self, first: int, end: int, sign: float) -> int:
        """Improve the policy from one node to another; return the number of changes."""
        return int(engine_kernels()[improve](self._chain, first, end, sign, self._gap, self._error, self._choice))

    def _evaluated(self, chain: PolicyEquations) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compute the values of all nodes under policies, as high and low parts, and the gaps of all actions.

        Args:
            chain: one action in each node.
        """
        self._factors = factors = _Factors(chain)
        high, low = factors.solution(chain.sure), np.zeros(len(chain.sure))
        gap, error = np.empty((2, len(chain.sure)))
        last = np.inf
        for _ in range(REFINEMENTS):
            self._check()
            engine_kernels()[measure_gaps](chain, high, low, *self._rounding, gap, error)
            off = float(np.max(np.abs(gap) / error))
            if off <= EXACT or not off < 0.5 * last:
                break
            last = off
            engine_kernels()[add](high, low, factors.solution(gap))
        if not off <= 0.5:
            raise _UnsolvedError
        engine_kernels()[measure_gaps](self._chain, high, low, *self._rounding, self._gap, self._error)
        return high, low

    def _bound(
        self, high: NDArray[np.float64], low: NDArray[np.float64], gap: NDArray[np.float64], highest: float, free: int
    ) -> NDArray[np.float64]:
        """Bound how much more than this value a player gets in each node; nodes before `free` can take any action."""
        need = gap + self._error
        short = np.maximum((highest - high) - low, 0.0) * (1.0 + 2.0**-50)
        is_fixed = short <= NEARLY
        if is_fixed.all():
            return short
        choice = self._choice.copy()
        margin = 0.0
        factors = _Factors(restrict(self._chain, choice), is_fixed) if is_fixed.any() else self._factors
        for _ in range(BOUNDS):
            self._check()
            required = need[choice] + self._error[choice]
            if not margin:
                longest = float(factors.solution(np.where(is_fixed, 0.0, 1.0)).max())
                if not longest >= 1.0:  # expected visits count the first one: the factors are too inaccurate
                    raise _UnsolvedError
                margin = SHARE * float(factors.solution(np.where(is_fixed, 0.0, np.abs(required))).max()) / longest
            bound = factors.solution(np.where(is_fixed, short, required + margin))
            before = choice.copy()
            violations = engine_kernels()[choose_violations]
            if not violations(self._chain, need, bound, is_fixed, free, *self._rounding, choice):
                return bound
            if np.array_equal(choice, before):
                margin *= 8.0
            else:
                factors = _Factors(restrict(self._chain, choice), is_fixed)
        raise _UnsolvedError

    def _check(self) -> None:
        if self._stop[0]:
            raise _UnsolvedError


class _Factors:
    """Sparse LU factors of I - W, where W are the transition probabilities between nodes.

    Diagonal entries are sums of the probabilities of leaving the node, without cancellation; they dominate their rows,
    so no other pivots are needed.

    Args:
        chain: one action in each node.
        is_fixed: bool[nodes], nodes with known values; none if omitted.
    """

    def __init__(self, chain: PolicyEquations, is_fixed: NDArray[np.bool_] | None = None) -> None:
        from scipy.sparse import csc_array  # type: ignore[import-untyped]  # rarely needed, and slow to import
        from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

        size = len(chain.outcomes_end)
        origin = np.repeat(np.arange(size), np.diff(chain.outcomes_end, prepend=0))
        leads_away = (chain.target != origin) & (chain.weight > 0.0)
        if is_fixed is not None:
            leads_away &= ~is_fixed[origin]
        origin, target, weight = origin[leads_away], chain.target[leads_away], chain.weight[leads_away]
        diagonal = np.bincount(origin, weight, size) + chain.leaving
        if is_fixed is not None:
            diagonal[is_fixed] = 1.0
        nodes = np.arange(size)
        entries = np.concatenate([diagonal, -weight])
        coordinates = np.concatenate([nodes, origin]), np.concatenate([nodes, target])
        matrix = csc_array((entries, coordinates), shape=(size, size))
        try:
            self._order = nodes if size <= UNORDERED_NODES else _elimination_order(matrix)
            permuted = matrix if size <= UNORDERED_NODES else matrix[self._order][:, self._order].tocsc()
            order = MINIMUM_DEGREE if size <= UNORDERED_NODES else "NATURAL"
            self._factors = splu(permuted, permc_spec=order, **PIVOTS)
        except RuntimeError as error:  # singular
            raise _UnsolvedError from error

    def solution(self, right: NDArray[np.float64]) -> NDArray[np.float64]:
        """Solve the equations for the given right-hand side."""
        found = np.empty_like(right)
        found[self._order] = self._factors.solve(right[self._order])
        if not np.all(np.isfinite(found)):
            raise _UnsolvedError
        return found


def _elimination_order(matrix: Any) -> NDArray[np.int64]:
    """Compute an elimination order in which the factors fit into memory.

    An incomplete factorization that drops nearly all entries computes the order quickly.

    Raises:
        _UnsolvedError: if the factors would have too many entries.
    """
    from scipy.sparse.linalg import spilu

    kind = MINIMUM_DEGREE if matrix.shape[0] <= MINIMUM_DEGREE_NODES else ROUGH
    order = np.argsort(spilu(matrix, drop_tol=1.0, fill_factor=1.0, permc_spec=kind, **PIVOTS).perm_c)
    ordered = (abs(matrix) + abs(matrix.T)).tocsr()[order][:, order]
    starts, rows = ordered.indptr.astype(np.int64), ordered.indices.astype(np.int64)
    if engine_kernels()[count_fill](starts, rows, MAX_ENTRIES) > MAX_ENTRIES:
        raise _UnsolvedError
    return order
