"""Exact evaluation of a policy in a single-player game: expected value, loss and game length."""

from dataclasses import asdict, dataclass
from typing import Any

from komi.evaluation.policy_evaluator import PolicyEvaluator, check_tolerance
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rounding import format_bound
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.stochastic.optimal_values import objective_of
from komi.tabular import Record, Tabular


@dataclass(frozen=True)
class SinglePlayerEvaluation(Tabular):
    """The exact value and length of a policy in a single-player game.

    Attributes:
        policy: the policy's name.
        objective: the name of the objective: "expected points", "chance of reaching the goal".
        value: the policy's expected value.
        optimal: the value of optimal play.
        actions: the expected number of actions.
        turns: the expected number of turns.
        error_bound: error bound of the policy's value; the bound of the optimal value is that of its solution.
        length_error_bound: error bound of the expected actions and turns.
    """

    policy: str
    objective: str
    value: float
    optimal: float
    actions: float
    turns: float
    error_bound: float
    length_error_bound: float

    def __repr__(self) -> str:
        found = f"{self.objective} {self.value:.6f}, optimal {self.optimal:.6f}"
        return f"<SinglePlayerEvaluation of {self.policy}: {found}; error bound {format_bound(self.error_bound)}>"

    def records(self) -> list[Record]:
        """List the one row of the result."""
        return [{**asdict(self), "loss": self.loss}]

    @property
    def loss(self) -> float:
        """The loss (regret) against optimal play, in the objective's unit; never negative."""
        return abs(self.optimal - self.value)


def evaluate_single_player(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> SinglePlayerEvaluation:
    """Compute the exact value of a policy in a single-player game.

    Args:
        solution: the solved game.
        policy: the policy.
        tolerance: the largest error bound to accept; relative to the largest value unless values are probabilities.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if play may never end with this policy, or the value cannot be proved to the tolerance.
    """
    objective = objective_of(solution.kind)
    evaluator = PolicyEvaluator.of(solution, progress)
    results = evaluator.evaluate([evaluator.tabulate(policy)], objective, objective.gain_columns)
    error_bound = float(results.bound.max())
    check_tolerance(error_bound, tolerance * solution.scale, f"the value of {policy.name}")
    actions, turns = map(float, results.length[:2, evaluator.start])
    return SinglePlayerEvaluation(
        policy.name,
        solution.objective,
        objective.sign * float(results.value[evaluator.start]),
        float(solution.value()),
        actions,
        turns + 1.0,
        error_bound,
        float(results.length_bound.max()),
    )
