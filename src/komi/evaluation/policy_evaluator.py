"""Exact evaluation of policies in one game: the values and lengths of the Markov chain that they define.

With all policies fixed, the game is a Markov chain whose states are pairs of a game state and the role to move. Its
values solve linear equations, component by component, and are proved by `komi.bellman.certificate`. With one role
free, the same equations describe its best response.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.arrays import I16
from komi.bellman import MEASURES, WIN_PROBABILITY, ActionCode, Objective, RationalSolver, RoleValues, ValueBackup
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.evaluation.play_search import reached_in_roles
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rounding import proved_only
from komi.rules.kind import check_no_average
from komi.solvers.solution import Solution
from komi.typing import Rules


class PolicyEvaluator:
    """Evaluates policies in one game; its reachable states are found once.

    Args:
        compiled, rules: the game.
        starts: the initial states; by default that of the rules.
        progress: progress callback, called during long work; see `komi.progress`.
        side_by_side: whether to use two threads; one takes less CPU time in total.

    Attributes:
        states: the reachable states.
        counts: the counts of the reachability analysis.
        start: the index of the first initial state.
    """

    def __init__(
        self,
        compiled: CompiledGame,
        rules: Rules,
        starts: Sequence[Any] = (),
        progress: Progress = silent,
        side_by_side: bool = True,
    ) -> None:
        self._compiled, self._rules, self._progress, self._side_by_side = compiled, rules, progress, side_by_side
        self.starts = list(starts) or [compiled.game.part("start")(rules)]
        self._transitions = GameTransitions(compiled, rules)
        self.states, self.counts = find_reachable(
            self._transitions, self.starts, progress=progress, side_by_side=side_by_side
        )
        self.start = self.states.index_of(self.starts[0])

    @classmethod
    def of(cls, solution: Solution[Any], progress: Progress = silent) -> "PolicyEvaluator":
        """Create the evaluator of a solved game.

        Raises:
            SolveError: if it has too many states inside rolls, or its value is an average of play that never ends.
        """
        check_no_average(solution.kind)
        solution.check_listable()
        return cls(solution.compiled, solution.rules, progress=progress)

    def tabulate(self, policy: Policy) -> I16:
        """Return int16[states], the policy's action in each reachable state.

        Raises:
            GameError: if the policy takes an action that is not legal.
            SolveError: if a table cannot represent it.
        """
        return tabulate(policy, self._compiled, self._rules, self.states)

    def free(self) -> I16:
        """Return int16[states], FREE in each state: the role plays its best response."""
        return np.full(self.states.size, ActionCode.FREE, np.int16)

    def evaluate(
        self,
        policies: Sequence[I16] = (),
        objective: Objective = WIN_PROBABILITY,
        gain_columns: int = 1,
        measures: int = len(MEASURES),
    ) -> RoleValues:
        """Compute the value and the expected length of play in each state and role.

        If some states have no value under the policies, only those that play reaches are evaluated.

        Args:
            policies: one for each role, int16[states] of actions, FREE, UNIFORM or EXCEPT - action; none for optimal
                play of all.
            objective: what free roles optimize.
            gain_columns: the number of seats whose gains the equations contain; see `solve_components`.
            measures: the number of `MEASURES` of the length.

        Raises:
            SolveError: if a state that play reaches has no value.
        """
        try:
            return self._solve(policies, objective, gain_columns, measures)
        except SolveError:
            reached = reached_in_roles(self._compiled, self._rules, self.states, policies) if policies else None
            if reached is None or reached.all():
                raise
        unreached = np.int16(ActionCode.UNREACHED)
        restricted = [np.where(reached[:, role], actions, unreached) for role, actions in enumerate(policies)]
        return self._solve(restricted, objective, gain_columns, measures)

    def _solve(self, policies: Sequence[I16], objective: Objective, gain_columns: int, measures: int) -> RoleValues:
        is_policy = len(policies) > 0 and not any(np.any(actions == ActionCode.FREE) for actions in policies)
        backup = ValueBackup(
            self.states.size,
            self.counts,
            RationalSolver(self._compiled, self._rules, self.states, is_policy=is_policy),
            objective,
            policies=policies,
            measures=measures,
            progress=self._progress,
        )
        solve_components(
            self._transitions,
            self.states,
            self.counts,
            self.starts,
            backup,
            gain_columns=gain_columns,
            progress=self._progress,
            side_by_side=self._side_by_side,
        )
        return backup.results


def check_tolerance(error_bound: float, tolerance: float, name: str = "the match") -> None:
    """Check that a result is proved to the tolerance.

    Raises:
        SolveError: if it is not.
    """
    if error_bound > tolerance:
        raise SolveError(f"{name} is {proved_only(error_bound, tolerance)}: choose a larger tolerance.")
