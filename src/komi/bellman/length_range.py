"""The least and the greatest expected length of optimal two-player games, over all choices among tied actions.

Both players take actions that are optimal up to rounding, in every state those that make the game shortest, or longest.
With tied(s) these actions, the lengths solve

    length(s) = min or max over a in tied(s) of  1 + sum p length(s')

component by component, with the bounds that `certificate` proves for single-player values. `ties` detects whether
optimal play from the starts reaches a tie at all; if not, there is nothing to solve.

Where less than `AT_STAKE` can be won or lost, rounding hides what is optimal, and only decided states have ties: in a
lost state, which no outcome of any action saves, every action; in a won one those that leave nothing to chance.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I8, I16, I64, Flags
from komi.bellman.backup import ComponentBackup, component_at
from komi.bellman.component_solver import LOOSE, MAX_LENGTH, ComponentStatus, solve_values
from komi.bellman.equations import (
    ACTIONS,
    ActionCode,
    Boundary,
    Component,
    Objective,
    Workspace,
    equations_of,
    write_equations,
)
from komi.bellman.feedback_order import order_equations
from komi.bellman.fixed_point import SWEEPS
from komi.bellman.refusals import RationalSolver
from komi.bellman.rounding import ProbabilityError, round_up, rounding_slack
from komi.bellman.ties import AT_STAKE, has_tie
from komi.compiling.compiled import CompiledGame
from komi.graph.components import solve_components
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts, Transitions, begin, gain_at, to_mover
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
from komi.typing import Rules

MINIMAL, MAXIMAL = range(2)
AMONG_TIES = np.full(1, ActionCode.SUBSET, np.int16)
TIED = 4.0  # the largest difference of tied values, in rounding errors of a backup
UNLIMITED = 0.1 * MAX_LENGTH  # a longer expectation counts as infinite


class Certainty(IntEnum):
    """The certainty of the result of a state for the player to move."""

    OPEN = 0
    LOST = 1
    WON = 2


def length_ranges(
    compiled: CompiledGame,
    rules: Rules,
    states: StateSet,
    counts: GraphCounts,
    starts: Sequence[Any],
    values: F64,
    choices: I16,
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
    backup = LengthRangeBackup(RationalSolver(compiled, rules, states), values, choices, counts)
    solve_components(GameTransitions(compiled, rules), states, counts, starts, backup, progress=progress)
    return [backup.range_from(states.index_of(start)) for start in starts]


class LengthRangeBackup(ComponentBackup):
    """Computes the range of expected lengths of optimal play.

    Args:
        fallback: explains failures.
        values: float64[states], of optimal play, the mover's probability of winning.
        choices: int16[states], the actions that optimal play takes.
        counts: the counts of the reachability analysis.

    Attributes:
        lengths: float64[2, states], the least, negated, and the greatest; `MAX_LENGTH` if it is infinite.
        bounds: float32[2, states], their error bounds.
    """

    def __init__(self, fallback: RationalSolver, values: F64, choices: I16, counts: GraphCounts) -> None:
        super().__init__(fallback, ProbabilityError.of(counts, mixing=False))
        decided = np.zeros(len(values), np.int8)
        self._play = DecidedPlay(values, choices, decided, AMONG_TIES, rounding_slack(counts, mixing=False))
        self.lengths = np.empty((2, len(values)))
        self.bounds = np.zeros((2, len(values)), np.float32)

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components with these numbers of states, actions and outcomes."""
        self._workspace = Workspace.empty(1, states, actions, outcomes, shares=actions)

    def _iterate(self, batch: Transitions, ends: I64, component: int, sweeps: int) -> tuple[int, int]:
        return engine_kernels()[solve_length_ranges](  # type: ignore[no-any-return]
            batch, ends, component, sweeps, self._play, self._workspace, (self.lengths, self.bounds), self._stop
        )

    def _solve_directly(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:  # noqa: ARG002
        members = component_at(batch, ends, component)
        for which in (MINIMAL, MAXIMAL):
            objective = Objective(False, 1.0 if which == MAXIMAL else -1.0, -np.inf, np.inf, self._play.slack)
            boundary = Boundary(self.lengths[which], self.bounds[which])
            exits_bound, _ = engine_kernels()[write_equations](
                members, self._play.policy, 1, ACTIONS, objective, self._workspace, boundary
            )
            found = self._solve_equations(members, 1, objective, exits_bound)
            if found is None:
                return False
            index, solved = found
            boundary.value[index], boundary.bound[index] = solved.value, solved.bound
        return True

    def range_from(self, index: int) -> tuple[float, float] | None:
        """Return the least and the greatest expected length from a state, possibly infinite; None if they are equal."""
        shortest, longest = float(-self.lengths[MINIMAL, index]), float(self.lengths[MAXIMAL, index])
        if longest - shortest <= max(float(self.bounds[:, index].sum()), 1e-9 * longest):
            return None
        return shortest, longest if longest < UNLIMITED else np.inf


class DecidedPlay(NamedTuple):
    """Optimal play of a two-player game."""

    values: F64  # [states] the mover's probability of winning
    choices: I16  # [states] the action taken
    decided: I8  # [states] as `Certainty`, filled in component by component
    policy: I16  # AMONG_TIES
    slack: float  # the rounding error bound of one backup of values


def solve_length_ranges(
    batch: Transitions,
    ends: I64,
    start: int,
    sweeps: int,
    play: DecidedPlay,
    workspace: Workspace,
    ranges: tuple[F64, F32],
    stop: Flags,
) -> tuple[int, int]:
    """Compute lengths of components in the given order; all components that a component leads to must precede it.

    With fewer than `SWEEPS`, components in which lengths converge slowly are left to a direct solver.

    Args:
        batch: the transitions of the components, one after the other.
        ends: int64[components], one past the last state of each.
        start: the first component to solve.
        sweeps: the most sweeps per component.
        play: optimal play.
        workspace: buffers that fit the largest component.
        ranges: the lengths and bounds of `LengthRangeBackup`; filled in.
        stop: bool[1], set by another thread to stop early.

    Returns:
        (the status, the first component that is not solved)
    """
    lengths, bounds = ranges
    first: Any = np.int64(begin(ends, start))  # a plain int would compile every callee twice
    for number in range(start, len(ends)):
        component = Component(batch, first, ends[number] - first)
        feedback = order_equations(component, 1, workspace, play.values)
        _decide_states(component, play)
        _mark_ties(component, play, workspace.share)
        for which in range(2):
            sign = -1.0 if which == MINIMAL else 1.0
            lowest, highest = (-np.inf, 0.0) if which == MINIMAL else (0.0, np.inf)
            objective = Objective(False, sign, lowest, highest, play.slack)
            boundary = Boundary(lengths[which], bounds[which])
            exits_bound, magnitude = write_equations(component, play.policy, 1, ACTIONS, objective, workspace, boundary)
            equations, initial = equations_of(workspace, component.size), sign * magnitude
            status, error, scale = solve_values(
                equations, workspace, feedback, magnitude, initial, objective, sweeps, stop
            )
            if status == ComponentStatus.STOPPED:
                return ComponentStatus.STOPPED, number
            if sweeps < SWEEPS and (status != ComponentStatus.SOLVED or error > LOOSE * scale):
                return ComponentStatus.SLOW, number
            for i in range(component.size):
                index = batch.state[first + workspace.order[i]]
                lengths[which, index] = workspace.value[i] if status == ComponentStatus.SOLVED else sign * MAX_LENGTH
                bounds[which, index] = round_up(exits_bound + error)
        first = ends[number]
    return ComponentStatus.SOLVED, len(ends)


def _decide_states(component: Component, play: DecidedPlay) -> None:
    """Decide which states of a component are lost, or won, for sure: of those that seem to be, the consistent ones."""
    batch, first, size = component
    decided = play.decided
    for row in range(first, first + size):
        value = play.values[batch.state[row]]
        known = Certainty.LOST if value == 0.0 else Certainty.WON if value == 1.0 else Certainty.OPEN
        decided[batch.state[row]] = known
    is_changed = True
    while is_changed:
        is_changed = False
        for row in range(first, first + size):
            status = decided[batch.state[row]]
            actions = batch.actions_end[row] - begin(batch.actions_end, row)
            count = 0
            for action in range(begin(batch.actions_end, row), batch.actions_end[row]):
                count += _keeps(batch, first, action, decided, status)
            if status != Certainty.OPEN and count < (actions if status == Certainty.LOST else 1):
                decided[batch.state[row]] = Certainty.OPEN
                is_changed = True


def _keeps(batch: Transitions, first: int, action: int, decided: I8, status: int) -> bool:
    """Return whether all outcomes of an action of a lost, or won, state are lost, or won, for its player."""
    if gain_at(batch.gain, action, 0) != (batch.ending[action] if status == Certainty.WON else 0.0):
        return False
    for outcome in range(begin(batch.outcomes_end, action), batch.outcomes_end[action]):
        target = batch.target[outcome]
        after = decided[target if target >= 0 else batch.state[first - 1 - target]]
        needed = Certainty.LOST + Certainty.WON - status if batch.passes[outcome] & 1 else status
        if after != needed and batch.probability[outcome] > 0.0:
            return False
    return True


def _mark_ties(component: Component, play: DecidedPlay, share: F64) -> None:
    """Write 1 for the actions of the batch that optimal play takes or that are tied with it, else 0."""
    batch, first, size = component
    for row in range(first, first + size):
        begins, end = begin(batch.actions_end, row), batch.actions_end[row]
        best = -np.inf
        for action in range(begins, end):
            share[action] = _action_value(batch, first, action, play.values)
            best = max(best, share[action])
        is_at_stake, status = min(best, 1.0 - best) > AT_STAKE, play.decided[batch.state[row]]
        for action in range(begins, end):
            if is_at_stake:
                is_tied = share[action] >= best - TIED * play.slack
            else:
                is_tied = status != Certainty.OPEN and _keeps(batch, first, action, play.decided, status)
            share[action] = 1.0 if is_tied or batch.action[action] == play.choices[batch.state[row]] else 0.0


def _action_value(batch: Transitions, first: int, action: int, values: F64) -> float:
    """Compute the value of an action to the mover."""
    total = gain_at(batch.gain, action, 0)
    for outcome in range(begin(batch.outcomes_end, action), batch.outcomes_end[action]):
        target = batch.target[outcome]
        value = values[target if target >= 0 else batch.state[first - 1 - target]]
        total += batch.probability[outcome] * to_mover(value, batch.passes[outcome])
    return total  # type: ignore[no-any-return]
