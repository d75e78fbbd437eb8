"""Games played to their end, compiled for the game and for the policies at the table.

All chance of a game comes from one stream of random numbers and all choices of its players from another.
Games of one deal share the first: the k-th time that chance moves it throws the same, so that in a game of
cards the deal and the order of the deck are the same.
"""

from typing import Any, NamedTuple

import numpy as np

from komi.compile.rulebook import (
    ask,
    leader,
    legal,
    over,
    pick,
    reward,
    sample,
    seat_payoff,
    start,
    view,
)
from komi.compile.witness import note
from komi.simulation.streams import STREAM_BITS, draw

DONE, STOPPED, ILLEGAL, ENDLESS, BACKWARDS = range(5)

MOST_ACTIONS = (1 << STREAM_BITS) - 1  # of one game, those of chance included
TURNS = 4096  # bins of the histogram of turns; the last counts all longer games
MOVES = 1024  # bins of the histogram of legal moves; the last counts all more
DRAWN_AHEAD = 32  # random numbers drawn at once, side by side; a wrongly predicted branch then waits for none

# What is summed over the games of a deal: three for each seat, then these.
SHARE, NEVER_ACTED, SCORE = range(3)
TURN_COUNT, ACTION_COUNT, LEAD_CHANGES, SOME_NEVER_ACTED = range(4)
PER_SEAT, PER_TABLE = 3, 4


class Block(NamedTuple):
    """What came of a range of deals.

    A column is `seat * PER_SEAT + SHARE` and so on for each seat, then `seats * PER_SEAT + TURN_COUNT` and
    so on.
    """

    sums: Any  # float64[columns], summed over deals
    squares: Any  # float64[columns], squares of each deal's sums, summed over deals
    deals: Any  # float64[deals, columns], each deal's sums; no rows if these are not kept
    turns: Any  # int64[TURNS], games by number of turns
    moves: Any  # int64[MOVES], decisions by number of legal moves
    extremes: Any  # int64[3]: fewest turns, most turns, most legal moves

    @classmethod
    def empty(cls, seats: int, kept_deals: int) -> "Block":
        """A block of nothing yet, with rows for so many deals."""
        columns = seats * PER_SEAT + PER_TABLE
        return cls(
            np.zeros(columns),
            np.zeros(columns),
            np.zeros((kept_deals, columns)),
            np.zeros(TURNS, np.int64),
            np.zeros(MOVES, np.int64),
            np.array([np.iinfo(np.int64).max, 0, 0]),
        )


def play(
    rules: Any,
    seats: Any,
    choosers: Any,
    keys: Any,
    deals: Any,
    per_deal: int,
    block: Any,
    stop: Any,
    witness: Any,
) -> int:
    """Play `per_deal` games of each of a range of deals, and add them up.

    Args:
        rules: the rules, words as numbers.
        seats: int64[seats], which of the choosers sits there; 0 picks among the legal actions at random.
        choosers: what `ask` needs to know of them.
        keys: uint64[2], of the streams of chance and of choice.
        deals: (first, one past the last).
        per_deal: games of each.
        block: a `Block`, added to.
        stop: bool[1], set from outside to end early.
        witness: int64[fields + 2], is told the state, the action and the seat if a game goes wrong.

    Returns:
        DONE, or why not.
    """
    sums, squares, kept, turns_histogram, moves_histogram, extremes = block
    first, end = deals
    table = len(seats)
    chance_key, choice_key = keys
    fewest_turns, most_turns, most_moves = extremes
    unit = np.zeros(len(sums))
    shares = np.zeros(table)
    scores = np.zeros(table)
    choices, chances = np.empty(DRAWN_AHEAD), np.empty(DRAWN_AHEAD)
    opening = start(rules)
    all_at_random = True
    for place in range(table):
        all_at_random = all_at_random and seats[place] == 0
    for deal in range(first, end):
        unit[:] = 0.0
        for game in range(deal * per_deal, (deal + 1) * per_deal):
            if stop[0]:
                return STOPPED
            state = opening
            seat = turns = lead_changes = acted = 0
            ahead = -1
            scores[:] = 0.0
            chance_at, choice_at = deal << STREAM_BITS, game << STREAM_BITS
            chance_drawn = choice_drawn = DRAWN_AHEAD
            passes = 0
            for _ in range(MOST_ACTIONS):
                if over(rules, state):
                    break
                if choice_drawn == DRAWN_AHEAD:
                    draw(choice_key, choice_at, choices)
                    choice_at += DRAWN_AHEAD
                    choice_drawn = 0
                if chance_drawn == DRAWN_AHEAD:
                    draw(chance_key, chance_at, chances)
                    chance_at += DRAWN_AHEAD
                    chance_drawn = 0
                moves, action = pick(rules, state, choices[choice_drawn])
                if moves > 0:
                    if not all_at_random and seats[seat] > 0:
                        action = ask(rules, view(rules, state), seats[seat], choosers, choices[choice_drawn])
                        if not _is_legal(rules, state, action):
                            return _ended(ILLEGAL, state, action, seat, witness)
                    choice_drawn += 1
                    acted |= 1 << seat
                    if moves >= MOVES - 1:
                        most_moves = max(most_moves, moves)
                        moves = MOVES - 1
                    moves_histogram[moves] += 1
                probability, after, passes = sample(rules, state, action, chances[chance_drawn])
                if passes < 0:
                    return _ended(BACKWARDS, state, action, seat, witness)
                chance_drawn += probability < 1.0
                gain = reward(rules, state, action, after)
                if gain != 0.0:  # never, where a game has no rewards: the compiler then leaves this out
                    scores[seat] += gain
                state = after
                turns += passes > 0  # without a branch, as far as that goes: few turns end as predicted
                seat += passes
                seat -= table * (seat >= table)
                while seat >= table:
                    seat -= table
                if passes > 0:
                    now = leader(rules, state)
                    if now >= 0:
                        now = (now + seat) % table
                        lead_changes += ahead >= 0 and now != ahead
                        ahead = now
            else:
                return _ended(ENDLESS, state, -1, seat, witness)
            # each decision has drawn one number: none is counted while the game goes on
            decisions = choice_at + choice_drawn - DRAWN_AHEAD - (game << STREAM_BITS)
            if passes == 0:
                turns += 1
            for place in range(table):
                shares[(seat + place) % table] = seat_payoff(rules, state, place)
            for place in range(table):
                unit[place * PER_SEAT + SHARE] += shares[place]
                unit[place * PER_SEAT + NEVER_ACTED] += 1 - (acted >> place & 1)
                unit[place * PER_SEAT + SCORE] += scores[place]
            unit[table * PER_SEAT + TURN_COUNT] += turns
            unit[table * PER_SEAT + ACTION_COUNT] += decisions
            unit[table * PER_SEAT + LEAD_CHANGES] += lead_changes
            unit[table * PER_SEAT + SOME_NEVER_ACTED] += acted != (1 << table) - 1
            turns_histogram[min(turns, TURNS - 1)] += 1
            fewest_turns, most_turns = min(fewest_turns, turns), max(most_turns, turns)
        for column in range(len(sums)):
            sums[column] += unit[column]
            squares[column] += unit[column] * unit[column]
            if len(kept):
                kept[deal - first, column] = unit[column]
    for moves in range(MOVES - 1):
        if moves_histogram[moves]:
            most_moves = max(most_moves, moves)
    extremes[0], extremes[1], extremes[2] = fewest_turns, most_turns, most_moves
    return DONE


def _is_legal(rules: Any, state: Any, action: int) -> bool:
    for open_action in legal(rules, state):  # noqa: SIM110  compiled code has no any()
        if open_action == action:
            return True
    return False


def _ended(reason: int, state: Any, action: int, seat: int, witness: Any) -> int:
    note(state, action, witness)
    witness[len(state) + 1] = seat
    return reason
