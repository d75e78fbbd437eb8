"""Backup of values: one strongly connected component after the other, with their bounds, and how long play lasts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.compile.bits import prefetch
from komi.compile.kernels import engine
from komi.errors import SolveError
from komi.methods.backup.certificate import UNSETTLED, certify
from komi.methods.backup.direct import Rounding, Solved, solve_directly
from komi.methods.backup.fixed_point import NEARLY_SETTLED, SETTLED, SWEEPS, settle
from komi.methods.backup.lengths import certify_lengths
from komi.methods.backup.newton import step_to_fixed_point
from komi.methods.backup.ordering import order_rows
from komi.methods.backup.rows import (
    ACTIONS,
    FREE,
    UNIFORM,
    UNREACHED,
    VALUE,
    Objective,
    Scratch,
    laid_out,
    lay_out,
    probability_rounding,
    role_after,
    rounding,
    rounding_slack,
    unevenness,
    wanted_of,
)
from komi.methods.backup.unproved import MOST_NODES, Layout, Unproved
from komi.model.components import BACKED_UP
from komi.model.survey import Counts
from komi.model.transitions import Transitions, begin, gain_in, views_of
from komi.model.two_seats import to_mover
from komi.progress import Progress, silent

SOLVED, UNPROVED, UNMEASURED, STOPPED, SLOW, WEAK = range(6)

FIRST_SWEEPS = 300  # after which a component is slow: it is solved directly then, if it can be
LOOSE = 2.0**-31  # a relative bound from which on a component is solved directly, if its own share is above
CLOSE = 2.0**-44  # what a direct solution hardly betters

LONGEST = 1e12


class Findings(NamedTuple):
    """What is found of each state in each role, at index state * roles + role.

    Of lengths there is the first of `MEASURES`, or all, or none.
    """

    value: Any  # float64[.] what the game is worth to the player to move, times the objective's sign
    bound: Any  # float32[.] how far off that can be
    choice: Any  # int16[.] the action taken: a best one where the player is free
    length: Any  # float64[measures, .] how long play goes on, on average, if all play as chosen
    length_bound: Any  # float32[.] how far off that can be

    @classmethod
    def empty(cls, rows: int, measures: int) -> "Findings":
        """Room for the findings of so many rows."""
        return cls(
            np.empty(rows, np.float64),
            np.zeros(rows, np.float32),
            np.empty(rows, np.int16),
            np.empty((measures, rows), np.float64),
            np.zeros(rows if measures else 0, np.float32),
        )


class ValueBackup:
    """Finds the values of a game's states: a `model.components.Backup`.

    Args:
        states: how many states there are, those known before too.
        counts: what the survey has counted.
        flips, sign, lowest, highest: of the `Objective`.
        policies: one a role, each int16[states] of actions, FREE, UNIFORM or UNREACHED; none if everyone is free.
        measures: in how many of `MEASURES` to find how long play goes on: none, one, or all.
        unproved: what becomes of a component whose values sweeps cannot prove.
        progress: told how far a large component is that is solved directly.

    Attributes:
        findings: of all states; those of known states are to be filled in before components are backed up.
    """

    def __init__(
        self,
        states: int,
        counts: Counts,
        unproved: Unproved,
        flips: bool = True,
        sign: float = 1.0,
        lowest: float = 0.0,
        highest: float = 1.0,
        policies: Sequence[NDArray[np.int16]] = (),
        measures: int = 0,
        progress: Progress = silent,
    ) -> None:
        self.roles = max(1, len(policies))
        self._policies = np.stack(policies, axis=1).ravel() if policies else None
        mixing = any(np.any(policy == UNIFORM) for policy in policies)
        slack = rounding_slack(counts, mixing)
        self._rounding = Rounding(probability_rounding(counts, mixing), unevenness(counts))
        self._objective = Objective(flips, sign, lowest, highest, slack)
        self._unproved, self._progress = unproved, progress
        self._refusal: Exception | None = None
        self._stop = np.zeros(1, np.bool_)
        self.findings = Findings.empty(self.roles * states, measures)

    def make_room(self, states: int, actions: int, outcomes: int) -> None:
        """Room for components of so many states, actions and outcomes."""
        self._scratch = Scratch.empty(self.roles, states, actions, outcomes)

    def back_up(self, batch: Transitions, ends: NDArray[np.int64]) -> int:
        """Find the values of a batch's states; components in which sweeps are slow are solved directly."""
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
        return BACKED_UP

    def _sweep(self, batch: Transitions, ends: NDArray[np.int64], component: int, sweeps: int) -> tuple[int, int]:
        """Solve components by sweeps, from this one on; returns how that went, and the first that was not solved."""
        return engine()[solve_batch](  # type: ignore[no-any-return]
            batch,
            ends,
            component,
            sweeps,
            self._policies,
            self.roles,
            self._objective,
            self._scratch,
            self.findings,
            self._stop,
        )

    def _is_weak(self, batch: Transitions, ends: NDArray[np.int64], component: int) -> bool:
        """Whether a component is solved, but with a bound that proves little."""
        members = batch.state[int(begin(ends, component)) : int(ends[component])]
        values, bounds = (each.reshape(-1, self.roles)[members] for each in (self.findings.value, self.findings.bound))
        return bool(bounds.max() > LOOSE * max(1.0, float(np.abs(values).max())))

    def _finish(self, batch: Transitions, ends: NDArray[np.int64], component: int, how: int) -> bool:
        """Solve a component in fractions where nothing else has proved it, or not well; whether it is solved then."""
        members = batch.state[int(begin(ends, component)) : int(ends[component])]
        if how == WEAK and len(members) * self.roles > MOST_NODES:
            return True
        if how in (UNMEASURED, STOPPED):
            self._refusal = self._unproved.lengths_refusal(members[0])
            return False
        objective, found = self._objective, self.findings
        layout = Layout(
            self.roles,
            objective.flips,
            objective.sign,
            bool(np.isfinite(objective.highest - objective.lowest)),
            None if self._policies is None else self._policies.reshape(-1, self.roles),
            found.value.reshape(-1, self.roles),
            found.bound.reshape(-1, self.roles),
        )
        solved = self._unproved.solve(members, layout)
        if isinstance(solved, SolveError):
            self._refusal = solved
            return how == WEAK
        if how == WEAK and solved.bound >= found.bound.reshape(-1, self.roles)[members].max():
            return True
        if len(found.length) and any(found.choice[row[0] * self.roles + row[1]] != row[3] for row in solved.rows):
            self._refusal = self._unproved.lengths_refusal(members[0])
            return how == WEAK
        for state, role, value, choice in solved.rows:
            index = state * self.roles + role
            found.value[index], found.choice[index] = value, choice
            found.bound[index] = above(solved.bound)
        return how == WEAK or not len(found.length)

    def _solve_directly(self, batch: Transitions, ends: NDArray[np.int64], component: int, how: int) -> bool:
        """Solve a component, whose order sweeps have found, by policy iteration. Returns whether that was done.

        Args:
            how: UNMEASURED if its values are known and only lengths are to be found.
        """
        first, end = int(begin(ends, component)), int(ends[component])
        order = self._scratch.order[: end - first]
        index = batch.state[first + order].astype(np.int64)[:, None] * self.roles + np.arange(self.roles)
        index = index.ravel()
        found = self.findings
        if how != UNMEASURED:
            solved = self._solve_rows(batch, first, end, self._policies, VALUE, found.value, found.bound)
            if solved is None:
                return False
            found.value[index], found.bound[index] = solved.value, above(solved.bound)
            found.choice[index] = self._scratch.number[solved.choice]
        longest = np.zeros(len(index))
        for measure, lengths in enumerate(found.length):
            solved = self._solve_rows(batch, first, end, found.choice, ACTIONS + measure, lengths, found.length_bound)
            if solved is None:
                return False
            lengths[index] = solved.value
            longest = np.maximum(longest, solved.bound)
        if len(found.length):
            found.length_bound[index] = above(longest)
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
        """Find a quantity in a component's rows; arguments are as `lay_out` takes them."""
        objective, scratch = self._objective, self._scratch
        exits_bound, _ = engine()[lay_out](
            batch, first, end - first, policies, self.roles, quantity, objective, scratch, exits, exit_bounds
        )
        rows = laid_out(scratch, (end - first) * self.roles)
        flips = quantity == VALUE and objective.flips
        lowest, highest = (objective.lowest, objective.highest) if quantity == VALUE else (-np.inf, np.inf)
        solved = solve_directly(rows, flips, lowest, highest, self._rounding, self._stop, self._progress)
        return solved and solved._replace(bound=solved.bound + float(exits_bound))

    def stop(self) -> None:
        """Have `back_up` end early."""
        self._stop[0] = True

    def failed(self, index: int) -> Exception:
        """Why the component of this state could not be solved."""
        return self._refusal or self._unproved.refusal([index])


def solve_batch(
    batch: Any,
    ends: Any,
    component: Any,
    sweeps: int,
    policies: Any,
    roles: int,
    objective: Any,
    scratch: Any,
    findings: Any,
    stop: Any,
) -> tuple[int, int]:
    """Solve components in the order given, which must have all that they lead to before them.

    Args:
        batch: the `Transitions` of the components, one after the other.
        ends: int64[components] one past the last state of each.
        component: the one to begin with.
        sweeps: of one component, at most; with fewer than `SWEEPS`, slow ones are left to be solved directly.
        policies: int16[all states * roles], actions, FREE, UNIFORM or UNREACHED; None if everyone is free.
        roles: how many; one if everyone is free.
        objective: an `Objective`.
        scratch: a `Scratch` with room for the largest.
        findings: `Findings` of states solved before; filled in.
        stop: bool[1], set from outside to end early.

    Returns:
        (how that went, the first component that was not solved)
    """
    states, _, actions_end, gains, numbers, outcomes_end, targets, probabilities, passes, _ = batch
    values, bounds, choices, lengths, length_bounds = findings
    if policies is None:
        roles = 1  # known when code is compiled
    row: Any = np.int64(begin(ends, component))  # a plain int would have all that it is handed to compiled twice
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
            how = _solve_cyclic(
                batch, row, ends[component], sweeps, policies, roles, objective, scratch, findings, stop
            )
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
    """How many of the next components have one state each, which cannot lead to itself at once.

    What they lead to is called for ahead of time. Arrays are those of `Transitions` and `Findings`; `ends` as
    `solve_batch` takes them, from `component` on, whose first state is at `row`.
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
    """Back up states one by one, each from those after it; arrays are those of `Transitions` and `Findings`."""
    flips = views_of(gains) == 1
    sign = 1.0 if flips else objective.sign
    last_view = views_of(gains) - 1
    if policies is None:
        roles = 1
    for row in range(first_row, end_row):
        state = states[row]
        first = begin(actions_end, row)
        for role in range(roles):
            view = 0 if flips else (roles - role) % roles
            wanted = wanted_of(policies, state * roles + role)
            best = -np.inf
            choice = UNIFORM
            mixed = 0.0
            magnitude = 0.0
            worst_bound = np.float32(0.0)
            outcome = begin(outcomes_end, first)
            for action in range(first, actions_end[row]):
                value = sign * gain_in(gains, action, view)
                terms = gain_in(gains, action, last_view)
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
                mixed += value
                magnitude = max(magnitude, terms)
                if (wanted == FREE and value > best) or wanted == numbers[action]:
                    best, choice = value, numbers[action]
            here = state * roles + role
            if wanted == UNREACHED:
                best, choice = 0.0, UNREACHED
            values[here] = mixed / (actions_end[row] - first) if wanted == UNIFORM else best
            bounds[here] = above(worst_bound + rounding(objective, magnitude))
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
    """How long play goes on from states one by one if all play as chosen: what an action gains here is its length.

    Arrays are those of `Transitions` and `Findings`.
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
            length_bounds[here] = above(worst_bound + objective.slack * (longest + 1.0))


def above(bound: Any) -> Any:
    """The bound, with room for its own rounding and for being kept in single precision."""
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
    findings: Any,
    stop: Any,
) -> int:
    """Solve the component of the batch's states from `first` to `end`; returns how that went."""
    size = end - first
    states, order, feedback = batch.state, scratch.order, scratch.feedback
    count = roles * order_rows(batch, first, size, scratch, findings.value)
    for j in range(count - 1, -1, -1):  # from positions to rows, in place
        feedback[j] = feedback[j // roles] * roles + j % roles
    exits_bound, magnitude = lay_out(
        batch, first, size, policies, roles, VALUE, objective, scratch, findings.value, findings.bound
    )
    rows = _rows(scratch, size * roles)
    how, error, scale = _settle_and_certify(rows, size * roles, count, magnitude, sweeps, objective, scratch, stop)
    bound, value = above(exits_bound + error), scratch.value
    if how == SOLVED and sweeps < SWEEPS and bound > LOOSE * scale and error > CLOSE * scale:
        how = SLOW
    largest = 1.0
    if how == SOLVED:
        for i in range(size):
            for role in range(roles):
                largest = max(largest, abs(value[i * roles + role]))
                index = states[first + order[i]] * roles + role
                findings.value[index] = value[i * roles + role]
                findings.bound[index] = bound
                findings.choice[index] = scratch.number[scratch.choice[i * roles + role]]
        if len(findings.length):
            how = _measure_cyclic(batch, first, size, sweeps, roles, objective, count, scratch, findings, stop)
    return WEAK if how == SOLVED and error > LOOSE * largest else how


def _settle_and_certify(
    rows: Any, size: int, count: int, magnitude: float, sweeps: int, objective: Any, scratch: Any, stop: Any
) -> tuple[int, float, float]:
    """Find the values of so many rows, and prove them.

    Returns (how that went, how far off they can be, the scale of their rounding).

    With one feedback row Newton's method is quicker, and the sweep that confirms its last step is that of the proof.

    Args:
        rows: as `_rows` says; `size` how many.
        count: how many feedback rows there are.
        magnitude: the largest magnitude of a constant's terms.
        sweeps, objective, scratch, stop: as `solve_batch` takes them.
    """
    is_last = sweeps == SWEEPS
    lowest, highest = objective.lowest, objective.highest
    value, feedback = scratch.value, scratch.feedback[:count]
    for i in feedback:
        value[i] = 0.5 if objective.flips else 0.0
    stepped = count == 1 and step_to_fixed_point(rows, value, scratch.mine, feedback[0], lowest, highest, stop)
    while True:
        if not stepped and count and settle(rows, value, feedback, lowest, highest, stop, sweeps):
            return STOPPED, 0.0, 1.0
        if not objective.flips:
            for i in range(size):
                magnitude = max(magnitude, abs(value[i]))
        farthest_off = np.inf if is_last else NEARLY_SETTLED * (1.0 + magnitude)
        residual, longest = certify(
            rows, value, feedback, rounding(objective, 2.0 * magnitude), lowest, highest,
            scratch.mine, scratch.theirs, scratch.choice, stop,
            SETTLED * max(1.0, abs(value[feedback[0]])) if stepped else farthest_off,
        )  # fmt: skip
        if longest != UNSETTLED:
            break
        if not stepped:
            return SLOW, 0.0, 1.0
        stepped = False
    if longest < 0.0:
        return STOPPED if stop[0] else UNPROVED, 0.0, 1.0
    return SOLVED, residual * longest, 1.0 + magnitude


def _rows(scratch: Any, count: int) -> Any:
    """So many rows, as `lay_out` has left them."""
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
    findings: Any,
    stop: Any,
) -> int:
    """How long play goes on from each state if all play as chosen, in each measure; returns as `_solve_cyclic`."""
    states, order, feedback, value = batch.state, scratch.order, scratch.feedback, scratch.value
    lengths, length_bounds = findings.length, findings.length_bound
    worst = 0.0
    for measure in range(len(lengths)):
        exits_bound, highest = lay_out(
            batch, first, size, findings.choice, roles, ACTIONS + measure, objective, scratch, lengths[measure],
            length_bounds,
        )  # fmt: skip
        rows = _rows(scratch, size * roles)
        for i in range(size * roles):
            value[i] = highest
        distance = longest = 0.0
        if highest > 0.0:  # else there is nothing to count, here and later
            if count and settle(rows, value, feedback[:count], 0.0, LONGEST, stop, sweeps):
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
            length_bounds[states[first + order[i]] * roles + role] = above(worst)
    return SOLVED
