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
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from komi.bellman.backup import round_up
from komi.bellman.equations import Objective, Workspace, role_after, rounding_error, rounding_slack
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import solve_fixed_point
from komi.bellman.refusals import RationalSolver, StoredValues
from komi.errors import SolveError
from komi.graph.components import ALL_SOLVED
from komi.graph.transitions import GraphCounts, Transitions, begin
from komi.jit.intrinsics import prefetch
from komi.jit.kernels import Kernels, engine_kernels_with
from komi.solvers.multiplayer.deviation_bound import prove
from komi.solvers.multiplayer.mixed_equilibrium import mix_component, sweep_shares
from komi.solvers.multiplayer.seat_equations import VectorRows, lay_out_vectors

SWEEPS = 300  # after which pure strategies are assumed to cycle
TIE = 64.0  # multiple of the rounding error of a backup up to which action values count as equal


class Vectors(NamedTuple):
    """The solution of each state."""

    value: Any  # float64[states, seats] entry r: the value for the seat that the turn is r seats after
    bound: Any  # float32[states] bound on the error of the values; a seat gains at most twice this by deviating
    choice: Any  # int16[states] the action that the policy takes; the likeliest where it mixes

    @classmethod
    def empty(cls, states: int, seats: int) -> "Vectors":
        """Allocate buffers for the solution of a number of states."""
        return cls(np.empty((states, seats)), np.zeros(states, np.float32), np.empty(states, np.int16))


class VectorBackup:
    """Finds an equilibrium of a multiplayer game: a `graph.components.ComponentSolver`.

    Args:
        states: the number of states, including those solved before.
        counts: the counts of the reachability analysis.
        fallback: explains why a component cannot be proved.
        seats: the number of seats.
        first_guess: float64[seats], the initial values of each seat: other initial values may lead to other equilibria.

    Attributes:
        findings: the solution of all states.
        mixes: the probability of each legal action, in their order, in the states in which the policy mixes.
    """

    def __init__(
        self, states: int, counts: GraphCounts, fallback: RationalSolver, seats: int, first_guess: NDArray[np.float64]
    ) -> None:
        self._seats, self._fallback, self._first_guess = seats, fallback, first_guess
        self._refusal: Exception | None = None
        self._objective = Objective(False, 1.0, 0.0, 1.0, rounding_slack(counts, mixing=False))
        self._stop = np.zeros(1, np.bool_)
        self.results = Vectors.empty(states, seats)
        self.mixes: dict[int, NDArray[np.float64]] = {}

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with a given number of states, actions and outcomes."""
        self._scratch = Workspace.empty(self._seats, states, actions, outcomes)
        self._rows = VectorRows.empty(self._seats, actions, outcomes)

    def solve(self, batch: Transitions, ends: NDArray[np.int64]) -> int:
        """Compute the values of a batch's states."""
        given = batch, ends, self._seats, self._first_guess, self._objective, self._scratch, self._rows, self.results
        kernel = _pure()[solve_vectors]
        component = int(kernel(*given, 0, self._stop))
        while component != ALL_SOLVED:
            members = batch.state[int(begin(ends, component)) : int(ends[component])]
            if self._stop[0] or not (self._mix(batch, ends, component) or self._solve_exactly(members)):
                return int(members[0])
            component = int(kernel(*given, component + 1, self._stop))
        return ALL_SOLVED

    def stop(self) -> None:
        """Interrupt `solve`."""
        self._stop[0] = True

    def error(self, index: int) -> Exception:
        """Return the error that explains why the component of this state could not be solved."""
        return self._refusal or self._fallback.refusal([index])

    def _mix(self, batch: Transitions, ends: NDArray[np.int64], component: int) -> bool:
        """Solve a component in which pure strategies cycle. Return whether this succeeded."""
        first, end = int(begin(ends, component)), int(ends[component])
        shares = np.zeros(int(batch.actions_end[end - 1]))
        if not _mixed()[mix_component](
            batch, first, end - first, self._seats, self._first_guess, self._objective, self._scratch, self._rows,
            self.results, shares, self._stop,
        ):  # fmt: skip
            return False
        for row in range(first, end):
            mix = shares[begin(batch.actions_end, row) : batch.actions_end[row]]
            if mix.max() < 1.0:
                self.mixes[int(batch.state[row])] = mix
        return True

    def _solve_exactly(self, members: NDArray[np.int32]) -> bool:
        """Solve a small component with a pure equilibrium in exact fractions. Return whether this succeeded."""
        found = self.results
        bounds = np.broadcast_to(found.bound[:, None], found.value.shape)
        layout = StoredValues(self._seats, False, 1.0, True, None, found.value, bounds)
        solved = self._fallback.solve_equilibrium(members, layout)
        if isinstance(solved, SolveError):
            self._refusal = solved
            return False
        for index, role, value, choice in solved.rows:
            found.value[index, role], found.bound[index] = value, round_up(solved.bound)
            if role == 0:
                found.choice[index] = choice
        return True


def _pure() -> Kernels:
    """Specialize the engine for sweeps that take the best actions, or fixed ones."""
    return engine_kernels_with("several", sweep=cast(FunctionType, sweep_vectors))


def _mixed() -> Kernels:
    """Specialize the engine for sweeps with mixed actions."""
    return engine_kernels_with("several-mixed", sweep=cast(FunctionType, sweep_shares))


def sweep_vectors(given: Any, value: Any) -> None:
    """Run one Gauss-Seidel sweep of vector backups; replaces `fixed_point.sweep`.

    Args:
        given: (int64[states] ends of actions, `VectorRows`, int64[actions] ends of outcomes, int32[outcomes] targets,
            float64[outcomes] probabilities, int32[states] the index of each state's action among all actions, bool[1]
            whether these actions are kept fixed).
        value: float64[states * seats], read and written.
    """
    actions_end, rows, outcomes_end, target, weight, choice, is_held = given
    constant, passes = rows.constant, rows.passes
    seats = constant.shape[1]
    for i in range(len(actions_end)):
        if not is_held[0]:
            best = -np.inf
            for action in range(begin(actions_end, i), actions_end[i]):
                total = _worth_to_mover(given, value, action, seats)
                if total > best:
                    best = total
                    choice[i] = action
        action = choice[i]
        for role in range(seats):
            total = constant[action, role]
            for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                total += weight[outcome] * value[target[outcome] * seats + role_after(role, passes[outcome], seats)]
            value[i * seats + role] = total


def solve_vectors(
    batch: Any,
    ends: Any,
    seats: int,
    first_guess: Any,
    objective: Any,
    scratch: Any,
    rows: Any,
    results: Any,
    start: int,
    stop: Any,
) -> int:
    """Find an equilibrium of components in the order given, which must be reverse topological.

    Args:
        batch: the `Transitions` of the components, one after the other, with a view for each seat.
        ends: int64[components] one past the last state of each.
        seats: the number of seats.
        first_guess: float64[seats], the initial values.
        objective: an `Objective` without flips.
        scratch: a `Workspace` with capacity for the largest component, with a role for each seat.
        rows: `VectorRows`, with the same capacity.
        findings: `Vectors` of states solved before; filled in.
        start: the component to begin with.
        stop: bool[1], set from outside to end early.

    Returns:
        ALL_SOLVED, or the number of the component that was not solved
    """
    for component in range(start, len(ends)):
        first = begin(ends, component)
        if ends[component] == first + 1 and _leads_on(batch, first):
            _back_up_single(batch, first, seats, objective, results)
        elif not _solve_component(
            batch, first, ends[component] - first, seats, first_guess, objective, scratch, rows, results, stop
        ):
            return component
    return ALL_SOLVED


def _call_for_exits(batch: Any, first: int, size: int, seats: int, values: Any) -> None:
    """Prefetch the values of the states on a component's boundary."""
    begins = begin(batch.outcomes_end, begin(batch.actions_end, first))
    for outcome in range(begins, batch.outcomes_end[batch.actions_end[first + size - 1] - 1]):
        if batch.target[outcome] >= 0:
            prefetch(values, batch.target[outcome] * seats)


def _leads_on(batch: Any, row: int) -> bool:
    """Return whether a component of one state has no transition to itself."""
    first = begin(batch.outcomes_end, begin(batch.actions_end, row))
    for outcome in range(first, batch.outcomes_end[batch.actions_end[row] - 1]):  # noqa: SIM110  no all()
        if batch.target[outcome] < 0:
            return False
    return True


def _back_up_single(batch: Any, row: int, seats: int, objective: Any, results: Any) -> None:
    """Back up a state without transitions to itself: its best action is optimal up to rounding."""
    _, _, actions_end, gains, numbers, outcomes_end, targets, probabilities, passes, _ = batch
    values, bounds = results.value, results.bound
    here = batch.state[row]
    best, choice = -np.inf, begin(actions_end, row)
    worst = np.float32(0.0)
    for action in range(begin(actions_end, row), actions_end[row]):
        total = gains[action, 0]
        for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
            target = targets[outcome]
            total += probabilities[outcome] * values[target, role_after(0, passes[outcome], seats)]
            worst = max(worst, bounds[target])
        if total > best:
            best, choice = total, action
    for role in range(seats):
        total = gains[choice, (seats - role) % seats]
        for outcome in range(begin(outcomes_end, choice), outcomes_end[choice]):
            total += probabilities[outcome] * values[targets[outcome], role_after(role, passes[outcome], seats)]
        values[here, role] = total
    bounds[here] = round_up(worst + rounding_error(objective, 1.0))
    results.choice[here] = numbers[choice]


def _solve_component(
    batch: Any,
    first: int,
    size: int,
    seats: int,
    first_guess: Any,
    objective: Any,
    scratch: Any,
    rows: Any,
    results: Any,
    stop: Any,
) -> bool:
    """Find and prove a pure equilibrium of one component. Return whether this succeeded.

    Of equally good actions, the first attempt takes any; the second takes one that leaves the component soonest.
    """
    _call_for_exits(batch, first, size, seats, results.value.reshape(-1))
    for hastens in (False, True):
        feedback = scratch.feedback[: seats * order_equations(batch, first, size, scratch, results.bound)]
        lay_out_vectors(batch, first, size, seats, scratch, rows, feedback, results.value)
        is_held = np.zeros(1, np.bool_)
        actions_end, choice = scratch.actions_end[:size], scratch.choice
        given = actions_end, rows, scratch.outcomes_end, scratch.target, scratch.weight, choice, is_held
        value = scratch.value
        for i in range(size * seats):
            value[i] = first_guess[i % seats]
        for _ in range(2):  # with the best actions, then with these kept fixed
            if solve_fixed_point(given, value, feedback, objective.lowest, objective.highest, stop, SWEEPS):
                return False
            sweep_vectors(given, value)
            if hastens and not is_held[0]:
                _hasten(given, value, TIE * objective.slack)
            is_held[0] = True
        rows.share[: actions_end[size - 1]] = 0.0
        for i in range(size):
            rows.share[choice[i]] = 1.0
        if prove(batch, first, size, seats, objective, scratch, rows, feedback, results, stop):
            return True
    return False


def _hasten(given: Any, value: Any, tie: float) -> None:
    """Choose in each state, among the actions that tie for the best, one with a shortest path out of the component."""
    actions_end, rows, outcomes_end, target, weight, choice, _ = given
    seats = rows.constant.shape[1]
    size = len(actions_end)
    leads_out = np.zeros(size, np.bool_)
    changed = True
    while changed:
        changed = False
        before = leads_out.copy()
        for i in range(size):
            if before[i]:
                continue
            best = -np.inf
            for action in range(begin(actions_end, i), actions_end[i]):
                best = max(best, _worth_to_mover(given, value, action, seats))
            for action in range(begin(actions_end, i), actions_end[i]):
                staying = 0.0
                may_leave = False
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    staying += weight[outcome]
                    may_leave = may_leave or (weight[outcome] > 0.0 and before[target[outcome]])
                may_leave = may_leave or 1.0 - staying > tie
                if may_leave and _worth_to_mover(given, value, action, seats) >= best - tie:
                    choice[i] = action
                    leads_out[i] = changed = True
                    break


def _worth_to_mover(given: Any, value: Any, action: int, seats: int) -> Any:
    """Compute the value of an action for the mover."""
    _, rows, outcomes_end, target, weight, _, _ = given
    total = rows.constant[action, 0]
    for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
        total += weight[outcome] * value[target[outcome] * seats + role_after(0, rows.passes[outcome], seats)]
    return total
