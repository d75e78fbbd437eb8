"""The seven rules of Red7's canvas on bit sets of cards.

Card `8 * (number - 1) + colour` is one bit, so that a higher card is a higher bit, the cards of a number
are a byte, and those of a colour every eighth bit. The *strength* of a palette under a rule is

    (how many cards count) * ONE_MORE + (the set of those that count, as an integer).

Strengths compare as the rule book says: first how many count, then the highest card among them. For two
palettes never share a card, so where their sets differ first, from the top, one has its highest card.
"""

from komi.bitset import count, length

VIOLET, INDIGO, BLUE, GREEN, YELLOW, ORANGE, RED = range(7)  # low to high
ALL = 0x7F7F7F7F7F7F7F
NUMBER = 0x7F  # the cards of number 1; those of number n lie 8 (n - 1) bits higher
COLOUR = 0x01010101010101  # the violet cards; those of a colour lie so many bits higher
EVEN = 0x007F007F007F00
BELOW_FOUR = 0x7F7F7F
ONE_MORE = 1 << 56
NONE = 63  # in place of a card: none is played, or none is discarded


def strength(rule, palette):
    """Compute the strength of a palette under the rule of a colour; 0 if no card counts."""
    if rule == RED:
        return palette
    if rule == ORANGE:
        return max(
            max(_counted(palette & NUMBER), _counted(palette & NUMBER << 8), _counted(palette & NUMBER << 16)),
            max(_counted(palette & NUMBER << 24), _counted(palette & NUMBER << 32)),
            max(_counted(palette & NUMBER << 40), _counted(palette & NUMBER << 48)),
        )
    if rule == YELLOW:
        return max(
            max(_counted(palette & COLOUR), _counted(palette & COLOUR << 1), _counted(palette & COLOUR << 2)),
            max(_counted(palette & COLOUR << 3), _counted(palette & COLOUR << 4)),
            max(_counted(palette & COLOUR << 5), _counted(palette & COLOUR << 6)),
        )
    if rule == GREEN:
        return _counted(palette & EVEN)
    if rule == BLUE:
        return count(colours(palette)) * ONE_MORE + palette
    if rule == INDIGO:
        return _longest_run(palette)
    return _counted(palette & BELOW_FOUR)


def stronger(rule, palette, rival):
    """Return the set of cards each of which makes the palette stronger than a rival's strength.

    A card that is already in the palette is in the set if the palette is stronger without an addition.
    """
    if strength(rule, palette) > rival:
        return ALL
    cards = 0
    if rule == RED:
        cards = _above(rival)
    elif rule == ORANGE:
        for number in range(7):
            cards |= _one_more(palette, NUMBER << 8 * number, rival)
    elif rule == YELLOW:
        for colour in range(7):
            cards |= _one_more(palette, COLOUR << colour, rival)
    elif rule == GREEN:
        cards = _one_more(palette, EVEN, rival)
    elif rule == BLUE:
        own = colours(palette)
        missing = rival - palette - count(own) * ONE_MORE
        cards = _above(missing) | (_above(missing - ONE_MORE) & ~(own * COLOUR))
    elif rule == INDIGO:
        present = _present(palette)
        for number in range(7):
            run = _run_through(present, number)
            cards |= (NUMBER << 8 * number) & _above(rival - _counted_run(palette, run))
    else:
        cards = _one_more(palette, BELOW_FOUR, rival)
    return cards & ALL & ~palette


def counting(rule, palette):
    """Return the cards of a palette that count under the rule of a colour: the highest if others would do as well."""
    group = strength(rule, palette) & ONE_MORE - 1
    cards = 0
    if rule == RED:
        cards = _highest(group)
    elif rule == BLUE:
        for colour in range(7):
            cards |= _highest(group & COLOUR << colour)
    elif rule == INDIGO:
        for number in range(7):
            cards |= _highest(group & NUMBER << 8 * number)
    else:
        cards = group
    return cards


def points(cards):
    """Return the sum of the numbers of the cards."""
    total = 0
    for number in range(7):
        total += count(cards & NUMBER << 8 * number) * (number + 1)
    return total


def _highest(cards):
    return 1 << length(cards) - 1 if cards else 0


def _counted(cards):
    return count(cards) * ONE_MORE + cards


def _above(missing):
    """Return the set of cards whose bits, as integers, exceed a number."""
    return -1 << length(max(missing, 0))


def _one_more(palette, group, rival):
    """Return the cards of a group that make the palette stronger than the rival, if each card of the group counts."""
    return group & _above(rival - _counted(palette & group) - ONE_MORE)


def colours(palette):
    """Return the set of the palette's colours."""
    palette |= palette >> 32
    palette |= palette >> 16
    return (palette | palette >> 8) & NUMBER


def _present(palette):
    """Return a mask with a byte of ones for each number in the palette."""
    return ((palette + ALL) >> 7 & COLOUR) * 255  # adding 127 to a byte carries into its top bit unless it is 0


def _longest_run(palette):
    """Compute the strength under the rule of indigo by doubling: no run is longer than 4 + 2 + 1."""
    one = _present(palette)
    two = one & one >> 8  # ones where a run of two begins
    four = two & two >> 16
    begins, numbers = one, 1
    if four:
        begins, numbers = four, 4
    elif two:
        begins, numbers = two, 2
    longer = begins & two >> 8 * numbers
    if longer:
        begins, numbers = longer, numbers + 2
    longer = begins & one >> 8 * numbers
    if longer:
        begins, numbers = longer, numbers + 1
    first = length(begins) - 8  # of several, the highest
    return _counted_run(palette, ((1 << 8 * numbers) - 1) << max(first, 0)) if palette else 0


def _run_through(present, number):
    """Return the run of numbers that includes a card of this number, as a mask of bytes of ones."""
    bit = 1 << 8 * number
    present |= 255 * bit
    present &= _above(~present & (bit - 1))  # nothing below the run
    return present & ~(present + (present & -present))  # the carry runs through it, and clears it


def _counted_run(palette, run):
    return count(run) * (ONE_MORE >> 3) + (palette & run)
