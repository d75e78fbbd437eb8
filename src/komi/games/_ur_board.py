"""The board of the Royal Game of Ur: both players' paths over it, and who stands on the squares they share.

Squares of a path are counted from 0 here. A set of squares of a path has a bit for each; a set of those that are not
shared has none for the shared ones between them. What stands on the shared squares is a number in base 3: 0 none,
1 the mover, 2 the other, the mover's first shared square last. The two sides are alike: only the order in which they
come to the shared squares can differ, at the end of the long path.
"""

BELL, MASTERS = range(2)  # the paths, of 14 and 16 squares
LENGTH = (14, 16)
OWN_FIRST = 4  # squares before the shared ones
SHARED = (8, 12)
ROSETTES = (1 << 3 | 1 << 7 | 1 << 13, 1 << 3 | 1 << 7 | 1 << 11 | 1 << 15)
HALF = 6  # shared squares in each half of their number
HALVES = 3**HALF

# Where the squares are, numbered row by row on a board of 8 rows and 3 columns, of the mover and of the other.
PLACES = (
    (
        (9, 6, 3, 0, 1, 4, 7, 10, 13, 16, 19, 22, 21, 18),
        (11, 8, 5, 2, 1, 4, 7, 10, 13, 16, 19, 22, 23, 20),
    ),
    (
        (9, 6, 3, 0, 1, 4, 7, 10, 13, 16, 19, 20, 23, 22, 21, 18),
        (11, 8, 5, 2, 1, 4, 7, 10, 13, 16, 19, 18, 21, 22, 23, 20),
    ),
)
ROSETTE_PLACES = (0, 2, 10, 18, 20)


def _stands(half, who):
    return sum(1 << i for i in range(HALF) if half // 3**i % 3 == who)


MINE = tuple(_stands(half, 1) for half in range(HALVES))
"""[half of the number], the shared squares on which the mover stands, a set."""

THEIRS = tuple(_stands(half, 2) for half in range(HALVES))
"""The same of the other."""

TERNARY = tuple(sum(3**i for i in range(HALF) if squares >> i & 1) for squares in range(1 << HALF))
"""[set of squares], the half of the number where the mover stands on them."""


def _turned(path, squares):
    mine, theirs = PLACES[path]
    shared = [i for i in range(SHARED[path]) if squares >> i & 1]
    return sum(1 << theirs.index(mine[OWN_FIRST + i]) - OWN_FIRST for i in shared)


TURNED = tuple(tuple(_turned(path, squares) for squares in range(1 << max(SHARED))) for path in range(2))
"""[path][set of shared squares], the same squares in the order in which the other comes to them."""


def on_path(path, unshared, shared):
    """Combine the unshared and the shared squares of a path into one set."""
    first = (1 << OWN_FIRST) - 1
    return unshared & first | shared << OWN_FIRST | (unshared & ~first) << SHARED[path]


def unshared_of(path, squares):
    """Return the unshared squares of a set of squares of the path."""
    return squares & (1 << OWN_FIRST) - 1 | squares >> OWN_FIRST + SHARED[path] << OWN_FIRST


def shared_of(path, squares):
    """Return the shared squares of a set of squares of the path."""
    return squares >> OWN_FIRST & (1 << SHARED[path]) - 1


def stands_mine(shared):
    """Return the set of shared squares that the mover occupies."""
    return MINE[shared % HALVES] | MINE[shared // HALVES] << HALF


def stands_theirs(shared):
    """Return the set of shared squares that the other player occupies."""
    return THEIRS[shared % HALVES] | THEIRS[shared // HALVES] << HALF


def number(mine, theirs):
    """Encode the sets of shared squares that the mover and the other player occupy as one integer."""
    low = (1 << HALF) - 1
    lower = TERNARY[mine & low] + 2 * TERNARY[theirs & low]
    return lower + HALVES * (TERNARY[mine >> HALF] + 2 * TERNARY[theirs >> HALF])
