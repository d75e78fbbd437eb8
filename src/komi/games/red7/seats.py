"""The seats of Red7: what a player sees, and how the turn passes to the next."""

from komi.bitset import count, nth, subset


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
    hand, hand1, hand2, hand3, palette, palette1, palette2, palette3 = state[:8]
    scored, scored1, scored2, scored3 = state[15:]
    out = state.out >> 1 | (state.out & 1) << rules.players - 1
    if rules.players == 2:
        hands, palettes, kept = (hand1, hand, 0, 0), (palette1, palette, 0, 0), (scored1, scored, 0, 0)
    elif rules.players == 3:
        hands = (hand1, hand2, hand, 0)
        palettes, kept = (palette1, palette2, palette, 0), (scored1, scored2, scored, 0)
    else:
        hands = (hand1, hand2, hand3, hand)
        palettes, kept = (palette1, palette2, palette3, palette), (scored1, scored2, scored3, scored)
    return state._replace(
        hand=hands[0],
        hand1=hands[1],
        hand2=hands[2],
        hand3=hands[3],
        palette=palettes[0],
        palette1=palettes[1],
        palette2=palettes[2],
        palette3=palettes[3],
        out=out,
        scored=kept[0],
        scored1=kept[1],
        scored2=kept[2],
        scored3=kept[3],
    )


def ended(rules, state, ends):
    """Return the next state and the seats passed on after a step that ends the turn, or does not."""
    if ends:
        return passed(rules, state._replace(acting=0))
    return state, 0


def passed(rules, state):
    """Pass the turn to the next player who is not out; return the state as they see it, and the seats passed on."""
    passes = 1
    while state.out >> passes & 1:
        passes += 1
    return seen_from(rules, state, passes), passes


def seen_from(rules, state, seat):
    for _ in range(seat):
        state = turned(rules, state)
    return state


def _lowest(cards, size):
    return cards & nth(cards, size) - 1 if size < count(cards) else cards
