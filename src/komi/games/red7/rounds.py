"""Rounds of Red7: the deal, who drops out, what the winner scores, and who wins the game."""

from komi.bitset import count
from komi.games.red7.canvas import ALL, RED, counting, points
from komi.games.red7.seats import passed, seen_from


def dealt(rules, state, card):
    """Deal one more card, hands first and then the palettes; return the next state and the seats passed on.

    The first player is to the left of the highest card in a palette. The seats of the first round are counted from
    there, and nothing passes; in later rounds the last card passes the turn, perhaps to the same player again.
    """
    is_first = unscored(state) == ALL
    seat = 0 if is_first else -state.undealt % rules.players
    state = seen_from(rules, state, seat)
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
    return seen_from(rules, state, turns), passes


def undrawn(rules, state):
    """Return the number of cards in the deck after all hands and palettes are dealt."""
    return count(unscored(state)) - rules.players * (rules.hand + 1)


def passed_out(rules, state):
    """Let the mover drop out; return the next state, and the seats passed on."""
    palette = 0 if rules.eliminated == "ignored" else state.palette  # face down, or not
    after, passes = passed(rules, state._replace(palette=palette, out=state.out | 1, acting=min(state.acting, 0)))
    if rules.scoring and is_last_left(rules, after):
        return _next_round(rules, after, passes)
    return after, passes


def is_last_left(rules, state):
    """Return whether all players but one are out."""
    return count(state.out) >= rules.players - 1


def _next_round(rules, state, passes):
    """Score a round for its winner; return the final state, or that before the next deal, and the seats passed on.

    The next deal belongs to the last turn of the round, so that turns are those of players alone.
    """
    state = scored_round(state)
    if is_decided(rules, state):
        return state, passes
    state = seen_from(rules, state, rules.players - passes)
    return _gathered(rules, state), 0


def _gathered(rules, state):
    """Return the state before a deal of all cards that no player has scored."""
    return state._replace(
        hand=0,
        hand1=0,
        hand2=0,
        hand3=0,
        palette=0,
        palette1=0,
        palette2=0,
        palette3=0,
        canvas=RED,
        deck=unscored(state),
        out=0,
        undealt=rules.players * (rules.hand + 1),
        top=0,
        known=0,
    )


def scored_round(state):
    """Let the mover, who has won a round, score the cards that count."""
    scored = state.scored | counting(state.canvas, state.palette)
    return state._replace(scored=scored, palette=state.palette & ~scored)


def is_decided(rules, state):
    """Return whether the mover, who has won a round, has the points to win, or too few cards are left for another."""
    goal = rules.goal if rules.goal > 0 else 50 - 5 * rules.players
    return points(state.scored) >= goal or count(unscored(state)) < rules.players * (rules.hand + 1)


def unscored(state):
    """Return the cards that no player has scored."""
    return ALL & ~(state.scored | state.scored1 | state.scored2 | state.scored3)


def share(rules, state, seat):
    """Return the payoff of a seat: those who have the most points share the win."""
    won = _points(state)
    winners = 0
    for other in range(rules.players):
        winners += won[other] == max(won)
    return 1.0 / winners if won[seat] == max(won) else 0.0


def leading_seat(rules, state):
    """Return the seat that has the most points; -1 if several have."""
    won = _points(state)
    first = -1
    for seat in range(rules.players):
        if won[seat] == max(won):
            if first >= 0:
                return -1
            first = seat
    return first


def _points(state):
    return points(state.scored), points(state.scored1), points(state.scored2), points(state.scored3)
