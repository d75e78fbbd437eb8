"""Value backup of one strongly connected component after the other, with error bounds, and expected game lengths.

What `ValueBackup` does after the first sweeps over a component, by their status:

| status | next attempts, in this order | if none succeeds |
|---|---|---|
| SOLVED | - | |
| SLOW, UNPROVED | policy iteration; all sweeps; rational arithmetic | refused, with the reason |
| UNMEASURED | policy iteration for the lengths; all sweeps | refused: no length |
| WEAK | rational arithmetic, of a small component | the loose bound stays |
| STOPPED | - | the error of another component counts |
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from threading import Thread
from typing import Any, cast

import numpy as np

from komi.arrays import I16, I32, I64
from komi.bellman.batch import Problem, RoleValues, solve_batch
from komi.bellman.component_solver import LOOSE, ComponentStatus
from komi.bellman.equations import (
    ACTIONS,
    VALUE,
    WIN_PROBABILITY,
    ActionCode,
    Boundary,
    Component,
    Objective,
    Workspace,
    all_free,
    to_policy_equations,
    write_equations,
)
from komi.bellman.fixed_point import SWEEPS
from komi.bellman.graph_builder import StoredValues
from komi.bellman.policy_iteration import PolicySolution, iterate_policies
from komi.bellman.refusals import MAX_NODES, RationalSolver
from komi.bellman.rounding import ProbabilityError, round_up, rounding_slack
from komi.errors import EndlessPlayError, SolveError
from komi.graph.components import ALL_SOLVED
from komi.graph.transitions import GraphCounts, Transitions, begin, boundary_of
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
from komi.tuning import FIRST_SWEEPS

OWN_SHARE = 2.0**-7  # the smallest part of an error bound that rational arithmetic is worth


class ComponentBackup:
    """The loop that all backups share: a `graph.components.ComponentSolver`.

    Args:
        fallback: the solver of components that iteration cannot solve.
        rounding: the errors of probabilities, if components are solved directly.
        progress: called during the direct solution of a large component.
    """

    _workspace: Workspace

    def __init__(
        self, fallback: RationalSolver, rounding: ProbabilityError | None = None, progress: Progress = silent
    ) -> None:
        self._fallback, self._progress = fallback, progress
        self._rounding = rounding or ProbabilityError(0.0, 0.0)
        self._refusal: Exception | None = None
        self._stop = np.zeros(1, np.bool_)

    def solve(self, batch: Transitions, ends: I64) -> int:
        """Solve a batch's components, in order; see `graph.components.ComponentSolver`."""
        component = 0
        while component < len(ends):
            status, component = self._iterate(batch, ends, component, FIRST_SWEEPS)
            if status == ComponentStatus.SOLVED:
                break
            if not self._finish(batch, ends, component, status):
                return int(batch.state[begin(ends, component)])
            component += 1
        return ALL_SOLVED

    def stop(self) -> None:
        """Stop `solve` early."""
        self._stop[0] = True

    def error(self, index: int) -> Exception:
        """Return the error that explains why the component of a state could not be solved."""
        return self._refusal or self._fallback.refusal([index])

    def _iterate(self, batch: Transitions, ends: I64, component: int, sweeps: int) -> tuple[int, int]:
        """Solve components by iteration, from `component` on; return the status, and the first unsolved component."""
        raise NotImplementedError

    def _finish(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:
        """Solve a component directly, or by more sweeps, after iteration has ended with this status.

        Returns:
            True if it is solved.
        """
        if status != ComponentStatus.STOPPED and self._solve_directly(batch, ends, component, status):
            return True
        return self._iterate(batch, ends[: component + 1], component, SWEEPS)[0] == ComponentStatus.SOLVED

    def _solve_directly(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:
        """Solve a component by policy iteration, in the order that sweeps have found; return whether that succeeded."""
        raise NotImplementedError

    def _solve_equations(
        self, component: Component, roles: int, objective: Objective, exits_bound: float
    ) -> tuple[I64, PolicySolution] | None:
        """Solve a component's equations, which are in the workspace, by policy iteration.

        The indices of a solution are state * roles + role, and its bounds include that of the boundary and rounding.

        Args:
            component: its transitions.
            roles: the number of roles.
            objective: the objective.
            exits_bound: the largest error bound at the boundary.
        """
        equations = to_policy_equations(self._workspace, component.size * roles)
        solved = iterate_policies(equations, objective, self._rounding, self._stop, self._progress)
        if solved is None:
            return None
        states = component.batch.state[component.first + self._workspace.order[: component.size]].astype(np.int64)
        index = (states[:, None] * roles + np.arange(roles)).ravel()
        return index, solved._replace(bound=round_up(solved.bound + float(exits_bound)))


def component_at(batch: Transitions, ends: I64, number: int) -> Component:
    """Return a component of a batch, given one past the last state of each."""
    first = int(begin(ends, number))
    return Component(batch, first, int(ends[number]) - first)


def compile_ahead(gain_columns: int) -> None:
    """Compile what `ValueBackup` needs in another process, while this one compiles and explores a game.

    It takes longer than all else that the first solve on a machine compiles, and has to be ready only at the end.
    """
    if os.cpu_count() != 1 and not cast(Any, engine_kernels()[solve_batch]).is_compiled(*_no_batch(gain_columns)):
        program = f"from komi.bellman.backup import compile_now; compile_now({gain_columns})"
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        Thread(target=subprocess.run, args=([sys.executable, "-P", "-c", program],), kwargs=quiet, daemon=True).start()


def compile_now(gain_columns: int) -> None:
    """Compile what `ValueBackup` needs."""
    engine_kernels()[solve_batch](*_no_batch(gain_columns))


def _no_batch(gain_columns: int) -> tuple[Any, ...]:
    """Return arguments of `solve_batch` with nothing to solve."""
    workspace, results = Workspace.empty(1, 0, 0, 0), RoleValues.empty(0, 0)
    problem = Problem(all_free(1), 1, WIN_PROBABILITY, workspace, results, np.zeros(1, np.bool_))
    return Transitions.empty(0, 0, 0, gain_columns), np.empty(0, np.int64), 0, FIRST_SWEEPS, problem


class ValueBackup(ComponentBackup):
    """Computes the values of a game's states.

    Args:
        states: the number of states, known ones included.
        counts: the counts of the reachability analysis.
        fallback: the solver of components whose values sweeps cannot prove.
        objective: what the players optimize.
        policies: one a role, each int16[states] of actions, FREE, UNIFORM, UNREACHED or EXCEPT - action; none if
            every player is free.
        measures: the number of `MEASURES` in which to compute expected lengths: none, one, or all.
        progress: called during the direct solution of a large component.

    Attributes:
        results: of all states; the caller fills in those of known states before components are backed up.
    """

    def __init__(
        self,
        states: int,
        counts: GraphCounts,
        fallback: RationalSolver,
        objective: Objective = WIN_PROBABILITY,
        policies: Sequence[I16] = (),
        measures: int = 0,
        progress: Progress = silent,
    ) -> None:
        mixing = any(np.any(policy == ActionCode.UNIFORM) for policy in policies)
        super().__init__(fallback, ProbabilityError.of(counts, mixing), progress)
        self.roles = max(1, len(policies))
        self._policies = np.stack(policies, axis=1).ravel() if policies else all_free(1)
        self._objective = objective._replace(slack=rounding_slack(counts, mixing))
        self.results = RoleValues.empty(self.roles * states, measures)

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with these numbers of states, actions and outcomes."""
        self._workspace = Workspace.empty(self.roles, states, actions, outcomes)

    def _iterate(self, batch: Transitions, ends: I64, component: int, sweeps: int) -> tuple[int, int]:
        problem = Problem(self._policies, self.roles, self._objective, self._workspace, self.results, self._stop)
        return engine_kernels()[solve_batch](batch, ends, component, sweeps, problem)  # type: ignore[no-any-return]

    def _finish(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:
        """Solve a component directly, by more sweeps, or in rational arithmetic; return whether it is solved."""
        members = batch.state[int(begin(ends, component)) : int(ends[component])]
        if status in (ComponentStatus.STOPPED, ComponentStatus.WEAK) or not self._solve_directly(
            batch, ends, component, status
        ):
            if status != ComponentStatus.WEAK:
                status, _ = self._iterate(batch, ends[: component + 1], component, SWEEPS)
            return status == ComponentStatus.SOLVED or self._solve_exactly(members, status)
        if self._is_weak(batch, ends, component):
            self._solve_exactly(members, ComponentStatus.WEAK)
        return True

    def _is_weak(self, batch: Transitions, ends: I64, component: int) -> bool:
        """Return whether a solved component has an error bound that is too loose, and that is not its successors'."""
        first, end = int(begin(ends, component)), int(ends[component])
        members, boundary = batch.state[first:end], boundary_of(batch, first, end)
        values, bounds = (each.reshape(-1, self.roles) for each in (self.results.value, self.results.bound))
        bound, inherited = float(bounds[members].max()), float(bounds[boundary].max(initial=0.0))
        largest = max(1.0, float(np.abs(values[members]).max()))
        return bound > LOOSE * largest and bound - inherited > OWN_SHARE * bound

    def _solve_exactly(self, members: I32, status: int) -> bool:
        """Solve a component in rational arithmetic if its proof is missing or weak; return whether it is solved."""
        if status == ComponentStatus.WEAK and len(members) * self.roles > MAX_NODES:
            return True
        if status in (ComponentStatus.UNMEASURED, ComponentStatus.STOPPED):
            self._refusal = self._fallback.lengths_refusal(members[0])
            return False
        objective, results = self._objective, self.results
        stored = StoredValues(
            self.roles,
            objective.is_zero_sum,
            objective.sign,
            bool(np.isfinite(objective.highest - objective.lowest)),
            self._policies.reshape(-1, self.roles),
            results.value.reshape(-1, self.roles),
            results.bound.reshape(-1, self.roles),
        )
        solved = self._fallback.solve(members, stored)
        if isinstance(solved, SolveError):
            self._refusal = solved
            return status == ComponentStatus.WEAK and not (isinstance(solved, EndlessPlayError) and solved.is_proved)
        if status == ComponentStatus.WEAK and solved.bound >= stored.bounds[members].max():
            return True
        if len(results.length) and any(results.choice[row[0] * self.roles + row[1]] != row[3] for row in solved.rows):
            self._refusal = self._fallback.lengths_refusal(members[0])
            return status == ComponentStatus.WEAK
        for state, role, value, choice in solved.rows:
            index = state * self.roles + role
            results.value[index], results.choice[index] = value, choice
            results.bound[index] = round_up(solved.bound)
        return status == ComponentStatus.WEAK or not len(results.length)

    def _solve_directly(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:
        """Solve a component by policy iteration; only its lengths if the status is UNMEASURED."""
        members, results, workspace = component_at(batch, ends, component), self.results, self._workspace
        for quantity in range(ACTIONS if status == ComponentStatus.UNMEASURED else VALUE, len(results.length)):
            objective, policies, boundary = self._objective, self._policies, Boundary(results.value, results.bound)
            if quantity != VALUE:
                objective = Objective(False, 1.0, -np.inf, np.inf, objective.slack)
                policies, boundary = results.choice, Boundary(results.length[quantity], results.length_bound)
            exits_bound, _ = engine_kernels()[write_equations](
                members, policies, self.roles, quantity, objective, workspace, boundary
            )
            found = self._solve_equations(members, self.roles, objective, exits_bound)
            if found is None:
                return False
            index, solved = found
            boundary.value[index] = solved.value
            if quantity == VALUE:
                results.bound[index], results.choice[index] = solved.bound, workspace.number[solved.choice]
            else:
                results.length_bound[index] = np.maximum(results.length_bound[index], solved.bound)
        return True
