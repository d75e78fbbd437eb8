"""The turns of Red7 in which no card acts: a play, a discard, or a play and then a discard."""

from komi.bitset import count
from komi.games.red7.canvas import COLOUR, NONE, strength, stronger


def rival_strength(state, rule):
    """Compute the strength of the strongest rival palette."""
    return max(strength(rule, state.palette1), strength(rule, state.palette2), strength(rule, state.palette3))


def winning_cards(state, colour):
    """Return the cards that win if played before a discard of this colour; no cards if the hand has none of it."""
    if state.hand & COLOUR << colour:
        return stronger(colour, state.palette, rival_strength(state, colour))
    return 0


def after_a_play(rules, state, colour, discards):
    """Return the cards, of those of one colour, that can be discarded after a play."""
    if rules.idle_discards or colour != state.canvas:
        return discards
    if rules.draw == "none" or state.deck == 0:
        return 0
    cards = count(state.palette) + (rules.draw == "after")
    return discards & -1 << 8 * min(cards, 7)


def draws_card(rules, state, action):
    played, discarded = action >> 6, action & 63
    if discarded == NONE or rules.draw == "none" or state.deck == 0:
        return False
    cards = count(state.palette) + (rules.draw == "after" and played != NONE)
    return (discarded >> 3) + 1 > cards


def after_move(state, action):
    played, discarded = action >> 6, action & 63
    hand, palette, canvas = state.hand, state.palette, state.canvas
    if played != NONE:
        hand ^= 1 << played
        palette |= 1 << played
    if discarded != NONE:
        hand ^= 1 << discarded
        canvas = discarded & 7
    return state._replace(hand=hand, palette=palette, canvas=canvas)
