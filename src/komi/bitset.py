"""Sets of small integers as bitmasks, for rule files: cards, squares, dice kept.

In compiled rules each of these functions is replaced by one or a few machine instructions. Bits 0 to 62
can be used.
"""


def count(members: int) -> int:
    """Return the number of elements of the set."""
    return int(members).bit_count()


def length(members: int) -> int:
    """Return one more than the largest element of the set; 0 if it is empty."""
    return int(members).bit_length()


def nth(members: int, index: int) -> int:
    """Return the set that contains only the element with `index` smaller elements in the set."""
    for _ in range(index):
        members &= members - 1
    return members & -members
