"""Red7: be winning at the end of your turn, under a rule that every player may change (Asmadi Games, 2014).

C. Cieslik and C. Chudyk, with the advanced rule for drawing cards. The rule book is unambiguous; other
readings that have been simulated are rules to set. J. Snellman, "A Monte Carlo simulation of Red7", 2015,
compares also with players who are out, and does not list idle discards.

With `actions` odd cards act, and a turn is a sequence of decisions, as `steps` says. The printings differ in
whose card a 1 takes. The rule book does not say whether a card must act, whether a 7 can discard itself, and
whether a discard from the hand can follow: by default it must, cannot, and cannot, so that each 7 changes the
rule and a turn has one discard. With `scoring` rounds are played for points.

Cards are bits of a set, as `canvas` says. Seats are counted from the player to move.
"""

from typing import NamedTuple

from komi.bitset import count, nth, subset
from komi.game import CHANCE
from komi.games.red7.canvas import ALL, COLOUR, NONE, RED, strength, stronger
from komi.games.red7.policies import opponents, policies  # noqa: F401  parts of the protocol
from komi.games.red7.rounds import is_decided, leading_seat, scored_round, share, unscored
from komi.games.red7.steps import (
    DONE,
    END,
    drawn,
    drawn_from_top,
    kind_of_choice,
    possible_steps,
    step,
    top_card,
)
from komi.games.red7.table import event, how_to_play, label, parse, write  # noqa: F401

action_count = (NONE << 6) + NONE + 1  # an action is the card played and the card discarded, 6 bits each
open_actions = True  # cards are played and discarded face up


class Rules(NamedTuple):
    players: int = 3
    hand: int = 7  # cards dealt to each hand
    draw: str = "after"  # a discard above the cards in the palette draws: counted after or before a play; or none
    eliminated: str = "ignored"  # whether the palettes of players who are out are ignored or still compared
    idle_discards: bool = True  # a play may go with a discard that neither changes the rule nor draws
    actions: bool = False  # odd cards act when played: 1 takes a card, 3 draws, 5 plays another, 7 changes the rule
    taken_from: str = "large"  # a 1 takes from a palette as large as the mover's, or any with two cards or more
    must_act: bool = True  # an odd card must act if it can
    own_seven: bool = False  # a 7 can discard itself
    discard_again: bool = False  # a card of the hand can be discarded after a 7 has discarded one of the palette
    scoring: bool = False  # who wins a round scores the cards that count, which leave the deck
    goal: int = 0  # points that win the game; 0 for 40, 35 or 30 with two, three or four players


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
    top: int = 0  # known cards on top of the deck: each 1 + the card, 6 bits, the topmost lowest
    known: int = 0  # cards in hands that all have seen, a set
    acting: int = -1  # 1 + the card just played while it acts, 64 once it has; 0 before a turn; -1 if none acts
    scored: int = 0  # cards that the mover has scored
    scored1: int = 0  # those that the next player has scored
    scored2: int = 0  # those that the player after the next has scored
    scored3: int = 0  # those that the third player from here has scored


def players(rules):
    return rules.players


def limits(rules):
    return Rules(
        players=(2, 4),
        hand=(1, 11),
        draw=("after", "before", "none"),
        eliminated=("ignored", "compared"),
        idle_discards=None,
        actions=None,
        taken_from=("large", "any"),
        must_act=None,
        own_seven=None,
        discard_again=None,
        scoring=None,
        goal=(0, 100),
    )


def fields(rules):
    acting = ("top", "known", "acting") if rules.actions else ()
    scored = ("scored", "scored1", "scored2", "scored3") if rules.scoring else ()
    return (*State._fields[:12], *acting, *scored)


def start(rules):
    undealt = rules.players * (rules.hand + 1)
    return State(0, 0, 0, 0, 0, 0, 0, 0, RED, ALL, 0, undealt, acting=0 if rules.actions else -1)


def possible(rules, state):
    hands = (state.hand, state.hand1, state.hand2, state.hand3)
    palettes = (state.palette, state.palette1, state.palette2, state.palette3)
    scored = (state.scored, state.scored1, state.scored2, state.scored3)
    seen = state.deck
    cards = count(seen)
    for seat in range(4):
        seen |= hands[seat] | palettes[seat] | scored[seat]
        cards += count(hands[seat]) + count(palettes[seat]) + count(scored[seat])
        if seat >= rules.players and hands[seat] | palettes[seat] | scored[seat]:
            return False
    top = state.top
    while top > 0:
        seen |= top_card(top)
        cards += 1
        top >>= 6
    return (
        seen & ~ALL == 0
        and cards == count(seen)
        and 0 <= state.canvas <= RED
        and 0 <= state.out < 1 << rules.players
        and not state.out & 1
        and (state.undealt == 0 or 0 < state.undealt == count(state.deck) - _undrawn(rules, state))
        and top == 0 == state.known & ~(hands[0] | hands[1] | hands[2] | hands[3])
        and -1 <= state.acting <= DONE
    )


# A turn: play, discard, or play and then discard. An action is card played * 64 + card discarded. Where odd cards act,
# a turn is several: card played * 64 + NONE, card * 64 + TAKE or RETURN, NONE * 64 + card discarded, and END.


def legal(rules, state):
    choices = 0
    if state.undealt == 0 and state.acting >= 0:
        plays, chosen, discards, ends = possible_steps(rules, state)
        for card in range(64):
            if plays >> card & 1:
                yield card * 64 + NONE
        for card in range(64):
            if chosen >> card & 1:
                yield card * 64 + kind_of_choice(state)
        for card in range(64):
            if discards >> card & 1:
                yield NONE * 64 + card
        if ends:
            yield END
        choices = plays | chosen | discards | ends
    elif state.undealt == 0:
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
                after, passes = _dealt(rules, state, 1 << card)
                yield 1.0 / count(state.deck), after, passes
    elif action == CHANCE:
        after, passes = _passed_out(rules, state)
        yield 1.0, after, passes
    elif state.acting >= 0:
        moved, draws, ends = step(rules, state, action)
        if draws and moved.top == 0:
            for card in range(64):
                if moved.deck >> card & 1:
                    after, passes = _ended(rules, drawn(moved, 1 << card), ends)
                    yield 1.0 / count(moved.deck), after, passes
        else:
            after, passes = _ended(rules, drawn_from_top(moved) if draws else moved, ends)
            yield 1.0, after, passes
    else:
        moved = _moved(state, action)
        if _draws(rules, state, action):
            for card in range(64):
                if state.deck >> card & 1:
                    after, passes = _passed(rules, drawn(moved, 1 << card))
                    yield 1.0 / count(state.deck), after, passes
        else:
            after, passes = _passed(rules, moved)
            yield 1.0, after, passes


def over(rules, state):
    return count(state.out) >= rules.players - 1


def payoff(rules, state, seat=0):
    if rules.scoring:
        return share(rules, state, seat)
    return 0.0 if state.out >> seat & 1 else 1.0


def leader(rules, state):
    if rules.scoring:
        return leading_seat(rules, state)
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
    """Hide the other hands except for their sizes and known cards: fill them with the lowest of the unseen cards."""
    known = state.known
    unseen = (state.deck | state.hand1 | state.hand2 | state.hand3) & ~known
    hand1 = _lowest(unseen, count(state.hand1 & ~known))
    hand2 = _lowest(unseen & ~hand1, count(state.hand2 & ~known))
    hand3 = _lowest(unseen & ~hand1 & ~hand2, count(state.hand3 & ~known))
    return state._replace(
        hand1=hand1 | state.hand1 & known,
        hand2=hand2 | state.hand2 & known,
        hand3=hand3 | state.hand3 & known,
        deck=unseen & ~hand1 & ~hand2 & ~hand3,
    )


def deal(rules, view, uniform, uniform2, uniform3):
    """Deal the unseen cards to the other hands and the deck; what a hand that is out could not do is left out."""
    known = view.known
    unseen = (view.deck | view.hand1 | view.hand2 | view.hand3) & ~known
    hand1 = subset(unseen, count(view.hand1 & ~known), uniform)
    unseen ^= hand1
    hand2 = subset(unseen, count(view.hand2 & ~known), uniform2)
    unseen ^= hand2
    hand3 = subset(unseen, count(view.hand3 & ~known), uniform3)
    return view._replace(
        hand1=hand1 | view.hand1 & known,
        hand2=hand2 | view.hand2 & known,
        hand3=hand3 | view.hand3 & known,
        deck=unseen ^ hand3,
    )


def turned(rules, state):
    """Return the state as seen by the next player."""
    hand, hand1, hand2, hand3, palette, palette1, palette2, palette3, canvas, deck, out, undealt = state[:12]
    top, known, acting, scored, scored1, scored2, scored3 = state[12:]
    out = out >> 1 | (out & 1) << rules.players - 1
    if rules.players == 2:
        hands, palettes, kept = (hand1, hand, 0, 0), (palette1, palette, 0, 0), (scored1, scored, 0, 0)
    elif rules.players == 3:
        hands = (hand1, hand2, hand, 0)
        palettes, kept = (palette1, palette2, palette, 0), (scored1, scored2, scored, 0)
    else:
        hands = (hand1, hand2, hand3, hand)
        palettes, kept = (palette1, palette2, palette3, palette), (scored1, scored2, scored3, scored)
    return State(*hands, *palettes, canvas, deck, out, undealt, top, known, acting, *kept)


# The same, faster: a legal action without listing all, and an outcome.


def pick(rules, state, uniform):
    """Return the number of legal actions, and one of them picked with a uniform random number; 0 in a chance node."""
    if state.undealt > 0:
        return 0, CHANCE
    if state.acting >= 0:
        return _picked_step(rules, state, uniform)
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
        cards = _undrawn(rules, state) + state.undealt  # known sooner than a count, which waits for the last card dealt
        after, passes = _dealt(rules, state, nth(state.deck, int(uniform * cards)))
        return 1.0 / cards, after, passes
    cards = count(state.deck)
    if action == CHANCE:
        after, passes = _passed_out(rules, state)
        return 1.0, after, passes
    if state.acting >= 0:
        return _sampled_step(rules, state, action, uniform)
    if _draws(rules, state, action):
        probability, moved = 1.0 / cards, drawn(_moved(state, action), nth(state.deck, int(uniform * cards)))
    else:
        probability, moved = 1.0, _moved(state, action)
    after, passes = _passed(rules, moved)
    return probability, after, passes


def _picked_step(rules, state, uniform):
    plays, chosen, discards, ends = possible_steps(rules, state)
    total = count(plays) + count(chosen) + count(discards) + ends
    if total == 0:
        return 0, CHANCE
    index = int(uniform * total)
    if index < count(plays):
        return total, _number(nth(plays, index)) * 64 + NONE
    index -= count(plays)
    if index < count(chosen):
        return total, _number(nth(chosen, index)) * 64 + kind_of_choice(state)
    index -= count(chosen)
    return total, NONE * 64 + _number(nth(discards, index)) if index < count(discards) else END


def _sampled_step(rules, state, action, uniform):
    moved, draws, ends = step(rules, state, action)
    probability = 1.0
    if draws and moved.top > 0:
        moved = drawn_from_top(moved)
    elif draws:
        cards = count(moved.deck)
        probability, moved = 1.0 / cards, drawn(moved, nth(moved.deck, int(uniform * cards)))
    after, passes = _ended(rules, moved, ends)
    return probability, after, passes


def _undrawn(rules, state):
    """Return the number of cards in the deck after all hands and palettes are dealt."""
    return count(unscored(state)) - rules.players * (rules.hand + 1)


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
    return state._replace(hand=hand, palette=palette, canvas=canvas)


def _ended(rules, state, ends):
    """Return the next state and the seats passed on after a step that ends the turn, or does not."""
    if ends:
        return _passed(rules, state._replace(acting=0))
    return state, 0


def _passed_out(rules, state):
    """Let the mover drop out; return the next state, and the seats passed on."""
    palette = 0 if rules.eliminated == "ignored" else state.palette  # face down, or not
    after, passes = _passed(rules, state._replace(palette=palette, out=state.out | 1, acting=min(state.acting, 0)))
    if rules.scoring and over(rules, after):
        return _next_round(rules, after, passes)
    return after, passes


def _passed(rules, state):
    """Pass the turn to the next player who is not out; return the state as they see it, and the seats passed on."""
    passes = 1
    while state.out >> passes & 1:
        passes += 1
    return _seen_from(rules, state, passes), passes


def _seen_from(rules, state, seat):
    for _ in range(seat):
        state = turned(rules, state)
    return state


# Rounds: who is left scores, and cards are dealt again.


def _next_round(rules, state, passes):
    """Score a round for its winner; return the final state, or that before the next deal, and the seats passed on.

    The next deal belongs to the last turn of the round, so that turns are those of players alone.
    """
    state = scored_round(state)
    if is_decided(rules, state):
        return state, passes
    state = _seen_from(rules, state, rules.players - passes)
    return start(rules)._replace(
        deck=unscored(state),
        scored=state.scored,
        scored1=state.scored1,
        scored2=state.scored2,
        scored3=state.scored3,
    ), 0


def _dealt(rules, state, card):
    """Deal one more card, hands first and then the palettes; return the next state and the seats passed on.

    The first player is to the left of the highest card in a palette. The seats of the first round are counted from
    there, and nothing passes; in later rounds the last card passes the turn, perhaps to the same player again.
    """
    is_first = unscored(state) == ALL
    seat = 0 if is_first else -state.undealt % rules.players
    state = _seen_from(rules, state, seat)
    deck, undealt = state.deck ^ card, state.undealt - 1
    if undealt >= rules.players:
        state = state._replace(hand=state.hand | card, deck=deck, undealt=undealt)
    else:
        state = state._replace(palette=state.palette | card, deck=deck, undealt=undealt)
    turns, passes = 1 if is_first else rules.players - seat, 0
    if undealt == 0:
        palettes = (state.palette, state.palette1, state.palette2, state.palette3)
        turns = 1
        while palettes[turns - 1] != max(palettes):
            turns += 1
        passes = 0 if is_first else (seat + turns - 1) % rules.players + 1
    return _seen_from(rules, state, turns), passes


def _lowest(cards, size):
    return cards & nth(cards, size) - 1 if size < count(cards) else cards


def _number(card):
    """Return the position of the set bit."""
    return count(card - 1)


def read(rules, text):
    """Read a state from its notation.

    Seats are counted from 1. Only the hands and the palettes are required.
    """
    given = parse(rules.players, text)
    empty = [0] * (4 - rules.players)
    palettes = given.palettes
    if rules.eliminated == "ignored":
        palettes = [0 if other in given.out else palette for other, palette in enumerate(palettes)]
    if not rules.scoring and any(given.scored):
        raise ValueError("cards are scored only with scoring=true")
    if not rules.actions and (given.top or given.known or given.acting):
        raise ValueError("cards act, and are put on the deck, only with actions=true")
    gone = sum(1 << other for other in given.out)
    acting = given.acting if rules.actions else -1
    state = State(
        *(*given.hands, *empty, *palettes, *empty, given.canvas, given.deck, gone, given.undealt),
        *(given.top, given.known, acting, *given.scored, *empty),
    )
    for _ in range(given.seat):
        state = turned(rules, state)
    if given.seat in given.out and not over(rules, state):
        raise ValueError(f"seat {given.seat + 1} is to move and out")
    return state
