"""Matrix games: the value and an optimal mixed strategy of each player, by the simplex method.

With all payoffs M[a, b] of the row player made positive, the column player's strategy is y / sum(y) for the y >= 0 of
greatest sum with M y <= 1, the value is 1 / sum(y), and the dual solution gives the row player's strategy (G. B.
Dantzig 1951; D. Gale, H. W. Kuhn and A. W. Tucker 1951). Bland's rule prevents cycling. The solver is called by
compiled code in every state, where no library function is available.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64

PIVOTS = 10_000  # the most: matrices of a game need far fewer, but the simplex method can cycle
ZERO = 1e-14  # tolerance below which a coefficient counts as rounding


class MatrixBuffers(NamedTuple):
    """Buffers for one matrix game."""

    payoffs: F64  # [most actions, most actions]
    tableau: F64  # [most actions + 1, 2 most actions + 1]
    basis: I64  # [most actions]
    rows: F64  # [most actions] the row player's mixed strategy
    columns: F64  # [most actions] the column player's

    @classmethod
    def empty(cls, most: int) -> "MatrixBuffers":
        """Allocate buffers for games with up to `most` actions of each player."""
        return cls(
            np.empty((most, most)),
            np.empty((most + 1, 2 * most + 1)),
            np.empty(most, np.int64),
            np.empty(most),
            np.empty(most),
        )


def solve_matrix(payoffs: F64, buffers: MatrixBuffers) -> Any:
    """Compute the value of a matrix game for the row player, who maximizes.

    A saddle point in pure strategies is found directly, and its value is exact.

    Args:
        payoffs: float64[m, n], the payoffs of the row player.
        buffers: filled with the strategies of both players.

    Returns:
        the value

    Example:
        >>> import numpy as np
        >>> buffers = MatrixBuffers.empty(2)
        >>> float(solve_matrix(np.array([[1.0, 0.0], [0.0, 1.0]]), buffers))
        0.5
        >>> buffers.rows.round(12).tolist(), buffers.columns.round(12).tolist()
        ([0.5, 0.5], [0.5, 0.5])
    """
    m, n = payoffs.shape
    tableau, basis, rows, columns = buffers.tableau, buffers.basis, buffers.rows[:m], buffers.columns[:n]
    saddle = _saddle(payoffs, rows, columns)
    if saddle >= 0:
        return payoffs[saddle // n, saddle % n]
    shift = 1.0 - payoffs.min()
    width = n + m + 1
    for a in range(m):
        for b in range(width):
            tableau[a, b] = 0.0
        for b in range(n):
            tableau[a, b] = payoffs[a, b] + shift
        tableau[a, n + a] = 1.0
        tableau[a, width - 1] = 1.0
        basis[a] = n + a
    for b in range(width):
        tableau[m, b] = -1.0 if b < n else 0.0
    for _ in range(PIVOTS):
        entering = -1
        for b in range(width - 1):
            if tableau[m, b] < -ZERO:
                entering = b
                break
        if entering < 0:
            break
        _pivot(tableau, basis, entering, m, width)
    total = tableau[m, width - 1]
    columns[:] = 0.0
    for a in range(m):
        if basis[a] < n:
            columns[basis[a]] = max(tableau[a, width - 1], 0.0) / total
    for a in range(m):
        rows[a] = max(tableau[m, n + a], 0.0) / total
    rows /= rows.sum()
    columns /= columns.sum()
    return 1.0 / total - shift


def _pivot(tableau: F64, basis: I64, entering: int, m: int, width: int) -> None:
    """Enter a variable into the basis in place of the one with the smallest ratio, the first by number in a tie."""
    leaving = -1
    least = np.inf
    for a in range(m):
        if tableau[a, entering] > ZERO:
            ratio = tableau[a, width - 1] / tableau[a, entering]
            if ratio < least or (ratio == least and basis[a] < basis[leaving]):
                least, leaving = ratio, a
    pivot = tableau[leaving, entering]
    for b in range(width):
        tableau[leaving, b] /= pivot
    for a in range(m + 1):
        factor = tableau[a, entering]
        if a != leaving and factor != 0.0:
            for b in range(width):
                tableau[a, b] -= factor * tableau[leaving, b]
    basis[leaving] = entering


def _saddle(payoffs: F64, rows: F64, columns: F64) -> int:
    """Find a saddle point in pure strategies. Return it as a * n + b, or -1 if there is none."""
    m, n = payoffs.shape
    for a in range(m):
        for b in range(n):
            is_best = True
            for other in range(m):
                is_best = is_best and payoffs[other, b] <= payoffs[a, b]
            for other in range(n):
                is_best = is_best and payoffs[a, other] >= payoffs[a, b]
            if is_best:
                rows[:] = 0.0
                columns[:] = 0.0
                rows[a] = columns[b] = 1.0
                return a * n + b  # type: ignore[no-any-return]
    return -1
