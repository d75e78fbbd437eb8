"""Transitions: what each action of a state gains, and where it leads with which probability."""

from typing import Any, NamedTuple

import numpy as np


class Transitions(NamedTuple):
    """States with their actions and outcomes, in rows that point to ranges of rows.

    In a batch the states of a component lie in the order in which the search has met them, and a target within the
    same component is -1 less its place there: 0 for the first is -1, and so on.
    """

    state: Any  # int32[states] index of the state
    left: Any  # int32[states] places in their component, in the order in which the search has left them
    actions_end: Any  # int64[states] one past its last action
    gain: Any  # float64[actions, views], float64[actions] if there is one view, which makes it two seats: expected
    # rewards, and payoffs where the game ends; view 0 is the mover's, view r that of the seat r after it; of one seat,
    # view 1 is what these sum to without their signs
    action: Any  # int16[actions] the action's number
    outcomes_end: Any  # int64[actions] one past its last outcome
    target: Any  # int32[outcomes] index of the state that follows; in a batch negative if in the same component
    probability: Any  # float64[outcomes]
    passes: Any  # int8[outcomes] how far the turn passes: 0 if the turn goes on, else 1 to the number of seats
    ending: Any  # float64[actions] the probability that the game ends; of the ports of a roll unknown

    @classmethod
    def empty(cls, states: int, actions: int, outcomes: int, views: int) -> "Transitions":
        """Room for so many rows."""
        return cls(
            np.empty(states, np.int32),
            np.empty(states, np.int32),
            np.empty(states, np.int64),
            np.empty(actions if views == 1 else (actions, views), np.float64),
            np.empty(actions, np.int16),
            np.empty(actions, np.int64),
            np.empty(outcomes, np.int32),
            np.empty(outcomes, np.float64),
            np.empty(outcomes, np.int8),
            np.empty(actions, np.float64),
        )


def views_of(gain: Any) -> Any:
    """How many views gains have. One is known when code is compiled, so that what is for more is left out."""
    if gain.ndim == 1:
        return 1
    return gain.shape[1]


def gain_in(gain: Any, action: int, view: int) -> Any:
    """What an action gains in a view."""
    if gain.ndim == 1:
        return gain[action]
    return gain[action, view]


def put_gain(gain: Any, action: int, view: int, amount: float) -> None:
    """Say what an action gains in a view."""
    if gain.ndim == 1:
        gain[action] = amount
    else:
        gain[action, view] = amount


def begin(ends: Any, row: int) -> int:
    """Where the range of a row begins: where that of the row before it ends."""
    return ends[row - 1] if row else 0
