"""The games of a batch, and the observations and rewards of the agent, as arrays with a row for each game."""

import reprlib
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I8, I64, Flags
from komi.compiling.planes import Encoding
from komi.errors import InputError
from komi.policies.calls import Players

ALL_SEATS = -1  # the agent takes the actions of all seats
ANY_SEAT = -2  # the seat of the agent is drawn for each game
MAX_EXACT = float(1 << 53)  # whole floating-point numbers below are exact


class Arrangement(NamedTuple):
    """The parameters that all games of a batch share.

    Attributes:
        start: int64[1, fields], the initial state.
        players: the policies of the opponents, starting with the seat after the agent's.
        seat: the seat of the agent, ALL_SEATS or ANY_SEAT.
        sign: -1.0 if the player minimizes the sum of rewards, otherwise 1.0.
        replaces: True if a random legal action replaces one that is not legal.
        columns: int64[fields], the column of each field of a state in the observations.
        encoding: the encoding of observations as planes.
        actions: int64[actions], the action of the rules with each number.
        numbers: int64[actions of the rules], the number of each action; -1 if it has none.
        play_key: the key of the streams of random numbers of chance and the opponents.
        seat_key: the key of the stream of the agent's seats.
        action_key: the key of the streams of actions that replace others.
    """

    start: I64
    players: Players
    seat: int
    sign: float
    replaces: bool
    columns: I64
    encoding: Encoding
    actions: I64
    numbers: I64
    play_key: np.uint64
    seat_key: np.uint64
    action_key: np.uint64


class Episodes(NamedTuple):
    """Games in progress, one per row.

    Attributes:
        states: int64[games, fields], from the perspective of the player to move.
        movers: int64[games], the seat to move.
        learners: int64[games], the seat of the agent; ALL_SEATS if there are no opponents.
        positions: int64[games], the position in the stream of random numbers.
        next_games: int64[games], the number of the game that begins next in this row.
        gains: float64[games, seats], the rewards and payoffs of each seat in the last step; before the first step,
            those of the moves before the agent's first decision, which the first step reports.
        is_new: bool[games], True until the agent has taken a step.
        over: bool[games], True if the game has ended and its last step has been taken.
        failures: int64[games, 3], of a game that fails in its present state: the reason, the action, and the opponent's
            number.
    """

    states: I64
    movers: I64
    learners: I64
    positions: I64
    next_games: I64
    gains: F64
    is_new: Flags
    over: Flags
    failures: I64


class Observations(NamedTuple):
    """The results of a step, one game per row.

    Attributes:
        fields: int64[games, fields], the observation, and then the fields that these rules do not use.
        planes: float32[games, planes], the observation as planes.
        action_masks: int8[games, actions], 1 for the number of each legal action.
        rewards: float64[games, seats], the rewards of all seats in the last step, to be maximized; 0 in a new game.
        actor_rewards: float64[games], the reward of the agent, or of the player who acted if the agent plays all seats.
    """

    fields: I64
    planes: F32
    action_masks: I8
    rewards: F64
    actor_rewards: F64


def whole_numbers(actions: Any, games: int) -> I64:
    """Return actions as int64[games].

    Raises:
        InputError: if they are not whole numbers, one for each game.
    """
    actions = np.asarray(actions)
    are_whole = actions.dtype.kind == "f" and np.all((actions == np.trunc(actions)) & (abs(actions) < MAX_EXACT))
    if actions.dtype.kind not in "biu" and not are_whole:
        raise InputError(f"actions must be whole numbers, int64[{games}], not {reprlib.repr(actions)}.")
    check_shape(actions.shape, games)
    return np.ascontiguousarray(actions, np.int64)


def check_shape(shape: tuple[int, ...], games: int) -> None:
    """Check that there is one action for each game.

    Raises:
        InputError: if there is not.
    """
    if tuple(shape) != (games,):
        raise InputError(f"one action for each of {games:,} games is needed, not {tuple(shape)}.")
