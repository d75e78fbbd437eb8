"""The steps of a turn of Red7 in which odd cards act: play, take, return, discard, end.

The number of the card just played says which step is next. A step is legal if the turn can still end in the
lead, or may do so with an unknown card that it draws; what other hands hold has no effect on it.
"""

from komi.bitset import count
from komi.games.red7.canvas import COLOUR, NONE, NUMBER, colours, strength

TAKE, RETURN = 62, 61  # beside a card: it goes from a palette to the top of the deck, or from one's own to the canvas
END = NONE << 6 | NONE  # the action that ends the turn
DONE = NONE + 1  # of the field `acting`: a card has been played, and none acts
ONE, THREE, FIVE, SEVEN = 0, 2, 4, 6  # a card's number, less one
FIVES = NUMBER << 8 * FIVE


def possible_steps(rules, state):
    """Return (cards to play, cards to take or return, cards to discard, 1 if the turn can end or 0)."""
    hand, palette, acting = state.hand, state.palette, state.acting
    plays = chosen = discards = 0
    number = acting - 1 >> 3  # -1 before the first play, 7 once nothing acts
    if number < 0 or number == FIVE:
        plays = _plays(rules, state)
    elif number < 7:
        choices = choices_of(rules, state, palette, 1 << acting - 1)
        while choices:
            card = choices & -choices
            if _can_end(rules, state, hand, palette, number, card):
                chosen |= card
            choices ^= card
    if 0 < acting < DONE and rules.must_act:
        return plays, chosen, 0, 0
    leading = _leading(state, palette, 0, 127)
    for colour in range(7):
        if leading >> colour & 1:
            discards |= hand & COLOUR << colour
    if acting == 0:
        return plays, chosen, discards, 0
    if not rules.idle_discards:
        useful = ~(COLOUR << state.canvas)
        if can_draw(rules, state):
            useful |= -1 << 8 * min(counted(rules, palette, True), 7)
        discards &= useful
    return plays, chosen, discards, leading >> state.canvas & 1


def choices_of(rules, state, palette, played):
    """Return the cards of which a card just played acts on one: those that a 1 can take or a 7 can return."""
    number = count(played - 1) >> 3
    cards = 0
    if number == SEVEN:
        cards = palette if rules.own_seven else palette & ~played
    elif number == ONE:
        least = count(palette) if rules.taken_from == "large" else 2  # no player's last card
        for seat in range(1, 4):
            rival = _palette(state, palette, seat)
            if count(rival) >= least and not state.out >> seat & 1:
                cards |= rival
    return cards


def counted(rules, palette, has_played):
    """Return the number of cards in the palette with which a discard is compared."""
    return count(palette) - (rules.draw == "before" and has_played)


def can_draw(rules, state):
    """Return whether a high discard draws a card."""
    return rules.draw != "none" and (state.deck | state.top) != 0


def top_card(top):
    """Return the first of the known cards on top of the deck, as a set; the empty set if there is none."""
    return 1 << (top & 63) - 1 if top else 0


def step(rules, state, action):
    """Return the state after a step of the turn, whether it draws a card, and whether it ends the turn."""
    card, kind = action >> 6, action & 63
    if card == NONE and kind == NONE:
        return state, False, True
    if kind == TAKE:
        taken = ~(1 << card)
        return (
            state._replace(
                palette1=state.palette1 & taken,
                palette2=state.palette2 & taken,
                palette3=state.palette3 & taken,
                top=state.top << 6 | card + 1,
                acting=DONE,
            ),
            False,
            False,
        )
    if card == NONE or kind == RETURN:
        discarded = kind if card == NONE else card
        bit = 1 << discarded
        draws = can_draw(rules, state)
        palette = state.palette & ~bit
        draws &= (discarded >> 3) + 1 > counted(rules, palette, state.acting > 0)
        after = state._replace(
            hand=state.hand & ~bit, palette=palette, known=state.known & ~bit, canvas=discarded & 7, acting=DONE
        )
        return after, draws, card == NONE or not rules.discard_again
    bit = 1 << card
    hand, palette = state.hand ^ bit, state.palette | bit
    acts = hand if card >> 3 == FIVE else choices_of(rules, state, palette, bit)
    after = state._replace(hand=hand, palette=palette, known=state.known & ~bit, acting=card + 1 if acts else DONE)
    return after, card >> 3 == THREE and (state.deck | state.top) != 0, False


def drawn(state, card):
    return state._replace(hand=state.hand | card, deck=state.deck ^ card)


def drawn_from_top(state):
    """Draw the card that all know to be on top of the deck."""
    card = top_card(state.top)
    return state._replace(hand=state.hand | card, known=state.known | card, top=state.top >> 6)


def kind_of_choice(state):
    """Return what happens to the card that the acting card lets the mover choose."""
    return TAKE if (state.acting - 1) >> 3 == 0 else RETURN


def _plays(rules, state):
    """Return the cards that can be played: fives, as many as the player likes, and then another card."""
    plays, fives = 0, state.hand & FIVES
    played = fives
    while played >= 0:  # each subset of the fives
        hand, palette = state.hand ^ played, state.palette | played
        others = hand & ~FIVES
        stops = played and (hand == 0 or not rules.must_act) and _can_end(rules, state, hand, palette, -1, 0)
        while others:
            card = others & -others
            if _can_finish(rules, state, hand ^ card, palette | card, card):
                stops = True
                plays |= card if played == 0 else 0
            others ^= card
        plays |= played if stops else 0
        played = (played - 1) & fives if played else -1
    return plays


def _can_finish(rules, state, hand, palette, card):
    """Return whether the turn can end in the lead, the last card to be played having been played."""
    number = count(card - 1) >> 3
    if number == THREE and (state.deck | state.top) != 0:
        if state.top == 0:
            return True  # what it draws can help
        hand |= top_card(state.top)
    choices = choices_of(rules, state, palette, card)
    chosen = choices & -choices if rules.must_act else 0
    choices ^= chosen
    while not _can_end(rules, state, hand, palette, number, chosen):
        if choices == 0:
            return False
        chosen = choices & -choices
        choices ^= chosen
    return True


def _can_end(rules, state, hand, palette, number, chosen):
    """Return whether the turn can end in the lead, after a card of this number has acted on the chosen one, if any."""
    canvas, taken = state.canvas, 0
    if chosen and number == ONE:
        taken = chosen
    elif chosen:
        palette ^= chosen
        canvas = count(chosen - 1) & 7
        if not rules.discard_again:
            hand = 0
        elif can_draw(rules, state) and (count(chosen - 1) >> 3) + 1 > counted(rules, palette, True):
            if state.top == 0:
                return True
            hand |= top_card(state.top)
    return _leading(state, palette, taken, 1 << canvas | colours(hand)) != 0


def _leading(state, palette, taken, rules):
    """Return the rules, of a set of colours, under which a palette leads once a card is taken from another's."""
    leading = 0
    for colour in range(7):
        if rules >> colour & 1:
            own, rival = 0, 0
            for seat in range(4):
                strongest = strength(colour, _palette(state, palette, seat) & ~taken)
                if seat == 0:
                    own = strongest
                else:
                    rival = max(rival, strongest)
            if own > rival:
                leading |= 1 << colour
    return leading


def _palette(state, palette, seat):
    if seat == 0:
        return palette
    if seat == 1:
        return state.palette1
    return state.palette2 if seat == 2 else state.palette3
