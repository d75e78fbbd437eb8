"""Steps of environments, compiled for the game and for the policies of the opponents.

A step takes the action of the agent, and then plays until that player is to move again or the game is over:
chance moves are sampled, and opponents take the actions of their policies. Each game draws its random numbers from
its own stream.

A game can end before the agent's first decision. Its only step is then the action NO_OP, so that every episode has a
step that reports its rewards. The first step also reports the rewards of the moves before it.
"""

from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I8, I64, Flags
from komi.compiling.steps import advance, is_legal, pay
from komi.game import CHANCE
from komi.jit.specialization import always_inline
from komi.policies.calls import Players
from komi.rules.interface import (
    call_policy,
    legal,
    over,
    pick,
    record_witness,
    state_from,
    turned,
    view,
)
from komi.simulation.playout import MAX_ACTIONS, PlayoutStatus
from komi.streams import draw
from komi.typing import Rules, State

ALL_SEATS = -1  # the agent takes the actions of all seats
NO_OP = 0  # the only action of a game that is over before the agent's first decision


class Episodes(NamedTuple):
    """Games in progress, one per row.

    Attributes:
        states: int64[games, fields], as the player to move sees them.
        movers: int64[games], the seat to move.
        learners: int64[games], the seat of the agent; ALL_SEATS if there are no opponents.
        positions: int64[games], the position in the stream of random numbers.
        rewards: float64[games, seats], the rewards and payoffs of each seat in the last step; before the first step,
            those of the moves before the agent's first decision, which the first step reports.
        is_new: bool[games], whether the agent has taken no step.
        over: bool[games], whether the game has ended and its last step has been taken.
    """

    states: I64
    movers: I64
    learners: I64
    positions: I64
    rewards: F64
    is_new: Flags
    over: Flags


class Observations(NamedTuple):
    """The observations of the agent, one game per row.

    Attributes:
        fields: int64[games, fields], the observation.
        action_masks: int8[games, actions], 1 for each legal action.
    """

    fields: I64
    action_masks: I8


def reset(
    rules: Rules,
    players: Players,
    key: np.uint64,
    chosen: Flags,
    episodes: Episodes,
    observations: Observations,
    witness: I64,
) -> int:
    """Begin new games.

    Args:
        rules: the rules, with words encoded as numbers.
        players: the policies of the opponents, starting with the seat after the learner's.
        key: the key of the streams of random numbers.
        chosen: bool[games], the rows in which a new game begins.
        episodes: modified in place; their states, learners and positions are already those of the new games.
        observations: modified in place.
        witness: int64[fields + 2], receives the state, the action and the opponent's number if a game fails.

    Returns:
        DONE, or the reason for the failure.
    """
    for row in range(len(chosen)):
        if chosen[row]:
            episodes.movers[row] = 0
            episodes.is_new[row] = True
            episodes.over[row] = False
            episodes.rewards[row] = 0.0
            status = _play_on(rules, players, key, row, episodes, witness)
            if status != PlayoutStatus.DONE:
                return status
            status = _observe(rules, row, episodes, observations, witness)
            if status != PlayoutStatus.DONE:
                return status
            if episodes.over[row]:
                episodes.over[row] = False
                observations.action_masks[row, NO_OP] = 1
    return PlayoutStatus.DONE


def step(
    rules: Rules,
    players: Players,
    key: np.uint64,
    actions: I64,
    episodes: Episodes,
    observations: Observations,
    witness: I64,
) -> int:
    """Take an action in each game that is not over; no game changes if one of the actions is illegal.

    Args:
        rules: the rules, with words encoded as numbers.
        players: the policies of the opponents, starting with the seat after the learner's.
        key: the key of the streams of random numbers.
        actions: int64[games].
        episodes: modified in place.
        observations: modified in place.
        witness: int64[fields + 2], receives the state, the action and the opponent's number if a game fails.

    Returns:
        DONE, or the reason for the failure.
    """
    seats = episodes.rewards.shape[1]
    masks = observations.action_masks
    for row in range(len(actions)):
        if not episodes.over[row]:
            action = actions[row]
            if action < 0 or action >= masks.shape[1] or masks[row, action] == 0:
                return _failed(PlayoutStatus.REFUSED, state_from(episodes.states, row), action, 0, witness)
    number = np.empty(1)
    for row in range(len(actions)):
        if episodes.over[row]:
            continue
        state, seat = state_from(episodes.states, row), episodes.movers[row]
        if not episodes.is_new[row]:
            episodes.rewards[row] = 0.0
        elif over(rules, state):
            episodes.is_new[row] = False
            episodes.over[row] = True
            masks[row] = 0
            continue
        episodes.is_new[row] = False
        draw(key, episodes.positions[row], number)
        episodes.positions[row] += 1
        after = advance(rules, state, seat, seats, actions[row], number[0])
        if after.passes < 0:
            return _failed(PlayoutStatus.BROKEN, state, actions[row], 0, witness)
        episodes.rewards[row, seat] += after.gain
        episodes.movers[row] = after.seat
        _write(episodes.states, row, after.after)
        status = _play_on(rules, players, key, row, episodes, witness)
        if status != PlayoutStatus.DONE:
            return status
        status = _observe(rules, row, episodes, observations, witness)
        if status != PlayoutStatus.DONE:
            return status
    return PlayoutStatus.DONE


def _play_on(rules: Rules, players: Players, key: np.uint64, row: int, episodes: Episodes, witness: I64) -> int:
    """Play until the agent is to move, or the game is over."""
    state, seat = state_from(episodes.states, row), episodes.movers[row]
    seats, learner = episodes.rewards.shape[1], episodes.learners[row]
    numbers = np.empty(2)
    status = PlayoutStatus.ENDLESS
    for _ in range(MAX_ACTIONS):
        if over(rules, state):
            status = PlayoutStatus.DONE
            payoffs = np.empty(seats)
            if not pay(rules, state, seat, payoffs):
                return _failed(PlayoutStatus.UNFAIR, state, CHANCE, 0, witness)
            episodes.rewards[row] += payoffs
            episodes.over[row] = True
            break
        if (learner == ALL_SEATS or seat == learner) and not _is_chance(rules, state):
            status = PlayoutStatus.DONE
            break
        draw(key, episodes.positions[row], numbers)
        episodes.positions[row] += 2
        moves, action = pick(rules, state, numbers[0])
        if moves > 0:
            opponent = (seat - learner - 1) % seats
            policy = players.policies[opponent]
            if policy > 0:
                action = call_policy(rules, view(rules, state), policy, players.data, numbers[0])
                if not is_legal(rules, state, action):
                    return _failed(PlayoutStatus.ILLEGAL, state, action, opponent, witness)
        after = advance(rules, state, seat, seats, action, numbers[1])
        if after.passes < 0:
            return _failed(PlayoutStatus.BROKEN, state, action, 0, witness)
        episodes.rewards[row, seat] += after.gain
        state, seat = after.after, after.seat
    if status == PlayoutStatus.ENDLESS:
        return _failed(PlayoutStatus.ENDLESS, state, CHANCE, 0, witness)
    episodes.movers[row] = seat
    _write(episodes.states, row, state)
    return PlayoutStatus.DONE


def _observe(rules: Rules, row: int, episodes: Episodes, observations: Observations, witness: I64) -> int:
    """Write what the agent sees: the player to move if that one plays all seats."""
    state, seat = state_from(episodes.states, row), episodes.movers[row]
    masks = observations.action_masks
    masks[row] = 0
    if episodes.over[row]:
        if episodes.learners[row] != ALL_SEATS:
            while seat != episodes.learners[row]:
                state = turned(rules, state)
                seat = (seat + 1) % episodes.rewards.shape[1]
    else:
        for action in legal(rules, state):
            if action >= masks.shape[1]:
                return _failed(PlayoutStatus.UNLISTED, state, action, 0, witness)
            masks[row, action] = 1
    _write(observations.fields, row, view(rules, state))
    return PlayoutStatus.DONE


@always_inline
def _is_chance(rules: Rules, state: State) -> bool:
    """Return whether a state where the game is not over is a chance node."""
    for action in legal(rules, state):
        return action == CHANCE
    return False


@always_inline
def _write(rows: I64, row: int, state: State) -> None:
    for field in range(len(state)):
        rows[row, field] = state[field]


def _failed(reason: int, state: State, action: int, opponent: int, witness: I64) -> int:
    record_witness(state, action, witness)
    witness[len(state) + 1] = opponent
    return reason
