"""Policy iteration with a sparse direct solver, for components in which sweeps converge slowly, and its proof.

Play may stay in a component for millions of actions, as in the gambler's ruin. Sweeps then come nearer by the
same small share each time; linear equations are solved at once, however long play takes.

**Values.** Each policy is evaluated by sparse LU factors, refined with residuals of double length
(`komi.methods.backup.chains`). One player improves the policy wherever an action is better (R. A. Howard, Dynamic
Programming and Markov Processes, 1960). Of two, one meets each policy of the other with its best response, found in the
same way, and the other improves then (A. J. Hoffman and R. M. Karp, Management Sci. 12(5), 1966); that both improve at
once mostly takes fewer steps, and is tried first. The first policy is the one that is best if all is drawn by lot from
then on, and leaves the component as soon as it can where that says nothing. An action is replaced only by one that is
better beyond rounding, so that play keeps ending: a cycle that is entered for such an action would gain without end.

**Proof.** It is that of `certificate`, with U = x + h in place of v + eta above: in all nodes but those where U is at
least the most there is, every action where A is free, and elsewhere the action taken, has

    gap(a) + error(a) + sum of w(j) (h(j) - h(i)) - q h(i)  <  0.

Then A gets x + h at most, against these actions of the opponent. h solves the same equations as x does, about twice the
error on their right side: what is needed in one state counts as often as play comes there. Lower bounds are upper
bounds of the other seat; of one player, those of what the policy loses, with all signs turned.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import engine
from komi.methods.backup.chains import (
    Chain,
    add,
    drawn,
    fill_of_factors,
    held,
    improve,
    leave_soonest,
    measure_gaps,
    raise_bound,
    unfolded,
)
from komi.progress import Progress, silent

POLICIES = 300  # at most
TOGETHER = 50  # in which both players improve at once
REFINEMENTS = 50  # of one solution, at most
EXACT = 2.0**-10  # a residual so small, relative to what it can be off by, is as good as none
NEARLY = 2.0**-45  # so near the most there is no bound is looked for
BOUNDS = 20  # attempts to find a bound
SHARE = 2.0**-6  # of a bound that is there to cover its own rounding
FEW = 2000  # nodes whose factors always fit
MANY = 50_000  # nodes for which an order of minimum degree takes long, where there is no good one
MOST_ENTRIES = 20_000_000  # of a factor
PIVOTS: dict[str, Any] = {"diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
"""Pivots are on the diagonal, so that factors are those of a symmetric pattern."""
MINIMUM_DEGREE, ROUGH = "MMD_AT_PLUS_A", "COLAMD"
"""Orders of elimination: that of minimum degree leaves fewer entries, the rough one is found in less time."""


class Rounding(NamedTuple):
    """What is not known of probabilities; see `chains.measure_gaps`."""

    unit: float
    uneven: float


class Solved(NamedTuple):
    """What is found of a component's rows."""

    value: NDArray[np.float64]
    bound: NDArray[np.float64]  # how far off each value can be
    choice: NDArray[np.int64]  # actions, counted over those of all rows, with which the values are reached


class _UnsolvedError(Exception):
    """The equations have no solution that can be found."""


def solve_directly(
    rows: Chain,
    flips: bool,
    lowest: float,
    highest: float,
    rounding: Rounding,
    stop: Any,
    progress: Progress = silent,
) -> Solved | None:
    """Find the values of a component's rows, and prove them.

    Args:
        rows: of a component, each of which takes the action that is worth most.
        flips: whether the other seat gets one minus what the mover gets; the turn passes where a weight is negative.
        lowest, highest: no value is out of this range.
        rounding: what is not known of probabilities.
        stop: bool[1], set from outside to end early.
        progress: told how many policies of a large component are evaluated.

    Returns:
        what is found; None if there is no proof, or factors would take too much memory
    """
    try:
        return _Component(rows, flips, (lowest, highest), rounding, stop, progress).solved()
    except (_UnsolvedError, MemoryError):
        return None


class _Component:
    def __init__(
        self,
        rows: Chain,
        flips: bool,
        limits: tuple[float, float],
        rounding: Rounding,
        stop: Any,
        progress: Progress,
    ) -> None:
        self._chain = unfolded(rows, flips)
        self._size = len(rows.actions_end)
        self._passes = self._chain is not rows
        self._limits, self._rounding, self._stop = limits, rounding, stop
        self._progress = progress if len(self._chain.actions_end) > FEW else silent
        actions = len(self._chain.outcomes_end)
        self._gap, self._error = np.empty((2, actions))
        self._choice = np.empty(len(self._chain.actions_end), np.int64)

    def solved(self) -> Solved:
        """Find the values, and prove them."""
        try:
            high, low = self._improved(TOGETHER)
        except _UnsolvedError:  # both together have ended in a cycle
            if not self._passes:
                raise
            high, low = self._improved(0)
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
        return Solved(value, bound + 2.0**-52 * (np.abs(value) + bound), choice)

    def _improved(self, together: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The worth of all nodes under the best policies, which are left in the choice: its high and low parts.

        In so many policies both players improve together, then one of them meets each policy with its best response.
        """
        self._begin()
        for number in range(POLICIES):
            self._progress("improving policies", number, 0)
            high, low = self._evaluated(held(self._chain, self._choice))
            changed = self._better(self._size, len(self._choice), -1.0)
            if number < together or not changed:
                changed += self._better(0, self._size, 1.0)
            if not changed:
                return high, low
        raise _UnsolvedError

    def _begin(self) -> None:
        """Choose the first policies."""
        if not engine()[leave_soonest](self._chain, self._choice):
            raise _UnsolvedError
        if len(self._choice) == len(self._gap):  # nobody chooses
            return
        try:
            self._evaluated(drawn(self._chain))
        except _UnsolvedError:  # there are too many outcomes, perhaps
            return
        self._better(self._size, len(self._choice), -1.0)
        self._better(0, self._size, 1.0)

    def _better(self, first: int, end: int, sign: float) -> int:
        """Improve the policy from one node to another; returns in how many."""
        return int(engine()[improve](self._chain, first, end, sign, self._gap, self._error, self._choice))

    def _evaluated(self, chain: Chain) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The worth of all nodes under policies, its high and low parts; measures all gaps.

        Args:
            chain: one action in each node.
        """
        self._factors = factors = _Factors(chain)
        high, low = factors.solution(chain.sure), np.zeros(len(chain.sure))
        gap, error = np.empty((2, len(chain.sure)))
        last = np.inf
        for _ in range(REFINEMENTS):
            self._check()
            engine()[measure_gaps](chain, high, low, *self._rounding, gap, error)
            off = float(np.max(np.abs(gap) / error))
            if off <= EXACT or not off < 0.5 * last:
                break
            last = off
            engine()[add](high, low, factors.solution(gap))
        if not off <= 0.5:
            raise _UnsolvedError
        engine()[measure_gaps](self._chain, high, low, *self._rounding, self._gap, self._error)
        return high, low

    def _bound(
        self, high: NDArray[np.float64], low: NDArray[np.float64], gap: NDArray[np.float64], highest: float, free: int
    ) -> NDArray[np.float64]:
        """A bound on how much more than this is got in each node, where nodes before `free` are free to be played."""
        need = gap + self._error
        short = np.maximum((highest - high) - low, 0.0) * (1.0 + 2.0**-50)
        is_known = short <= NEARLY
        if is_known.all():
            return short
        choice = self._choice.copy()
        margin = 0.0
        factors = _Factors(held(self._chain, choice), is_known) if is_known.any() else self._factors
        for _ in range(BOUNDS):
            self._check()
            wanted = need[choice] + self._error[choice]
            if not margin:
                longest = float(factors.solution(np.where(is_known, 0.0, 1.0)).max())
                margin = SHARE * float(factors.solution(np.where(is_known, 0.0, np.abs(wanted))).max()) / longest
            bound = factors.solution(np.where(is_known, short, wanted + margin))
            before = choice.copy()
            if not engine()[raise_bound](self._chain, need, bound, is_known, free, *self._rounding, choice):
                return bound
            if np.array_equal(choice, before):
                margin *= 8.0
            else:
                factors = _Factors(held(self._chain, choice), is_known)
        raise _UnsolvedError

    def _check(self) -> None:
        if self._stop[0]:
            raise _UnsolvedError


class _Factors:
    """Sparse LU factors of I - W, W the probabilities of going from node to node.

    Diagonal entries are sums of what leads away, without cancellation; they dominate their rows, so that no others are
    needed as pivots.

    Args:
        chain: one action in each node.
        is_known: bool[nodes], whose worth is not looked for; none if it is not given.
    """

    def __init__(self, chain: Chain, is_known: NDArray[np.bool_] | None = None) -> None:
        from scipy.sparse import csc_array  # type: ignore[import-untyped]  # seldom needed, and slow to import
        from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

        size = len(chain.outcomes_end)
        origin = np.repeat(np.arange(size), np.diff(chain.outcomes_end, prepend=0))
        leads_away = (chain.target != origin) & (chain.weight > 0.0)
        if is_known is not None:
            leads_away &= ~is_known[origin]
        origin, target, weight = origin[leads_away], chain.target[leads_away], chain.weight[leads_away]
        diagonal = np.bincount(origin, weight, size) + chain.leaving
        if is_known is not None:
            diagonal[is_known] = 1.0
        nodes = np.arange(size)
        entries = np.concatenate([diagonal, -weight])
        places = np.concatenate([nodes, origin]), np.concatenate([nodes, target])
        matrix = csc_array((entries, places), shape=(size, size))
        try:
            self._order = nodes if size <= FEW else _elimination_order(matrix)
            permuted = matrix if size <= FEW else matrix[self._order][:, self._order].tocsc()
            order = MINIMUM_DEGREE if size <= FEW else "NATURAL"
            self._factors = splu(permuted, permc_spec=order, **PIVOTS)
        except RuntimeError as error:  # singular
            raise _UnsolvedError from error

    def solution(self, right: NDArray[np.float64]) -> NDArray[np.float64]:
        """The solution of the equations with this right side."""
        found = np.empty_like(right)
        found[self._order] = self._factors.solve(right[self._order])
        if not np.all(np.isfinite(found)):
            raise _UnsolvedError
        return found


def _elimination_order(matrix: Any) -> NDArray[np.int64]:
    """An order of elimination in which the factors have no more entries than there is room for.

    An incomplete factorisation that drops nearly all entries finds an order in little time.
    """
    from scipy.sparse.linalg import spilu

    kind = MINIMUM_DEGREE if matrix.shape[0] <= MANY else ROUGH
    order = np.argsort(spilu(matrix, drop_tol=1.0, fill_factor=1.0, permc_spec=kind, **PIVOTS).perm_c)
    ordered = (abs(matrix) + abs(matrix.T)).tocsr()[order][:, order]
    starts, rows = ordered.indptr.astype(np.int64), ordered.indices.astype(np.int64)
    if engine()[fill_of_factors](starts, rows, MOST_ENTRIES) > MOST_ENTRIES:
        raise _UnsolvedError
    return order
