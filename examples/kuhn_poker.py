"""Kuhn poker: three cards, one hidden card each, and one bet (Harold W. Kuhn, 1950).

Both players stake one chip. A player who has checked can still call or fold after the opponent's bet. The higher card
wins.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("pass", "bet")
PASS, BET = range(2)  # a pass checks, or folds after a bet; a bet calls after a bet
WAITING, CHECKED, BETTED, CHECKED_BETTED, FOLDED, SHOWN, CALLED = range(7)


class Rules(NamedTuple):
    cards: int = 3  # in the deck, with the numbers 1, 2, ...


class State(NamedTuple):  # as the player to move sees it
    card: int = 0  # your card; 0 before the deal
    rival: int = 0  # the opponent's card
    said: int = 0  # what has happened: see the constants


def limits(rules):
    return Rules(cards=(2, 50))


def start(rules):
    return State()


def view(rules, state):
    return state if over(rules, state) else state._replace(rival=0)


def legal(rules, state):
    if state.card == 0:
        yield CHANCE
    else:
        yield PASS
        yield BET


def outcomes(rules, state, action):
    if action == CHANCE:
        for card in range(1, rules.cards + 1):
            for rival in range(1, rules.cards + 1):
                if card != rival:
                    yield 1 / (rules.cards * (rules.cards - 1)), State(card, rival, WAITING), 0
    else:
        after = FOLDED
        if state.said == WAITING:
            after = BETTED if action == BET else CHECKED
        elif state.said == CHECKED:
            after = CHECKED_BETTED if action == BET else SHOWN
        elif action == BET:
            after = CALLED
        yield 1.0, State(state.rival, state.card, after), 1


def over(rules, state):
    return state.said >= FOLDED


def payoff(rules, state):
    if state.said == FOLDED:
        return 1  # the opponent has just folded
    stake = 2 if state.said == CALLED else 1
    return stake if state.card > state.rival else -stake


payoff_range = (-2, 2)


def objective(rules):
    return "expected chips"


open_actions = True


def table(rules, state):
    """Yield the cards, face down where they are hidden, and the stakes; the player who moved last is at seat 1."""
    for seat, card in enumerate((state.card, state.rival)):
        if state.card + state.rival > 0:
            yield "card", "Hand", seat, str(card) if card else ""
        has_bet = state.said == CALLED or (seat == 1 and state.said in (BETTED, CHECKED_BETTED))
        has_bet = has_bet or (seat == 0 and state.said == FOLDED)
        yield "stack", "Stake", seat, "chips" if has_bet else "chip", 1 + has_bet


def turned(rules, state):
    return State(state.rival, state.card, state.said)
