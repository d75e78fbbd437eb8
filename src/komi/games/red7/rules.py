"""Red7: be winning at the end of your turn, under a rule that every player may change (Asmadi Games, 2014).

C. Cieslik and C. Chudyk, with the advanced rule for drawing cards and without special actions. The rule
book is unambiguous; other readings that have been simulated are rules to set. J. Snellman, "A Monte Carlo
simulation of Red7", 2015, compares also with players who are out, and does not list idle discards.

Cards are bits of a set, as `canvas` says. Seats are counted from the player to move.
"""

from typing import NamedTuple

from komi.bitset import count, nth, subset
from komi.game import CHANCE
from komi.games.red7.canvas import ALL, COLOUR, NONE, RED, strength, stronger
from komi.games.red7.policies import opponents, policies  # noqa: F401  parts of the protocol
from komi.games.red7.table import event, how_to_play, label, parse, write  # noqa: F401

action_count = (NONE << 6) + NONE + 1  # an action is the card played and the card discarded, 6 bits each
open_actions = True  # cards are played and discarded face up


class Rules(NamedTuple):
    players: int = 3
    hand: int = 7  # cards dealt to each hand
    draw: str = "after"  # a discard above the cards in the palette draws: counted after or before a play; or none
    eliminated: str = "ignored"  # whether the palettes of players who are out are ignored or still compared
    idle_discards: bool = True  # a play may go with a discard that neither changes the rule nor draws


class State(NamedTuple):  # as the player to move sees it
    hand: int  # the mover's cards, a set
    hand1: int  # the next player's cards
    hand2: int  # those of the player after the next
    hand3: int  # those of the third player from here
    palette: int  # what lies before the mover
    palette1: int  # what lies before the next player
    palette2: int  # what lies before the one after the next
    palette3: int  # what lies before the third from here
    canvas: int  # the colour whose rule is in force
    deck: int  # cards that can be drawn, in no order
    out: int  # the seats that are out, a set
    undealt: int  # cards still to deal before play begins


def players(rules):
    return rules.players


def limits(rules):
    return Rules(
        players=(2, 4),
        hand=(1, 11),
        draw=("after", "before", "none"),
        eliminated=("ignored", "compared"),
        idle_discards=None,
    )


def start(rules):
    return State(0, 0, 0, 0, 0, 0, 0, 0, RED, ALL, 0, rules.players * (rules.hand + 1))


def possible(rules, state):
    hands = (state.hand, state.hand1, state.hand2, state.hand3)
    palettes = (state.palette, state.palette1, state.palette2, state.palette3)
    seen = state.deck
    cards = count(seen)
    for seat in range(4):
        seen |= hands[seat] | palettes[seat]
        cards += count(hands[seat]) + count(palettes[seat])
        if seat >= rules.players and hands[seat] | palettes[seat]:
            return False
    return (
        seen & ~ALL == 0
        and cards == count(seen)
        and 0 <= state.canvas <= RED
        and 0 <= state.out < 1 << rules.players
        and not state.out & 1
        and (state.undealt == 0 or 0 < state.undealt == count(state.deck) - _undrawn(rules))
    )


# A turn: play, discard, or play and then discard. An action is card played * 64 + card discarded.


def legal(rules, state):
    choices = 0
    if state.undealt == 0:
        plays = stronger(state.canvas, state.palette, _rival(state, state.canvas)) & state.hand
        for card in range(64):
            if plays >> card & 1:
                yield card * 64 + NONE
                choices += 1
        for colour in range(7):
            discards = state.hand & COLOUR << colour
            if discards:
                winning = stronger(colour, state.palette, _rival(state, colour))
                if winning & state.palette:
                    for card in range(64):
                        if discards >> card & 1:
                            yield NONE * 64 + card
                            choices += 1
                plays = winning & state.hand
                discards = _after_a_play(rules, state, colour, discards)
                for card in range(64):
                    if discards >> card & 1:
                        for played in range(64):
                            if plays >> played & 1 and played != card:
                                yield played * 64 + card
                                choices += 1
    if choices == 0:
        yield CHANCE  # cards are dealt, or the player cannot win, and is out


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    if state.undealt > 0:
        for card in range(64):
            if state.deck >> card & 1:
                yield 1.0 / count(state.deck), _dealt(rules, state, 1 << card), 0
    elif action == CHANCE:
        after, passes = _passed(rules, _dropped_out(rules, state))
        yield 1.0, after, passes
    else:
        moved = _moved(state, action)
        if _draws(rules, state, action):
            for card in range(64):
                if state.deck >> card & 1:
                    after, passes = _passed(rules, _drawn(moved, 1 << card))
                    yield 1.0 / count(state.deck), after, passes
        else:
            after, passes = _passed(rules, moved)
            yield 1.0, after, passes


def over(rules, state):
    return count(state.out) >= rules.players - 1


def payoff(rules, state, seat=0):
    return 0.0 if state.out >> seat & 1 else 1.0


def leader(rules, state):
    if state.undealt > 0:
        return -1
    palettes = (state.palette, state.palette1, state.palette2, state.palette3)
    best, ahead = 0, -1
    for seat in range(rules.players):
        own = strength(state.canvas, palettes[seat])
        if own > best:
            best, ahead = own, seat
    return ahead


def view(rules, state):
    """Hide the other hands except for their sizes: fill them with the lowest of the unseen cards."""
    hand, hand1, hand2, hand3, palette, palette1, palette2, palette3, canvas, deck, out, undealt = state
    unseen = deck | hand1 | hand2 | hand3
    hand1 = _lowest(unseen, count(hand1))
    hand2 = _lowest(unseen & ~hand1, count(hand2))
    hand3 = _lowest(unseen & ~hand1 & ~hand2, count(hand3))
    deck = unseen & ~hand1 & ~hand2 & ~hand3
    return State(hand, hand1, hand2, hand3, palette, palette1, palette2, palette3, canvas, deck, out, undealt)


def deal(rules, view, uniform, uniform2, uniform3):
    """Deal the unseen cards to the other hands and the deck; what a hand that is out could not do is left out."""
    hand, hand1, hand2, hand3, palette, palette1, palette2, palette3, canvas, deck, out, undealt = view
    unseen = deck | hand1 | hand2 | hand3
    hand1 = subset(unseen, count(hand1), uniform)
    unseen ^= hand1
    hand2 = subset(unseen, count(hand2), uniform2)
    unseen ^= hand2
    hand3 = subset(unseen, count(hand3), uniform3)
    return State(hand, hand1, hand2, hand3, palette, palette1, palette2, palette3, canvas, unseen ^ hand3, out, undealt)


def turned(rules, state):
    """Return the state as seen by the next player."""
    hand, hand1, hand2, hand3, palette, palette1, palette2, palette3, canvas, deck, out, undealt = state
    out = out >> 1 | (out & 1) << rules.players - 1
    if rules.players == 2:
        return State(hand1, hand, 0, 0, palette1, palette, 0, 0, canvas, deck, out, undealt)
    if rules.players == 3:
        return State(hand1, hand2, hand, 0, palette1, palette2, palette, 0, canvas, deck, out, undealt)
    return State(hand1, hand2, hand3, hand, palette1, palette2, palette3, palette, canvas, deck, out, undealt)


# The same, faster: a legal action without listing all, and an outcome.


def pick(rules, state, uniform):
    """Return the number of legal actions, and one of them picked with a uniform random number; 0 in a chance node."""
    if state.undealt > 0:
        return 0, CHANCE
    hand = state.hand
    alone = stronger(state.canvas, state.palette, _rival(state, state.canvas)) & hand
    total = count(alone)
    winning = (
        _winning(state, 0),
        _winning(state, 1),
        _winning(state, 2),
        _winning(state, 3),
        _winning(state, 4),
        _winning(state, 5),
        _winning(state, 6),
    )
    for colour in range(7):
        discards = hand & COLOUR << colour
        if winning[colour] & state.palette:
            total += count(discards)
        plays = winning[colour] & hand
        discards = _after_a_play(rules, state, colour, discards)
        total += count(plays) * count(discards) - count(plays & discards)
    if total == 0:
        return 0, CHANCE
    index = int(uniform * total)
    if index < count(alone):
        return total, _number(nth(alone, index)) * 64 + NONE
    index -= count(alone)
    for colour in range(7):
        discards = hand & COLOUR << colour
        if winning[colour] & state.palette:
            if index < count(discards):
                return total, NONE * 64 + _number(nth(discards, index))
            index -= count(discards)
        plays = winning[colour] & hand
        discards = _after_a_play(rules, state, colour, discards)
        while discards:
            card = discards & -discards
            choices = plays & ~card
            if index < count(choices):
                return total, _number(nth(choices, index)) * 64 + _number(card)
            index -= count(choices)
            discards ^= card
    return 0, CHANCE


def sample(rules, state, action, uniform):
    """Sample an outcome with a uniform random number."""
    if state.undealt > 0:
        cards = _undrawn(rules) + state.undealt  # known sooner than a count, which waits for the last card dealt
        return 1.0 / cards, _dealt(rules, state, nth(state.deck, int(uniform * cards))), 0
    cards = count(state.deck)
    if action == CHANCE:
        probability, moved = 1.0, _dropped_out(rules, state)
    elif _draws(rules, state, action):
        probability, moved = 1.0 / cards, _drawn(_moved(state, action), nth(state.deck, int(uniform * cards)))
    else:
        probability, moved = 1.0, _moved(state, action)
    after, passes = _passed(rules, moved)
    return probability, after, passes


def _undrawn(rules):
    """Return the number of cards in the deck after all hands and palettes are dealt."""
    return count(ALL) - rules.players * (rules.hand + 1)


def _rival(state, rule):
    """Compute the strength of the strongest rival palette."""
    return max(strength(rule, state.palette1), strength(rule, state.palette2), strength(rule, state.palette3))


def _winning(state, colour):
    """Return the cards that win if played before a discard of this colour; no cards if the hand has none of it."""
    if state.hand & COLOUR << colour:
        return stronger(colour, state.palette, _rival(state, colour))
    return 0


def _after_a_play(rules, state, colour, discards):
    """Return the cards, of those of one colour, that can be discarded after a play."""
    if rules.idle_discards or colour != state.canvas:
        return discards
    if rules.draw == "none" or state.deck == 0:
        return 0
    cards = count(state.palette) + (rules.draw == "after")
    return discards & -1 << 8 * min(cards, 7)


def _draws(rules, state, action):
    played, discarded = action >> 6, action & 63
    if discarded == NONE or rules.draw == "none" or state.deck == 0:
        return False
    cards = count(state.palette) + (rules.draw == "after" and played != NONE)
    return (discarded >> 3) + 1 > cards


def _moved(state, action):
    played, discarded = action >> 6, action & 63
    hand, palette, canvas = state.hand, state.palette, state.canvas
    if played != NONE:
        hand ^= 1 << played
        palette |= 1 << played
    if discarded != NONE:
        hand ^= 1 << discarded
        canvas = discarded & 7
    return _own(state, hand, palette, canvas, state.deck, state.out)


def _drawn(state, card):
    return _own(state, state.hand | card, state.palette, state.canvas, state.deck ^ card, state.out)


def _dropped_out(rules, state):
    palette = 0 if rules.eliminated == "ignored" else state.palette  # face down, or not
    return _own(state, state.hand, palette, state.canvas, state.deck, state.out | 1)


def _own(state, hand, palette, canvas, deck, out):
    """Replace the mover's cards, the canvas, the deck and the eliminated seats in a state."""
    _, hand1, hand2, hand3, _, palette1, palette2, palette3, _, _, _, undealt = state
    return State(hand, hand1, hand2, hand3, palette, palette1, palette2, palette3, canvas, deck, out, undealt)


def _passed(rules, state):
    """Pass the turn to the next player who is not out; return the state as they see it, and the seats passed on."""
    state = turned(rules, state)
    passes = 1
    while state.out & 1:
        state = turned(rules, state)
        passes += 1
    return state, passes


def _dealt(rules, state, card):
    """Deal one more card to the mover and turn the table: hands first, then the palettes.

    After the last card, seats are counted from the left of the player with the highest card in the palette.
    """
    hand, hand1, hand2, hand3, palette, palette1, palette2, palette3, canvas, deck, out, undealt = state
    if undealt > rules.players:
        hand |= card
    else:
        palette |= card
    state = State(
        hand, hand1, hand2, hand3, palette, palette1, palette2, palette3, canvas, deck ^ card, out, undealt - 1
    )
    state = turned(rules, state)
    if undealt == 1:
        highest = max(state.palette, state.palette1, state.palette2, state.palette3)
        while state.palette != highest:
            state = turned(rules, state)
        state = turned(rules, state)
    return state


def _lowest(cards, size):
    return cards & nth(cards, size) - 1 if size < count(cards) else cards


def _number(card):
    """Return the position of the set bit."""
    return count(card - 1)


def read(rules, text):
    """Read a state from its notation.

    Seats are counted from 1. The seat (1 by default), `out` and the cards out of play (`discarded`) can be omitted.
    """
    hands, palettes, canvas, seat, out, deck, undealt = parse(rules.players, text)
    empty = [0] * (4 - rules.players)
    if rules.eliminated == "ignored":
        palettes = [0 if other in out else palette for other, palette in enumerate(palettes)]
    gone = sum(1 << other for other in out)
    state = State._make([*hands, *empty, *palettes, *empty, canvas, deck, gone, undealt])
    for _ in range(seat):
        state = turned(rules, state)
    if seat in out and not over(rules, state):
        raise ValueError(f"seat {seat + 1} is to move and out")
    return state
