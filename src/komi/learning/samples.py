"""Methods that learn from samples alone: games of a policy against itself, in compiled code.

Each game is played with an epsilon-greedy policy; both seats use one table. After the game, the values of the states
or actions that occurred are updated in reverse order (Lin 1992, backward replay), each by

    v += alpha (G - v),        alpha = step size / n^decay  in the n-th update of this value,

where G is the lambda-return: the reward, plus (1 - lambda) times the estimate for the next state plus lambda times G of
the next step (Sutton and Barto, Reinforcement Learning, section 12.1). With lambda = 1 it is the outcome of the game
(Monte Carlo), with lambda = 0 the target of one-step methods, which differ in their estimate for the next state: the
value of the action taken there (Sarsa), the mean over the policy (expected Sarsa), or that of the best action
(Q-learning). Chance nodes are part of the environment for action values, and states like any other for state values.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I64, Flags
from komi.compiling.steps import advance
from komi.graph.lookup import index_of, locate, state_at
from komi.graph.transitions import begin, to_mover
from komi.jit.specialization import always_inline
from komi.learning.tables import LearningGame, ValueTable, action_value, is_chance, update_value, value_of
from komi.rules.interface import over, payoff
from komi.streams import draw
from komi.typing import Rules, State

SARSA, EXPECTED, MAXIMUM, DOUBLE, STATES = range(5)
"""The estimate for the next state: of the action taken, over the policy, of the best action, of double Q-learning, or
that in a table of state values."""
MAX_STEPS = 1 << 14  # of a game: longer ones are broken off, and what follows is estimated
DRAWN = 64  # random numbers drawn at once


class Trajectory(NamedTuple):
    """The steps of one game.

    Attributes:
        state: int64[steps + 1], the index of the state.
        entry: int64[steps + 1], the entry of the table: the state's, or that of the action taken.
        gain: float64[steps], the rewards until the next step.
        passes: int64[steps], the seats by which the turn passes until then.
        is_new: bool[steps], whether the entry occurred for the first time in this game.
        explores: bool[steps], whether the action was taken at random.
    """

    state: I64
    entry: I64
    gain: F64
    passes: I64
    is_new: Flags
    explores: Flags

    @classmethod
    def empty(cls) -> Self:
        """Allocate a trajectory."""
        return cls(
            np.empty(MAX_STEPS + 1, np.int64),
            np.empty(MAX_STEPS + 1, np.int64),
            np.empty(MAX_STEPS + 1),
            np.empty(MAX_STEPS + 1, np.int64),
            np.empty(MAX_STEPS + 1, np.bool_),
            np.empty(MAX_STEPS + 1, np.bool_),
        )


class RandomNumbers(NamedTuple):
    """A stream of random numbers, drawn in advance.

    Attributes:
        key: uint64[1], the key of the stream.
        cursor: int64[2], the index of the next number in `numbers`, and the position of the next draw.
        numbers: float64[.], uniform in [0, 1).
    """

    key: Any
    cursor: I64
    numbers: F64

    @classmethod
    def of(cls, key: np.uint64) -> Self:
        """Create the stream of a key."""
        return cls(np.array([key], np.uint64), np.array([DRAWN, 0], np.int64), np.empty(DRAWN))


class SampleMethod(NamedTuple):
    """The estimation of values from samples.

    Attributes:
        estimate: SARSA, EXPECTED, MAXIMUM, DOUBLE or STATES.
        trace_decay: lambda.
        first_visits: whether only the first occurrence of an entry in a game counts.
        exploring_starts: whether games begin in any state, all equally likely, rather than in the initial one.
    """

    estimate: int
    trace_decay: float
    first_visits: bool
    exploring_starts: bool


class Learner(NamedTuple):
    """The data of one learner."""

    game: LearningGame
    table: ValueTable
    method: SampleMethod
    trajectory: Trajectory
    random: RandomNumbers


class GameEnd(NamedTuple):
    """The end of a game.

    Attributes:
        length: the number of its steps.
        is_over: False if it was broken off: then the state after the last step provides an estimate.
        payoff: the payoff of the player to move.
        exploration: the probability of a random action in the game.
    """

    length: int
    is_over: bool
    payoff: float
    exploration: float


@always_inline
def uniform(random: RandomNumbers) -> Any:
    """Return the next random number."""
    at = random.cursor[0]
    if at == DRAWN:
        draw(random.key[0], random.cursor[1], random.numbers)
        random.cursor[1] += DRAWN
        at = 0
    random.cursor[0] = at + 1
    return random.numbers[at]


def learn_games(rules: Rules, learner: Learner, first: int, exploration: F64) -> int:
    """Play games of the table against itself, and learn from each.

    Args:
        rules: the rules.
        learner: its table is modified in place.
        first: the number of the first game.
        exploration: float64[games], the probability of a random action in each game.

    Returns:
        the number of steps.
    """
    steps = 0
    for number in range(len(exploration)):
        end = _play(rules, learner, first + number, exploration[number])
        _update(learner, end)
        steps += end.length
    return steps


def _play(rules: Rules, learner: Learner, number: int, exploration: float) -> GameEnd:
    """Play one game, and record its steps."""
    game, table, method, trajectory, random = learner
    states, choices = game.states, game.choices
    seats = 2 if game.is_zero_sum else 1
    state = state_at(states, game.start)
    if method.exploring_starts:
        state = state_at(states, choices.handles[int(uniform(random) * len(choices.ends))])
    length = 0
    for _ in range(2 * MAX_STEPS):
        index = index_of(states, locate(states, state))
        entry = np.int64(begin(choices.ends, index))
        is_decision = not is_chance(choices, index)
        if is_decision or method.estimate == STATES:
            explores = False
            if is_decision:
                drawn = uniform(random)
                explores = drawn < exploration
                if explores:
                    entry += np.int64(drawn / exploration * (choices.ends[index] - entry))
                else:
                    entry = _greedy_entry(rules, learner, state, index)
            learned = np.int64(index) if method.estimate == STATES else entry
            trajectory.state[length], trajectory.entry[length] = index, learned
            trajectory.gain[length], trajectory.passes[length] = 0.0, 0
            trajectory.explores[length] = explores
            trajectory.is_new[length] = table.last_game[learned] != number
            table.last_game[learned] = number
            if length == MAX_STEPS:
                break
            length += 1
        action = np.int64(choices.actions[entry])  # rules may keep it in a state
        step = advance(rules, state, 0, seats, action, uniform(random))  # type: ignore[arg-type]
        if length:
            trajectory.gain[length - 1] += game.sign * step.gain
            trajectory.passes[length - 1] += step.passes
        state = step.after
        if over(rules, state):
            return GameEnd(length, True, game.sign * payoff(rules, state), exploration)
    return GameEnd(min(length, MAX_STEPS), False, 0.0, exploration)


def _greedy_entry(rules: Rules, learner: Learner, state: State, index: int) -> Any:
    """Return the entry of the best action, the first of a tie; with state values, looking one step ahead."""
    game, table = learner.game, learner.table
    first = np.int64(begin(game.choices.ends, index))
    best, best_value = first, -np.inf
    for entry in range(first, game.choices.ends[index]):
        if learner.method.estimate == STATES:
            value = action_value(rules, game, state, game.choices.actions[entry], table)
        else:
            value = value_of(table, 0, entry)
            if learner.method.estimate == DOUBLE:
                value += value_of(table, 1, entry)
        if value > best_value:
            best, best_value = np.int64(entry), value
    return best


def _update(learner: Learner, end: GameEnd) -> None:
    """Update the values of the entries of a game, the last one first."""
    game, table, method, trajectory, random = learner
    result = end.payoff
    for at in range(end.length - 1, -1, -1):
        target, entry, which = result, trajectory.entry[at], 0
        if method.estimate == DOUBLE:
            which = int(uniform(random) < 0.5)
        if at < end.length - 1 or not end.is_over:
            target = _estimate(learner, at + 1, which, end.exploration)
            if at < end.length - 1 and not (method.estimate == STATES and trajectory.explores[at + 1]):
                target += method.trace_decay * (result - target)
        if game.is_zero_sum:
            target = to_mover(target, trajectory.passes[at])
        result = target + trajectory.gain[at]
        if method.estimate == STATES and trajectory.explores[at]:
            continue  # it shows the value of the random action, not of the state
        if trajectory.is_new[at] or not method.first_visits:
            update_value(table, which, entry, result)


def _estimate(learner: Learner, at: int, which: int, exploration: float) -> Any:
    """Return the estimated value of the state of a step to its mover.

    Args:
        learner: the learner.
        at: the step.
        which: the table that is updated.
        exploration: the probability of a random action.
    """
    game, table, method, trajectory = learner.game, learner.table, learner.method, learner.trajectory
    index, entry = trajectory.state[at], trajectory.entry[at]
    if method.estimate in (SARSA, STATES):
        return value_of(table, 0, entry)
    first, end = begin(game.choices.ends, index), game.choices.ends[index]
    best, best_value, total = first, -np.inf, 0.0
    for each in range(first, end):
        value = value_of(table, which, each)
        total += value
        if value > best_value:
            best, best_value = each, value
    if method.estimate == DOUBLE:
        return value_of(table, 1 - which, best)
    if method.estimate == MAXIMUM:
        return best_value
    return best_value + exploration * (total / (end - first) - best_value)
