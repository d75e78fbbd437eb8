"""Red7 in words: R7 is the red seven, a state hands=R7+O3/Y1,palettes=V4/G1+G2,canvas=Y,seat=1,out=2.

Where odd cards act, `top` names the known cards on the deck, the topmost first, `known` those in hands, and `acting`
the card just played, or `done`.
"""

from typing import NamedTuple

from komi.bitset import count
from komi.game import CHANCE
from komi.games.red7.canvas import ALL, NONE
from komi.games.red7.steps import DONE, END, RETURN, TAKE

COLOURS = "VIBGYOR"  # low to high
PARTS = ("hands", "palettes", "canvas", "seat", "out", "discarded", "undealt", "top", "known", "acting", "scored")


class Notation(NamedTuple):
    """The parts of a state in words, with cards as sets; the parts of players in the order of seats."""

    hands: list[int]
    palettes: list[int]
    canvas: int
    seat: int
    out: list[int]
    deck: int
    undealt: int
    top: int
    known: int
    acting: int
    scored: list[int]


def label(rules, state, action):
    if action == CHANCE:
        return "deal" if state.undealt > 0 else "out"
    played, discarded = action >> 6, action & 63
    if discarded == TAKE:
        return f"put {card_name(played)} on the deck"
    if discarded == RETURN:
        return f"move {card_name(played)} to the canvas"
    if action == END:
        return "end the turn"
    words = [f"play {card_name(played)}"] if played != NONE else []
    words += [f"discard {card_name(discarded)}"] if discarded != NONE else []
    return ", ".join(words)


def event(rules, state, action, after):
    card = state.deck & ~after.deck
    return card_name(count(card - 1)) if card else "out"


def write(rules, state):
    hands = (state.hand, state.hand1, state.hand2, state.hand3)[: rules.players]
    palettes = (state.palette, state.palette1, state.palette2, state.palette3)[: rules.players]
    out = [seat for seat in range(rules.players) if state.out >> seat & 1]
    scored = (state.scored, state.scored1, state.scored2, state.scored3)[: rules.players]
    top, gone = [], ALL & ~state.deck
    while state.top >> 6 * len(top):
        top.append((state.top >> 6 * len(top) & 63) - 1)
    for cards in (*hands, *palettes, *scored, *(1 << card for card in top)):
        gone &= ~cards
    words = [
        "hands=" + "/".join(map(_names, hands)),
        "palettes=" + "/".join(map(_names, palettes)),
        f"canvas={COLOURS[state.canvas]}",
        "seat=1",
    ]
    words += ["out=" + "+".join(str(seat + 1) for seat in out)] if out else []
    words += [f"discarded={_names(gone)}"] if gone else []
    words += [f"undealt={state.undealt}"] if state.undealt else []
    words += ["top=" + "+".join(map(card_name, top))] if top else []
    words += [f"known={_names(state.known)}"] if state.known else []
    words += ["acting=" + ("done" if state.acting == DONE else card_name(state.acting - 1))] if state.acting > 0 else []
    words += ["scored=" + "/".join(map(_names, scored))] if any(scored) else []
    return ",".join(words)


def how_to_play(rules):
    more = ""
    if rules.draw != "none":
        more = " A discard whose number is above the number of cards in your palette draws a card."
    if rules.actions:
        more += "\n\n    Odd cards act when you play them. "
        if rules.taken_from == "large":
            more += "1: put a card of another palette, of at least as many cards as yours, on top of the deck."
        else:
            more += "1: put a card of another palette, of two cards or more, on top of the deck."
        more += " 3: draw a card. 5: play another card. "
        if rules.discard_again:
            more += "7: move another card of your palette to the canvas."
        else:
            more += "7: move another card of your palette to the canvas, which ends your turn."
    rounds = ""
    if rules.scoring:
        goal = rules.goal or 50 - 5 * rules.players
        rounds = f"""

    You win a round, and score the numbers of the cards that count. They leave the deck, and cards are dealt again.
    {goal} points win the game. If too few cards are left to deal, the most points win."""
    return f"""
    At the end of your turn you must be winning by the rule on the canvas, or you are out. The last player left
    wins.

    You hold {rules.hand} cards, and one lies before you, your palette. On your turn play a card to your palette, or
    discard one to the canvas, whose colour changes the rule, or do both, in this order.{more}

    The rules: red, the highest card. Orange, most cards of one number. Yellow, most cards of one colour. Green,
    most even cards. Blue, most different colours. Indigo, the longest run of numbers. Violet, most cards below 4.
    The higher cards break ties, and of equal numbers red is highest, then orange, down to violet.{rounds}

    Example: the canvas is red, and your opponent has the highest card. You play a second 3, and discard an orange
    card: now most of one number wins, and you have a pair.
    """


def card_name(card):
    """Return the name of the card that is this bit, such as R7."""
    return f"{COLOURS[card & 7]}{(card >> 3) + 1}"


def parse(players, text):
    """Parse a state in words.

    Raises:
        ValueError: if the text is malformed; the message names the error.
    """
    given = {}
    for part in text.split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or key not in PARTS:
            raise ValueError(f"{part.strip()!r} is none of {', '.join(f'{known}=' for known in PARTS)}")
        if key in given:
            raise ValueError(f"{key} is given twice")
        given[key] = value
    cards = [
        card for key in ("hands", "palettes", "discarded", "top", "scored") for card in _listed(given.get(key, ""))
    ]
    for card in cards:
        if cards.count(card) > 1:
            raise ValueError(f"{card_name(card)} is named twice")
    canvas = given.get("canvas", "R").upper()
    if canvas not in set(COLOURS):
        raise ValueError(f"canvas must be one of {', '.join(reversed(COLOURS))}, not {given['canvas']!r}")
    if not given.get("undealt", "0").isdecimal():
        raise ValueError(f"undealt must be a number of cards, not {given['undealt']!r}")
    hands, palettes = (_sets(players, key, given.get(key, "")) for key in ("hands", "palettes"))
    known, acting, top = sum(1 << card for card in _listed(given.get("known", ""))), given.get("acting", ""), 0
    if known & ~sum(hands):
        raise ValueError("known names a card that is in no hand")
    for card in reversed(_listed(given.get("top", ""))):
        top = top << 6 | card + 1
    return Notation(
        hands,
        palettes,
        COLOURS.index(canvas),
        _seat(players, given.get("seat", "1")),
        sorted({_seat(players, word) for word in _words(given.get("out", ""))}),
        ALL & ~sum(1 << card for card in cards),
        int(given.get("undealt", "0")),
        top,
        known,
        (DONE if acting == "done" else _card(acting) + 1) if acting else 0,
        _sets(players, "scored", given["scored"]) if "scored" in given else [0] * players,
    )


def _names(cards):
    return "+".join(card_name(card) for card in range(63, -1, -1) if cards >> card & 1)


def _words(text):
    return [word.strip() for word in text.replace("/", "+").split("+") if word.strip()]


def _listed(text):
    return [_card(word) for word in _words(text)]


def _card(word):
    colour, number = COLOURS.find(word[0].upper()), word[1:]
    if colour < 0 or number not in list("1234567"):
        raise ValueError(f"there is no card {word!r}")
    return colour + 8 * (int(number) - 1)


def _sets(players, key, text):
    sets = [sum(1 << card for card in _listed(cards)) for cards in text.split("/")]
    if len(sets) != players:
        raise ValueError(f"{key} must be those of {players} players with / between them, not of {len(sets)}")
    return sets


def _seat(players, word):
    if not (word.isdecimal() and 1 <= int(word) <= players):
        raise ValueError(f"there is no seat {word!r} with {players} players")
    return int(word) - 1
