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
from komi.evaluation.reached import where_reached
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.solvers.single_player import objective_of
from komi.solvers.solution import TOLERANCE, Solution


@dataclass(frozen=True)
class Alone:
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
    states, counts = find_reachable(GameTransitions(compiled, rules), [start], progress=progress)
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
            GameTransitions(compiled, rules),
            states,
            counts,
            [start],
            backup,
            gain_columns=objective.gain_columns,
            progress=progress,
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
