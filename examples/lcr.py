"""Left, Center, Right: dice move chips to neighbours and into the center, until only one player has any.

You throw a die for each of your chips, three at most. Three faces keep a chip; the others send it to the left, to the
right, or into the center, for good. Nobody ever has a choice (B. and D. Richeson, "What's the Best Seat in the Game
Left, Center, Right?", 2024).
"""

from math import comb
from typing import NamedTuple

from komi.game import CHANCE, put

actions = ()
DICE, FACES, KEEP = 3, 6, 3  # dice, their faces, and how many of these keep a chip


class Rules(NamedTuple):
    players: int = 3
    chips: int = 3  # of each player at the start


class State(NamedTuple):
    chips: tuple[int, ...]  # of each player, from the one to throw to the left


def players(rules):
    return rules.players


def limits(rules):
    return Rules(players=(3, 8), chips=(1, 5))


def start(rules):
    return State((rules.chips,) * rules.players)


def legal(rules, state):
    yield CHANCE


def outcomes(rules, state, action):
    dice = min(state.chips[0], DICE)
    for left in range(dice + 1):
        for right in range(dice - left + 1):
            for center in range(dice - left - right + 1):
                kept = dice - left - right - center
                ways = comb(dice, left) * comb(dice - left, right) * comb(dice - left - right, center)
                yield ways * KEEP**kept / FACES**dice, passed(rules, state.chips, left, right, center), 1


def passed(rules, chips, left, right, center):
    """Return the state of the next player, to whose right the one who has thrown sits."""
    after = chips
    for seat in range(rules.players):
        after = put(after, seat, chips[(seat + 1) % rules.players])
    last = rules.players - 1
    after = put(after, last, chips[0] - left - right - center)
    after = put(after, 0, after[0] + left)
    return State(put(after, last - 1, after[last - 1] + right))


def over(rules, state):
    holders = 0
    for chips in state.chips:
        holders += chips > 0
    return holders == 1


def payoff(rules, state, seat):
    return 1.0 if state.chips[seat] > 0 else 0.0


# Display


def event(rules, state, action, after):
    last = rules.players - 1
    left, right = after.chips[0] - state.chips[1], after.chips[last - 1] - state.chips[last]
    center = sum(state.chips) - sum(after.chips)
    return f"{left} left, {right} right, {center} center" if state.chips[0] > 0 else "no chips"
