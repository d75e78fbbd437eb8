"""The game protocol: the names that every game file can import.

A game is a module that holds rules and nothing else: `docs/protocol.md` describes each part, and `komi check` checks a
game file.
"""

CHANCE = -1
"""The action of chance: the only legal action in a chance node."""
MAX_ACTIONS = (1 << 15) - 6
"""The upper bound on action numbers, exclusive: a and `bellman.EXCEPT` - a take 16 bits."""
ACTIONS_END = f": action numbers end at {MAX_ACTIONS - 1:,}"
"""The end of an error message whose reason can be a larger number."""
MAX_PLAYERS = 62
"""The players of a game are bits of one word."""
PROBABILITY_TOLERANCE = 1e-9
"""The largest difference from 1 of a sum of probabilities, or of all payoffs, that counts as rounding."""
MAX_PASSES = 1 << 15
"""The upper bound on the number of seats by which the turn passes on, exclusive."""


def put(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """Return a tuple with one entry replaced, for tuple fields of states.

    Examples:
        >>> put((3, 0, 2), 1, 5)
        (3, 5, 2)
    """
    entries = list(values)
    entries[index] = value
    return tuple(entries)
