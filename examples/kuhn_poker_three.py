"""Kuhn poker for three: four cards, one hidden card each, and one bet (Szafron, Gibson and Sturtevant, 2013).

Each player stakes one chip. In turn they check or bet one chip; after a bet the two others, in turn, fold or call. The
highest card of those who have not folded wins all stakes.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 3
payoff_range = (-2, 4)  # chips
actions = ("pass", "bet")
PASS, BET = range(2)  # a pass checks, or folds after a bet; a bet calls after a bet


class Rules(NamedTuple):
    cards: int = 4  # in the deck, with the numbers 1, 2, ...


class State(NamedTuple):  # as the player to move sees it
    card: int = 0  # your card; 0 before the deal
    next: int = 0  # the card of the player after you
    last: int = 0  # the card of the player before you
    said: int = 1  # what was said: a 1, then a binary digit for each action, 1 for a bet


def objective(rules):
    return "expected chips"


def limits(rules):
    return Rules(cards=(4, 12))


def start(rules):
    return State()


def view(rules, state):
    return state if over(rules, state) else state._replace(next=0, last=0)


def legal(rules, state):
    if state.card == 0:
        yield CHANCE
    else:
        yield PASS
        yield BET


def outcomes(rules, state, action):
    if action == CHANCE:
        deals = rules.cards * (rules.cards - 1) * (rules.cards - 2)
        for first in range(1, rules.cards + 1):
            for second in range(1, rules.cards + 1):
                for third in range(1, rules.cards + 1):
                    if first != second and second != third and third != first:
                        yield 1 / deals, State(first, second, third), 0
    else:
        yield 1.0, State(state.next, state.last, state.card, 2 * state.said + action), 1


def actions_taken(state):
    taken = 0
    while state.said >> taken > 1:
        taken += 1
    return taken


def bettor(state):
    """Return the number of the action that was the first bet, or -1."""
    taken = actions_taken(state)
    for number in range(taken):
        if state.said >> taken - 1 - number & 1:
            return number
    return -1


def over(rules, state):
    taken, first = actions_taken(state), bettor(state)
    return taken == 3 if first < 0 else taken == first + 3


def has_bet(state, seat):
    """Return whether the player `seat` seats after the one to move has bet or called."""
    taken, first = actions_taken(state), bettor(state)
    for number in range(max(first, 0), taken):
        if first >= 0 and (taken + seat - number) % 3 == 0 and state.said >> taken - 1 - number & 1:
            return True
    return False


def payoff(rules, state, seat):
    pot, best, winner = 3, 0, 0
    for each in range(3):
        stays = has_bet(state, each)
        pot += stays
        card = state.card if each == 0 else state.next if each == 1 else state.last
        if (stays or bettor(state) < 0) and card > best:
            best, winner = card, each
    return (pot if seat == winner else 0) - 1 - has_bet(state, seat)


open_actions = True


def table(rules, state):
    """Yield the cards, face down where they are hidden, and the stakes."""
    for seat, card in enumerate((state.card, state.next, state.last)):
        if state.card + state.next + state.last > 0:
            yield "card", "Hand", seat, str(card) if card else ""
        yield "stack", "Stake", seat, "chips" if has_bet(state, seat) else "chip", 1 + has_bet(state, seat)


def turned(rules, state):
    return State(state.next, state.last, state.card, state.said)
