"""Playouts of complete games, compiled for the game and for the policies of the seats.

All chance events of a game use one stream of random numbers and all decisions of its players another. Games of one
deal share the first: their k-th chance event uses the same random number, so that in a card game the deal and the
order of the deck are the same.
"""

from typing import Any

import numpy as np

from komi.rules.interface import call_policy, over, pick, record_witness, start, view
from komi.simulation.counting import MOVES, NOBODY, Seen, count_block, count_deal, count_game
from komi.simulation.steps import advance, is_legal, lead, pay
from komi.simulation.streams import STREAM_BITS, draw

DONE, STOPPED, ILLEGAL, ENDLESS, BROKEN, UNFAIR = range(6)

MAX_ACTIONS = (1 << STREAM_BITS) - 1  # maximum per game, including chance moves
DRAWN_AHEAD = 32  # random numbers drawn per batch, so that a mispredicted branch does not wait for them


def play(
    rules: Any,
    policies: Any,
    carried: Any,
    keys: Any,
    deals: Any,
    per_deal: int,
    block: Any,
    stop: Any,
    witness: Any,
) -> int:
    """Play `per_deal` games of each of a range of deals, and add up their statistics.

    Args:
        rules: the rules, with words encoded as numbers.
        policies: int64[seats], the number of each seat's policy; 0 chooses a random legal action.
        carried: the policies' data, in the format of `call_policy`.
        keys: uint64[2], the keys of the streams of chance and of choice.
        deals: (first, one past the last).
        per_deal: number of games of each deal.
        block: a `Block`, modified in place.
        stop: bool[1], set by another thread to stop early.
        witness: int64[fields + 2], receives the state, the action and the seat if a game fails.

    Returns:
        DONE, or the reason for the failure.
    """
    first, end = deals
    seats = len(policies)
    chance_key, choice_key = keys
    histogram, most_moves = block.moves, 0
    unit = np.zeros(len(block.sums))
    payoffs, scores = np.zeros(seats), np.zeros(seats)
    choices, chances = np.empty(DRAWN_AHEAD), np.empty(DRAWN_AHEAD)
    opening = start(rules)
    all_at_random = True
    for seat in range(seats):
        all_at_random = all_at_random and policies[seat] == 0
    for deal in range(first, end):
        unit[:] = 0.0
        for game in range(deal * per_deal, (deal + 1) * per_deal):
            if stop[0]:
                return STOPPED
            state, seat, passes = opening, 0, 0
            acted = turns = lead_changes = 0
            ahead = NOBODY
            scores[:] = 0.0
            chance_at, choice_at = deal << STREAM_BITS, game << STREAM_BITS
            chance_drawn = choice_drawn = DRAWN_AHEAD
            for _ in range(MAX_ACTIONS):
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
                    if not all_at_random and policies[seat] > 0:
                        action = call_policy(rules, view(rules, state), policies[seat], carried, choices[choice_drawn])
                        if not is_legal(rules, state, action):
                            return _ended(ILLEGAL, state, action, seat, witness)
                    choice_drawn += 1
                    acted |= 1 << seat
                    if moves >= MOVES - 1:
                        most_moves = max(most_moves, moves)
                        moves = MOVES - 1
                    histogram[moves] += 1
                step = advance(rules, state, seat, seats, action, chances[chance_drawn])
                if step.passes < 0:
                    return _ended(BROKEN, state, action, seat, witness)
                chance_drawn += step.thrown
                if step.gain != 0.0:  # constant 0 in a game without rewards: the compiler removes this branch
                    scores[seat] += step.gain
                turns += step.passes > 0
                if step.passes > 0:
                    now = lead(rules, step, seats)
                    lead_changes += now >= 0 and ahead >= 0 and now != ahead
                    ahead = now if now >= 0 else ahead
                state, seat, passes = step.after, step.seat, step.passes
            else:
                return _ended(ENDLESS, state, -1, seat, witness)
            turns += passes == 0  # the last turn did not pass
            if not pay(rules, state, seat, payoffs):
                return _ended(UNFAIR, state, -1, seat, witness)
            # each decision uses one random number: no counter is needed during the game
            decisions = choice_at + choice_drawn - DRAWN_AHEAD - (game << STREAM_BITS)
            count_game(Seen(acted, turns, decisions, lead_changes), payoffs, scores, unit, block)
        count_deal(unit, deal - first, block)
    count_block(block, most_moves)
    return DONE


def _ended(reason: int, state: Any, action: int, seat: int, witness: Any) -> int:
    record_witness(state, action, witness)
    witness[len(state) + 1] = seat
    return reason
