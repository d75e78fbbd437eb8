"""Maximal end components, and how long play can take to leave them.

An end component is a set of states with some of their actions in which play can stay for ever, and visit all of it
(L. de Alfaro 1997; C. Baier and J.-P. Katoen, Principles of Model Checking, 2008, algorithm 47). All its states have
one optimal gain. With each component merged into one state, and its own actions left out, all play comes to rest.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse  # type: ignore[import-untyped]
from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

from komi.arrays import F64, I64, Flags
from komi.solvers.average.decision_process import DecisionProcess
from komi.solvers.average.policy_iteration import MAX_ITERATIONS, strong_components


class EndComponents(NamedTuple):
    """The maximal end components of a process.

    Attributes:
        node: int64[states], the component of each state, or a number that no other state has.
        nodes: the number of these numbers.
        stays: bool[pairs], whether play that takes the pair stays in its component.
    """

    node: I64
    nodes: int
    stays: Flags


def find_end_components(process: DecisionProcess) -> EndComponents:
    """Find the maximal end components: pairs that leave their strongly connected component are taken away in turn."""
    entries = process.transitions.tocoo()
    stays = np.full(len(process.owner), True)
    while True:
        kept = stays[entries.row]
        rows, columns = process.owner[entries.row[kept]], entries.col[kept]
        size = len(process.takes)
        node, _ = strong_components(sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(size, size)))
        leaving = node[process.owner[entries.row]] != node[entries.col]
        before, stays = stays, stays.copy()
        stays[entries.row[leaving]] = False
        if (stays == before).all():
            return EndComponents(node, int(node.max()) + 1, stays)


def leaving_steps(process: DecisionProcess, components: EndComponents) -> F64:
    """Compute how many pairs that leave end components play can take at most, in expectation, by policy iteration.

    Returns:
        float64[states], a function u, constant on each component, with u = 1 + P_a u for the pair that leaves latest.
    """
    node, nodes, stays = components
    steps = np.zeros(nodes)
    pairs = np.flatnonzero(~stays)
    if not len(pairs):
        return steps[node]
    order = np.argsort(node[process.owner[pairs]], kind="stable")
    pairs = pairs[order]
    merged = process.transitions[pairs] @ sparse.csr_matrix((np.ones(len(node)), (np.arange(len(node)), node)))
    left, first, of = np.unique(node[process.owner[pairs]], return_index=True, return_inverse=True)
    taken = first
    for _ in range(MAX_ITERATIONS):
        chosen = merged[taken]
        inner = sparse.identity(len(left), format="csc") - chosen[:, left].tocsc()
        steps[left] = splu(inner.tocsc()).solve(np.ones(len(left)))
        later = merged @ steps
        best = np.maximum.reduceat(later, first)
        is_longer = best > later[taken] * (1.0 + 1e-9) + 1e-9
        if not is_longer.any():
            break
        latest = np.flatnonzero(later == best[of])
        latest = latest[np.searchsorted(of[latest], np.arange(len(left)))]
        taken = np.where(is_longer, latest, taken)
    return steps[node]
