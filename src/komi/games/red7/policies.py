"""How to play Red7, as J. Snellman's "A Monte Carlo simulation of Red7" of 2015 sketches it.

Each function says how much it likes an action; among those liked most chance picks.
"""

from komi.games.red7.canvas import NONE, strength
from komi.games.red7.steps import DONE, RETURN


def single(rules, state, action):
    """Add no discard to a play that suffices on its own: the article's variant."""
    played, discarded = action >> 6, action & 63
    if state.acting == DONE and discarded != NONE:
        return 0 if _leads(state, state.palette, state.canvas) else 1
    if played == NONE or discarded >= RETURN:
        return 1
    return 0 if _leads(state, state.palette | 1 << played, state.canvas) else 1


def thrifty(rules, state, action):
    """Keep cards: play rather than discard when that suffices, and do either rather than both."""
    played, discarded = action >> 6, action & 63
    if played != NONE and (discarded < RETURN or (state.acting == 0 and not _suffices(state, played))):
        return 0
    return 2 if discarded == NONE else 1


def versatile(rules, state, action):
    """Play the card that makes the palette stronger under most of the seven rules."""
    played = action >> 6
    if played == NONE:
        return 0
    after = state.palette | 1 << played
    stronger = 0
    for rule in range(7):
        # the number of cards that count, not which of them is highest, is what lasts
        if strength(rule, after) >> 56 > strength(rule, state.palette) >> 56:
            stronger += 1
    return stronger


policies = (single, thrifty, versatile)


def opponents(rules):
    yield "random", "Picks any legal move."
    yield "thrifty", "Keeps its cards: plays one, or discards one, rather than both."
    yield "ismcts:1s", "Searches for about a second before each move, without seeing what is hidden."


def _suffices(state, played):
    return _leads(state, state.palette | 1 << played, state.canvas)


def _leads(state, palette, rule):
    own = strength(rule, palette)
    return (
        own > strength(rule, state.palette1)
        and own > strength(rule, state.palette2)
        and own > strength(rule, state.palette3)
    )
