"""Blackjack from a small shoe, whose cards you count: hands are dealt without replacement, and all cards are seen.

The shoe has one suit of 13 cards, and two hands are dealt from it; with `lowest=7` and `suits=4` it is a piquet pack.
You bet before each hand, then hit, stand or double. As in Europe the dealer has one card until you have played, draws
to 17, and a blackjack wins a double, too. If the shoe is empty, who needs a card stands. Who does not count expects the
same from every hand (E. Thorp and W. Walden, "The Fundamental Theorem of Card Counting", 1973).
"""

from typing import NamedTuple

from komi.game import CHANCE, put

players = 1
aim = "most"
STAND, HIT, DOUBLE, BET = range(4)  # from BET on the bet, less 1
NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
WAGER, DEAL, CHOOSE, DRAW, LAST, DEALER, PAY = range(7)  # phases


class Rules(NamedTuple):
    suits: int = 1  # cards of each rank; of 10, which counts for four ranks, four times as many
    lowest: int = 2  # rank; the aces are always in the shoe
    hands: int = 2  # dealt from the shoe
    spread: int = 1  # the higher bet, in units; the other one is 1
    stands_on: int = 17  # points from which the dealer stands
    natural: float = 1.5  # what a blackjack pays


class State(NamedTuple):
    shoe: tuple[int, ...]  # cards of each rank that are left, aces first
    hands: int = 0  # that have ended
    bet: int = 0
    total: int = 0  # your points
    soft: int = 0  # 1 if an ace of yours counts 11
    cards: int = 0  # of yours, up to 3
    dealer: int = 0  # the dealer's points
    ace: int = 0  # 1 if an ace of the dealer's counts 11
    drawn: int = 0  # cards of the dealer, up to 3
    phase: int = WAGER


def limits(rules):
    return Rules(suits=(1, 4), lowest=(2, 10), hands=(1, 6), spread=(1, 8), stands_on=(12, 20), natural=(1.0, 2.0))


def action_count(rules):
    return BET + rules.spread


def objective(rules):
    return "expected winnings"


def start(rules):
    shoe = (0,) * 10
    for rank in range(1, 11):
        if rank == 1 or rank >= rules.lowest:
            shoe = put(shoe, rank - 1, rules.suits * (4 if rank == 10 else 1))
    return State(shoe)


def domains(rules):
    shoe = tuple(range(number + 1) for number in start(rules).shoe)
    points, cards, ace = range(32), range(4), range(2)
    return State(
        shoe=shoe,
        hands=range(rules.hands + 1),
        bet=range(2 * rules.spread + 1),
        total=points,
        soft=ace,
        cards=cards,
        dealer=points,
        ace=ace,
        drawn=cards,
        phase=range(PAY + 1),
    )


def legal(rules, state):
    if state.phase == WAGER:
        yield BET
        if rules.spread > 1:
            yield BET + rules.spread - 1
    elif state.phase == CHOOSE:
        yield STAND
        if sum(state.shoe) > 0:
            yield HIT
            if state.cards == 2:
                yield DOUBLE
    else:
        yield CHANCE


def outcomes(rules, state, action):
    if action >= BET:
        yield 1.0, state._replace(bet=action - BET + 1, phase=DEAL), 0
    elif action == STAND:
        yield 1.0, dealers_turn(rules, state), 0
    elif action == HIT:
        yield 1.0, state._replace(phase=DRAW), 0
    elif action == DOUBLE:
        yield 1.0, state._replace(phase=LAST, bet=2 * state.bet), 0
    elif state.phase == PAY:
        yield 1.0, State(state.shoe, state.hands + 1), 0
    else:
        cards = sum(state.shoe)
        for rank in range(1, 11):
            left = state.shoe[rank - 1]
            if left > 0:
                yield left / cards, dealt(rules, state._replace(shoe=put(state.shoe, rank - 1, left - 1)), rank), 0


def dealt(rules, state, rank):
    """Return the state after a card of this rank: first two of yours and the dealer's, then yours or the dealer's."""
    if state.phase == DEALER or (state.phase == DEAL and state.cards == 2):
        dealer, ace = added(state.dealer, state.ace, rank)
        after = state._replace(dealer=dealer, ace=ace, drawn=min(state.drawn + 1, 3), phase=CHOOSE)
        return dealers_turn(rules, after) if state.phase == DEALER or state.total == 21 else after
    total, soft = added(state.total, state.soft, rank)
    phase = DEAL if state.phase == DEAL else CHOOSE
    after = state._replace(total=total, soft=soft, cards=min(state.cards + 1, 3), phase=phase)
    if total > 21:
        return after._replace(phase=PAY)
    return dealers_turn(rules, after) if state.phase == LAST else after


def dealers_turn(rules, state):
    """Return the state in which the dealer draws, or has done so: against a blackjack only one card, if it helps."""
    is_done = state.dealer >= rules.stands_on or sum(state.shoe) == 0
    if state.cards == 2 and state.total == 21:
        is_done = is_done or state.drawn == 2 or state.dealer < 10
    return state._replace(soft=0, ace=0 if is_done else state.ace, phase=PAY if is_done else DEALER)


def added(total, soft, rank):
    """Return the points of a hand and a card, and whether an ace counts 11."""
    total += rank
    if rank == 1 and total + 10 <= 21:
        return total + 10, 1
    if soft and total > 21:
        return total - 10, 0
    return total, soft


def over(rules, state):
    return state.phase == WAGER and (state.hands == rules.hands or sum(state.shoe) < 4)


def reward(rules, state, action, after):
    if state.phase != PAY:
        return 0.0
    is_blackjack = state.cards == 2 and state.total == 21
    if state.total > 21:
        return -float(state.bet)
    if state.dealer == 21 and state.drawn == 2:
        return 0.0 if is_blackjack else -float(state.bet)
    if is_blackjack:
        return rules.natural * state.bet
    if state.dealer > 21 or state.total > state.dealer:
        return float(state.bet)
    return -float(state.bet) if state.total < state.dealer else 0.0


def payoff(rules, state):
    return 0.0  # the winnings count, as rewards


def label(rules, state, action):
    return ("stand", "hit", "double")[action] if action < BET else f"bet {action - BET + 1}"


def event(rules, state, action, after):
    if state.phase == PAY:
        return "the hand is paid"
    for rank in range(10):
        if after.shoe[rank] < state.shoe[rank]:
            return NAMES[rank]
    return ""


def table(rules, state):
    """Yield the points of both hands, the bet, and the cards that are left."""
    yield "counter", "Dealer", -1, "points", state.dealer
    yield "counter", "Your hand", -1, "soft points" if state.soft else "points", state.total
    yield "stack", "Your bet", -1, "chip" if state.bet == 1 else "chips", state.bet
    for rank in range(10):
        if state.shoe[rank] > 0:
            yield "stack", "Shoe", -1, NAMES[rank], state.shoe[rank]
