"""Nash equilibria of multiplayer games, component by component, with a proved bound on the gain from deviating.

All seats play one policy, a function of the state as the player to move sees it. With n seats the value of a state
is a vector: V[r] is the payoff of a seat when the turn is r seats after it, so that V[0] is the mover's. A backup takes
the mover's best action and gives every seat its value of that action:

    V(s)[r] = gain(s, a)[r] + sum of p V(s')[(r + passes) mod n],   a the best for r = 0.

If V satisfies this equation, the policy is a subgame-perfect equilibrium. Iteration may cycle instead, since the best
responses of the others change with one's own (value iteration need not converge for n > 2), and a pure equilibrium
need not exist: `mixed_equilibrium` then searches for a mixed one. `deviation_bound` bounds the gain of a seat from
deviating.
"""

from types import FunctionType
from typing import NamedTuple, cast

import numpy as np

from komi.arrays import F64, I32, I64, Flags
from komi.bellman import (
    Component,
    ComponentBackup,
    ComponentStatus,
    Objective,
    RationalSolver,
    StoredValues,
    Workspace,
    all_free,
    equations_of,
    order_equations,
    role_after,
    round_up,
    rounding_error,
    rounding_slack,
    solve_fixed_point,
)
from komi.errors import SolveError
from komi.graph.transitions import GraphCounts, Transitions, begin, has_self_loop
from komi.jit.kernels import Kernels, engine_kernels
from komi.solvers.multiplayer.deviation_bound import prove
from komi.solvers.multiplayer.mixed_equilibrium import find_mixed_equilibrium
from komi.solvers.multiplayer.seat_equations import (
    BEST,
    FIXED,
    VectorEquations,
    VectorValues,
    action_value,
    actions_of,
    copy_shares,
    set_values,
    sweep_vectors,
    write_vector_equations,
)

SWEEPS = 300  # after which pure strategies are assumed to cycle
TIE = 64.0  # multiple of the rounding error of a backup up to which action values count as equal


class VectorBackup(ComponentBackup):
    """Finds an equilibrium of a multiplayer game.

    Args:
        states: the number of states, including those solved before.
        counts: the counts of the reachability analysis.
        fallback: explains why a component cannot be proved.
        seats: the number of seats.
        first_guess: float64[seats], the initial values of each seat: other initial values may lead to other equilibria.

    Attributes:
        results: the solution of all states.
        mixes: the probability of each legal action, in their order, in the states in which the policy mixes.
    """

    def __init__(
        self, states: int, counts: GraphCounts, fallback: RationalSolver, seats: int, first_guess: F64
    ) -> None:
        super().__init__(fallback)
        self._seats, self._first_guess = seats, first_guess
        self._objective = Objective(False, 1.0, 0.0, 1.0, rounding_slack(counts, mixing=False))
        self.results = VectorValues.empty(states, seats)
        self.mixes: dict[int, F64] = {}

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with a given number of states, actions and outcomes."""
        workspace = Workspace.empty(self._seats, states, actions, outcomes, shares=actions)
        rows = equations_of(workspace, self._seats * states)
        self._problem = VectorProblem(
            self._first_guess,
            self._objective,
            workspace,
            VectorEquations(rows, np.empty(self._seats * actions), np.zeros(1), self._seats),
            self.results,
            self._stop,
        )

    def _iterate(self, batch: Transitions, ends: I64, component: int, sweeps: int) -> tuple[int, int]:  # noqa: ARG002
        return _kernels()[solve_vectors](batch, ends, component, self._problem)  # type: ignore[no-any-return]

    def _finish(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:
        """Find a mixed equilibrium, or a pure one in rational arithmetic; return whether that succeeded."""
        members = batch.state[int(begin(ends, component)) : int(ends[component])]
        return status != ComponentStatus.STOPPED and (self._mix(batch, ends, component) or self._solve_exactly(members))

    def _mix(self, batch: Transitions, ends: I64, component: int) -> bool:
        """Solve a component in which pure strategies cycle. Return whether this succeeded."""
        first, end = int(begin(ends, component)), int(ends[component])
        if not _kernels()[find_mixed_equilibrium](Component(batch, first, end - first), *self._problem):
            return False
        for row in range(first, end):
            mix = self._problem.workspace.share[begin(batch.actions_end, row) : batch.actions_end[row]]
            if mix.max() < 1.0:
                self.mixes[int(batch.state[row])] = mix.copy()
        return True

    def _solve_exactly(self, members: I32) -> bool:
        """Solve a small component with a pure equilibrium in exact fractions. Return whether this succeeded."""
        results = self.results
        bounds = np.broadcast_to(results.bound[:, None], results.value.shape)
        stored = StoredValues(self._seats, False, 1.0, True, all_free(self._seats)[None], results.value, bounds)
        solved = self._fallback.solve_equilibrium(members, stored)
        if isinstance(solved, SolveError):
            self._refusal = solved
            return False
        for index, role, value, choice in solved.rows:
            results.value[index, role], results.bound[index] = value, round_up(solved.bound)
            if role == 0:
                results.choice[index] = choice
        return True


def _kernels() -> Kernels:
    """Specialize the engine for sweeps of vector backups."""
    return engine_kernels(sweep=cast(FunctionType, sweep_vectors))


class VectorProblem(NamedTuple):
    """The data of a kernel that solves the components of a batch.

    Attributes:
        first_guess: float64[seats], the initial values.
        objective: an `Objective` of one seat.
        workspace: buffers that fit the largest component, with a role for each seat.
        equations: shares that fit the largest component.
        results: of states solved before; filled in.
        stop: bool[1], set from outside to end early.
    """

    first_guess: F64
    objective: Objective
    workspace: Workspace
    equations: VectorEquations
    results: VectorValues
    stop: Flags


def solve_vectors(batch: Transitions, ends: I64, start: int, problem: VectorProblem) -> tuple[int, int]:
    """Find a pure equilibrium of components in the order given, which must be reverse topological.

    Args:
        batch: the transitions of the components, one after the other, with a view for each seat.
        ends: int64[components] one past the last state of each.
        start: the component to begin with.
        problem: what to compute.

    Returns:
        (the status, the first component that is not solved)
    """
    for number in range(start, len(ends)):
        first = begin(ends, number)
        if ends[number] == first + 1 and not has_self_loop(batch, first):
            _solve_single(batch, first, problem.objective, problem.results)
        elif not _solve_cyclic(Component(batch, first, ends[number] - first), problem):
            return ComponentStatus.STOPPED if problem.stop[0] else ComponentStatus.UNPROVED, number
    return ComponentStatus.SOLVED, len(ends)


def _solve_single(batch: Transitions, row: int, objective: Objective, results: VectorValues) -> None:
    """Back up a state without transitions to itself: its best action is optimal up to rounding."""
    values, seats = results.value, results.value.shape[1]
    best, choice = -np.inf, begin(batch.actions_end, row)
    worst = np.float32(0.0)
    for action in range(begin(batch.actions_end, row), batch.actions_end[row]):
        total = batch.gain[action, 0]
        for outcome in range(begin(batch.outcomes_end, action), batch.outcomes_end[action]):
            target = batch.target[outcome]
            total += batch.probability[outcome] * values[target, role_after(0, batch.passes[outcome], seats)]
            worst = max(worst, results.bound[target])
        if total > best:
            best, choice = total, action
    state = batch.state[row]
    for role in range(seats):
        total = batch.gain[choice, (seats - role) % seats]
        for outcome in range(begin(batch.outcomes_end, choice), batch.outcomes_end[choice]):
            after = role_after(role, batch.passes[outcome], seats)
            total += batch.probability[outcome] * values[batch.target[outcome], after]
        values[state, role] = total
    results.bound[state] = round_up(worst + rounding_error(objective, 1.0))
    results.choice[state] = batch.action[choice]


def _solve_cyclic(component: Component, problem: VectorProblem) -> bool:
    """Find and prove a pure equilibrium of one component. Return whether this succeeded.

    Of equally good actions, the first attempt takes any; the second takes one that leaves the component soonest.
    """
    first_guess, objective, workspace, buffers, results, stop = problem
    value, limits = workspace.value, (objective.lowest, objective.highest)
    feedback = workspace.feedback[: order_equations(component, len(first_guess), workspace, results.value.reshape(-1))]
    for hastens in (False, True):
        equations = write_vector_equations(component, objective, workspace, buffers, results)
        set_values(value, component.size, first_guess)
        for width in (BEST, FIXED):
            equations.width[0] = width
            if solve_fixed_point(equations, value, feedback, limits, stop, SWEEPS):
                return False
            sweep_vectors(equations, value)
            if hastens and width == BEST:
                _leave_soonest(equations, value, TIE * objective.slack)
        copy_shares(component, workspace, equations)
        if prove(component, objective, workspace, feedback, results, stop):
            return True
    return False


def _leave_soonest(equations: VectorEquations, value: F64, tie: float) -> None:
    """Choose in each state, among the actions that tie for the best, one with a shortest path out of the component."""
    outcomes_end, target, weight = equations.rows.outcomes_end, equations.rows.target, equations.rows.weight
    size = len(equations.rows.actions_end) // equations.seats
    leads_out = np.zeros(size, np.bool_)
    changed = True
    while changed:
        changed = False
        before = leads_out.copy()
        for i in range(size):
            if before[i]:
                continue
            first, end = actions_of(equations, i)
            best = -np.inf
            for action in range(first, end):
                best = max(best, action_value(equations, value, action))
            for action in range(first, end):
                staying = 0.0
                can_leave = False
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    staying += weight[outcome]
                    can_leave = can_leave or (weight[outcome] > 0.0 and before[target[outcome] // equations.seats])
                can_leave = can_leave or 1.0 - staying > tie
                if can_leave and action_value(equations, value, action) >= best - tie:
                    equations.share[first:end] = 0.0
                    equations.share[action] = 1.0
                    leads_out[i] = changed = True
                    break
