"""Exact evaluation of a policy in a single-player game: expected value, loss and game length.

With the policy fixed the game is a Markov chain. Its values solve linear equations, component by component, and are
proved by `bellman.certificate`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from komi.arrays import I16
from komi.bellman import MEASURES, RationalSolver, RoleValues, ValueBackup
from komi.errors import SolveError
from komi.evaluation.measured import Measured
from komi.evaluation.reached import where_reached
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules.kind import Kind
from komi.solvers.single_player import format_value, objective_of
from komi.solvers.solution import TOLERANCE, Solution
from komi.text import Text


@dataclass(frozen=True)
class Alone(Measured):
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

    @property
    def loss(self) -> float:
        """The loss (regret) against optimal play, in the objective's unit; never negative."""
        return abs(self.optimal - self.value)

    def facts(self, policies: Sequence[str]) -> dict[str, Any]:  # noqa: ARG002
        """Return the result as `komi match --json` reports it."""
        return {
            "policy": self.policy,
            "objective": self.objective,
            "value": self.value,
            "optimal": self.optimal,
            "loss": self.loss,
            "expected_actions": self.actions,
            "expected_turns": self.turns,
            "error_bound": self.error_bound,
            "length_error_bound": self.length_error_bound,
        }

    def text(self, policies: Sequence[str], kind: Kind) -> Text:  # noqa: ARG002
        """Return the result as `komi match` prints it."""
        values = (format_value(kind, each) for each in (self.value, self.optimal, self.loss))
        return Text(
            columns=("policy", self.objective, "optimal", "gives away", "actions", "turns"),
            rows=[(self.policy, *values, f"{self.actions:.3f}", f"{self.turns:.3f}")],
            after=[f"Proved: the error of the {self.objective} is at most {self.error_bound:.1e}."],
        )


def evaluate_alone(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Alone:
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
    compiled, rules = solution.compiled, solution.rules
    start = solution.game.part("start")(rules)
    objective = objective_of(solution.kind)
    states, counts = find_reachable(compiled, rules, [start], progress=progress)
    table = tabulate(policy, compiled, rules, states)

    def back_up(policies: Sequence[I16]) -> RoleValues:
        backup = ValueBackup(
            states.size,
            counts,
            RationalSolver(compiled, rules, states),
            objective,
            policies=policies,
            measures=len(MEASURES),
            progress=progress,
        )
        solve_components(
            compiled, rules, states, counts, [start], backup, gain_columns=objective.gain_columns, progress=progress
        )
        return backup.results

    found, row = where_reached(back_up, compiled, rules, states, [table]), states.index_of(start)
    error_bound = float(found.bound.max())
    if error_bound > tolerance * solution.scale:
        raise SolveError(
            f"what {policy.name} comes to is proved only to {error_bound:.1e}, not to {tolerance:.1e}: "
            "ask for a larger one."
        )
    return Alone(
        policy.name,
        solution.objective,
        objective.sign * float(found.value[row]),
        float(solution.value()),
        float(found.length[0, row]),
        float(found.length[1, row]) + 1.0,
        error_bound,
        float(found.length_bound.max()),
    )
