"""Sets of small numbers as the bits of one integer, for rule files: cards, squares, dice kept.

Compiled rules call one machine instruction, or a few, in place of each of these functions. Bits 0 to 62
can be used.
"""


def count(members: int) -> int:
    """How many numbers the set has."""
    return int(members).bit_count()


def length(members: int) -> int:
    """One more than the greatest number of the set; 0 if it is empty."""
    return int(members).bit_length()


def nth(members: int, index: int) -> int:
    """The set of just one of the numbers, the one that `index` others are below."""
    for _ in range(index):
        members &= members - 1
    return members & -members
