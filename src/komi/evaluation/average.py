"""Exact evaluation of policies in games without an end: their average reward per action, of one player or of two."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.evaluation.policy_evaluator import check_tolerance
from komi.graph.explicit import ExplicitModel
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
    """The states, and float64[2, states], the functions g and h that prove the averages in them; see `bounds`.

    Of two players they are those of the player to move.
    """

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
        return _claim(self.bounds, fields, self.value, self.error_bound)


@dataclass(frozen=True)
class AverageMatch(Tabular):
    """The exact average of policy A against policy B in a game of two players without an end.

    Attributes:
        first: A's average per action in the long run when it moves first.
        second: when it moves second.
        error_bound: the error bound of both.
        bounds: the proof: of what A gains where it is to move, and of what B gains where that is.
    """

    first: float
    second: float
    error_bound: float
    bounds: tuple[AverageBounds, AverageBounds] = field(repr=False, compare=False)

    def __repr__(self) -> str:
        found = f"{self.first:.6f} moving first, {self.second:.6f} moving second"
        return f"<AverageMatch: {found}; error bound {format_bound(self.error_bound)}>"

    def records(self) -> list[Record]:
        """List the results of A from each seat."""
        return [{"moves": "first", "value": self.first}, {"moves": "second", "value": self.second}]

    @property
    def average(self) -> float:
        """A's average per action, averaged over both seats."""
        return (self.first + self.second) / 2

    def claims(self, fields: I64) -> tuple[AverageClaim, AverageClaim]:
        """Return what is claimed of A, and of B, to move in states with these fields, the initial one first."""
        one, other = self.bounds
        bound = self.error_bound
        return _claim(one, fields, self.first, bound), _claim(other, fields, -self.second, bound)


def _claim(bounds: AverageBounds, fields: I64, value: float, error_bound: float) -> AverageClaim:
    index = bounds.states.indices_of_fields(fields)
    values = np.full(len(fields), np.nan)
    values[0] = value
    return AverageClaim(values, error_bound, bounds.upper[:, index], bounds.lower[:, index])


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
    model, states, first = _list_play(solution, progress)
    process, depth = process_of(solution.compiled, model, 1.0)
    what = f"the average of {policy.name}"
    attained, upper, lower = _evaluate(process.follow(_shares(solution, policy, model, states)), depth, what)
    value = float(attained[first])
    bound = _error(attained, upper, lower, first)
    check_tolerance(bound, tolerance * solution.scale, what)
    proof = AverageBounds(states, upper, lower)
    return AverageEvaluation(policy.name, solution.objective, value, float(solution.value()), bound, proof)


def evaluate_average_match(
    solution: Solution[Any],
    one: Policy,
    other: Policy,
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
) -> AverageMatch:
    """Compute the exact average of policy A against policy B from the initial state on.

    Args:
        solution: the solved game.
        one, other: the policies A and B; they can choose at random.
        tolerance: the largest error bound to accept, relative to the largest average.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if the average cannot be proved to the tolerance.
    """
    from komi.solvers.average.strategy_iteration import nodes_of  # scipy is slow to import

    model, states, first = _list_play(solution, progress)
    process, depth = process_of(solution.compiled, nodes_of(model), 1.0)
    what = f"the average of {one.name} against {other.name}"
    shares = np.concatenate([_shares(solution, policy, model, states) for policy in (one, other)])
    attained, upper, lower = _evaluate(process.follow(shares), depth, what)
    starts, size = (first, first + states.size), states.size
    bound = max(_error(attained, upper, lower, start) for start in starts)
    check_tolerance(bound, tolerance * solution.scale, what)
    proofs = (
        AverageBounds(states, upper[:, :size], lower[:, :size]),
        AverageBounds(states, -lower[:, size:], -upper[:, size:]),
    )
    return AverageMatch(float(attained[starts[0]]), float(attained[starts[1]]), bound, proofs)


def average_of_best_response(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> float:
    """Compute what the best response to a policy gains per action of two players, averaged over both seats.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if this cannot be proved to the tolerance.
    """
    from komi.solvers.average.bounds import find_best_play  # scipy is slow to import
    from komi.solvers.average.strategy_iteration import nodes_of

    model, states, first = _list_play(solution, progress)
    process, depth = process_of(solution.compiled, nodes_of(model), 1.0)
    what, free = f"the best response to {policy.name}", np.arange(2 * states.size) >= states.size
    shares = np.concatenate([_shares(solution, policy, model, states), np.ones(len(model.actions))])
    with refusing_numbers(what):
        play = find_best_play(process.follow(shares, -1.0, free), depth, progress)
    if play is None:
        raise no_proof(what)
    starts = (first, first + states.size)
    bound = max(_error(play.attained.gain, play.upper, play.lower, start) for start in starts)
    check_tolerance(bound, tolerance * solution.scale, what)
    return float(play.attained.gain[list(starts)].mean())


def _list_play(solution: Solution[Any], progress: Progress) -> tuple[ExplicitModel, StateSet, int]:
    """Return the model of all play, its states, and the index of the initial one."""
    compiled, rules, start = solution.compiled, solution.rules, solution.read(None)
    states, _ = find_reachable(GameTransitions(compiled, rules), [start], progress=progress)
    return list_endless(compiled, rules, states), states, states.index_of(start)


def _shares(solution: Solution[Any], policy: Policy, model: ExplicitModel, states: StateSet) -> F64:
    """Return float64[actions], the probability of each action of the model under a policy."""
    numbers = np.diff(model.ends, prepend=0)
    table = action_probabilities(policy, solution.compiled, solution.rules, states, int(numbers.max()))
    shares: F64 = table[np.arange(table.shape[1]) < numbers[:, None]]
    return shares


def _evaluate(chain: Any, depth: F64, what: str) -> tuple[F64, F64, F64]:
    """Return the gains of a process with one pair in each state, and the functions that prove them.

    Raises:
        SolveError: if no proof is found.
    """
    from komi.solvers.average.bounds import bound_above, bound_below
    from komi.solvers.average.policy_iteration import evaluate_policy

    with refusing_numbers(what):
        attained = evaluate_policy(chain)
        upper, lower = bound_above(chain, attained, depth), bound_below(chain, attained, depth)
    if upper is None or lower is None:
        raise no_proof(what)
    return attained.gain, np.stack(upper), np.stack(lower)


def _error(attained: F64, upper: F64, lower: F64, first: int) -> float:
    """Return the error bound of the gain of one state."""
    value = attained[first]
    return float(np.nextafter(max(upper[0, first] - value, value - lower[0, first]), np.inf))
