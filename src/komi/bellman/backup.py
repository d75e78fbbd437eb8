"""Value backup of one strongly connected component after the other, with error bounds, and expected game lengths."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.bellman.certificate import UNCONVERGED, certify
from komi.bellman.equations import (
    ACTIONS,
    FREE,
    UNIFORM,
    UNREACHED,
    VALUE,
    WIN_PROBABILITY,
    Objective,
    Workspace,
    prescribed_action,
    probability_deficit,
    probability_rounding,
    role_after,
    rounding_error,
    rounding_slack,
    to_policy_equations,
    write_equations,
)
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import CONVERGED, NEARLY_CONVERGED, SWEEPS, solve_fixed_point
from komi.bellman.lengths import certify_lengths
from komi.bellman.newton import step_to_fixed_point
from komi.bellman.policy_iteration import ProbabilityError, Solved, iterate_policies
from komi.bellman.refusals import MAX_NODES, RationalSolver, StoredValues
from komi.errors import SolveError
from komi.graph.components import ALL_SOLVED
from komi.graph.perspective import to_mover
from komi.graph.transitions import GraphCounts, Transitions, begin, count_columns, gain_at
from komi.jit.intrinsics import prefetch
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent

SOLVED, UNPROVED, UNMEASURED, STOPPED, SLOW, WEAK = range(6)

FIRST_SWEEPS = 300  # a component that needs more is slow: it is solved directly if possible
LOOSE = 2.0**-31  # a component with a larger relative bound is solved directly, if its own share exceeds CLOSE
CLOSE = 2.0**-44  # a relative bound that a direct solution hardly improves

MAX_LENGTH = 1e12


class RoleValues(NamedTuple):
    """The results of each state in each role, at index state * roles + role.

    Lengths are computed in all `MEASURES`, in the first one only, or not at all.
    """

    value: Any  # float64[.] the value to the player to move, times the objective's sign
    bound: Any  # float32[.] its error bound
    choice: Any  # int16[.] the action taken: an optimal one if the player is free
    length: Any  # float64[measures, .] the expected remaining length under the chosen policies
    length_bound: Any  # float32[.] its error bound

    @classmethod
    def empty(cls, rows: int, measures: int) -> "RoleValues":
        """Allocate the results of `rows` pairs of state and role."""
        return cls(
            np.empty(rows, np.float64),
            np.zeros(rows, np.float32),
            np.empty(rows, np.int16),
            np.empty((measures, rows), np.float64),
            np.zeros(rows if measures else 0, np.float32),
        )


class ValueBackup:
    """Computes the values of a game's states: a `graph.components.ComponentSolver`.

    Args:
        states: the number of states, known ones included.
        counts: the counts of the reachability analysis.
        objective: what the players optimize.
        policies: one a role, each int16[states] of actions, FREE, UNIFORM or UNREACHED; none if every player is free.
        measures: the number of `MEASURES` in which to compute expected lengths: none, one, or all.
        fallback: the solver of components whose values sweeps cannot prove.
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
        policies: Sequence[NDArray[np.int16]] = (),
        measures: int = 0,
        progress: Progress = silent,
    ) -> None:
        self.roles = max(1, len(policies))
        self._policies = np.stack(policies, axis=1).ravel() if policies else None
        mixing = any(np.any(policy == UNIFORM) for policy in policies)
        slack = rounding_slack(counts, mixing)
        self._rounding = ProbabilityError(probability_rounding(counts, mixing), probability_deficit(counts))
        self._objective = objective._replace(slack=slack)
        self._fallback, self._progress = fallback, progress
        self._refusal: Exception | None = None
        self._stop = np.zeros(1, np.bool_)
        self.results = RoleValues.empty(self.roles * states, measures)

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with these numbers of states, actions and outcomes."""
        self._scratch = Workspace.empty(self.roles, states, actions, outcomes)

    def solve(self, batch: Transitions, ends: NDArray[np.int64]) -> int:
        """Compute the values of a batch's states; components in which sweeps converge slowly are solved directly."""
        component = 0
        while component < len(ends):
            how, component = self._sweep(batch, ends, component, FIRST_SWEEPS)
            if how == SOLVED:
                break
            if how in (STOPPED, WEAK) or not self._solve_directly(batch, ends, component, how):
                if how != WEAK:
                    how, _ = self._sweep(batch, ends[: component + 1], component, SWEEPS)
                if how != SOLVED and not self._finish(batch, ends, component, how):
                    return int(batch.state[begin(ends, component)])
            elif self._is_weak(batch, ends, component):
                self._finish(batch, ends, component, WEAK)
            component += 1
        return ALL_SOLVED

    def _sweep(self, batch: Transitions, ends: NDArray[np.int64], component: int, sweeps: int) -> tuple[int, int]:
        """Solve components by sweeps, from `component` on; return the status, and the first unsolved component."""
        return engine_kernels()[solve_batch](  # type: ignore[no-any-return]
            batch,
            ends,
            component,
            sweeps,
            self._policies,
            self.roles,
            self._objective,
            self._scratch,
            self.results,
            self._stop,
        )

    def _is_weak(self, batch: Transitions, ends: NDArray[np.int64], component: int) -> bool:
        """Return whether a solved component has an error bound that is too loose."""
        members = batch.state[int(begin(ends, component)) : int(ends[component])]
        values, bounds = (each.reshape(-1, self.roles)[members] for each in (self.results.value, self.results.bound))
        return bool(bounds.max() > LOOSE * max(1.0, float(np.abs(values).max())))

    def _finish(self, batch: Transitions, ends: NDArray[np.int64], component: int, how: int) -> bool:
        """Solve a component in rational arithmetic if its proof is missing or weak; return whether it is solved."""
        members = batch.state[int(begin(ends, component)) : int(ends[component])]
        if how == WEAK and len(members) * self.roles > MAX_NODES:
            return True
        if how in (UNMEASURED, STOPPED):
            self._refusal = self._fallback.lengths_refusal(members[0])
            return False
        objective, found = self._objective, self.results
        layout = StoredValues(
            self.roles,
            objective.is_zero_sum,
            objective.sign,
            bool(np.isfinite(objective.highest - objective.lowest)),
            None if self._policies is None else self._policies.reshape(-1, self.roles),
            found.value.reshape(-1, self.roles),
            found.bound.reshape(-1, self.roles),
        )
        solved = self._fallback.solve(members, layout)
        if isinstance(solved, SolveError):
            self._refusal = solved
            return how == WEAK
        if how == WEAK and solved.bound >= found.bound.reshape(-1, self.roles)[members].max():
            return True
        if len(found.length) and any(found.choice[row[0] * self.roles + row[1]] != row[3] for row in solved.rows):
            self._refusal = self._fallback.lengths_refusal(members[0])
            return how == WEAK
        for state, role, value, choice in solved.rows:
            index = state * self.roles + role
            found.value[index], found.choice[index] = value, choice
            found.bound[index] = round_up(solved.bound)
        return how == WEAK or not len(found.length)

    def _solve_directly(self, batch: Transitions, ends: NDArray[np.int64], component: int, how: int) -> bool:
        """Solve a component by policy iteration, in the order that sweeps have found; return whether that succeeded.

        Args:
            how: UNMEASURED if its values are known and only the expected lengths are missing.
        """
        first, end = int(begin(ends, component)), int(ends[component])
        order = self._scratch.order[: end - first]
        index = batch.state[first + order].astype(np.int64)[:, None] * self.roles + np.arange(self.roles)
        index = index.ravel()
        found = self.results
        if how != UNMEASURED:
            solved = self._solve_rows(batch, first, end, self._policies, VALUE, found.value, found.bound)
            if solved is None:
                return False
            found.value[index], found.bound[index] = solved.value, round_up(solved.bound)
            found.choice[index] = self._scratch.number[solved.choice]
        longest = np.zeros(len(index))
        for measure, lengths in enumerate(found.length):
            solved = self._solve_rows(batch, first, end, found.choice, ACTIONS + measure, lengths, found.length_bound)
            if solved is None:
                return False
            lengths[index] = solved.value
            longest = np.maximum(longest, solved.bound)
        if len(found.length):
            found.length_bound[index] = round_up(longest)
        return True

    def _solve_rows(
        self,
        batch: Transitions,
        first: int,
        end: int,
        policies: Any,
        quantity: int,
        exits: NDArray[np.float64],
        exit_bounds: NDArray[np.float32],
    ) -> Solved | None:
        """Compute one quantity for a component's equations; the arguments are those of `write_equations`."""
        objective, scratch = self._objective, self._scratch
        exits_bound, _ = engine_kernels()[write_equations](
            batch, first, end - first, policies, self.roles, quantity, objective, scratch, exits, exit_bounds
        )
        rows = to_policy_equations(scratch, (end - first) * self.roles)
        flips = quantity == VALUE and objective.is_zero_sum
        lowest, highest = (objective.lowest, objective.highest) if quantity == VALUE else (-np.inf, np.inf)
        solved = iterate_policies(rows, flips, lowest, highest, self._rounding, self._stop, self._progress)
        return solved and solved._replace(bound=solved.bound + float(exits_bound))

    def stop(self) -> None:
        """Stop `solve` early."""
        self._stop[0] = True

    def error(self, index: int) -> Exception:
        """Return the error that explains why the component of a state could not be solved."""
        return self._refusal or self._fallback.refusal([index])


def solve_batch(
    batch: Any,
    ends: Any,
    component: Any,
    sweeps: int,
    policies: Any,
    roles: int,
    objective: Any,
    scratch: Any,
    results: Any,
    stop: Any,
) -> tuple[int, int]:
    """Solve components in the given order; all components that a component leads to must precede it.

    Args:
        batch: the `Transitions` of the components, one after the other.
        ends: int64[components], one past the last state of each.
        component: the first component to solve.
        sweeps: the most sweeps per component; with fewer than `SWEEPS`, slow components are left to a direct solver.
        policies: int16[all states * roles], actions, FREE, UNIFORM or UNREACHED; None if every player is free.
        roles: the number of roles; 1 if every player is free.
        objective: an `Objective`.
        scratch: a `Workspace` that fits the largest component.
        results: `RoleValues`, with those of states solved before; filled in.
        stop: bool[1], set by another thread to stop early.

    Returns:
        (the status, the first component that is not solved)
    """
    states, _, actions_end, gains, numbers, outcomes_end, targets, probabilities, passes, _ = batch
    values, bounds, choices, lengths, length_bounds = results
    if policies is None:
        roles = 1  # a compile-time constant
    row: Any = np.int64(begin(ends, component))  # a plain int would compile every callee twice
    while component < len(ends):
        count = _count_singles(actions_end, outcomes_end, targets, values, bounds, roles, ends, component, row)
        if count:
            # fmt: off
            _solve_singles(
                states, actions_end, gains, numbers, outcomes_end, targets, probabilities, passes,
                policies, roles, objective, values, bounds, choices, row, row + count,
            )
            if len(lengths):
                _measure_singles(
                    states, actions_end, numbers, outcomes_end, targets, probabilities, passes,
                    choices, roles, objective, lengths, length_bounds, row, row + count,
                )
            # fmt: on
            component += count
            row += count
        else:
            how = _solve_cyclic(batch, row, ends[component], sweeps, policies, roles, objective, scratch, results, stop)
            if how != SOLVED:
                return how, component
            row = ends[component]
            component += 1
    return SOLVED, component


def _count_singles(
    actions_end: Any,
    outcomes_end: Any,
    targets: Any,
    values: Any,
    bounds: Any,
    roles: int,
    ends: Any,
    component: int,
    row: int,
) -> int:
    """Count the consecutive components from `component` on that consist of one state without a self-loop.

    The values and bounds of successor states are prefetched. Arrays are those of `Transitions` and `RoleValues`; `ends`
    is as in `solve_batch`, and `row` is the first state of `component`.
    """
    count = 0
    while component + count < len(ends) and ends[component + count] == row + count + 1:
        first = begin(outcomes_end, begin(actions_end, row + count))
        for outcome in range(first, outcomes_end[actions_end[row + count] - 1]):
            if targets[outcome] < 0:
                return count
            prefetch(values, targets[outcome] * roles)
            prefetch(bounds, targets[outcome] * roles)
        count += 1
    return count


def _solve_singles(
    states: Any,
    actions_end: Any,
    gains: Any,
    numbers: Any,
    outcomes_end: Any,
    targets: Any,
    probabilities: Any,
    passes: Any,
    policies: Any,
    roles: int,
    objective: Any,
    values: Any,
    bounds: Any,
    choices: Any,
    first_row: int,
    end_row: int,
) -> None:
    """Back up states one by one, each from its successors; arrays are those of `Transitions` and `RoleValues`."""
    flips = count_columns(gains) == 1
    sign = 1.0 if flips else objective.sign
    last_view = count_columns(gains) - 1
    if policies is None:
        roles = 1
    for row in range(first_row, end_row):
        state = states[row]
        first = begin(actions_end, row)
        for role in range(roles):
            view = 0 if flips else (roles - role) % roles
            wanted = prescribed_action(policies, state * roles + role)
            best = -np.inf
            choice = UNIFORM
            total = 0.0
            magnitude = 0.0
            worst_bound = np.float32(0.0)
            outcome = begin(outcomes_end, first)
            for action in range(first, actions_end[row]):
                value = sign * gain_at(gains, action, view)
                terms = gain_at(gains, action, last_view)
                while outcome < outcomes_end[action]:
                    probability, turn = probabilities[outcome], passes[outcome]
                    after = targets[outcome] * roles + role_after(role, turn, roles)
                    worth = values[after]
                    if flips:
                        value += probability * to_mover(worth, turn)
                    else:
                        value += probability * worth
                        terms += probability * abs(worth)
                    worst_bound = max(worst_bound, bounds[after])
                    outcome += 1
                total += value
                magnitude = max(magnitude, terms)
                if (wanted == FREE and value > best) or wanted == numbers[action]:
                    best, choice = value, numbers[action]
            here = state * roles + role
            if wanted == UNREACHED:
                best, choice = 0.0, UNREACHED
            values[here] = total / (actions_end[row] - first) if wanted == UNIFORM else best
            bounds[here] = round_up(worst_bound + rounding_error(objective, magnitude))
            choices[here] = choice


def _measure_singles(
    states: Any,
    actions_end: Any,
    numbers: Any,
    outcomes_end: Any,
    targets: Any,
    probabilities: Any,
    passes: Any,
    choices: Any,
    roles: int,
    objective: Any,
    lengths: Any,
    length_bounds: Any,
    first_row: int,
    end_row: int,
) -> None:
    """Compute expected lengths state by state under the chosen policies.

    Arrays are those of `Transitions` and `RoleValues`.
    """
    counts_all = len(lengths) > 1
    for row in range(first_row, end_row):
        first = begin(actions_end, row)
        for role in range(roles):
            here = states[row] * roles + role
            choice = choices[here]
            share = 1.0 / (actions_end[row] - first) if choice == UNIFORM else 1.0
            actions = turns = chance_moves = 0.0
            worst_bound = np.float32(0.0)
            for action in range(first, actions_end[row]):
                if choice != UNIFORM and numbers[action] != choice:
                    continue
                if numbers[action] >= 0:
                    actions += share
                else:
                    chance_moves += share
                for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                    weight, turn = share * probabilities[outcome], passes[outcome]
                    after = targets[outcome] * roles + role_after(role, turn, roles)
                    actions += weight * lengths[0, after]
                    if counts_all:
                        turns += weight * (lengths[1, after] + (1.0 if turn else 0.0))
                        chance_moves += weight * lengths[2, after]
                    worst_bound = max(worst_bound, length_bounds[after])
            lengths[0, here] = actions
            if counts_all:
                lengths[1, here], lengths[2, here] = turns, chance_moves
            longest = max(actions, turns, chance_moves)
            length_bounds[here] = round_up(worst_bound + objective.slack * (longest + 1.0))


def round_up(bound: Any) -> Any:
    """Increase a bound to cover its own rounding and its storage in single precision."""
    return bound * (1.0 + 2.0**-22)


def _solve_cyclic(
    batch: Any,
    first: int,
    end: int,
    sweeps: int,
    policies: Any,
    roles: int,
    objective: Any,
    scratch: Any,
    results: Any,
    stop: Any,
) -> int:
    """Solve the component of the batch's states from `first` to `end`; return the status."""
    size = end - first
    states, order, feedback = batch.state, scratch.order, scratch.feedback
    count = roles * order_equations(batch, first, size, scratch, results.value)
    for j in range(count - 1, -1, -1):  # from positions to equations, in place
        feedback[j] = feedback[j // roles] * roles + j % roles
    exits_bound, magnitude = write_equations(
        batch, first, size, policies, roles, VALUE, objective, scratch, results.value, results.bound
    )
    rows = _rows(scratch, size * roles)
    how, error, scale = _settle_and_certify(rows, size * roles, count, magnitude, sweeps, objective, scratch, stop)
    bound, value = round_up(exits_bound + error), scratch.value
    if how == SOLVED and sweeps < SWEEPS and bound > LOOSE * scale and error > CLOSE * scale:
        how = SLOW
    largest = 1.0
    if how == SOLVED:
        for i in range(size):
            for role in range(roles):
                largest = max(largest, abs(value[i * roles + role]))
                index = states[first + order[i]] * roles + role
                results.value[index] = value[i * roles + role]
                results.bound[index] = bound
                results.choice[index] = scratch.number[scratch.choice[i * roles + role]]
        if len(results.length):
            how = _measure_cyclic(batch, first, size, sweeps, roles, objective, count, scratch, results, stop)
    return WEAK if how == SOLVED and error > LOOSE * largest else how


def _settle_and_certify(
    rows: Any, size: int, count: int, magnitude: float, sweeps: int, objective: Any, scratch: Any, stop: Any
) -> tuple[int, float, float]:
    """Solve a component's equations and prove the values.

    With a single feedback vertex Newton's method is faster, and the sweep that confirms its last step is that of the
    proof.

    Args:
        rows: the equations, as `_rows` returns them; `size` is their number.
        count: the size of the feedback vertex set.
        magnitude: the largest magnitude of a constant's terms.
        sweeps, objective, scratch, stop: as in `solve_batch`.

    Returns:
        (the status, the error bound, the scale of rounding errors)
    """
    is_last = sweeps == SWEEPS
    lowest, highest = objective.lowest, objective.highest
    value, feedback = scratch.value, scratch.feedback[:count]
    for i in feedback:
        value[i] = 0.5 if objective.is_zero_sum else 0.0
    stepped = count == 1 and step_to_fixed_point(rows, value, scratch.mine, feedback[0], lowest, highest, stop)
    while True:
        if not stepped and count and solve_fixed_point(rows, value, feedback, lowest, highest, stop, sweeps):
            return STOPPED, 0.0, 1.0
        if not objective.is_zero_sum:
            for i in range(size):
                magnitude = max(magnitude, abs(value[i]))
        farthest_off = np.inf if is_last else NEARLY_CONVERGED * (1.0 + magnitude)
        residual, longest = certify(
            rows, value, feedback, rounding_error(objective, 2.0 * magnitude), lowest, highest,
            scratch.mine, scratch.theirs, scratch.choice, stop,
            CONVERGED * max(1.0, abs(value[feedback[0]])) if stepped else farthest_off,
        )  # fmt: skip
        if longest != UNCONVERGED:
            break
        if not stepped:
            return SLOW, 0.0, 1.0
        stepped = False
    if longest < 0.0:
        return STOPPED if stop[0] else UNPROVED, 0.0, 1.0
    return SOLVED, residual * longest, 1.0 + magnitude


def _rows(scratch: Any, count: int) -> Any:
    """Return the first `count` equations, as `write_equations` leaves them."""
    return scratch.actions_end[:count], scratch.constant, scratch.outcomes_end, scratch.target, scratch.weight


def _measure_cyclic(
    batch: Any,
    first: int,
    size: int,
    sweeps: int,
    roles: int,
    objective: Any,
    count: int,
    scratch: Any,
    results: Any,
    stop: Any,
) -> int:
    """Compute the expected length from each state under the chosen policies, in each measure; return the status."""
    states, order, feedback, value = batch.state, scratch.order, scratch.feedback, scratch.value
    lengths, length_bounds = results.length, results.length_bound
    worst = 0.0
    for measure in range(len(lengths)):
        exits_bound, highest = write_equations(
            batch, first, size, results.choice, roles, ACTIONS + measure, objective, scratch, lengths[measure],
            length_bounds,
        )  # fmt: skip
        rows = _rows(scratch, size * roles)
        for i in range(size * roles):
            value[i] = highest
        distance = longest = 0.0
        if highest > 0.0:  # else every length is 0
            if count and solve_fixed_point(rows, value, feedback[:count], 0.0, MAX_LENGTH, stop, sweeps):
                return STOPPED
            distance, longest = certify_lengths(rows, value, feedback[:count], objective.slack, scratch.mine, stop)
            if longest < 0.0:
                return STOPPED if stop[0] else UNMEASURED
            if sweeps < SWEEPS and distance * longest > LOOSE * (1.0 + value[: size * roles].max()):
                return UNMEASURED
        worst = max(worst, exits_bound + distance * longest)
        for i in range(size):
            for role in range(roles):
                lengths[measure, states[first + order[i]] * roles + role] = value[i * roles + role]
    for i in range(size):
        for role in range(roles):
            length_bounds[states[first + order[i]] * roles + role] = round_up(worst)
    return SOLVED
