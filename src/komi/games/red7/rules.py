"""Red7: be winning at the end of your turn, under a rule that every player may change (Asmadi Games, 2014).

C. Cieslik and C. Chudyk, with the advanced rule for drawing cards. The rule book is unambiguous; other
readings that have been simulated are rules to set. J. Snellman, "A Monte Carlo simulation of Red7", 2015,
compares also with players who are out, and does not list idle discards.

With `actions` odd cards act, and a turn is a sequence of decisions, as `steps` says. The printings differ in
whose card a 1 takes. The rule book does not say whether a card must act, whether a 7 can discard itself, and
whether a discard from the hand can follow: by default it must, cannot, and cannot, so that each 7 changes the
rule and a turn has one discard. With `scoring` rounds are played for points.

Cards are bits of a set, as `canvas` says. Seats are counted from the player to move: `seats` passes the turn, and
hides what a player does not see. `moves` has the turns in which no card acts, `rounds` the deal and the score, and
`sampling` the same rules faster.
"""

from typing import NamedTuple

from komi.bitset import count
from komi.game import CHANCE
from komi.games.red7.canvas import ALL, COLOUR, NONE, RED, strength, stronger
from komi.games.red7.moves import after_a_play, after_move, draws_card, rival_strength
from komi.games.red7.policies import opponents, policies  # noqa: F401  parts of the protocol
from komi.games.red7.rounds import dealt, is_last_left, leading_seat, passed_out, share, undrawn
from komi.games.red7.sampling import pick, sample  # noqa: F401
from komi.games.red7.seats import deal, ended, passed, turned, view  # noqa: F401
from komi.games.red7.steps import (
    DONE,
    END,
    RETURN,
    TAKE,
    drawn,
    drawn_from_top,
    kind_of_choice,
    possible_steps,
    step,
    top_card,
)
from komi.games.red7.table import card_name, event, how_to_play, label, parse, write  # noqa: F401

action_count = (NONE << 6) + NONE + 1  # an action is the card played and the card discarded, 6 bits each
CARDS = tuple(card for card in range(64) if ALL >> card & 1)
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
    scoring: bool = False  # points are scored: who wins a round scores the cards that count, which leave the deck
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


def domains(rules):
    cards = {card: card_name(card) for card in CARDS}
    hand, hand1, hand2, hand3 = [cards if seat < rules.players else 0 for seat in range(4)]
    return State(
        hand=hand,
        hand1=hand1,
        hand2=hand2,
        hand3=hand3,
        palette=hand,
        palette1=hand1,
        palette2=hand2,
        palette3=hand3,
        canvas=range(RED + 1),
        deck=cards,
        out=set(range(rules.players)),
        undealt=range(rules.players * (rules.hand + 1) + 1),
        top=range(1 << 62),
        known=cards,
        acting=tuple(range(-1, DONE + 1)),
        scored=hand,
        scored1=hand1,
        scored2=hand2,
        scored3=hand3,
    )


def action_numbers(rules):
    pairs = [64 * played + other for played in (*CARDS, NONE) for other in (*CARDS, NONE) if played != other]
    chosen = [64 * card + kind for card in CARDS for kind in (TAKE, RETURN)] + [END]
    return tuple(pairs) if not rules.actions else tuple(chosen + [pair for pair in pairs if NONE in divmod(pair, 64)])


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
        and (state.undealt == 0 or 0 < state.undealt == count(state.deck) - undrawn(rules, state))
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
        plays = stronger(state.canvas, state.palette, rival_strength(state, state.canvas)) & state.hand
        for card in range(64):
            if plays >> card & 1:
                yield card * 64 + NONE
                choices += 1
        for colour in range(7):
            discards = state.hand & COLOUR << colour
            if discards:
                winning = stronger(colour, state.palette, rival_strength(state, colour))
                if winning & state.palette:
                    for card in range(64):
                        if discards >> card & 1:
                            yield NONE * 64 + card
                            choices += 1
                plays = winning & state.hand
                discards = after_a_play(rules, state, colour, discards)
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
                after, passes = dealt(rules, state, 1 << card)
                yield 1.0 / count(state.deck), after, passes
    elif action == CHANCE:
        after, passes = passed_out(rules, state)
        yield 1.0, after, passes
    elif state.acting >= 0:
        moved, draws, ends = step(rules, state, action)
        if draws and moved.top == 0:
            for card in range(64):
                if moved.deck >> card & 1:
                    after, passes = ended(rules, drawn(moved, 1 << card), ends)
                    yield 1.0 / count(moved.deck), after, passes
        else:
            after, passes = ended(rules, drawn_from_top(moved) if draws else moved, ends)
            yield 1.0, after, passes
    else:
        moved = after_move(state, action)
        if draws_card(rules, state, action):
            for card in range(64):
                if state.deck >> card & 1:
                    after, passes = passed(rules, drawn(moved, 1 << card))
                    yield 1.0 / count(state.deck), after, passes
        else:
            after, passes = passed(rules, moved)
            yield 1.0, after, passes


def over(rules, state):
    return is_last_left(rules, state)


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
