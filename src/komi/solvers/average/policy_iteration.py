"""Gain and bias of a policy, and multichain policy iteration (R. Howard 1960; Puterman 1994, sections 8.2 and 9.2).

The gain g is the average reward per action in the long run, the bias h the total difference from it:

    g = P g,  h + g = r + P h,  P* h = 0

A policy is optimal if g = max P_a g, and h + g = max (r_a + P_a h) over the actions that attain the first maximum.
Where chance moves, no action is counted: h = r + P h.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse  # type: ignore[import-untyped]
from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]
from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

from komi.arrays import F64, I64, Flags
from komi.progress import Progress
from komi.solvers.average.decision_process import DecisionProcess, best_pairs, policy_shares

MAX_ITERATIONS = 1_000
WARM_UP = 200  # steps of play that show which states are visited often
RELATIVE_TOLERANCE = 1e-12  # an improvement counts if it exceeds this part of the largest gain or bias


class Evaluation(NamedTuple):
    """What a policy attains: float64[states] each."""

    gain: F64
    bias: F64


class BestPlay(NamedTuple):
    """Play of an optimal policy, as far as the equations show it.

    Attributes:
        policy: int64[states], the pair taken in each state.
        attained: what it attains.
        upper, lower: float64[2, states], the functions g and h that prove its gain; see `bounds`.
    """

    policy: I64
    attained: Evaluation
    upper: F64
    lower: F64


def strong_components(transitions: Any) -> tuple[I64, Flags]:
    """Return int64[states], the strongly connected component of each state; bool[states], whether none leads out."""
    graph = transitions.copy()
    graph.sum_duplicates()  # with duplicates scipy does not end
    count, component = connected_components(graph, directed=True, connection="strong")
    entries = transitions.tocoo()
    leads_out = np.zeros(count, np.bool_)
    leads_out[component[entries.row][component[entries.row] != component[entries.col]]] = True
    return component.astype(np.int64), ~leads_out[component]


def _visits(transitions: Any) -> F64:
    """Estimate float64[states], how often play is in each state: rounding errors are small where it returns soon."""
    visits = np.full(transitions.shape[0], 1.0)
    backwards = transitions.T.tocsr()
    for _ in range(WARM_UP):
        visits = (visits + backwards @ visits) / 2.0
    return visits


class _Chain:
    """The equations of a Markov chain, solved up to the next visit of one reference state of each recurrent class."""

    def __init__(self, process: DecisionProcess) -> None:
        self._takes, self._transitions = process.takes, process.transitions
        component, is_recurrent = strong_components(process.transitions)
        candidates = np.flatnonzero(is_recurrent & (process.takes > 0.0))
        candidates = candidates[np.argsort(-_visits(process.transitions)[candidates], kind="stable")]
        self.references = np.sort(candidates[np.unique(component[candidates], return_index=True)[1]])
        self._rest = np.setdiff1d(np.arange(len(process.takes)), self.references)
        rows = process.transitions[self._rest]
        self._to_references = rows[:, self.references]
        inner = sparse.identity(len(self._rest), format="csc") - rows[:, self._rest].tocsc()
        self._solve: Any = splu(inner.tocsc()).solve if len(self._rest) else lambda right: right

    def until_reference(self, counted: F64) -> F64:
        """Return float64[states], the expected sum of what is counted in each state before a reference state."""
        found = np.zeros(len(counted))
        found[self._rest] = self._solve(counted[self._rest])
        found[self.references] = counted[self.references] + self._transitions[self.references] @ found
        return found

    def at_reference(self, worth: F64) -> F64:
        """Return float64[states], the expectation of float64[references] at the first reference state visited."""
        found = np.zeros(len(self._takes))
        found[self.references] = worth
        found[self._rest] = self._solve(self._to_references @ worth)
        return found


def evaluate_policy(process: DecisionProcess) -> Evaluation:
    """Compute the gain and the bias of a policy: of a process with one pair in each state."""
    chain, takes = _Chain(process), process.takes
    at = chain.references
    cycle = chain.until_reference(takes)[at]
    gain = chain.at_reference(chain.until_reference(process.reward)[at] / cycle)
    relative = chain.until_reference(process.reward - takes * gain)
    relative[at] = 0.0
    return Evaluation(gain, relative - chain.at_reference(chain.until_reference(takes * relative)[at] / cycle))


def iterate_policies(process: DecisionProcess, progress: Progress, start: I64 | None = None) -> tuple[I64, Evaluation]:
    """Find a policy that maximizes the gain, and among those with this gain the bias as far as the equations show it.

    It is optimal up to rounding; `bounds` proves how far it is from optimal.

    Args:
        process: the process.
        progress: progress callback; see `komi.progress`.
        start: int64[states], the pairs of the first policy; None for those of the greatest rewards.

    Returns:
        int64[states], the pair taken in each state, and what this policy attains.
    """
    policy, seen = best_pairs(process, process.reward) if start is None else start, set[bytes]()
    evaluation = evaluate_policy(process.follow(policy_shares(process, policy)))
    for _ in range(MAX_ITERATIONS):
        progress("policy iteration", len(seen), 0)
        improved = improve(process, policy, evaluation)
        seen.add(policy.tobytes())
        if improved.tobytes() in seen:
            break
        policy = improved
        evaluation = evaluate_policy(process.follow(policy_shares(process, policy)))
    return policy, evaluation


def improve(process: DecisionProcess, policy: I64, evaluation: Evaluation) -> I64:
    """Return a policy of greater gain where there is one, otherwise of greater bias; ties leave it as it is."""
    gain, bias, owner = *evaluation, process.owner
    drift = process.transitions @ gain - gain[owner]
    slack = RELATIVE_TOLERANCE * float(np.abs(gain).max() + np.abs(process.reward).max())
    best = best_pairs(process, drift)
    is_better = drift[best] > drift[policy] + slack
    if is_better.any():
        return np.where(is_better, best, policy)
    worth = advantages(process, evaluation)
    slack = RELATIVE_TOLERANCE * float(np.abs(bias).max() + np.abs(process.reward).max())
    worth = np.where(drift >= drift[policy][owner] - slack, worth, -np.inf)
    best = best_pairs(process, worth)
    return np.where(worth[best] > worth[policy] + slack, best, policy)


def advantages(process: DecisionProcess, evaluation: Evaluation) -> F64:
    """Return float64[pairs], r + P h - h - g: what a pair gains in total over the average, beside its change of g."""
    gain, bias, owner = *evaluation, process.owner
    found: F64 = process.reward + process.transitions @ bias - bias[owner] - (process.takes * gain)[owner]
    return found
