"""Red7 in words: R7 is the red seven, a state hands=R7+O3/Y1,palettes=V4/G1+G2,canvas=Y,seat=1,out=2."""

from komi.bitset import count
from komi.game import CHANCE
from komi.games.red7.canvas import ALL, NONE

COLOURS = "VIBGYOR"  # low to high
PARTS = ("hands", "palettes", "canvas", "seat", "out", "discarded", "undealt")


def label(rules, state, action):
    if action == CHANCE:
        return "deal" if state.undealt > 0 else "out"
    played, discarded = action >> 6, action & 63
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
    return _written(hands, palettes, state.canvas, out, state.deck, state.undealt)


def how_to_play(rules):
    more = ""
    if rules.draw != "none":
        more = " A discard whose number is above the number of cards in your palette draws a card."
    return f"""
    At the end of your turn you must be winning by the rule on the canvas, or you are out. The last player left
    wins.

    You hold {rules.hand} cards, and one lies before you, your palette. On your turn play a card to your palette, or
    discard one to the canvas, whose colour changes the rule, or do both, in this order.{more}

    The rules: red, the highest card. Orange, most cards of one number. Yellow, most cards of one colour. Green,
    most even cards. Blue, most different colours. Indigo, the longest run of numbers. Violet, most cards below 4.
    The higher cards break ties, and of equal numbers red is highest, then orange, down to violet.

    Example: the canvas is red, and your opponent has the highest card. You play a second 3, and discard an orange
    card: now most of one number wins, and you have a pair.
    """


def card_name(card):
    """Return the name of the card that is this bit, such as R7."""
    return f"{COLOURS[card & 7]}{(card >> 3) + 1}"


def _written(hands, palettes, canvas, out, deck, undealt):
    """Write a state in words, with the player to move in seat 1."""
    gone = ALL & ~deck
    for cards in hands + palettes:
        gone &= ~cards
    words = [
        "hands=" + "/".join(map(_names, hands)),
        "palettes=" + "/".join(map(_names, palettes)),
        f"canvas={COLOURS[canvas]}",
        "seat=1",
    ]
    words += ["out=" + "+".join(str(seat + 1) for seat in out)] if out else []
    words += [f"discarded={_names(gone)}"] if gone else []
    words += [f"undealt={undealt}"] if undealt else []
    return ",".join(words)


def parse(players, text):
    """Parse a state in words.

    Returns:
        (hands, palettes, canvas, seat, eliminated seats, deck, number of cards undealt).

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
    cards = [card for key in ("hands", "palettes", "discarded") for card in _listed(given.get(key, ""))]
    for card in cards:
        if cards.count(card) > 1:
            raise ValueError(f"{card_name(card)} is named twice")
    canvas = given.get("canvas", "R").upper()
    if canvas not in set(COLOURS):
        raise ValueError(f"canvas must be one of {', '.join(reversed(COLOURS))}, not {given['canvas']!r}")
    if not given.get("undealt", "0").isdecimal():
        raise ValueError(f"undealt must be a number of cards, not {given['undealt']!r}")
    return (
        _sets(players, "hands", given.get("hands", "")),
        _sets(players, "palettes", given.get("palettes", "")),
        COLOURS.index(canvas),
        _seat(players, given.get("seat", "1")),
        sorted({_seat(players, word) for word in _words(given.get("out", ""))}),
        ALL & ~sum(1 << card for card in cards),
        int(given.get("undealt", "0")),
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
