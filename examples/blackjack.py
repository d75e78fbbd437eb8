"""Blackjack: one hand against the dealer, from an infinite deck; hit, stand, double, or split a pair, once.

The dealer stands on 17, soft 17 too, and looks for blackjack first. A blackjack pays 3 to 2. No insurance. The hands of
a split cannot double, and split aces get one card each. In an infinite deck the two hands are alike: one is played, and
counts twice. Most expected winnings, in bets: P. Griffin, "The Theory of Blackjack", 1979.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 1
aim = "most"
actions = ("stand", "hit", "double", "split")
STAND, HIT, DOUBLE, SPLIT = range(4)
NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
DEAL, CHOOSE, DRAW, DEALER, OVER = range(5)  # phases


class Rules(NamedTuple):
    stands_on: int = 17  # points from which the dealer stands
    natural: float = 1.5  # what a blackjack pays
    splits: int = 0  # 1 if a pair can be split, once


class State(NamedTuple):
    total: int = 0  # your points
    soft: int = 0  # 1 if an ace of yours counts 11
    dealer: int = 0  # the dealer's points
    ace: int = 0  # 1 if an ace of the dealer's counts 11, while the dealer draws
    cards: int = 0  # your cards, up to 3; while the dealer draws, the dealer's
    phase: int = DEAL
    bets: int = 1  # 2 after a double
    pair: int = 0  # 1 if you can split
    split: int = 0  # 1 in a hand of a split


def limits(rules):
    return Rules(stands_on=(12, 20), natural=(1.0, 2.0), splits=(0, 1))


def objective(rules):
    return "expected winnings"


def start(rules):
    return State()


def legal(rules, state):
    if state.phase != CHOOSE:
        yield CHANCE
        return
    yield STAND
    yield HIT
    if state.cards == 2:
        yield DOUBLE
    if state.pair:
        yield SPLIT


def outcomes(rules, state, action):
    if action == STAND:
        yield 1.0, _to_dealer(state.total, state.dealer, 1 + state.split), 0
    elif action == HIT:
        yield 1.0, state._replace(phase=DRAW, pair=0), 0
    elif action == DOUBLE:
        yield 1.0, state._replace(phase=DRAW, pair=0, bets=2), 0
    elif action == SPLIT and state.soft:  # an ace that gets one card, as after a double
        yield 1.0, State(11, 1, state.dealer, 0, 2, DRAW, 2), 0
    elif action == SPLIT:
        yield 1.0, State(state.total // 2, 0, state.dealer, 0, 3, DRAW, 1, 0, 1), 0
    elif state.phase == DEAL:
        yield from _deal(rules, state)
    elif state.phase == DRAW:
        for card in range(1, 11):
            total, soft = _add(state.total, state.soft, card)
            after = State(total, soft, state.dealer, 0, 3, CHOOSE, state.bets, 0, state.split)
            if total > 21:
                after = State(total, 0, 0, 0, 3, OVER, state.bets + state.split)
            elif state.bets == 2:
                after = _to_dealer(total, state.dealer, 2)
            yield _chance(card), after, 0
    else:
        yield from _dealer_draws(rules, state)


def _deal(rules, state):
    """Deal one card: yours, yours, then the dealer's first, after which a blackjack of either ends the hand."""
    for card in range(1, 11):
        if state.cards < 2:
            total, soft = _add(state.total, state.soft, card)
            pair = rules.splits if state.total == (11 if card == 1 else card) else 0
            yield _chance(card), State(total, soft, 0, 0, state.cards + 1, DEAL, 1, pair), 0
            continue
        dealer, _ = _add(0, 0, card)
        blackjack = 0.0  # of the dealer
        if card == 1:
            blackjack = _chance(10)
        elif card == 10:
            blackjack = _chance(1)
        phase = CHOOSE
        if state.total == 21:
            phase = OVER
        yield _chance(card) * blackjack, State(state.total, state.soft, 21, 0, 2, OVER, 1), 0
        after = State(state.total, state.soft, dealer, 0, 2, phase, 1, state.pair)
        yield _chance(card) * (1.0 - blackjack), after, 0


def _to_dealer(total, dealer, bets):
    """Return the state in which the dealer begins to draw."""
    ace = 1 if dealer == 11 else 0
    return State(total, 0, dealer, ace, 2, DEALER, bets)


def _dealer_draws(rules, state):
    """Draw the dealer's next card; the second one makes no blackjack."""
    hidden = 0  # the card that is ruled out
    if state.dealer == 11 and state.cards == 2:
        hidden = 10
    elif state.dealer == 10 and state.cards == 2:
        hidden = 1
    for card in range(1, 11):
        if card == hidden:
            continue
        dealer, ace = _add(state.dealer, state.ace, card)
        phase = DEALER
        if dealer >= rules.stands_on:
            phase = OVER
        chance = _chance(card)
        if hidden:
            chance = chance / (1.0 - _chance(hidden))
        yield chance, State(state.total, 0, dealer, ace, 3, phase, state.bets), 0


def _chance(card):
    """Return the probability of a card: ten counts for four ranks."""
    return 4 / 13 if card == 10 else 1 / 13


def _add(total, soft, card):
    """Return the points of a hand and a card, and whether an ace counts 11."""
    total += card
    if card == 1 and total + 10 <= 21:
        return total + 10, 1
    if soft and total > 21:
        return total - 10, 0
    return total, soft


def over(rules, state):
    return state.phase == OVER


def reward(rules, state, action, after):
    if after.phase != OVER:
        return 0.0
    if state.phase == DEAL:  # a blackjack
        if after.dealer == 21:
            return 0.0 if after.total == 21 else -1.0
        return rules.natural
    if after.total > 21:
        return -float(after.bets)
    if after.dealer > 21 or after.total > after.dealer:
        return float(after.bets)
    return -float(after.bets) if after.total < after.dealer else 0.0


def event(rules, state, action, after):
    """Return whose card it is, and which: each card changes the points of a hand by another number, modulo 10."""
    if state.phase == DEAL and state.cards == 2 and after.dealer == 21:
        return "the dealer: blackjack"
    if state.phase == DRAW or (state.phase == DEAL and state.cards < 2):
        who, gained = "you", after.total - state.total
    else:
        who, gained = "the dealer", after.dealer - state.dealer
    return f"{who}: {NAMES[(gained - 1) % 10]}"


def table(rules, state):
    """Yield the points of both hands, and the bet."""
    yield "counter", "Dealer", -1, "points", state.dealer
    yield "counter", "Your hand", -1, "soft points" if state.soft else "points", state.total
    yield "stack", "Your bet", -1, "chip" if state.bets + state.split == 1 else "chips", state.bets + state.split


def laid(rules, event):
    place, card = ("Your hand", event[5:]) if event[:3] == "you" else ("Dealer", event[12:])
    if card == "blackjack":
        yield "card", place, -1, "A"
        yield "card", place, -1, "10"
    else:
        yield "card", place, -1, card


def payoff(rules, state):
    return 0.0  # the winnings count, as rewards
