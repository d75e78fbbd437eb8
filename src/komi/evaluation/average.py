"""Exact evaluation of a policy in a game of one player without an end: its average reward per action."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.evaluation.policy_evaluator import check_tolerance
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy
from komi.policies.tabulate import action_probabilities
from komi.progress import Progress, silent
from komi.proof.average_audit import AverageClaim
from komi.rounding import format_bound
from komi.solvers.average.average_solver import list_endless, no_proof, process_of, refusing_numbers
from komi.solvers.solution import TOLERANCE, Solution
from komi.tabular import Record, Tabular


class AverageBounds(NamedTuple):
    """The states, and float64[2, states], the functions g and h that prove the averages in them; see `bounds`."""

    states: StateSet
    upper: F64
    lower: F64


@dataclass(frozen=True)
class AverageEvaluation(Tabular):
    """The exact average of a policy in a game of one player without an end.

    Attributes:
        policy: the policy's name.
        objective: the name of the objective: "average cans per action".
        value: the policy's average in the long run.
        optimal: that of optimal play.
        error_bound: error bound of the policy's average; the bound of the optimal one is that of its solution.
        bounds: the proof.
    """

    policy: str
    objective: str
    value: float
    optimal: float
    error_bound: float
    bounds: AverageBounds = field(repr=False, compare=False)

    def __repr__(self) -> str:
        found = f"{self.objective} {self.value:.6f}, optimal {self.optimal:.6f}"
        return f"<AverageEvaluation of {self.policy}: {found}; error bound {format_bound(self.error_bound)}>"

    def records(self) -> list[Record]:
        """List the one row of the result."""
        names = ("policy", "objective", "value", "optimal", "error_bound", "loss")
        return [{name: getattr(self, name) for name in names}]

    @property
    def loss(self) -> float:
        """The loss per action against optimal play; never negative."""
        return abs(self.optimal - self.value)

    def claim(self, fields: I64) -> AverageClaim:
        """Return what is claimed of states with these fields, the initial one first."""
        index = self.bounds.states.indices_of_fields(fields)
        values = np.full(len(fields), np.nan)
        values[0] = self.value
        return AverageClaim(values, self.error_bound, self.bounds.upper[:, index], self.bounds.lower[:, index])


def evaluate_average(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> AverageEvaluation:
    """Compute the exact average of a policy from the initial state on.

    Args:
        solution: the solved game.
        policy: the policy; it can choose at random.
        tolerance: the largest error bound to accept, relative to the largest average.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if the average cannot be proved to the tolerance.
    """
    from komi.solvers.average.bounds import bound_above, bound_below  # scipy is slow to import
    from komi.solvers.average.policy_iteration import evaluate_policy

    compiled, rules, start = solution.compiled, solution.rules, solution.read(None)
    states, _ = find_reachable(GameTransitions(compiled, rules), [start], progress=progress)
    model = list_endless(compiled, rules, states)
    process, depth = process_of(compiled, model, 1.0)
    numbers = np.diff(model.ends, prepend=0)
    table = action_probabilities(policy, compiled, rules, states, int(numbers.max()))
    chain = process.follow(table[np.arange(table.shape[1]) < numbers[:, None]])
    what, first = f"the average of {policy.name}", states.index_of(start)
    with refusing_numbers(what):
        attained = evaluate_policy(chain)
        upper, lower = bound_above(chain, attained, depth), bound_below(chain, attained, depth)
    if upper is None or lower is None:
        raise no_proof(what)
    value = float(attained.gain[first])
    bound = float(np.nextafter(max(upper.gain[first] - value, value - lower.gain[first]), np.inf))
    proof = AverageBounds(states, np.stack(upper), np.stack(lower))
    check_tolerance(bound, tolerance * solution.scale, what)
    return AverageEvaluation(policy.name, solution.objective, value, float(solution.value()), bound, proof)
