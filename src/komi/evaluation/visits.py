"""Expected visits to each state, and the distribution of the number of turns, computed forward from the start.

A turn is a sequence of actions by one player. The probability of each state at the beginning of a turn is carried
through the states of the turn until all of it has left the turn or the game has ended. With the states in topological
order, one pass does that. In cycles, some of it arrives again in the states at which cycles close, the *feedback*
states. Let f be what arrives there in one pass, and F[i, j] what arrives in j of one unit put into i. The total that
arrives there is the solution of x = f + F' x: a second pass that begins with x carries everything through. A self-loop
is left by the geometric series.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64, I16
from komi.bellman import UNIFORM
from komi.errors import SolveError
from komi.evaluation.duels import check_followed
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules.interface import legal, outcomes, over
from komi.solvers.solution import Solution

REST = 1e-12  # maximum probability of games that are not followed to their end
MAX_TURNS = 100_000
INSIDE = REST / (2 * MAX_TURNS)  # maximum probability left inside one turn
PASSES = 10_000  # maximum number over the states of a turn
MAX_FEEDBACK = 1_000  # states for which x = f + F' x is solved directly; repeated passes are used above this limit,
MAX_CARRIED = 10**8  # and if the computation of F takes more steps than this
LONGEST = 1e12  # maximum expected visits of one state in a turn
STUCK = 1e-14  # a state with a lower probability of leaving is taken as never left

UNSEEN, ON_PATH, DONE, STAYS = 0, 1, 2, 4  # bit flags of a state, set by `arrange`


@dataclass(frozen=True, eq=False)
class Visits:
    """The expected visits and lengths of games of one policy, moving first, against another.

    Attributes:
        turns: float64[.], the probability of each number of turns of a game; index 0 is 0.
        visits: float64[2, states], the expected visits of each state in a game, with the first player and with the
            second to move.
        rest: the probability of longer games, at most `REST`: the error bound of all probabilities.
    """

    turns: F64
    visits: F64
    rest: float


def count_visits(solution: Solution[Any], first: Policy, second: Policy, progress: Progress = silent) -> Visits:
    """Follow all games of two policies at once, over the states of the solution.

    In a single-player game both are the same policy, which takes the two roles in alternate turns.

    Raises:
        SolveError: if games are too long.
    """
    check_followed(solution)
    tables = np.stack(
        [tabulate(policy, solution.compiled, solution.rules, solution.arrays.states) for policy in (first, second)]
    )
    games = f"games of {first.name} against {second.name}"
    play = _Play(solution, tables, games)
    turns = [0.0]
    cut = 0.0
    while play.later.any() or len(turns) == 1:
        ended, left = play.take_turn((len(turns) - 1) % 2)
        turns.append(ended)
        cut += left
        if cut + play.later.sum() <= REST:
            break
        progress("following games", min(len(turns), MAX_TURNS), 0)
        if len(turns) > MAX_TURNS:
            raise SolveError(f"{games} take more than {MAX_TURNS:,} turns.")
    return Visits(np.array(turns), play.visits, cut + float(play.later.sum()))


class _Play:
    """All games of two policies, followed at once.

    Attributes:
        later: float64[states], the probability of each state at the beginning of the next turn.
        visits: float64[2, states], as in `Visits`.
    """

    def __init__(self, solution: Solution[Any], tables: I16, games: str) -> None:
        states = solution.arrays.states
        self._solution, self._tables, self._games = solution, tables, games
        start = states.handle(solution.game.part("start")(solution.rules))
        self._marks = np.zeros((2, states.size), np.int8)
        *orders, feedback = solution.compiled.kernels[arrange](solution.rules, states, tables, start, self._marks)
        self._orders = [order[::-1].copy() for order in orders]
        self._feedback = [np.unique(feedback[feedback & 1 == mover] >> 1) for mover in range(2)]
        self._now, self.later = np.zeros((2, states.size))
        self.visits = np.zeros((2, states.size))
        self._returns = [self._solve_feedback(mover) for mover in range(2)]
        self.later[states.index_of(solution.game.part("start")(solution.rules))] = 1.0

    def take_turn(self, mover: int) -> tuple[float, float]:
        """Carry all of `later` through one turn; return the probability of games that end, and what is left inside."""
        self._now, self.later = self.later, self._now
        feedback, returns = self._feedback[mover], self._returns[mover]
        ended = self._pass(mover)
        for _ in range(PASSES):
            arrived = self._now[feedback]
            left = float(np.abs(arrived).sum())
            if left <= INSIDE:
                self._now[feedback] = 0.0
                return ended, left
            total = arrived if returns is None else returns @ arrived
            self._now[feedback] = total
            ended += self._pass(mover)
            self._now[feedback] -= total - arrived
        raise SolveError(f"{self._games} have turns that take too long to be followed.")

    def _pass(self, mover: int) -> float:
        solution, states = self._solution, self._solution.arrays.states
        kernel = solution.compiled.kernels[carry]
        ended, stuck = kernel(
            solution.rules, states, self._tables[mover], self._marks[mover],
            self._orders[mover], self._now, self.later, self.visits[mover],
        )  # fmt: skip
        if stuck >= 0:
            state = solution.game.module.State(*states.fields_at(stuck))
            raise SolveError(f"{self._games} go on for ever in {solution.game.write(solution.rules, state)}.")
        return float(ended)

    def _solve_feedback(self, mover: int) -> F64 | None:
        """Return float64[feedback, feedback], the inverse of I - F'; None if there is none, or too much to solve.

        Raises:
            SolveError: if a turn never ends.
        """
        feedback = self._feedback[mover]
        if not 0 < len(feedback) <= MAX_FEEDBACK or len(feedback) * len(self._orders[mover]) > MAX_CARRIED:
            return None
        arriving = np.empty((len(feedback), len(feedback)))
        for i, state in enumerate(feedback):
            self._now[state] = 1.0
            self._pass(mover)
            arriving[:, i] = self._now[feedback]
            self._now[feedback] = 0.0
        self.later[:] = 0.0
        self.visits[:] = 0.0
        try:
            inverse = np.linalg.inv(np.eye(len(feedback)) - arriving)
        except np.linalg.LinAlgError:
            inverse = np.full_like(arriving, np.inf)
        if not np.abs(inverse).max() < LONGEST:
            raise SolveError(f"{self._games} have a turn that goes on for ever.")
        return inverse.astype(np.float64)


def arrange(rules: Any, states: StateIndex, policies: Any, start: int, marks: Any) -> Any:
    """Sort the states of turns, for either player to move, in reverse order of `carry`.

    Depth-first search through each turn, and from the ends of turns to the next ones. In postorder, a state comes
    after all its successors in the turn, except those that close a cycle.

    Args:
        policies: int16[2, states], actions or UNIFORM.
        start: the hash slot of the initial state.
        marks: int8[2, states], UNSEEN; those of reachable states become DONE, or DONE | STAYS.

    Returns:
        (int64[.] hash slots of the states with the first player to move, int64[.] with the second, int64[.] index * 2
        + player of feedback states, some several times)
    """
    orders = (np.empty(64, np.int64), np.empty(64, np.int64))
    first, second = orders
    sizes = np.zeros(2, np.int64)
    feedback, fed = np.empty(64, np.int64), 0
    stack, height = np.empty(64, np.int64), 0
    turns, waiting, begun = np.empty(64, np.int64), 1, 0  # hash slot * 2 + player of states in which a turn begins
    turns[0] = start * 2
    while begun < waiting:
        mover = turns[begun] & 1
        stack[0] = turns[begun] >> 1
        begun += 1
        height = 1
        while height:
            height -= 1
            place = stack[height]
            if place < 0:  # all its successors in this turn are in the order
                place = -1 - place
                marks[mover, index_of(states, place)] ^= ON_PATH | DONE
                if mover == 0:
                    first = with_room(first, sizes[0])
                    first[sizes[0]] = place
                else:
                    second = with_room(second, sizes[1])
                    second[sizes[1]] = place
                sizes[mover] += 1
                continue
            index = index_of(states, place)
            if marks[mover, index] != UNSEEN:
                continue
            marks[mover, index] = ON_PATH
            stack = with_room(stack, height)
            stack[height] = -1 - place
            height += 1
            state = state_at(states, place)
            for action in legal(rules, state):
                if policies[mover, index] != UNIFORM and action != policies[mover, index]:
                    continue
                for probability, after, passes in outcomes(rules, state, action):
                    if probability <= 0.0 or over(rules, after):
                        continue
                    next_place = locate(states, after)
                    next_index = index_of(states, next_place)
                    if passes & 1:
                        if marks[1 - mover, next_index] == UNSEEN:
                            turns = with_room(turns, waiting)
                            turns[waiting] = next_place * 2 + 1 - mover
                            waiting += 1
                    elif next_index == index:
                        marks[mover, index] |= STAYS
                    elif marks[mover, next_index] == UNSEEN:
                        stack = with_room(stack, height)
                        stack[height] = next_place
                        height += 1
                    elif marks[mover, next_index] & ON_PATH:
                        feedback = with_room(feedback, fed)
                        feedback[fed] = next_index * 2 + mover
                        fed += 1
    return first[: sizes[0]], second[: sizes[1]], feedback[:fed]


def with_room(array: Any, height: int) -> Any:
    """Return the array, enlarged if it has no entry of this index."""
    if height < len(array):
        return array
    larger = np.empty(2 * len(array), np.int64)
    larger[: len(array)] = array
    return larger


def carry(
    rules: Any,
    states: StateIndex,
    actions: Any,
    marks: Any,
    order: Any,
    now: Any,
    later: Any,
    visits: Any,
) -> tuple[float, int]:
    """Carry the probability of every state of one player's turns, from the first state in the order to the last.

    Args:
        actions: int16[states], the player's policy.
        marks: int8[states]; STAYS flags states with a self-loop.
        order: int64[.], hash slots of the states.
        now: float64[states], carried on; what arrives in states earlier in the order stays there.
        later: float64[states], accumulates the probability of states that begin the opponent's turn.
        visits: float64[states], accumulates the expected visits of each state.

    Returns:
        (the probability of games that end here, the hash slot of a state that is never left, or -1)
    """
    ended = 0.0
    for place in order:
        index = index_of(states, place)
        mass = now[index]
        if mass == 0.0:
            continue
        now[index] = 0.0
        state = state_at(states, place)
        count = 1
        if actions[index] == UNIFORM:
            count = 0
            for _ in legal(rules, state):
                count += 1
        if marks[index] & STAYS:
            leaves = 1.0 - _staying(rules, states, place, state, actions[index], count)
            if leaves < STUCK:
                return ended, place
            mass /= leaves
        visits[index] += mass
        for action in legal(rules, state):
            if actions[index] != UNIFORM and action != actions[index]:
                continue
            for probability, after, passes in outcomes(rules, state, action):
                share = mass * probability / count
                if over(rules, after):
                    ended += share
                elif passes & 1:
                    later[index_of(states, locate(states, after))] += share
                else:
                    target = index_of(states, locate(states, after))
                    if target != index:
                        now[target] += share
    return ended, -1


def _staying(rules: Any, states: StateIndex, place: int, state: Any, choice: int, count: int) -> float:
    """Compute the probability that a state leads to itself, with the same player to move."""
    stays = 0.0
    for action in legal(rules, state):
        if choice != UNIFORM and action != choice:
            continue
        for probability, after, passes in outcomes(rules, state, action):
            if not passes & 1 and not over(rules, after) and locate(states, after) == place:
                stays += probability / count
    return stays
