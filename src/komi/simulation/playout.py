"""Playouts of complete games, compiled for the game and for the policies of the seats.

All chance events of a game use one stream of random numbers and all decisions of its players another. Games of one
deal share the first: their k-th chance event uses the same random number, so that in a card game the deal and the
order of the deck are the same.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from komi.arrays import I64, U64, Flags
from komi.compiling.steps import advance, is_legal, lead, pay
from komi.jit.addresses import call_at
from komi.jit.specialization import always_inline
from komi.policies.calls import Players
from komi.rules.game import Game
from komi.rules.interface import VISITED, call_policy, over, pick, record_witness, state_from, view
from komi.simulation.counting import (
    ACTED,
    DECISIONS,
    GAME_LEAD_CHANGES,
    GAME_TURNS,
    MOST_MOVES,
    MOVES,
    NO_LEADER,
    GameStatistics,
)
from komi.streams import STREAM_BITS, draw
from komi.tuning import DRAWN_AHEAD
from komi.typing import Rules, State

MAX_ACTIONS = (1 << STREAM_BITS) - 1  # maximum per game, including chance moves


class PlayoutStatus(IntEnum):
    """The status with which a playout, or a step of an environment, ends."""

    DONE = 0
    STOPPED = 1  # by the user, or with enough visited states
    ILLEGAL = 2  # a policy's action is not legal
    ENDLESS = 3  # the game continues after MAX_ACTIONS
    BROKEN = 4  # the probabilities of an action do not sum to 1
    UNFAIR = 5  # the payoffs are invalid
    UNLISTED = 6  # a legal action is too large for the action mask of an environment
    REFUSED = 7  # the agent's action is not legal
    OUTSIDE = 8  # a field of an observation has a value that is not in its domain


class Deals(NamedTuple):
    """A range of deals.

    Attributes:
        first: the number of the first deal.
        end: one past the number of the last.
        games: the number of games of each deal.
    """

    first: int
    end: int
    games: int


class Interruption(NamedTuple):
    """The results of a kernel that stops early.

    Attributes:
        stop: bool[1], set by another thread to stop early.
        witness: int64[fields + 2], receives the state, the action and the seat if a game fails.
        visited: int64[rows, fields + 1], receives the states in which actions are taken; when it is full, play ends. It
            has no rows if all games are to be played.
    """

    stop: Flags
    witness: I64
    visited: I64

    @classmethod
    def of(cls, game: Game, stop: Flags, rows: int = 0) -> "Interruption":
        """Allocate the witness for a game, and room for this many visited states."""
        fields = len(game.module.State._fields)
        return cls(stop, np.zeros(fields + 2, np.int64), np.zeros((rows, fields + 1), np.int64))


def play(
    rules: Rules,
    start: I64,
    players: Players,
    keys: U64,
    deals: Deals,
    record: GameStatistics,
    interruption: Interruption,
) -> int:
    """Play the games of a range of deals, and have their statistics added up.

    Args:
        rules: the rules, with words encoded as numbers.
        start: int64[1, fields], the initial state.
        players: the policies of the seats.
        keys: uint64[2], the keys of the streams of chance and of choice.
        deals: the deals.
        record: modified in place.
        interruption: how to stop early; its arrays are modified in place.

    Returns:
        DONE, or the reason for the failure.
    """
    visited = 0
    seats = len(players.policies)
    chance_key, choice_key = keys
    most_moves = 0
    payoffs, scores = record.payoffs, record.scores
    choices, chances = np.empty(DRAWN_AHEAD), np.empty(DRAWN_AHEAD)  # new ones: faster than a caller's
    initial_state = state_from(start, 0)
    is_random = are_random(players.policies)
    for deal in range(deals.first, deals.end):
        for game in range(deal * deals.games, (deal + 1) * deals.games):
            if interruption.stop[0]:
                return PlayoutStatus.STOPPED
            state, seat, passes, leading = initial_state, 0, 0, NO_LEADER
            acted = turns = lead_changes = 0
            scores[:] = 0.0
            players.memory[0] = 0
            chance_at, choice_at = deal << STREAM_BITS, game << STREAM_BITS
            chance_drawn = choice_drawn = DRAWN_AHEAD
            for _ in range(MAX_ACTIONS):
                if over(rules, state):
                    break
                if visited < len(interruption.visited):
                    record_witness(state, VISITED, interruption.visited[visited])
                    visited += 1
                    if visited == len(interruption.visited):
                        return PlayoutStatus.STOPPED
                if choice_drawn == DRAWN_AHEAD:
                    draw(choice_key, choice_at, choices)
                    choice_at += DRAWN_AHEAD
                    choice_drawn = 0
                if chance_drawn == DRAWN_AHEAD:
                    draw(chance_key, chance_at, chances)
                    chance_at += DRAWN_AHEAD
                    chance_drawn = 0
                number = choices[choice_drawn]
                moves, action = pick(rules, state, number)
                if moves > 0:
                    if not is_random and players.policies[seat] > 0:
                        action = call_policy(rules, view(rules, state), players.policies[seat], players.data, number)
                        if not is_legal(rules, state, action):
                            return _failed(PlayoutStatus.ILLEGAL, state, action, seat, interruption.witness)
                    choice_drawn += 1
                    acted |= 1 << seat
                    record.moves[min(moves, MOVES - 1)] += 1
                    most_moves = max(moves, most_moves)
                step = advance(rules, state, seat, seats, action, chances[chance_drawn])
                if step.passes < 0:
                    return _failed(PlayoutStatus.BROKEN, state, action, seat, interruption.witness)
                chance_drawn += step.is_random
                if step.gain != 0.0:  # constant 0 in a game without rewards: the compiler removes this branch
                    scores[seat] += step.gain
                if step.passes > 0:
                    turns += 1
                    now = lead(rules, step, seats)
                    lead_changes += now >= 0 and leading >= 0 and now != leading
                    leading = now if now >= 0 else leading
                state, seat, passes = step.after, step.seat, step.passes
            else:
                return _failed(PlayoutStatus.ENDLESS, state, -1, seat, interruption.witness)
            turns += passes == 0  # the last turn did not pass
            if not pay(rules, state, seat, payoffs):
                return _failed(PlayoutStatus.UNFAIR, state, -1, seat, interruption.witness)
            decisions = choice_at + choice_drawn - DRAWN_AHEAD - (game << STREAM_BITS)  # numbers used, one each
            finished = record.game
            finished[ACTED], finished[GAME_TURNS], finished[DECISIONS] = acted, turns, decisions
            finished[GAME_LEAD_CHANGES], finished[MOST_MOVES] = lead_changes, most_moves
            call_at(record.add, record.context, deal - deals.first, game + 1 == (deal + 1) * deals.games)
    return PlayoutStatus.DONE


@always_inline
def are_random(policies: I64) -> bool:
    """Return whether all policies pick any legal action at random."""
    for number in policies:  # noqa: SIM110  compiled code has no all()
        if number > 0:
            return False
    return True


def _failed(reason: int, state: State, action: int, seat: int, witness: I64) -> int:
    record_witness(state, action, witness)
    witness[-1] = seat
    return reason
