"""High card: each player has a hidden card, the first says whether to play for more, and the higher card wins.

The first player must do so with the highest card: what is legal tells of a card. `fault` breaks `deal` in one way each.
"""

from typing import NamedTuple

from komi.game import CHANCE, put

players = 2
actions = ("pass", "bet")
PASS, BET = range(2)
open_actions = True


class Rules(NamedTuple):
    cards: int = 4
    fault: int = 0


class State(NamedTuple):  # as the player to move sees it
    cards: tuple[int, ...]  # one's own, and the other's
    said: int = 0  # 1 after a pass, 2 after a bet
    ended: int = 0


def limits(rules):
    return Rules(cards=(3, 9), fault=(0, 3))


def start(rules):
    return State((0, 0))


def view(rules, state):
    return state if state.ended else State((state.cards[0], 0), state.said)


def deal(rules, view, uniform, choice):
    """Use the second number alone: the first is tested as one of several."""
    own, said = view.cards[0], view.said
    count = rules.cards - 1
    if said == 1 and own != rules.cards and rules.fault != 3:
        count -= 1
    rival = 1 + int((choice**1.3 if rules.fault == 1 else choice) * count)
    if rival >= own:
        rival += 1
    return State((rival if rules.fault == 2 else own, rival), said)


def legal(rules, state):
    if state.cards[0] == 0:
        yield CHANCE
    else:
        if state.said > 0 or state.cards[0] < rules.cards:
            yield PASS
        yield BET


def outcomes(rules, state, action):
    if action == CHANCE:
        for card in range(1, rules.cards + 1):
            for rival in range(1, rules.cards + 1):
                if card != rival:
                    yield 1 / (rules.cards * (rules.cards - 1)), State((card, rival)), 0
    else:
        cards = put(put(state.cards, 0, state.cards[1]), 1, state.cards[0])
        yield 1.0, State(cards, 1 + action if state.said == 0 else state.said, int(state.said > 0)), 1


def over(rules, state):
    return state.ended == 1


def payoff(rules, state):
    return 1.0 if state.cards[0] > state.cards[1] else 0.0


def turned(rules, state):
    return State((state.cards[1], state.cards[0]), state.said, state.ended)
