"""Love Letter: one round for two, of cards with powers, of which each player holds one (S. Kanai, 2012).

On your turn you draw a card and play one of your two. A player who is knocked out loses; when the deck is empty the
higher card wins, and of equal cards those of the player whose played cards have the higher sum. A card is removed
unseen before the deal, three are laid open. Smaller decks can be solved: `--set guards=1,priests=1,...`.
"""

from typing import NamedTuple

from komi.game import CHANCE, put

players = 2
KINDS = 8
NAMES = ("", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess")
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, KINDS + 1)
GUESSES = KINDS - 1  # actions 0 to 6 name the cards 2 to 8
PLAY_PRIEST, PLAY_BARON, PLAY_HANDMAID, ON_RIVAL, ON_YOURSELF, PLAY_KING, PLAY_COUNTESS, PLAY_PRINCESS, IDLE_GUARD = (
    range(GUESSES, GUESSES + 9)
)
actions = (
    *("guess Priest", "guess Baron", "guess Handmaid", "guess Prince", "guess King", "guess Countess"),
    *("guess Princess", "Priest", "Baron", "Handmaid", "Prince", "Prince on yourself", "King", "Countess"),
    *("Princess", "Guard"),
)
PLAYED = (1,) * GUESSES + (2, 3, 4, 5, 5, 6, 7, 8, 1)  # the card that an action plays
GOING, WON, LOST, COMPARED = range(4)


class Rules(NamedTuple):
    guards: int = 5  # cards in the deck
    priests: int = 2  # cards in the deck
    barons: int = 2  # cards in the deck
    handmaids: int = 2  # cards in the deck
    princes: int = 2  # cards in the deck
    kings: int = 1  # cards in the deck
    countesses: int = 1  # cards in the deck
    princesses: int = 1  # cards in the deck
    aside: int = 3  # cards laid open before the deal


class State(NamedTuple):  # as the player to move sees it
    hand: int = 0  # your card; 0 before the deal
    drawn: int = 0  # the card that you have drawn; 0 before
    rival: int = 0  # the opponent's card; 0 if you do not know it
    rival_drawn: int = 0  # the card that the opponent has drawn
    known: int = 0  # whether you know the opponent's card
    exposed: int = 0  # whether the opponent knows yours
    safe: int = 0  # whether a Handmaid protects the opponent
    ending: int = 0  # whether the round goes on, or how it ended for you: see the constants
    open: tuple[int, ...] = (0,) * KINDS  # cards laid open, by kind
    played: tuple[int, ...] = (0,) * KINDS  # cards that you have played or discarded
    rival_played: tuple[int, ...] = (0,) * KINDS  # those of the opponent
    seen: int = 0  # all cards that you have held or looked at, in order, in base 9
    rival_seen: int = 0  # those that the opponent has
    course: int = 0  # all that was played, in order: actions from 1 on, and cards that a Prince hits, in base 17


def limits(rules):
    if sum(rules[:KINDS]) < rules.aside + 4:
        return "these rules leave fewer than four cards: one to remove, one for each player, and one to draw"
    return Rules((0, 5), (0, 2), (0, 2), (0, 2), (0, 2), (0, 1), (0, 1), (0, 1), (0, 3))


def start(rules):
    return State()


def view(rules, state):
    if over(rules, state):
        return state
    rival = state.rival if state.known else 0
    return state._replace(rival=rival, rival_drawn=0, rival_seen=0)


def pool(rules, state, kind):
    """Return how many cards of a kind are in the deck, or were removed."""
    held = (state.hand == kind) + (state.drawn == kind) + (state.rival == kind) + (state.rival_drawn == kind)
    index = kind - 1
    return rules[index] - state.open[index] - state.played[index] - state.rival_played[index] - held


def pool_size(rules, state):
    size = 0
    for kind in range(1, KINDS + 1):
        size += pool(rules, state, kind)
    return size


def domains(rules):
    kind, flag, history = range(KINDS + 1), range(2), range(1 << 62)
    cards = tuple(range(number + 1) for number in rules[:KINDS])
    return State(
        hand=kind,
        drawn=kind,
        rival=kind,
        rival_drawn=kind,
        known=flag,
        exposed=flag,
        safe=flag,
        ending=range(4),
        open=cards,
        played=cards,
        rival_played=cards,
        seen=history,
        rival_seen=history,
        course=history,
    )


def legal(rules, state):
    if state.drawn == 0:
        yield CHANCE
        return
    for action in range(len(PLAYED)):
        if holds(state, PLAYED[action]) and is_allowed(rules, state, action):
            yield action


def holds(state, kind):
    return state.hand == kind or state.drawn == kind


def is_allowed(rules, state, action):
    """Return whether a card in the hand can be played in this way."""
    card = PLAYED[action]
    if holds(state, COUNTESS) and card in (KING, PRINCE):
        return False
    if action < GUESSES:
        return state.safe == 0 and rules[action + 1] > 0
    if action == IDLE_GUARD:
        return state.safe == 1 or sum(rules[1:KINDS]) == 0
    return action != ON_RIVAL or state.safe == 0


def outcomes(rules, state, action):
    if action == CHANCE:
        size = pool_size(rules, state)
        for kind in range(1, KINDS + 1):
            number = pool(rules, state, kind)
            if number > 0:
                yield number / size, dealt(rules, state, kind), 0
        return
    card = PLAYED[action]
    kept = state.drawn if state.hand == card else state.hand
    exposed = state.exposed if card != state.hand else 0
    after = state._replace(hand=kept, drawn=0, exposed=exposed, safe=0, course=17 * state.course + action + 1)
    after = after._replace(played=put(after.played, card - 1, after.played[card - 1] + 1))
    if action in (ON_YOURSELF, ON_RIVAL):
        yield from redrawn(rules, after, action == ON_YOURSELF)
    else:
        yield 1.0, passed(rules, effect(state, after, action)), 1


def dealt(rules, state, kind):
    """Return the state after a card is laid open, dealt or drawn."""
    if sum(state.open) < rules.aside:
        return state._replace(open=put(state.open, kind - 1, state.open[kind - 1] + 1))
    if state.hand > 0 and state.rival == 0:
        return state._replace(rival=kind, rival_seen=kind)
    after = state._replace(seen=9 * state.seen + kind)
    return after._replace(drawn=kind) if state.hand > 0 else after._replace(hand=kind)


def effect(state, after, action):
    """Return the state after a card that needs no chance, of the player who has played it."""
    if action < GUESSES and state.rival == action + 2:
        return after._replace(ending=WON)
    if action == PLAY_PRINCESS:
        return after._replace(ending=LOST)
    if action == PLAY_HANDMAID:
        return after._replace(safe=1)
    if state.safe:
        return after
    if action == PLAY_PRIEST:
        return after._replace(known=1, seen=9 * after.seen + state.rival)
    if action == PLAY_BARON:
        if after.hand == state.rival:
            return after._replace(known=1, exposed=1)
        return after._replace(ending=WON if after.hand > state.rival else LOST)
    if action == PLAY_KING:
        seen, rival_seen = 9 * after.seen + state.rival, 9 * after.rival_seen + after.hand
        swapped = after._replace(hand=state.rival, rival=after.hand, seen=seen, rival_seen=rival_seen)
        return swapped._replace(known=1, exposed=1)
    return after


def redrawn(rules, after, is_own):
    """Yield the states after a Prince: a card is discarded, and another drawn in its place."""
    card = after.hand if is_own else after.rival
    after = after._replace(course=17 * after.course + card)
    if is_own:
        after = after._replace(hand=0, played=put(after.played, card - 1, after.played[card - 1] + 1))
    else:
        count = after.rival_played[card - 1] + 1
        after = after._replace(rival=0, rival_played=put(after.rival_played, card - 1, count))
    if card == PRINCESS:
        yield 1.0, passed(rules, after._replace(ending=LOST if is_own else WON)), 1
        return
    size = pool_size(rules, after)
    for kind in range(1, KINDS + 1):
        number = pool(rules, after, kind)
        if number > 0:
            if is_own:
                drew = after._replace(hand=kind, seen=9 * after.seen + kind, exposed=0)
            else:
                drew = after._replace(rival=kind, rival_seen=9 * after.rival_seen + kind, known=0)
            yield number / size, passed(rules, drew), 1


def passed(rules, after):
    """Return the state as the next player sees it, at the end of the round if the deck is empty."""
    if after.ending == GOING and pool_size(rules, after) < 2:
        after = after._replace(ending=COMPARED)
    return turned(rules, after)


def over(rules, state):
    return state.ending != GOING


def payoff(rules, state):
    if state.ending != COMPARED:
        return 1.0 if state.ending == WON else 0.0
    mine, other = (state.hand, points(state.played)), (state.rival, points(state.rival_played))
    return 0.5 if mine == other else 1.0 if mine > other else 0.0


def points(cards):
    total = 0
    for index in range(KINDS):
        total += (index + 1) * cards[index]
    return total


def event(rules, state, action, after):
    if action != CHANCE:
        return f"draw {NAMES[after.rival if action == ON_YOURSELF else after.hand]}"
    if sum(state.open) < rules.aside:
        return f"open {NAMES[first_difference(state.open, after.open)]}"
    return f"draw {NAMES[after.hand if state.hand == 0 else after.rival if state.rival == 0 else after.drawn]}"


def first_difference(before, after):
    """Return the kind of the card that was laid open."""
    for index in range(KINDS):
        if before[index] != after[index]:
            return index + 1
    return 0


open_actions = True


def low_card(rules, state):
    """Play the lower card; guess the card of which most are out of sight."""
    low = min(state.hand, state.drawn)
    best, most = -1, -1
    for action in legal(rules, state):
        if action == CHANCE:
            return CHANCE
        weight = pool(rules, state, action + 2) if action < GUESSES else 0
        if state.known and action < GUESSES:
            weight = 10 * (state.rival == action + 2)
        weight += 100 * (PLAYED[action] == low) - 50 * (action == ON_YOURSELF)
        if weight > most or best < 0:
            best, most = action, weight
    return best


policies = (low_card,)


def opponents(rules):
    yield "random", "Plays any card, and names any."
    yield "low_card", "Plays the lower card, and names what is most often out of sight."


def table(rules, state):
    """Yield the hands, the opponent's face down unless it is known, what both have played, and the cards laid open."""
    if state.hand > 0:
        yield "card", "Hand", 0, NAMES[state.hand]
    if state.drawn > 0:
        yield "card", "Hand", 0, NAMES[state.drawn]
    if state.hand > 0 or state.rival > 0:
        yield "card", "Hand", 1, NAMES[state.rival]
    if state.rival_drawn > 0:
        yield "card", "Hand", 1, NAMES[state.rival_drawn]
    yield from face_up("Played", 0, state.played)
    yield from face_up("Played", 1, state.rival_played)
    yield from face_up("Laid open", -1, state.open)
    if state.safe:
        yield "token", "Handmaid", 1, "protected"
    left = sum(rules[:KINDS]) - rules.aside - sum(state.played) - sum(state.rival_played) - 3 - (state.drawn > 0)
    if state.hand > 0:
        yield "stack", "Deck", -1, "cards", max(left, 0)


def face_up(place, seat, cards):
    for index in range(KINDS):
        for _ in range(cards[index]):
            yield "card", place, seat, NAMES[index + 1]


def turned(rules, state):
    after = state._replace(hand=state.rival, drawn=state.rival_drawn, rival=state.hand, rival_drawn=state.drawn)
    after = after._replace(known=state.exposed, exposed=state.known, ending=turned_ending(state.ending))
    after = after._replace(played=state.rival_played, rival_played=state.played)
    return after._replace(seen=state.rival_seen, rival_seen=state.seen)


def turned_ending(ending):
    return LOST if ending == WON else WON if ending == LOST else ending


def how_to_play(rules):
    return """
    Each player holds one card. On your turn you draw a second one, and play one of the two, face up. Knock the other
    player out, or hold the higher card when the deck is empty. Equal cards are decided by the sum of what was played.

    Guard (1): name another card; the other player is out if it is theirs. Priest (2): look at their card. Baron (3):
    compare your cards; the lower one is out. Handmaid (4): nothing affects you until your next turn. Prince (5): one
    of you discards the card in the hand and draws another one. King (6): exchange your cards. Countess (7): must be
    played beside a King or a Prince. Princess (8): who plays or discards it is out.

    Example: you hold a Priest and draw a Guard. You play the Guard and name the Princess; the other player has it.
    """
