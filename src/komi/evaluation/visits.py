"""Expected visits to each state, and the distribution of the number of turns, computed forward from the start.

A turn is a sequence of actions by one player. The probability of each state at the beginning of a turn is propagated
through the states of the turn until all of it has left the turn or the game has ended. With the states in topological
order, one pass does that. In cycles, some of it arrives again in the states at which cycles close, the *feedback*
states. Let f be what arrives there in one pass, and F[i, j] what arrives in j of one unit put into i. The total that
arrives there is the solution of x = f + F' x: a second pass that begins with x propagates everything. A self-loop is
left by the geometric series.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I16, I32, I64, Flags
from komi.errors import SolveError
from komi.evaluation.play_search import order_turns, policy_outcomes
from komi.evaluation.requirements import check_perfect_information
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.transitions import to_mover
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules.interface import over, payoff
from komi.solvers.solution import Solution
from komi.typing import Rules

MAX_REMAINDER = 1e-12  # of the probability of games: longer ones are not followed to their end
MAX_TURNS = 100_000  # of a game: one that is still undecided then does not end
MAX_TURN_REMAINDER = MAX_REMAINDER / (2 * MAX_TURNS)  # of the probability inside one turn
MAX_PASSES = 10_000  # over the states of a turn
MAX_FEEDBACK = 1_000  # states for which x = f + F' x is solved directly; above this limit passes are repeated,
MAX_STEPS = 10**8  # and if the computation of F takes more steps than this
MAX_VISITS = 1e12  # of one state in a turn
MIN_LEAVING = 1e-14  # a state with a lower probability of leaving is treated as never left


@dataclass(frozen=True, eq=False)
class VisitCounts:
    """The expected visits and lengths of games of one policy, moving first, against another.

    Attributes:
        turns: float64[.], the probability of each number of turns of a game; index 0 is 0.
        visits: float64[2, states], the expected visits of each state in a game, with the first player and with the
            second to move.
        results: float64[3], the probability that the first player wins, draws and loses: that its payoff, mapped to
            0 to 1, is more than one half, one half, and less.
        remainder: the probability of longer games, at most `MAX_REMAINDER`: the error bound of all probabilities.
    """

    turns: F64
    visits: F64
    results: F64
    remainder: float


def count_visits(solution: Solution[Any], first: Policy, second: Policy, progress: Progress = silent) -> VisitCounts:
    """Follow all games of two policies at once, over the states of the solution.

    In a single-player game both are the same policy, which takes the two roles in alternate turns.

    Raises:
        SolveError: if games are too long.
    """
    check_perfect_information(solution.kind, "the distribution of turns is computed")
    states = solution.optimal_play.states
    tables = np.stack([tabulate(policy, solution.compiled, solution.rules, states) for policy in (first, second)])
    games = f"games of {first.name} against {second.name}"
    flow = _ProbabilityFlow(solution, tables, games)
    turns = [0.0]
    remainder = 0.0
    while flow.next_turn.any() or len(turns) == 1:
        ended, inside = flow.propagate_turn((len(turns) - 1) % 2)
        turns.append(ended)
        remainder += inside
        if remainder + flow.next_turn.sum() <= MAX_REMAINDER:
            break
        progress("following games", min(len(turns), MAX_TURNS), 0)
        if len(turns) > MAX_TURNS:
            raise SolveError(f"{games} take more than {MAX_TURNS:,} turns.")
    results = flow.results[0] + flow.results[1, ::-1]
    return VisitCounts(np.array(turns), flow.visits, results, remainder + float(flow.next_turn.sum()))


class _Turn(NamedTuple):
    """One player's turns.

    Attributes:
        order: int64[.], the handles of the states, in topological order except for cycles.
        actions: int16[states], the player's policy.
        loops: bool[.], True for states with a self-loop.
    """

    order: I64
    actions: I16
    loops: Flags


class _ProbabilityFlow:
    """The probability of all games of two policies, propagated turn by turn.

    Attributes:
        next_turn: float64[states], the probability of each state at the beginning of the next turn.
        visits: float64[2, states], as in `VisitCounts`.
        results: float64[2, 3], the probability that the game ends in a turn of each player, and this one wins, draws
            and loses.
    """

    def __init__(self, solution: Solution[Any], tables: I16, games: str) -> None:
        states = solution.optimal_play.states
        self._solution, self._games = solution, games
        order = order_turns(solution.compiled, solution.rules, states, tables)
        own = [order.roles == mover for mover in range(2)]
        self._turns = [
            _Turn(order.handles[is_own], actions, order.loops[is_own])
            for is_own, actions in zip(own, tables, strict=True)
        ]
        self._feedback: list[I32] = [order.indices[order.feedback & is_own] for is_own in own]
        self._in_turn, self.next_turn = np.zeros((2, states.size))
        self.visits = np.zeros((2, states.size))
        self.results = np.zeros((2, 3))
        self._inverses = [self._invert_feedback(mover) for mover in range(2)]
        self.next_turn[states.index_of(solution.game.part("start")(solution.rules))] = 1.0

    def propagate_turn(self, mover: int) -> tuple[float, float]:
        """Propagate all of `next_turn` through one turn.

        Returns:
            (the probability of games that end, the probability left inside the turn)
        """
        self._in_turn, self.next_turn = self.next_turn, self._in_turn
        feedback, inverse = self._feedback[mover], self._inverses[mover]
        ended = self._propagate(mover)
        for _ in range(MAX_PASSES):
            arrived = self._in_turn[feedback]
            inside = float(np.abs(arrived).sum())
            if inside <= MAX_TURN_REMAINDER:
                self._in_turn[feedback] = 0.0
                return ended, inside
            total = arrived if inverse is None else inverse @ arrived
            self._in_turn[feedback] = total
            ended += self._propagate(mover)
            self._in_turn[feedback] -= total - arrived
        raise SolveError(f"{self._games} have turns that are too long to follow.")

    def _propagate(self, mover: int) -> float:
        solution, states = self._solution, self._solution.optimal_play.states
        ended, trap = GraphKernels(solution.compiled)[propagate](
            solution.rules,
            states,
            self._turns[mover],
            self._in_turn,
            self.next_turn,
            self.visits[mover],
            self.results[mover],
        )
        if trap >= 0:
            state = solution.game.module.State(*states.fields_at(trap))
            raise SolveError(f"{self._games} never end from {solution.game.write(solution.rules, state)}.")
        return float(ended)

    def _invert_feedback(self, mover: int) -> F64 | None:
        """Return float64[feedback, feedback], the inverse of I - F'; None if it does not exist or is too large.

        Raises:
            SolveError: if a turn never ends.
        """
        feedback = self._feedback[mover]
        size = len(feedback)
        if not 0 < size <= MAX_FEEDBACK or size * len(self._turns[mover].order) > MAX_STEPS:
            return None
        arriving = np.empty((size, size))
        for i, state in enumerate(feedback):
            self._in_turn[state] = 1.0
            self._propagate(mover)
            arriving[:, i] = self._in_turn[feedback]
            self._in_turn[feedback] = 0.0
        self.next_turn[:] = 0.0
        self.visits[:] = 0.0
        self.results[:] = 0.0
        try:
            inverse = np.linalg.inv(np.eye(size) - arriving)
        except np.linalg.LinAlgError:
            inverse = np.full_like(arriving, np.inf)
        if not np.abs(inverse).max() < MAX_VISITS:
            raise SolveError(f"{self._games} have a turn that never ends.")
        return inverse.astype(np.float64)


def propagate(
    rules: Rules, states: StateIndex, turn: _Turn, in_turn: F64, next_turn: F64, visits: F64, results: F64
) -> tuple[float, int]:
    """Propagate the probability of every state of one player's turns, from the first state in the order to the last.

    Args:
        rules: the rules.
        states: the set of states.
        turn: the turns of the player.
        in_turn: float64[states], propagated; what arrives in states earlier in the order stays there.
        next_turn: float64[states], accumulates the probability of states that begin the opponent's turn.
        visits: float64[states], accumulates the expected visits of each state.
        results: float64[3], accumulates the probability that the player wins, draws and loses.

    Returns:
        (the probability of games that end, the handle of a state that is never left, or -1)
    """
    ended = 0.0
    for row, handle in enumerate(turn.order):
        index = index_of(states, handle)
        mass = in_turn[index]
        if mass == 0.0:
            continue
        in_turn[index] = 0.0
        state = state_at(states, handle)
        choice = turn.actions[index]
        if turn.loops[row]:
            staying = 0.0
            for _, probability, after, passes in policy_outcomes(rules, state, choice):
                if not passes & 1 and not over(rules, after) and locate(states, after) == handle:
                    staying += probability
            if 1.0 - staying < MIN_LEAVING:
                return ended, handle
            mass /= 1.0 - staying
        visits[index] += mass
        for _, probability, after, passes in policy_outcomes(rules, state, choice):
            if over(rules, after):
                ended += mass * probability
                share = to_mover(payoff(rules, after), passes)
                results[1 - (share > 0.5) + (share < 0.5)] += mass * probability
            elif passes & 1:
                next_turn[index_of(states, locate(states, after))] += mass * probability
            else:
                target = index_of(states, locate(states, after))
                if target != index:
                    in_turn[target] += mass * probability
    return ended, -1
