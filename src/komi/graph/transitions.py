"""Transitions: the reward, the successors and the probabilities of each action of each state."""

from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I8, I16, I32, I64
from komi.graph.lookup import StateIndex, index_of, locate
from komi.rules.interface import over, payoff
from komi.typing import Rules, State


class GraphCounts(NamedTuple):
    """The counts of a reachability analysis."""

    states: int
    actions: int
    outcomes: int
    max_outcomes: int  # of one action
    max_actions: int  # of one state
    deficit: int = 0  # the largest difference of an action's total probability from 1, in DEFICIT_UNITS


class Transitions(NamedTuple):
    """States with their actions and outcomes, as arrays of ranges (compressed sparse rows).

    In a batch, the states of a component are in the order in which the search visited them, and a target within the
    same component is inner: -1 is the first state of the component, -2 the second, and so on (`inner_index`).

    For example, a player holds, which ends the game with a win, or rolls a coin: heads lead to state 7, where the
    opponent moves, and tails back to this state, with index 8, which is the only one of its component:

        state = [8]         actions_end = [2]
        action = [0, 1]     gain = [1.0, 0.0]     ending = [1.0, 0.0]     outcomes_end = [0, 2]
        target = [7, -1]    probability = [0.5, 0.5]    passes = [1, 0]
    """

    state: I32  # int32[states] index of the state
    postorder: I32  # int32[states] indices in the component, in depth-first postorder
    actions_end: I64  # int64[states] one past its last action
    gain: F64  # float64[actions, columns], or float64[actions] if there is one column, which makes it two seats:
    # expected rewards, and payoffs where the game ends; column 0 is the mover's, column r that of the seat r after it;
    # in single-player games, column 1 is the sum of their absolute values
    action: I16  # int16[actions] the action's number
    outcomes_end: I64  # int64[actions] one past its last outcome
    target: I32  # int32[outcomes] index of the successor; in a batch negative if in the same component
    probability: F64  # float64[outcomes]
    passes: I8  # int8[outcomes] by how many seats the turn passes: 0 if the mover stays, else 1 to the number of seats
    ending: F64  # float64[actions] the probability that the game ends; undefined for the exits of a roll

    @classmethod
    def empty(cls, states: int, actions: int, outcomes: int, gain_columns: int) -> "Transitions":
        """Allocate buffers for a given number of states, actions and outcomes."""
        return cls(
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            np.empty(actions if gain_columns == 1 else (actions, gain_columns), np.float64),
            np.empty(actions, np.int16),
            np.empty(actions, np.int64),
            np.empty(outcomes, np.int32),
            np.empty(outcomes, np.float64),
            np.empty(outcomes, np.int8),
            np.empty(actions, np.float64),
        )


def count_columns(gain: Any) -> Any:
    """Return the number of columns of gains. One is a compile-time constant, so that loops over more are removed."""
    if gain.ndim == 1:
        return 1
    return gain.shape[1]


def gain_at(gain: Any, action: int, column: int) -> Any:
    """Return the gain of an action in a column."""
    if gain.ndim == 1:
        return gain[action]
    return gain[action, column]


def set_gain(gain: Any, action: int, column: int, amount: float) -> None:
    """Set the gain of an action in a column."""
    if gain.ndim == 1:
        gain[action] = amount
    else:
        gain[action, column] = amount


def begin(ends: Any, row: int) -> int:
    """Return the beginning of a range, which is the end of the range before it."""
    return ends[row - 1] if row else 0


def boundary_of(batch: Transitions, first: int, end: int) -> I32:
    """Return the successors of the states in a range of a batch that are in other components, by outcome."""
    first_outcome = int(begin(batch.outcomes_end, begin(batch.actions_end, first)))
    targets = batch.target[first_outcome : int(begin(batch.outcomes_end, begin(batch.actions_end, end)))]
    return targets[targets >= 0]


def inner_index(target: int) -> int:
    """Return the index in its component of a state that is given by an inner target."""
    return -1 - target


def has_self_loop(batch: Transitions, row: int) -> bool:
    """Return whether an inner target follows a state of a batch: a self-loop if the component has no other state."""
    first = begin(batch.outcomes_end, begin(batch.actions_end, row))
    for outcome in range(first, batch.outcomes_end[batch.actions_end[row] - 1]):  # noqa: SIM110  compiled code
        if batch.target[outcome] < 0:
            return True
    return False


def to_mover(value: Any, passes: Any) -> Any:
    """Convert a value of the player who moves after `passes` passes of the turn to one of the player to move."""
    return 1.0 - value if passes & 1 else value


def linear_term(probability: float, passes: int) -> tuple[float, float]:
    """Return an outcome as (constant, weight), which contributes constant + weight * v(s') to the mover's value.

    After an odd number of passes it contributes probability * (1 - v(s')). The sign of the weight then encodes the
    seat, so that a backup is one sum of products.
    """
    if passes & 1:
        return probability, -probability
    return 0.0, probability


def successor_value(rules: Rules, states: StateIndex, values: F64, successor: State, passes: int) -> float:
    """Return the value of a successor state to the acting player; `passes` as yielded by `outcomes`."""
    is_over = over(rules, successor)
    value = payoff(rules, successor) if is_over else values[index_of(states, locate(states, successor))]
    return to_mover(value, passes)  # type: ignore[no-any-return]
