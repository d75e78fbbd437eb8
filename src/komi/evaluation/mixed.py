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
from typing import Any

import numpy as np

from komi.arrays import F64, I8, I64
from komi.bellman import (
    ACTIONS,
    TURNS,
    VALUE,
    ComponentBackup,
    Objective,
    ProbabilityError,
    RationalSolver,
    Workspace,
    component_at,
    rounding_slack,
)
from komi.errors import SolveError
from komi.evaluation.losses import count_choices
from komi.evaluation.match_result import Match, SeatResult
from komi.evaluation.mixed_equations import MatchValues, MixedPlay, solve_mixed_play, write_mixed_equations
from komi.evaluation.policy_evaluator import check_tolerance
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts, Transitions
from komi.jit.kernels import engine_kernels
from komi.policies.policy import Policy
from komi.policies.tabulate import action_probabilities
from komi.progress import Progress, silent
from komi.solvers.simultaneous.matrix_game_sweeps import PROVED, ChoiceKind
from komi.solvers.solution import TOLERANCE, Solution

QUANTITIES = (VALUE, ACTIONS, TURNS)


@dataclass(frozen=True)
class BestResponseValues:
    """The winning probabilities, or expected payoffs, of the best response to a policy, moving first and second.

    Attributes:
        error_bound: error bound of both probabilities.
    """

    first: float
    second: float
    error_bound: float

    @property
    def average(self) -> float:
        """The probability of winning, or the expected payoff, averaged over both seats."""
        return (self.first + self.second) / 2


def match_mixed(
    solution: Solution[Any], a: Policy, b: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> Match:
    """Compute the exact strength of policy A against policy B, where they mix actions or move simultaneously.

    Raises:
        GameError: if a policy takes an action that is not legal.
        SolveError: if play between them may never end, or the error bound exceeds both the tolerance and 1e-6.
    """
    match = _MixedMatch(solution, (a, b), lengths=True, progress=progress)
    match.check(tolerance)
    [first, second] = match.start_values()
    payoffs = solution.kind.payoffs
    return Match(
        SeatResult(payoffs.payoff(first[0]), first[1], first[2] + 1.0),
        SeatResult(payoffs.payoff(second[0]), second[1], second[2] + 1.0),
        payoffs.bound(float(match.values.bound[0].max())),
        float(match.values.bound[1].max()),
    )


def best_response_mixed(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> BestResponseValues:
    """Compute the winning probabilities of the best response to a policy.

    The best response knows the policy, but not the action that the policy has just chosen.

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if the error bound exceeds both the tolerance and 1e-6.
    """
    return best_response_values(solution, policy, tolerance, progress)[0]


def best_response_values(
    solution: Solution[Any], policy: Policy, tolerance: float = TOLERANCE, progress: Progress = silent
) -> tuple[BestResponseValues, F64]:
    """Compute the best response to a policy, and its values in all states of the solution.

    Returns:
        (the best response, float64[states, 2], its value mapped to 0 to 1 where it is to move, and where the policy is)

    Raises:
        GameError: if the policy takes an action that is not legal.
        SolveError: if the error bound exceeds both the tolerance and 1e-6.
    """
    match = _MixedMatch(solution, (None, policy), lengths=False, progress=progress)
    match.check(tolerance)
    first, second = (solution.kind.payoffs.payoff(values[0]) for values in match.start_values())
    bound = solution.kind.payoffs.bound(float(match.values.bound[0].max()))
    return BestResponseValues(first, second, bound), match.values_in(solution.all_states)


class _MixedMatch(ComponentBackup):
    """Games of one seat against another.

    The first seat plays its best response if it has no policy.
    """

    def __init__(
        self, solution: Solution[Any], policies: tuple[Policy | None, Policy], lengths: bool, progress: Progress
    ) -> None:
        self._solution = solution
        compiled, rules = solution.compiled, solution.rules
        start = solution.game.part("start")(rules)
        transitions = GameTransitions(compiled, rules)
        self._states, counts = find_reachable(transitions, [start], progress=progress)
        self._start = self._states.index_of(start)
        self._quantities = len(QUANTITIES) if lengths else 1
        max_actions, size = counts.max_actions, self._states.size
        probabilities = np.zeros((2, size, max_actions))
        for seat, policy in enumerate(policies):
            if policy is not None:
                probabilities[seat] = action_probabilities(policy, compiled, rules, self._states, max_actions)
        self._play = MixedPlay(
            *_hidden_choices(solution, self._states),
            probabilities,
            np.array([policies[0] is None]),
            np.array([_slack(counts)]),
        )
        rounding = ProbabilityError.of(_folded(counts), mixing=True)
        super().__init__(RationalSolver(compiled, rules, self._states), rounding, progress)
        self.values = MatchValues(
            np.zeros((self._quantities, 2 * size)),
            np.zeros((2, 2 * size), np.float32),
            np.zeros((self._quantities, size if solution.kind.simultaneous else 0, max_actions, 2)),
        )
        solve_components(transitions, self._states, counts, [start], self, gain_columns=2, progress=progress)

    def start_values(self) -> list[list[float]]:
        """Return the tracked seat's winning probability and the lengths, moving first and moving second."""
        return [[float(value) for value in self.values.value[:, 2 * self._start + role]] for role in range(2)]

    def values_in(self, states: StateSet) -> F64:
        """Return float64[states, 2], the tracked seat's winning probability in each role; NaN in other states."""
        indices = self._states.indices_of(states)
        values: F64 = self.values.value[0].reshape(-1, 2)[indices]
        values[indices < 0] = np.nan
        return values

    def check(self, tolerance: float) -> None:
        """Check that the probabilities are proved to the tolerance, or to 1e-6."""
        check_tolerance(float(self.values.bound[0].max()), max(tolerance, PROVED))

    def allocate(self, states: int, actions: int, outcomes: int) -> None:
        """Allocate buffers for components of at most this many states, actions and outcomes."""
        self._workspace = Workspace.empty(2, states, actions, outcomes)

    def _iterate(self, batch: Transitions, ends: I64, component: int, sweeps: int) -> tuple[int, int]:
        kernel = engine_kernels()[solve_mixed_play]
        return kernel(batch, ends, component, sweeps, self._play, self._workspace, self.values, self._stop)  # type: ignore[no-any-return]

    def _solve_directly(self, batch: Transitions, ends: I64, component: int, status: int) -> bool:  # noqa: ARG002
        members, values = component_at(batch, ends, component), self.values
        for quantity in range(self._quantities):
            write = engine_kernels()[write_mixed_equations]
            exits_bound, _ = write(members, self._play, quantity, self._workspace, values)
            objective = Objective(False, 1.0, 0.0, np.inf if quantity else 1.0)
            found = self._solve_equations(members, 2, objective, exits_bound)
            if found is None:
                return False
            index, solved = found
            bounds = values.bound[min(quantity, 1)]
            values.value[quantity, index] = solved.value
            bounds[index] = np.maximum(bounds[index], solved.bound)
        return True

    def error(self, index: int) -> Exception:
        """Return the error that explains why the component of this state could not be solved."""
        game = self._solution.game
        state = game.write(self._solution.rules, game.module.State(*self._states.fields(index)))
        return SolveError(
            f"no proof was found for the values of these policies in {game.name} from {state}: play between them may "
            "never end, or be too long."
        )


def _hidden_choices(solution: Solution[Any], states: StateSet) -> tuple[I8, I64]:
    """Return int8[states] and int64[states], the kinds of states and the numbers of second choices; see `MixedPlay`."""
    if not solution.kind.simultaneous:
        return np.full(states.size, ChoiceKind.ALONE, np.int8), np.zeros(states.size, np.int64)
    data = solution.data
    indices = data.states.indices_of(states)
    second_choices = np.zeros(data.states.size, np.int64)
    blind = np.flatnonzero(data.kinds == ChoiceKind.BLIND)
    second_choices[data.before[blind]] = count_choices(solution.compiled, solution.rules, data.states)[blind]
    return data.kinds[indices], second_choices[indices]


def _slack(counts: GraphCounts) -> float:
    """Return a bound of the rounding error of a backup in which two choices are folded into one."""
    return rounding_slack(_folded(counts), mixing=True)


def _folded(counts: GraphCounts) -> GraphCounts:
    """Return the counts that apply when two choices are folded into one."""
    return counts._replace(max_outcomes=counts.max_outcomes * counts.max_actions)
