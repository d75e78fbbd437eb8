"""Matches of mixed strategies of two players, and best responses to a mixed strategy.

Simultaneous moves are modeled sequentially: one seat chooses first, hidden from the other, in an *open* state, which
leads to *blind* ones (see `solvers.simultaneous.matrix_game_sweeps`). With both mixed policies fixed, the game is a
Markov chain whose states are pairs of a game state and the seat to move. The outcomes of the two hidden choices are
folded into the open state, so that a seat that plays its best response takes the same action in all states that it
cannot tell apart:

    first to choose:   max over a of  sum over b of y[b] Q(a, b)
    second to choose:  max over b of  sum over a of x[a] Q(a, b)

Values are those of one seat, the *tracked* seat. In role 0 the tracked seat is to move, in role 1 the other seat.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import I8, I32, I64, Flags
from komi.bellman import (
    ACTIONS,
    LOOSE,
    SLOW,
    SOLVED,
    STOPPED,
    SWEEPS,
    TURNS,
    VALUE,
    Component,
    ComponentBackup,
    Equations,
    Objective,
    ProbabilityError,
    RationalSolver,
    Workspace,
    equations_of,
    iterate_policies,
    order_equations,
    round_up,
    rounding_slack,
    solve_lengths,
    solve_values,
    to_policy_equations,
)
from komi.errors import SolveError
from komi.evaluation.losses import count_choices
from komi.evaluation.match import Match, SeatResult
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts, Transitions, begin, gain_at
from komi.jit.kernels import engine_kernels
from komi.policies.policy import Policy
from komi.policies.tabulate import action_probabilities
from komi.progress import Progress, silent
from komi.solvers.simultaneous.matrix_game_sweeps import ALONE, BLIND, OPEN
from komi.solvers.simultaneous.mixed_solver import PROVED
from komi.solvers.solution import TOLERANCE, Solution

QUANTITIES = (VALUE, ACTIONS, TURNS)


@dataclass(frozen=True)
class Response:
    """The winning probabilities of the best response to a policy, moving first and moving second.

    Attributes:
        error_bound: error bound of both probabilities.
    """

    first: float
    second: float
    error_bound: float

    @property
    def average(self) -> float:
        """The probability of winning, averaged over both seats."""
        return (self.first + self.second) / 2


def match_mixed(
    solution: Solution[Any], a: Policy, b: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Match:
    """Compute the exact strength of policy A against policy B, where they mix actions or move simultaneously.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if play between them may never end, or the error bound exceeds both the tolerance and 1e-6.
    """
    chain = _Chain(solution, (a, b), lengths=True, progress=progress)
    chain.check(tolerance)
    [first, second] = chain.at_start()
    return Match(
        SeatResult(first[0], first[1], first[2] + 1.0),
        SeatResult(second[0], second[1], second[2] + 1.0),
        float(chain.findings.bound[0].max()),
        float(chain.findings.bound[1].max()),
    )


def best_response_mixed(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Response:
    """Compute the winning probabilities of the best response to a policy.

    The best response knows the policy, but not the action that the policy has just chosen.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if the error bound exceeds both the tolerance and 1e-6.
    """
    chain = _Chain(solution, (None, policy), lengths=False, progress=progress)
    chain.check(tolerance)
    [first, second] = chain.at_start()
    return Response(first[0], second[0], float(chain.findings.bound[0].max()))


class Findings(NamedTuple):
    """Results for each state in each role, at index state * 2 + role."""

    value: Any  # float64[quantities, .] the tracked seat's winning probability, then the expected actions and turns
    bound: Any  # float32[2, .] error bounds of the winning probability, and of both lengths
    worth: Any  # float64[quantities, states, most actions, 2] action values by role, for blind states of size-1 SCCs


class Play(NamedTuple):
    """The strategies of both seats.

    Attributes:
        kinds: int8[states], OPEN, BLIND or neither.
        answers: int32[states], for open states: the number of actions of the other seat, which does not know the first
            choice.
        mixes: float64[2, states, most actions], the probabilities of the legal actions, for the tracked seat and the
            other.
        free: bool[1], True if the tracked seat plays its best response instead.
        slack: float64[1], bound of the rounding error of one backup.
    """

    kinds: Any
    answers: Any
    mixes: Any
    free: Any
    slack: Any


class _Chain(ComponentBackup):
    """Games of one seat against another.

    The first seat plays its best response if it has no policy.
    """

    def __init__(
        self, solution: Solution[Any], policies: tuple[Policy | None, Policy], lengths: bool, progress: Progress
    ) -> None:
        self._solution = solution
        compiled, rules = solution.compiled, solution.rules
        start = solution.game.part("start")(rules)
        self._states, counts = find_reachable(GameTransitions(compiled, rules), [start], progress=progress)
        self._start = self._states.index_of(start)
        self._quantities = len(QUANTITIES) if lengths else 1
        most, size = counts.max_actions, self._states.size
        mixes = np.zeros((2, size, most))
        for seat, policy in enumerate(policies):
            if policy is not None:
                mixes[seat] = action_probabilities(policy, compiled, rules, self._states, most)
        self._play = Play(
            *_hidden_choices(solution, self._states),
            mixes,
            np.array([policies[0] is None]),
            np.array([_slack(counts)]),
        )
        super().__init__(RationalSolver(compiled, rules, self._states))
        self._rounding = ProbabilityError.of(_folded(counts), mixing=True)
        self._progress = progress
        self.findings = Findings(
            np.zeros((self._quantities, 2 * size)),
            np.zeros((2, 2 * size), np.float32),
            np.zeros((self._quantities, size if solution.kind.simultaneous else 0, most, 2)),
        )
        solve_components(
            GameTransitions(compiled, rules), self._states, counts, [start], self, gain_columns=2, progress=progress
        )

    def at_start(self) -> list[list[float]]:
        """Return the tracked seat's winning probability and the lengths, moving first and moving second."""
        return [[float(each) for each in self.findings.value[:, 2 * self._start + role]] for role in range(2)]

    def check(self, tolerance: float) -> None:
        """Check that the probabilities are proved to the tolerance, or to 1e-6."""
        bound = float(self.findings.bound[0].max())
        if bound > max(tolerance, PROVED):
            raise SolveError(f"the match is proved only to {bound:.1e}, not to {tolerance:.1e}: ask for a larger one.")

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components of at most this many states, actions and outcomes."""
        self._workspace = Workspace.empty(2, states, actions, outcomes)

    def _iterate(self, batch: Transitions, ends: I64, component: int, sweeps: int) -> tuple[int, int]:
        kernel, given = engine_kernels()[follow_play], (self._play, self._workspace, self.findings, self._stop)
        return kernel(batch, ends, component, sweeps, *given)  # type: ignore[no-any-return]

    def _finish(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:
        """Solve a component directly, or by more sweeps. Returns whether it was solved."""
        if status != STOPPED and self._solve_directly(batch, ends, component):
            return True
        return self._iterate(batch, ends[: component + 1], component, SWEEPS)[0] == SOLVED

    def _solve_directly(self, batch: Transitions, ends: I64, component: int) -> bool:
        """Solve a component by policy iteration, in the order found by the sweeps. Returns whether it was solved."""
        first = int(begin(ends, component))
        members = Component(batch, first, int(ends[component]) - first)
        states = batch.state[first + self._workspace.order[: members.size]].astype(np.int64)
        index = (2 * states[:, None] + np.arange(2)).ravel()
        found = self.findings
        for quantity in range(self._quantities):
            write = engine_kernels()[_write_equations]
            exits_bound, _ = write(members, self._play, quantity, self._workspace, found)
            equations = to_policy_equations(self._workspace, 2 * members.size)
            objective = Objective(False, 1.0, 0.0, np.inf if quantity else 1.0)
            solved = iterate_policies(equations, objective, self._rounding, self._stop, self._progress)
            if solved is None:
                return False
            bounds = found.bound[min(quantity, 1)]
            found.value[quantity, index] = solved.value
            bounds[index] = np.maximum(bounds[index], round_up(solved.bound + exits_bound))
        return True

    def error(self, index: int) -> Exception:
        """Return the error that explains why the component of this state could not be solved."""
        game = self._solution.game
        state = game.write(self._solution.rules, game.module.State(*self._states.fields(index)))
        return SolveError(
            f"no proof was found of what these policies come to in {game.name} from {state}: play between them may "
            "never end, or be too long."
        )


def _hidden_choices(solution: Solution[Any], states: StateSet) -> tuple[I8, I32]:
    """Return int8[states] and int32[states], the kinds of states and the numbers of answers; see `Play`."""
    if not solution.kind.simultaneous:
        return np.full(states.size, ALONE, np.int8), np.zeros(states.size, np.int32)
    record = solution.data
    known = record.states.indices_of(states)
    answers = np.zeros(record.states.size, np.int32)
    blind = np.flatnonzero(record.kinds == BLIND)
    answers[record.before[blind]] = count_choices(solution.compiled, solution.rules, record.states)[blind]
    return record.kinds[known], answers[known]


def _slack(counts: GraphCounts) -> float:
    """Return a bound of the rounding error of a backup in which two choices are folded into one."""
    return rounding_slack(_folded(counts), mixing=True)


def _folded(counts: GraphCounts) -> GraphCounts:
    """Return the counts that apply when two choices are folded into one."""
    return counts._replace(max_outcomes=counts.max_outcomes * counts.max_actions)


def follow_play(
    batch: Transitions,
    ends: I64,
    start: int,
    sweeps: int,
    play: Play,
    workspace: Workspace,
    findings: Findings,
    stop: Flags,
) -> tuple[int, int]:
    """Solve components in topological order: successors first.

    Args:
        batch: the transitions of the components, one after the other, with one view per seat.
        ends: int64[components] one past the last state of each.
        start: the index of the first component to solve.
        sweeps: the maximum number of sweeps of one component; below `SWEEPS`, components that converge slowly are left
            to the direct solver.
        play: the strategies of both seats.
        workspace: buffers of two roles with capacity for the largest component.
        findings: of the states solved before; modified in place.
        stop: bool[1], set by another thread to stop early.

    Returns:
        (the status, the first component that was not solved)
    """
    first: Any = np.int64(begin(ends, start))  # with a plain int, every kernel that receives it would be compiled twice
    for number in range(start, len(ends)):
        component = Component(batch, first, ends[number] - first)
        if component.size == 1 and play.kinds[batch.state[first]] == BLIND:
            _note_blind(batch, first, len(findings.value), findings)
        else:
            status = _solve(component, sweeps, play, workspace, findings, stop)
            if status != SOLVED:
                return status, number
        first = ends[number]
    return SOLVED, len(ends)


def _note_blind(batch: Any, row: int, quantities: int, findings: Any) -> None:
    """Store the value of each action of a blind state alone in its component, for the open state before it."""
    state = batch.state[row]
    first = begin(batch.actions_end, row)
    for role in range(2):
        for quantity in range(quantities):
            for action in range(first, batch.actions_end[row]):
                total = _gain(batch, action, role, quantity)
                for outcome in range(begin(batch.outcomes_end, action), batch.outcomes_end[action]):
                    turn = batch.passes[outcome]
                    after = 2 * batch.target[outcome] + ((role + turn) & 1)
                    total += batch.probability[outcome] * (
                        findings.value[quantity, after] + (1.0 if quantity == 2 and turn else 0.0)
                    )
                    for which in range(2):
                        here = 2 * state + role
                        findings.bound[which, here] = max(findings.bound[which, here], findings.bound[which, after])
                findings.worth[quantity, state, action - first, role] = total


def _gain(batch: Any, action: int, role: int, quantity: int) -> float:
    """Return the immediate gain of an action: the tracked seat's payoff, or 1 for the action; see QUANTITIES."""
    if quantity == 0:
        return gain_at(batch.gain, action, role)  # type: ignore[no-any-return]
    return 1.0 if quantity == 1 and batch.action[action] >= 0 else 0.0


def _solve(component: Component, sweeps: int, play: Play, workspace: Workspace, findings: Findings, stop: Flags) -> int:
    """Compute and prove the values of both seats in one component; return the status."""
    batch, first, size = component
    slack = play.slack[0]
    order_equations(component, 2, workspace, findings.value[0])
    for quantity in range(len(findings.value)):
        exits_bound, highest = _write_equations(component, play, quantity, workspace, findings)
        equations = equations_of(workspace, 2 * size)
        count = _find_feedback(equations, workspace.feedback)
        if quantity:
            status, error = solve_lengths(equations, workspace, count, highest, slack, sweeps, stop)
        else:
            chances = Objective(True, 1.0, 0.0, 1.0, slack)
            status, error, _ = solve_values(equations, workspace, count, highest, 0.5, chances, sweeps, stop)
            if status == SOLVED and sweeps < SWEEPS and error > LOOSE:
                status = SLOW
        if status != SOLVED:
            return status
        bound = np.float32(round_up(exits_bound + error))
        which = min(quantity, 1)
        for i in range(2 * size):
            index = 2 * batch.state[first + workspace.order[i >> 1]] + (i & 1)
            findings.value[quantity, index] = workspace.value[i]
            findings.bound[which, index] = max(findings.bound[which, index], bound)
    return SOLVED


def _find_feedback(equations: Equations, feedback: Any) -> int:
    """Find the equations that are read at or before they are written, in ascending order; return their number."""
    actions_end, _, outcomes_end, target, _ = equations
    count = 0
    for i in range(len(actions_end)):
        feedback[i] = 0
    for i in range(len(actions_end)):
        first = begin(actions_end, i)
        for outcome in range(begin(outcomes_end, first), outcomes_end[actions_end[i] - 1]):
            if target[outcome] >= i:
                feedback[target[outcome]] = 1
    for i in range(len(actions_end)):
        if feedback[i]:
            feedback[count] = i
            count += 1
    return count


def _write_equations(
    component: Component, play: Any, quantity: int, scratch: Workspace, findings: Any
) -> tuple[Any, float]:
    """Copy the component's equations in solving order, boundary values folded into constants.

    Returns:
        (the largest error bound on the boundary, the largest constant)
    """
    batch, first, size = component
    exits_bound = np.float32(0.0)
    highest = 0.0
    heights = np.zeros(2, np.int64)  # numbers of actions and of outcomes so far
    for i in range(size):
        row = first + scratch.order[i]
        state = batch.state[row]
        kind = play.kinds[state]
        for role in range(2):
            free = play.free[0] and kind != BLIND and (role == 0 or kind == OPEN)
            options = 1
            if free:
                options = play.answers[state] if role == 1 else batch.actions_end[row] - begin(batch.actions_end, row)
            for option in range(options):
                chosen = option if free else -1
                scratch.constant[heights[0]] = scratch.leaving[heights[0]] = 0.0
                if kind == OPEN:
                    bound = _fold(batch, first, row, role, chosen, play, quantity, scratch, findings, heights)
                elif kind == BLIND:
                    bound = np.float32(0.0)
                    scratch.leaving[heights[0]] = 1.0
                else:
                    bound = _choose(batch, row, role, chosen, play, quantity, scratch, findings, heights)
                exits_bound = max(exits_bound, bound)
                highest = max(highest, scratch.constant[heights[0]])
                scratch.sure[heights[0]] = scratch.terms[heights[0]] = scratch.constant[heights[0]]
                scratch.outcomes_end[heights[0]] = heights[1]
                heights[0] += 1
            scratch.actions_end[2 * i + role] = heights[0]
    return exits_bound, highest


def _choose(
    batch: Any, row: int, role: int, chosen: int, play: Any, quantity: int, scratch: Any, findings: Any, heights: Any
) -> Any:
    """Add a state's actions, mixed, or only the chosen one."""
    bound = np.float32(0.0)
    first = begin(batch.actions_end, row)
    for action in range(first, batch.actions_end[row]):
        share = 1.0 if chosen >= 0 else play.mixes[role, batch.state[row], action - first]
        if share > 0.0 and (chosen < 0 or action - first == chosen):
            bound = max(bound, _add(batch, action, share, role, quantity, scratch, findings, heights))
    return bound


def _fold(
    batch: Any,
    first: int,
    row: int,
    role: int,
    chosen: int,
    play: Any,
    quantity: int,
    scratch: Any,
    findings: Any,
    heights: Any,
) -> Any:
    """Add an open state's pairs of actions: all mixed, or with the tracked seat's action fixed."""
    bound = np.float32(0.0)
    state, begins = batch.state[row], begin(batch.actions_end, row)
    for action in range(begins, batch.actions_end[row]):
        share = play.mixes[role, state, action - begins]
        if role == 0 and chosen >= 0:
            share = 1.0 if action - begins == chosen else 0.0
        if share == 0.0:
            continue
        if quantity:
            scratch.constant[heights[0]] += share  # the open state's action, or its turn
        target = batch.target[begin(batch.outcomes_end, action)]
        blind = batch.state[first - 1 - target] if target < 0 else target
        inside = first - 1 - target if target < 0 else -1
        for answer in range(play.answers[state]):
            second = play.mixes[1 - role, blind, answer]
            if role == 1 and chosen >= 0:
                second = 1.0 if answer == chosen else 0.0
            if second == 0.0:
                continue
            if inside >= 0:
                place = begin(batch.actions_end, inside) + answer
                found = _add(batch, place, share * second, 1 - role, quantity, scratch, findings, heights)
            else:
                worth = findings.worth[quantity, blind, answer, 1 - role]
                scratch.constant[heights[0]] += share * second * worth
                scratch.leaving[heights[0]] += share * second
                found = findings.bound[min(quantity, 1), 2 * blind + 1 - role]
            bound = max(bound, found)
    return bound


def _add(
    batch: Any, action: int, share: float, role: int, quantity: int, scratch: Any, findings: Any, heights: Any
) -> Any:
    """Add an action with its probability to the equation; return the largest error bound on its boundary."""
    bound = np.float32(0.0)
    constant, leaving = share * _gain(batch, action, role, quantity), share * batch.ending[action]
    for outcome in range(begin(batch.outcomes_end, action), batch.outcomes_end[action]):
        target, turn = batch.target[outcome], batch.passes[outcome]
        weight, after = share * batch.probability[outcome], (role + turn) & 1
        if quantity == 2 and turn:
            constant += weight
        if target < 0:
            scratch.target[heights[1]] = 2 * scratch.position[-1 - target] + after
            scratch.weight[heights[1]] = weight
            heights[1] += 1
        else:
            constant += weight * findings.value[quantity, 2 * target + after]
            leaving += weight
            bound = max(bound, findings.bound[min(quantity, 1), 2 * target + after])
    scratch.constant[heights[0]] += constant
    scratch.leaving[heights[0]] += leaving
    return bound
