"""Optimal play as columns of bytes for the page in one file: the keys, values and actions of all states.

The key of a state is its fields as the digits of one number, each in its own range. A value is a whole number of units
of a millionth of the payoffs' range. In games of turns only the states at their beginnings need a value: those inside a
turn follow by the Bellman equation, which the page solves, along courses of at most `MAX_DEPTH` actions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from komi.arrays import I16, I64, Flags
from komi.errors import SolveError, TooLargeError
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members_down, state_at
from komi.rules.interface import legal, outcomes, over
from komi.rules.kind import Kind
from komi.solvers.solution import Solution
from komi.typing import Rules

MAX_STATES = 600_000
MAX_KEY = 1 << 53  # the numbers that JavaScript represents exactly
MAX_DEPTH = 64  # actions within a turn
MAX_INSIDE = 200  # states inside the turns, on average, for each at a turn's beginning
UNITS = 1_000_000  # of the range of payoffs, or of values
UNSTORED = -1


@dataclass(frozen=True)
class PageTable:
    """The table of a game.

    Attributes:
        description: its columns, ranges and units, as JSON holds them.
        data: the bytes of all columns.
        states: the number of states.
    """

    description: dict[str, Any]
    data: bytes
    states: int


def check_size(name: str, states: int) -> None:
    """Check that a page can hold a table of this many states.

    Raises:
        TooLargeError: if it cannot.
    """
    if states > MAX_STATES:
        raise TooLargeError(f"{name} is too large for a page in one file: it has more than {MAX_STATES:,} states.")


def check_page_kind(kind: Kind) -> None:
    """Check that a page in one file can hold a game of this kind.

    Raises:
        SolveError: if it cannot.
    """
    if kind.hidden:
        raise SolveError(f"in {kind.name} {kind.reason_to_mix}: a page in one file cannot hold its optimal play.")
    if kind.seats > 2 or kind.alone or (kind.seats == 2 and kind.rewards):
        raise SolveError(f"a page in one file is for one player, or for two who play against each other: {kind.name}.")


def page_table(solution: Solution[Any], policies: Mapping[str, I16]) -> PageTable:
    """Create the table of a solved game.

    Args:
        solution: optimal play.
        policies: int16[states] by name, the actions of other policies; see `komi.policies.tabulate`.

    Raises:
        SolveError: if there are too many states, or their fields have too many values.
    """
    check_size(solution.game.name, solution.listable_states)
    play, kind = solution.optimal_play, solution.kind
    fields = play.states.all_fields()
    lows, highs = fields.min(axis=0), fields.max(axis=0)
    sizes = [high - low + 1 for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]
    if prod(sizes) >= MAX_KEY or max(abs(int(lows.min())), abs(int(highs.max()))) >= MAX_KEY:
        raise SolveError(f"the fields of {kind.name} have too many values for a page in one file.")
    keys = np.zeros(len(fields), np.int64)
    for field, size in enumerate(sizes):
        keys = keys * size + (fields[:, field] - lows[field])
    order = np.argsort(keys)
    values = kind.payoffs.payoff(np.asarray(play.values))
    least, most = float(values.min()), float(values.max())
    if not kind.rewards:
        least, most = kind.payoffs.payoff(0.0), kind.payoffs.payoff(1.0)
    unit = (most - least or 1.0) / UNITS
    units = np.where(_stored(solution), np.rint((values - least) / unit).astype(np.int64), UNSTORED)
    columns = _Columns()
    description = {
        "states": len(fields),
        "lows": lows.tolist(),
        "sizes": sizes,
        "aim": kind.aim,
        "rewards": kind.rewards,
        "least": least,
        "unit": unit,
        "keys": columns.add(np.diff(keys[order], prepend=0)),
        "values": columns.add(units[order] + 1),
        "plies": columns.add(solution.arrays()["plies"][order]) if solution.has_plies else None,
        "choices": columns.add(np.asarray(play.choices)[order]),
        "policies": {name: columns.add(actions[order]) for name, actions in policies.items()},
    }
    return PageTable(description, b"".join(columns.parts), len(fields))


class _Columns:
    """Columns of whole numbers, written as their lowest bytes, then their next bytes, and so on."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, numbers: Any) -> dict[str, int]:
        """Add a column and return its description."""
        least = int(numbers.min())
        shifted = (numbers - least).astype("<u8")
        width = max(1, (int(shifted.max()).bit_length() + 7) // 8)
        data = shifted.view(np.uint8).reshape(-1, 8)[:, :width].T.tobytes()
        found = {"at": self.size, "bytes": width, "least": least}
        self.parts.append(data)
        self.size += len(data)
        return found


def _stored(solution: Solution[Any]) -> Flags:
    """Return bool[states], whether the value of a state is stored."""
    states = solution.optimal_play.states
    everything = np.ones(states.size, np.bool_)
    if solution.kind.seats == 1 or solution.has_plies:
        return everything
    kernels = GraphKernels(solution.compiled)
    entered, depths = np.zeros(states.size, np.bool_), np.zeros(states.size, np.int64)
    kernels[_measure_turns](solution.rules, states, entered, depths)
    depths[:] = 0
    while kernels[_measure_turns](solution.rules, states, entered, depths):
        if depths.max() > MAX_DEPTH:
            return everything
    return entered if np.count_nonzero(entered) * MAX_INSIDE >= states.size else everything


def _measure_turns(rules: Rules, states: StateIndex, entered: Flags, depths: I64) -> bool:
    """Mark the states that begin a turn, and raise each state's depth: the most actions before the turn can end.

    Returns:
        True if any depth has changed.
    """
    is_changed = False
    for index, handle in members_down(states.keys, len(depths)):
        state = state_at(states, handle)
        depth = 0
        for action in legal(rules, state):
            for _, after, passes in outcomes(rules, state, action):
                if over(rules, after):
                    continue
                other = index_of(states, locate(states, after))
                if passes:
                    entered[other] = True
                elif not entered[other]:
                    depth = max(depth, depths[other] + 1)
        if depth > depths[index]:
            depths[index] = depth
            is_changed = True
    return is_changed
