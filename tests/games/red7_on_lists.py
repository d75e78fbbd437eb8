"""Red7 straight from the rule book: cards are (number, colour) pairs, hands and palettes lists of them.

A slow twin of the bit sets: nothing here is shared with them.
"""

from dataclasses import dataclass

COLOURS = ["V", "I", "B", "G", "Y", "O", "R"]  # low to high
DECK = [(number, colour) for number in range(1, 8) for colour in range(7)]


@dataclass
class Table:
    hands: list  # in the order of turns, the player to move first
    palettes: list
    canvas: int
    deck: list
    out: list  # one truth value a player
    draw: str = "after"
    eliminated: str = "ignored"
    idle_discards: bool = True


def counting(colour, palette):
    """All groups of cards that could count under the rule of a colour."""
    name = COLOURS[colour]
    if name == "R":
        return [[card] for card in palette]
    if name == "O":
        return [[card for card in palette if card[0] == number] for number in range(1, 8)]
    if name == "Y":
        return [[card for card in palette if card[1] == kind] for kind in range(7)]
    if name == "G":
        return [[card for card in palette if card[0] % 2 == 0]]
    if name == "B":
        best = {kind: max(card for card in palette if card[1] == kind) for kind in {card[1] for card in palette}}
        return [list(best.values())]
    if name == "I":
        best = {number: max(card for card in palette if card[0] == number) for number in {card[0] for card in palette}}
        return [
            [best[number] for number in range(low, high + 1)]
            for low in range(1, 8)
            for high in range(low, 8)
            if all(number in best for number in range(low, high + 1))
        ]
    return [[card for card in palette if card[0] < 4]]


def strength(colour, palette):
    """(how many cards count, the highest of them), of the best group."""
    return max(((len(group), max(group)) for group in counting(colour, palette) if group), default=(0, None))


def leads(table, colour, palette):
    """Whether the mover with this palette is winning, alone, under the rule of a colour."""
    own = strength(colour, palette)
    if own[0] == 0:
        return False
    for seat in range(1, len(table.hands)):
        if table.out[seat] and table.eliminated == "ignored":
            continue
        rival = strength(colour, table.palettes[seat])
        if rival[0] > 0 and rival >= own:
            return False
    return True


def draws(table, played, discarded):
    """Whether this discard draws a card."""
    if discarded is None or table.draw == "none" or not table.deck:
        return False
    cards = len(table.palettes[0])
    if played is not None and table.draw == "after":
        cards += 1
    return discarded[0] > cards


def moves(table):
    """All (card played or None, card discarded or None) after which the mover is winning."""
    found = []
    for played in [None, *table.hands[0]]:
        for discarded in [None, *table.hands[0]]:
            if (played is None and discarded is None) or played == discarded:
                continue
            palette = table.palettes[0] + ([played] if played else [])
            canvas = discarded[1] if discarded else table.canvas
            if not leads(table, canvas, palette):
                continue
            idle = discarded is not None and discarded[1] == table.canvas and not draws(table, played, discarded)
            if played and idle and not table.idle_discards:
                continue
            found.append((played, discarded))
    return found


def after(table, played, discarded, drawn):
    """The table after a turn, the next player who is still in first; (None, None) drops out."""
    hand, palette, out = list(table.hands[0]), list(table.palettes[0]), list(table.out)
    canvas, deck = table.canvas, list(table.deck)
    if played is None and discarded is None:
        out[0] = True
        if table.eliminated == "ignored":
            palette = []
    if played:
        hand.remove(played)
        palette.append(played)
    if discarded:
        hand.remove(discarded)
        canvas = discarded[1]
    if drawn:
        deck.remove(drawn)
        hand.append(drawn)
    hands, palettes = [hand, *table.hands[1:]], [palette, *table.palettes[1:]]
    first = 1
    while out[first % len(out)]:
        first += 1
    first %= len(out)
    return Table(
        hands[first:] + hands[:first],
        palettes[first:] + palettes[:first],
        canvas,
        deck,
        out[first:] + out[:first],
        table.draw,
        table.eliminated,
        table.idle_discards,
    )
