"""Transitions: the reward, the successors and the probabilities of each action of each state."""

from typing import Any, NamedTuple

import numpy as np


class Transitions(NamedTuple):
    """States with their actions and outcomes, as arrays of ranges (compressed sparse rows).

    In a batch, the states of a component are in the order in which the search visited them, and a target within the
    same component is -1 less its index in the component: -1 is the first state, -2 the second, and so on.
    """

    state: Any  # int32[states] index of the state
    left: Any  # int32[states] indices in the component, in the order in which the search has left the states
    actions_end: Any  # int64[states] one past its last action
    gain: Any  # float64[actions, views], float64[actions] if there is one view, which makes it two seats: expected
    # rewards, and payoffs where the game ends; view 0 is the mover's, view r that of the seat r after it; in
    # single-player games, view 1 is the sum of their absolute values
    action: Any  # int16[actions] the action's number
    outcomes_end: Any  # int64[actions] one past its last outcome
    target: Any  # int32[outcomes] index of the successor; in a batch negative if in the same component
    probability: Any  # float64[outcomes]
    passes: Any  # int8[outcomes] by how many seats the turn passes: 0 if the mover stays, else 1 to the number of seats
    ending: Any  # float64[actions] the probability that the game ends; undefined for the ports of a roll

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
    """Return the number of views of gains. A single one is a compile-time constant: loops over more are removed."""
    if gain.ndim == 1:
        return 1
    return gain.shape[1]


def gain_at(gain: Any, action: int, view: int) -> Any:
    """Return the gain of an action in a view."""
    if gain.ndim == 1:
        return gain[action]
    return gain[action, view]


def set_gain(gain: Any, action: int, view: int, amount: float) -> None:
    """Set the gain of an action in a view."""
    if gain.ndim == 1:
        gain[action] = amount
    else:
        gain[action, view] = amount


def begin(ends: Any, row: int) -> int:
    """Return the beginning of a range, which is the end of the range before it."""
    return ends[row - 1] if row else 0
