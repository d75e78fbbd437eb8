"""Cards and states of Red7 in words."""

from komi.games._red7_canvas import ALL

COLOURS = "VIBGYOR"  # low to high
PARTS = ("hands", "palettes", "canvas", "seat", "out", "discarded", "undealt")


def name(card):
    """Return the name of the card that is this bit, such as R7."""
    return f"{COLOURS[card & 7]}{(card >> 3) + 1}"


def written(hands, palettes, canvas, out, deck, undealt):
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


def parts(players, text):
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
            raise ValueError(f"{name(card)} is named twice")
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
    return "+".join(name(card) for card in range(63, -1, -1) if cards >> card & 1)


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
