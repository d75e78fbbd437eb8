"""The rules of Red7, faster: a legal action without listing all, and an outcome."""

from komi.bitset import count, nth
from komi.game import CHANCE
from komi.games.red7.canvas import COLOUR, NONE, stronger
from komi.games.red7.moves import after_a_play, after_move, draws_card, rival_strength, winning_cards
from komi.games.red7.rounds import dealt, passed_out, undrawn
from komi.games.red7.seats import ended, passed
from komi.games.red7.steps import END, drawn, drawn_from_top, kind_of_choice, possible_steps, step


def pick(rules, state, uniform):
    """Return the number of legal actions, and one of them picked with a uniform random number; 0 in a chance node."""
    if state.undealt > 0:
        return 0, CHANCE
    if state.acting >= 0:
        return _picked_step(rules, state, uniform)
    hand = state.hand
    alone = stronger(state.canvas, state.palette, rival_strength(state, state.canvas)) & hand
    total = count(alone)
    winning = (
        winning_cards(state, 0),
        winning_cards(state, 1),
        winning_cards(state, 2),
        winning_cards(state, 3),
        winning_cards(state, 4),
        winning_cards(state, 5),
        winning_cards(state, 6),
    )
    for colour in range(7):
        discards = hand & COLOUR << colour
        if winning[colour] & state.palette:
            total += count(discards)
        plays = winning[colour] & hand
        discards = after_a_play(rules, state, colour, discards)
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
        discards = after_a_play(rules, state, colour, discards)
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
        cards = undrawn(rules, state) + state.undealt  # known sooner than a count, which waits for the last card dealt
        after, passes = dealt(rules, state, nth(state.deck, int(uniform * cards)))
        return 1.0 / cards, after, passes
    cards = count(state.deck)
    if action == CHANCE:
        after, passes = passed_out(rules, state)
        return 1.0, after, passes
    if state.acting >= 0:
        return _sampled_step(rules, state, action, uniform)
    if draws_card(rules, state, action):
        probability, moved = 1.0 / cards, drawn(after_move(state, action), nth(state.deck, int(uniform * cards)))
    else:
        probability, moved = 1.0, after_move(state, action)
    after, passes = passed(rules, moved)
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
    after, passes = ended(rules, moved, ends)
    return probability, after, passes


def _number(card):
    """Return the position of the set bit."""
    return count(card - 1)
