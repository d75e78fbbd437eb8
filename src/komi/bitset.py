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


def subset(members: int, size: int, uniform: float) -> int:
    """Return a subset with `size` elements, each with the same probability, given a random number from 0 to 1.

    From the smallest element on, each is taken with its conditional probability given those before (selection
    sampling: Knuth, *The Art of Computer Programming* 2, section 3.4.2). Probabilities are equal up to rounding: for up
    to 2**32 subsets they differ by less than one part in 10,000.
    """
    chosen, left = 0, count(members)
    while size > 0:
        element = members & -members
        members ^= element
        scaled = uniform * left
        if scaled < size:
            chosen |= element
            uniform = scaled / size
            size -= 1
        else:
            uniform = (scaled - size) / (left - size)
        left -= 1
    return chosen
