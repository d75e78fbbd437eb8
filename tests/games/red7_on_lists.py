"""Red7 straight from the rule book: cards are (number, colour) pairs, hands and palettes lists of them.

A slow twin of the bit sets: nothing here is shared with them.
"""

from dataclasses import dataclass, field, replace

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
    taken_from: str = "large"
    must_act: bool = True
    own_seven: bool = False
    discard_again: bool = False
    goal: int = 0  # in points; 0 without scoring
    hand: int = 7
    top: list = field(default_factory=list)  # what all know to lie on the deck, the next card to be drawn first
    known: list = field(default_factory=list)  # cards in hands that all have seen
    acting: object = None  # the card that acts, "done", or None before the first play of a turn
    scored: list = field(default_factory=list)  # of each player


def counting(colour, palette):
    """Return all groups of cards that could count under the rule of a colour."""
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
    """Return (how many cards count, the highest of them) of the best group."""
    return max(((len(group), max(group)) for group in counting(colour, palette) if group), default=(0, None))


def leads(table, colour, palette):
    """Return whether the mover with this palette is winning, alone, under the rule of a colour."""
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


def draws(table, played, discarded, cards=None):
    """Return whether this discard draws a card; `cards` is the size of the palette, if not the current one."""
    if discarded is None or table.draw == "none" or not (table.deck or table.top):
        return False
    if cards is None:
        cards = len(table.palettes[0]) + (played is not None and table.draw == "after")
    return discarded[0] > cards


def moves(table):
    """Return all (card played or None, card discarded or None) after which the mover is winning."""
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


def turn(table, played, discarded, drawn):
    """Return the table after a turn, the next player still in first; (None, None) drops out."""
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
    moved = replace(
        table,
        hands=[hand, *table.hands[1:]],
        palettes=[palette, *table.palettes[1:]],
        canvas=canvas,
        deck=deck,
        out=out,
        acting=None,
    )
    return passed(moved)


def seen_from(table, seat):
    """Return the same table, counted from another seat."""
    changed = {name: getattr(table, name) for name in ("hands", "palettes", "out", "scored")}
    return replace(table, **{name: seats[seat:] + seats[:seat] for name, seats in changed.items()})


def passed(table):
    first = 1
    while table.out[first % len(table.out)]:
        first += 1
    return seen_from(table, first % len(table.out))


# Where odd cards act, a turn is a sequence of steps: ("play", card), ("take", card), ("return", card),
# ("discard", card) and ("end", None).


def allowed(table):
    """Return all steps that the cards allow, whether or not the turn can end well."""
    hand, palette, number = table.hands[0], table.palettes[0], table.acting and table.acting[0]
    plays, discards, ends = [("play", card) for card in hand], [("discard", card) for card in hand], [("end", None)]
    if table.acting is None:
        return plays + discards
    if not table.idle_discards:
        discards = [
            (name, card)
            for name, card in discards
            if card[1] != table.canvas or draws(table, None, card, len(palette) - (table.draw == "before"))
        ]
    if table.acting == "done":
        return discards + ends
    acts = {1: takes, 5: lambda _: plays, 7: returns}[number](table)
    return acts if table.must_act else acts + discards + ends


def takes(table):
    own = len(table.palettes[0])
    return [
        ("take", card)
        for seat in range(1, len(table.palettes))
        for card in table.palettes[seat]
        if not table.out[seat]
        and (len(table.palettes[seat]) >= own if table.taken_from == "large" else len(table.palettes[seat]) > 1)
    ]


def returns(table):
    return [("return", card) for card in table.palettes[0] if table.own_seven or card != table.acting]


def stepped(table, step):
    """Return (the table after a step, before an unknown card is drawn; whether one is; whether the turn ends)."""
    kind, card = step
    hand, palette, drawing = list(table.hands[0]), list(table.palettes[0]), False
    others, canvas, top, known = [list(each) for each in table.palettes[1:]], table.canvas, table.top, table.known
    acting = "done"
    if kind == "play":
        hand.remove(card)
        palette.append(card)
        drawing = card[0] == 3 and bool(table.deck or top)
        tried = replace(table, hands=[hand, *table.hands[1:]], palettes=[palette, *others], acting=card)
        acts = {1: takes, 5: lambda _: hand, 7: returns}.get(card[0], lambda _: [])(tried)
        acting = card if acts else "done"
    if kind == "take":
        for other in others:
            if card in other:
                other.remove(card)
        top = [card, *top]
    if kind in ("return", "discard"):
        (palette if kind == "return" else hand).remove(card)
        drawing = draws(table, None, card, len(palette) - (table.draw == "before" and table.acting is not None))
        canvas = card[1]
    known = [one for one in known if one != card]
    if drawing and top:
        hand.append(top[0])
        top, known, drawing = top[1:], [*known, top[0]], False
    after = replace(
        table,
        hands=[hand, *table.hands[1:]],
        palettes=[palette, *others],
        canvas=canvas,
        top=top,
        known=known,
        acting=acting,
    )
    return after, drawing, kind in ("end", "discard") or (kind == "return" and not table.discard_again)


def promises(table, step):
    """Return whether the turn can still end in the lead, or an unknown card is drawn before it ends."""
    after, drawing, ends = stepped(table, step)
    if ends:
        return leads(after, after.canvas, after.palettes[0])
    return drawing or any(promises(after, following) for following in allowed(after))


def steps(table):
    return [step for step in allowed(table) if promises(table, step)]


def followed(table, step):
    """Return all tables that a step leads to; None drops out."""
    if step is None:
        return [dropped_out(table)]
    after, drawing, ends = stepped(table, step)
    found = []
    for drawn in after.deck if drawing else [None]:
        one = after
        if drawn:
            deck = [card for card in one.deck if card != drawn]
            one = replace(one, hands=[[*one.hands[0], drawn], *one.hands[1:]], deck=deck)
        found.append(passed(replace(one, acting=None)) if ends else one)
    return found


def dropped_out(table):
    """Return the table once the mover is out; the round is scored if one player is left."""
    after = turn(table, None, None, None)
    if not table.goal or sum(not out for out in after.out) > 1:
        return after
    counts = max(
        (group for group in counting(after.canvas, after.palettes[0]) if group),
        key=lambda group: (len(group), max(group)),
    )
    scored = [[*after.scored[0], *counts], *after.scored[1:]]
    palettes = [[card for card in after.palettes[0] if card not in counts], *after.palettes[1:]]
    after = replace(after, scored=scored, palettes=palettes)
    rest = [card for card in DECK if not any(card in cards for cards in scored)]
    seats = len(scored)
    if sum(number for number, _ in scored[0]) >= table.goal or len(rest) < seats * (table.hand + 1):
        return after
    back = seen_from(after, seats - 1 - table_distance(table))
    empty = [[] for _ in range(seats)]
    return replace(
        back,
        hands=empty,
        palettes=empty,
        canvas=6,
        deck=rest,
        out=[False] * seats,
        top=[],
        known=[],
        acting=None,
    )


def table_distance(table):
    """Return the number of seats between the mover and the next player still in, who is the last."""
    distance = 1
    while table.out[distance]:
        distance += 1
    return distance - 1
