"""Goofspiel: both players bid a card for each prize at the same time, and the higher bid takes it (Merrill Flood).

Both have the cards 1, 2, ..., and each bids one that is then used up; equal bids leave the prize to no player. Prizes
are worth as many points as the cards. The player with more points in the end wins.
"""

from typing import NamedTuple

from komi.bitset import count, length, nth
from komi.game import CHANCE

players = 2
RANDOM, FALLING, RISING = range(3)


class Rules(NamedTuple):
    cards: int = 4  # of each player, and prizes
    order: int = (
        RANDOM  # of the prizes: 0 at random, 1 from the highest to the lowest, 2 from the lowest to the highest
    )


class State(NamedTuple):  # as the player to move sees it
    prize: int  # the prize to bid for, in points
    left: int  # the prizes that are still to come, one bit each
    hand: int  # your cards, one bit each
    rival: int  # the opponent's cards
    lead: int = 0  # your points less the opponent's
    bid: int = 0  # the card that the opponent has bid, which you do not see; 0 if you bid first


def limits(rules):
    return Rules(cards=(2, 6), order=(0, 2))


def possible_prizes(rules, left):
    """Yield the prizes that can come next."""
    for prize in range(1, rules.cards + 1):
        bit = 1 << (prize - 1)
        is_last = left >> prize == 0
        is_first = left & (bit - 1) == 0
        if left & bit and (rules.order == RANDOM or (is_last if rules.order == FALLING else is_first)):
            yield prize


def start(rules):
    every = (1 << rules.cards) - 1
    return State(0, every, every, every)


def elements(rules):
    cards = tuple(str(card) for card in range(1, rules.cards + 1))
    return {"left": cards, "hand": cards, "rival": cards}


def view(rules, state):
    return state if state.bid == 0 else state._replace(bid=1)


def deal(rules, view, uniform):
    if view.bid == 0:
        return view
    return view._replace(bid=length(nth(view.rival, int(uniform * count(view.rival)))))


def legal(rules, state):
    if state.prize == 0:
        yield CHANCE
        return
    for card in range(rules.cards):
        if state.hand >> card & 1:
            yield card


def outcomes(rules, state, action):
    prize, left, hand, rival, lead, bid = state
    if action == CHANCE:
        number = 0
        for _ in possible_prizes(rules, left):
            number += 1
        for next_prize in possible_prizes(rules, left):
            yield 1 / number, State(next_prize, left & ~(1 << (next_prize - 1)), hand, rival, lead), 0
    elif bid == 0:
        yield 1.0, State(prize, left, rival, hand, -lead, action + 1), 1
    else:
        if action + 1 != bid:
            lead += prize if action + 1 > bid else -prize
        yield 1.0, State(0, left, rival & ~(1 << (bid - 1)), hand & ~(1 << action), -lead), 1


def over(rules, state):
    return state.prize == 0 and state.left == 0


def payoff(rules, state):
    return 0.5 if state.lead == 0 else 1.0 if state.lead > 0 else 0.0


def label(rules, state, action):
    return str(action + 1)


def action_count(rules):
    return rules.cards


def revealed(rules, state, action, after):
    return "" if state.bid == 0 else f"The first to bid played {state.bid}, the other {action + 1}."


def turned(rules, state):
    return state._replace(hand=state.rival, rival=state.hand, lead=-state.lead)
