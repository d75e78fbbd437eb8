"""Leduc poker: a hidden card each, one open card, and two rounds of bets (Southey et al., 2005).

Both players stake one chip and get a card of a deck with two suits. After the first round of bets a card is laid open.
A player whose card has the same rank wins; otherwise the higher card wins, and equal cards share the stakes. A raise is
two chips in the first round and four in the second; both players together may raise twice in each round.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("fold", "call", "raise")
FOLD, CALL, RAISE = range(3)  # a call checks if there is no bet to pay
SUITS = 2
BETTING, FOLDED, SHOWN = range(3)


class Rules(NamedTuple):
    ranks: int = 3  # of the cards
    raises: int = 2  # in each round, of both players together
    small: int = 2  # chips of a raise in the first round
    big: int = 4  # chips of a raise in the second round


class State(NamedTuple):  # as the player to move sees it
    card: int = 0  # the rank of your card; 0 before the deal
    rival: int = 0  # the rank of the opponent's card
    board: int = 0  # the rank of the open card; 0 before it is laid
    first: int = 0  # what was done in the first round: a digit 1 for a call, 2 for a raise, in base 3
    second: int = 0  # what was done in the second round
    ending: int = 0  # whether the game goes on, or how it has ended: see the constants


def limits(rules):
    return Rules(ranks=(2, 13), raises=(1, 4), small=(1, 10), big=(1, 10))


def start(rules):
    return State()


def view(rules, state):
    return state if over(rules, state) else state._replace(rival=0)


def round_of(state):
    return state.second if state.board else state.first


def raises_in(history):
    count = 0
    while history:
        count += history % 3 == 2
        history //= 3
    return count


def legal(rules, state):
    if state.card == 0 or is_round_over(state):
        yield CHANCE
        return
    history = round_of(state)
    if history % 3 == 2:
        yield FOLD
    yield CALL
    if raises_in(history) < rules.raises:
        yield RAISE


def is_round_over(state):
    """Return whether the first round has ended, and a card is to be laid open."""
    return state.board == 0 and is_closed(state.first)


def is_closed(history):
    return history > 2 and history % 3 == 1  # a call of anything but the first action


def copies(rank, card, rival):
    return SUITS - (rank == card) - (rank == rival)


def outcomes(rules, state, action):
    cards = SUITS * rules.ranks
    if action == CHANCE and state.card == 0:
        for card in range(1, rules.ranks + 1):
            for rival in range(1, rules.ranks + 1):
                pairs = SUITS * copies(rival, card, 0)
                yield pairs / (cards * (cards - 1)), State(card, rival), 0
    elif action == CHANCE:
        for board in range(1, rules.ranks + 1):
            number = copies(board, state.card, state.rival)
            if number > 0:
                yield number / (cards - 2), state._replace(board=board), 0
    elif action == FOLD:
        yield 1.0, turned(rules, state)._replace(ending=FOLDED), 1
    else:
        history = 3 * round_of(state) + (2 if action == RAISE else 1)
        after = turned(rules, state)
        if state.board > 0:
            after = after._replace(second=history, ending=SHOWN if is_closed(history) else BETTING)
            yield 1.0, after, 1
        else:
            after = after._replace(first=history)
            yield from first_to_act(after, history)


def first_to_act(after, history):
    """Yield the state after an action of the first round; the player who began it also begins the second."""
    length = 0
    rest = history
    while rest:
        length += 1
        rest //= 3
    if is_closed(history) and length % 2 == 1:
        yield 1.0, after._replace(card=after.rival, rival=after.card), 0
    else:
        yield 1.0, after, 1


def over(rules, state):
    return state.ending != BETTING


def paid(rules, state):
    """Return what a player who has paid all raises has staked."""
    return 1 + rules.small * raises_in(state.first) + rules.big * raises_in(state.second)


def payoff(rules, state):
    if state.ending == FOLDED:  # the opponent has not paid the last raise
        return paid(rules, state) - (rules.big if state.board else rules.small)
    if state.card == state.rival:
        return 0
    if state.card == state.board:
        return paid(rules, state)
    if state.rival == state.board:
        return -paid(rules, state)
    return paid(rules, state) if state.card > state.rival else -paid(rules, state)


def payoff_range(rules):
    highest = 1 + rules.raises * (rules.small + rules.big)
    return -highest, highest


def objective(rules):
    return "expected chips"


open_actions = True


def table(rules, state):
    """Yield the open card, the hands, face down where they are hidden, and the stakes."""
    yield "card", "On the table", -1, str(state.board) if state.board else ""
    unpaid = rules.big if state.board else rules.small
    for seat, card in enumerate((state.card, state.rival)):
        if state.card + state.rival > 0:
            yield "card", "Hand", seat, str(card) if card else ""
        owes = state.ending == FOLDED if seat else state.ending == BETTING and round_of(state) % 3 == 2
        stake = paid(rules, state) - (unpaid if owes else 0)
        yield "stack", "Stake", seat, "chip" if stake == 1 else "chips", stake


def turned(rules, state):
    return state._replace(card=state.rival, rival=state.card)
