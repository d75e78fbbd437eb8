"""Limits on the size of a game: the number of states, and the memory that they take.

The environment variables `KOMI_MAX_STATES`, `KOMI_MAX_VISITED` and `KOMI_MAX_MEMORY` (bytes, or with the suffix K, M or
G) override them.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import numpy as np

from komi.arrays import MAX_INDEX
from komi.compiling.packing import MAX_BITS, Layout
from komi.errors import InputError, TooLargeError
from komi.jit.intrinsics import HALF_BITS
from komi.rules.game import Game
from komi.typing import Rules

MAX_STATES = 200_000_000  # by default: value, bound and choice take 14 bytes each, 2.8 GB
MAX_VISITED = 4_000_000_000  # positions of a search for the value of one state: an hour or two
MAX_BELIEFS = 200_000  # of a search for the value of one state: a minute in a game with few states
MAX_GROWING = 10_000_000  # states found, after which no field may grow any more
MAX_EXPANDED = 4_000_000  # states before a roll whose transient states are all enumerated
MAX_LISTED = 200_000  # the same limit where a staged solve is possible, which is faster for more states
MAX_MEMORY = 2 << 30  # bytes of a set of states, by default
STAGED_BYTES_PER_STATE = 112  # per state before a roll in a staged solve, as measured in the Royal Game of Ur
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class TooManyRollsError(TooLargeError):
    """Raised if there are too many states before a roll to store all transient states inside.

    Attributes:
        states: the approximate number of states.
    """

    def __init__(self, sentence: str, states: float) -> None:
        super().__init__(sentence)
        self.states = states


def max_states(growing: bool) -> int:
    """Return the maximal number of states; it is lower while fields still grow, since they may be unbounded."""
    limit = _limit("KOMI_MAX_STATES", MAX_GROWING if growing else MAX_STATES)
    if limit > MAX_INDEX:
        raise InputError(f"KOMI_MAX_STATES is {limit:,}, and komi numbers at most {MAX_INDEX:,} states.")
    return limit


def max_visited() -> int:
    """Return the maximal number of positions that a search visits."""
    return _limit("KOMI_MAX_VISITED", MAX_VISITED)


def max_beliefs() -> int:
    """Return the maximal number of beliefs that a search visits."""
    return _limit("KOMI_MAX_VISITED", MAX_BELIEFS)


def max_memory() -> int:
    """Return the maximal number of bytes that a set of states may take."""
    return _limit("KOMI_MAX_MEMORY", MAX_MEMORY)


def check_width(game: Game, layout: Layout, lowest: Sequence[int], highest: Sequence[int]) -> None:
    """Check that the packed states of a layout are not too long.

    Args:
        game: the game.
        layout: the layout of fields from `lowest` to `highest`.
        lowest, highest: the range of each field.

    Raises:
        TooLargeError: if they are; the message names the widest field.
    """
    widest = _widest(layout)
    if sum(layout.bits) > MAX_BITS or layout.bits[widest] > HALF_BITS:
        farthest = highest[widest] if highest[widest] >= -lowest[widest] else lowest[widest]
        raise TooLargeError(
            f"{game.name} has too many states to store: are all fields bounded? "
            f"{game.module.State._fields[widest]!r} reaches {farthest}; {_share(game, layout)}, of which there may be "
            f"{MAX_BITS}, and {HALF_BITS} of one field."
        )


def check_size(game: Game, rules: Rules, layout: Layout, states: int, growing: bool, example: Sequence[int]) -> None:
    """Check that there are not too many states.

    Raises:
        TooLargeError: if there are; the message names the widest field, and a state.
    """
    limit = max_states(growing)
    if states <= limit:
        return
    if growing:
        widest = game.module.State._fields[_widest(layout)]
        raise TooLargeError(
            f"{game.name} has more than {limit:,} states and {widest!r} may still grow, as in "
            f"{game.write(rules, game.module.State(*example))}: see that the rules bound every field; if they do, "
            "KOMI_MAX_STATES sets another limit, and 'komi simulate' plays games of any size."
        )
    raise TooLargeError(
        f"{game.name} has more than {limit:,} states; {_share(game, layout)}; KOMI_MAX_STATES sets another limit, "
        "and 'komi simulate' plays games of any size."
    )


def check_memory(game: Game, layout: Layout, memory: int, states: int) -> None:
    """Check that the states do not take too much memory.

    Raises:
        TooLargeError: if they do; the message names the widest field.
    """
    limit = max_memory()
    if memory > limit:
        raise TooLargeError(
            f"{game.name} has too many states to store: {states:,} of them take {memory / 2**20:,.1f} MB, and more "
            f"follow; {_share(game, layout)}; KOMI_MAX_MEMORY sets another limit than {limit / 2**20:,.1f} MB."
        )


def refuse_cycles(game: Game, states: int, memory: int) -> NoReturn:
    """Raise the error that the transitions of states on cycles take too much memory.

    Raises:
        TooLargeError: always.
    """
    raise TooLargeError(
        f"{game.name} has more than {states:,} states that lead to each other in cycles, and their transitions take "
        f"more than {memory / 2**20:,.0f} MB; KOMI_MAX_MEMORY sets another limit than {max_memory() / 2**20:,.1f} MB."
    )


def check_roll_count(game: Game, count: float, can_stage: bool) -> None:
    """Check that there are not too many roll graphs to compute.

    Args:
        game: the game.
        count: an upper bound on the number of states before a roll; if these share roll graphs, on that of those.
        can_stage: whether a staged solve is possible.

    Raises:
        TooManyRollsError: if there are.
    """
    limit = min(MAX_LISTED, MAX_EXPANDED) if can_stage else _limit("KOMI_MAX_STATES", MAX_EXPANDED)
    if count > limit:
        raise TooManyRollsError(
            f"{game.name} has up to {count:,.0f} rolls to enumerate, more than {limit:,}: choose smaller rules; "
            "KOMI_MAX_STATES sets another limit, and 'stage' in the rule file would lift it.",
            count,
        )


def check_staged_memory(game: Game, states: float) -> None:
    """Check that there is enough memory for a staged solve of this number of states before a roll, if it is known.

    Raises:
        TooLargeError: if there is not.
    """
    needed, there = states * STAGED_BYTES_PER_STATE, memory_there()
    if needed > there:
        raise TooLargeError(
            f"{game.name} has about {states:,.0f} states before a roll, for which {needed / 2**30:,.1f} GB of memory "
            f"are needed, and this process can have {there / 2**30:,.1f} GB: choose smaller rules, or a larger machine."
        )


def memory_there() -> float:
    """Return the maximal memory of this process in bytes; infinity if it is unknown."""
    there = np.inf
    with suppress(ImportError, AttributeError, ValueError, OSError):  # not available on all systems
        there = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        import resource

        allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
        if allowed != resource.RLIM_INFINITY:
            there = min(there, allowed)
    return there


def _widest(layout: Layout) -> int:
    return max(range(len(layout.bits)), key=lambda i: layout.bits[i])


def _share(game: Game, layout: Layout) -> str:
    """Describe the share of the widest field in the bits of a state."""
    widest = _widest(layout)
    field = game.module.State._fields[widest]
    return f"{field!r} takes {layout.bits[widest]} of the {sum(layout.bits)} bits of a state"


def _limit(name: str, usual: int) -> int:
    text = os.environ.get(name, "").strip().upper().replace("_", "")
    if not text:
        return usual
    digits = text.rstrip("KMG")
    if not (digits.isdecimal() and text[len(digits) :] in UNITS):
        raise InputError(f"{name} is {os.environ[name]!r}, not a number such as 500000000 or 8G.")
    return int(digits) * UNITS[text[len(digits) :]]
