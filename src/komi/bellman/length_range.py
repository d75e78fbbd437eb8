"""The least and the greatest expected length of optimal two-player games, over all choices among tied actions.

Both players take actions that are optimal up to rounding, in every state those that make the game shortest, or longest.
With tied(s) these actions, the lengths solve

    length(s) = min or max over a in tied(s) of  1 + sum p length(s')

component by component, with the bounds that `certificate` proves for single-player values. `ties` detects whether
optimal play from the starts reaches a tie at all; if not, there is nothing to solve.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.bellman.backup import FIRST_SWEEPS, LOOSE, MAX_LENGTH, round_up
from komi.bellman.certificate import certify
from komi.bellman.equations import (
    Workspace,
    probability_deficit,
    probability_rounding,
    rounding_slack,
    to_policy_equations,
)
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import SWEEPS, solve_fixed_point
from komi.bellman.policy_iteration import ProbabilityError, iterate_policies
from komi.bellman.ties import AT_STAKE, has_tie
from komi.graph.components import ALL_SOLVED, solve_components
from komi.graph.perspective import to_mover
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts, Transitions, begin, gain_at
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
from komi.rules.compiled import CompiledGame

MINIMAL, MAXIMAL = range(2)
TIED = 4.0  # the largest difference of tied values, in rounding errors of a backup
UNLIMITED = 0.1 * MAX_LENGTH  # a longer expectation counts as infinite


def length_ranges(
    compiled: CompiledGame,
    rules: Any,
    states: StateSet,
    counts: GraphCounts,
    starts: Sequence[Any],
    values: NDArray[np.float64],
    choices: NDArray[np.int16],
    progress: Progress = silent,
) -> list[tuple[float, float] | None]:
    """Compute the range of the expected length of optimal play from each start, None if it is a single number.

    Args:
        compiled, rules: the game.
        states, counts: all states that are reachable from the starts.
        starts: states.
        values, choices: of optimal play in all states.
        progress: called with the number of solved states.
    """
    margin = 2.0 * TIED * rounding_slack(counts, mixing=False)  # values are summed in another order there
    if not has_tie(compiled, rules, states, starts, values, choices, margin):
        return [None] * len(starts)
    backup = LengthRangeBackup(values, choices, counts)
    solve_components(GameTransitions(compiled, rules), states, counts, starts, backup, progress=progress)
    return [backup.range_from(states.index_of(start)) for start in starts]


class LengthRangeBackup:
    """Computes the range of expected lengths of optimal play: a `graph.components.ComponentSolver`.

    Args:
        values: float64[states], of optimal play, the mover's probability of winning.
        choices: int16[states], the actions that optimal play takes.
        counts: the counts of the reachability analysis.

    Attributes:
        lengths: float64[2, states], the least, negated, and the greatest; `LONGEST` if it is infinite.
        bounds: float32[2, states], their error bounds.
    """

    def __init__(self, values: NDArray[np.float64], choices: NDArray[np.int16], counts: GraphCounts) -> None:
        self._values, self._choices = values, choices
        self._slack = rounding_slack(counts, mixing=False)
        self._rounding = ProbabilityError(probability_rounding(counts, mixing=False), probability_deficit(counts))
        self._stop = np.zeros(1, np.bool_)
        self.lengths = np.empty((2, len(values)))
        self.bounds = np.zeros((2, len(values)), np.float32)

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with these numbers of states, actions and outcomes."""
        self._scratch = Workspace.empty(1, states, actions, outcomes)

    def solve(self, batch: Transitions, ends: NDArray[np.int64]) -> int:
        """Compute the range of lengths of a batch's states."""
        component = self._sweep(batch, ends, 0, FIRST_SWEEPS)
        while component < len(ends):
            if not self._solve_directly(batch, ends, component):
                component = self._sweep(batch, ends[: component + 1], component, SWEEPS) - 1
            if self._stop[0]:
                return int(batch.state[0])
            component = self._sweep(batch, ends, component + 1, FIRST_SWEEPS)
        return ALL_SOLVED

    def _sweep(self, batch: Transitions, ends: NDArray[np.int64], component: int, sweeps: int) -> int:
        """Compute ranges by sweeps, from `component` on; return the first unsolved component."""
        return int(
            engine_kernels()[find_ranges](
                batch,
                ends,
                component,
                sweeps,
                self._values,
                self._choices,
                self._slack,
                self._scratch,
                self.lengths,
                self.bounds,
                self._stop,
            )
        )

    def _solve_directly(self, batch: Transitions, ends: NDArray[np.int64], component: int) -> bool:
        """Compute ranges by policy iteration, in the order that sweeps have found; return whether that succeeded."""
        first = int(begin(ends, component))
        size = int(ends[component]) - first
        index = batch.state[first + self._scratch.order[:size]]
        for which in range(2):
            sign = -1.0 if which == MINIMAL else 1.0
            lengths, bounds = self.lengths[which], self.bounds[which]
            exits_bound, _ = engine_kernels()[_lay_out_tied](
                batch, first, size, sign, self._values, self._choices, self._slack, self._scratch, lengths, bounds
            )
            rows = to_policy_equations(self._scratch, size)
            solved = iterate_policies(rows, False, -np.inf, np.inf, self._rounding, self._stop)
            if solved is None:
                return False
            lengths[index], bounds[index] = solved.value, round_up(solved.bound + exits_bound)
        return True

    def stop(self) -> None:
        """Stop `solve` early."""
        self._stop[0] = True

    def error(self, index: int) -> Exception:
        """Return the error for a component that was stopped, which is the only kind of failure."""
        return RuntimeError(f"stopped at state {index}")

    def range_from(self, index: int) -> tuple[float, float] | None:
        """Return the least and the greatest expected length from a state, possibly infinite; None if they are equal."""
        shortest, longest = float(-self.lengths[MINIMAL, index]), float(self.lengths[MAXIMAL, index])
        if longest - shortest <= max(float(self.bounds[:, index].sum()), 1e-9 * longest):
            return None
        return shortest, longest if longest < UNLIMITED else np.inf


def find_ranges(
    batch: Any,
    ends: Any,
    start: int,
    sweeps: int,
    values: Any,
    choices: Any,
    slack: float,
    scratch: Any,
    lengths: Any,
    bounds: Any,
    stop: Any,
) -> int:
    """Compute lengths of components in the given order; all components that a component leads to must precede it.

    With fewer than `SWEEPS`, components in which lengths converge slowly are left to a direct solver.

    Returns:
        the first unsolved component
    """
    first: Any = np.int64(begin(ends, start))
    for component in range(start, len(ends)):
        size = ends[component] - first
        count = order_equations(batch, first, size, scratch, values)
        if scratch.feedback[0] < 0:  # a single state without a self-loop
            count = 0
        feedback = scratch.feedback[:count]
        for which in range(2):
            sign = -1.0 if which == MINIMAL else 1.0
            exits_bound, magnitude = _lay_out_tied(
                batch, first, size, sign, values, choices, slack, scratch, lengths[which], bounds[which]
            )
            rows = scratch.actions_end[:size], scratch.constant, scratch.outcomes_end, scratch.target, scratch.weight
            value = scratch.value[:size]
            value[:] = sign * magnitude
            lowest, highest = (-MAX_LENGTH, 0.0) if which == MINIMAL else (0.0, MAX_LENGTH)
            if count and solve_fixed_point(rows, value, feedback, lowest, highest, stop, sweeps):
                return component
            lowest, highest = (-np.inf, 0.0) if which == MINIMAL else (0.0, np.inf)
            magnitude = max(magnitude, -value.min(), value.max())
            rounded = slack * (1.0 + 2.0 * magnitude)
            distance, longest = certify(
                rows, value, feedback, rounded, lowest, highest, scratch.mine, scratch.theirs, scratch.choice, stop
            )
            if sweeps < SWEEPS and (longest < 0.0 or distance * longest > LOOSE * (1.0 + magnitude)):
                return component
            if longest < 0.0:
                value[:] = sign * MAX_LENGTH
                distance = 0.0
            for i in range(size):
                index = batch.state[first + scratch.order[i]]
                lengths[which, index] = value[i]
                bounds[which, index] = round_up(exits_bound + distance * longest)
        first = ends[component]
    return len(ends)


def _lay_out_tied(
    batch: Any,
    first: int,
    size: int,
    sign: float,
    values: Any,
    choices: Any,
    slack: float,
    scratch: Any,
    exits: Any,
    exit_bounds: Any,
) -> tuple[float, float]:
    """Copy the tied actions in solving order, with lengths and boundary values folded into constants.

    Returns:
        (the largest error bound at the boundary, the largest length of a constant)
    """
    states, _, actions_end, _, numbers, outcomes_end, targets, probabilities, _, endings = batch
    exits_bound = magnitude = 0.0
    action_height = outcome_height = 0
    for i in range(size):
        row = first + scratch.order[i]
        begin_action = begin(actions_end, row)
        best = -np.inf
        for action in range(begin_action, actions_end[row]):
            best = max(best, _worth(batch, first, action, values))
        at_stake = min(best, 1.0 - best) > AT_STAKE
        for action in range(begin_action, actions_end[row]):
            tied = at_stake and _worth(batch, first, action, values) >= best - TIED * slack
            if not tied and numbers[action] != choices[states[row]]:
                continue
            constant, leaving = sign if numbers[action] >= 0 else 0.0, endings[action]
            for outcome in range(begin(outcomes_end, action), outcomes_end[action]):
                target, probability = targets[outcome], probabilities[outcome]
                if target < 0:
                    scratch.target[outcome_height] = scratch.position[-1 - target]
                    scratch.weight[outcome_height] = probability
                    outcome_height += 1
                else:
                    constant += probability * exits[target]
                    leaving += probability
                    exits_bound = max(exits_bound, exit_bounds[target])
            magnitude = max(magnitude, abs(constant))
            scratch.constant[action_height] = scratch.sure[action_height] = constant
            scratch.leaving[action_height], scratch.terms[action_height] = leaving, abs(constant)
            scratch.outcomes_end[action_height] = outcome_height
            action_height += 1
        scratch.actions_end[i] = action_height
    return exits_bound, magnitude


def _worth(batch: Any, first: int, action: int, values: Any) -> float:
    """Compute the value of an action to the mover."""
    total = gain_at(batch.gain, action, 0)
    for outcome in range(begin(batch.outcomes_end, action), batch.outcomes_end[action]):
        target = batch.target[outcome]
        value = values[target if target >= 0 else batch.state[first - 1 - target]]
        total += batch.probability[outcome] * to_mover(value, batch.passes[outcome])
    return total  # type: ignore[no-any-return]
