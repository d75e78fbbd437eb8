"""Optimal play as columns of bytes for the page in one file: the keys, values and actions of all states.

The key of a state is its fields as the digits of one number, each in its own range. A value is a whole number of units
of a millionth of the payoffs' range. In games of turns only the states at their beginnings need a value: those inside a
turn follow by the Bellman equation, which the page solves, along courses of at most `MAX_DEPTH` actions.

With hidden information or simultaneous choices, the values of actions and the policies depend on what the mover
observes: their rows are the distinct observations. The value of a state is that given all of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from komi.arrays import F64, I16, I64, Flags
from komi.errors import TooLargeError
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members_down, state_at
from komi.graph.observations import observations
from komi.progress import Progress, silent
from komi.rules.interface import legal, outcomes, over
from komi.solvers.hidden.hidden_solver import HiddenSolution
from komi.solvers.multiplayer.nash_solver import MultiplayerSolution
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


def page_table(solution: Solution[Any], policies: Mapping[str, I16 | F64], progress: Progress = silent) -> PageTable:
    """Create the table of a solved game.

    Args:
        solution: optimal play.
        policies: other policies by name: int16[states], their actions, or float64[states, actions], the probabilities
            of all actions; see `komi.policies.tabulate`.
        progress: called during long work.

    Raises:
        TooLargeError: if there are too many states, or their fields have too many values.
    """
    name, kind, play = solution.game.name, solution.kind, solution.optimal_play
    check_size(name, solution.listable_states)
    fields = play.states.all_fields()
    columns = _Columns()
    states, order = columns.add_index(fields, name)
    sets, deciding = None, order
    if kind.hidden:
        seen, first = _information_sets(solution)
        sets, order_of_sets = columns.add_index(seen, name)
        deciding = first[order_of_sets]
    values = [kind.payoffs.payoff(np.asarray(each)) for each in _seat_values(solution)]
    least, most = float(values[0].min()), float(values[0].max())
    if not kind.rewards:
        least, most = kind.payoffs.payoff(0.0), kind.payoffs.payoff(1.0)
    unit = (most - least or 1.0) / UNITS
    stored = _stored(solution)[order]

    def in_units(numbers: F64) -> I64:
        return np.rint((numbers - least) / unit).astype(np.int64)

    description = {
        "states": states,
        "sets": sets,
        "aim": kind.aim,
        "rewards": kind.rewards,
        "least": least,
        "unit": unit,
        "values": [columns.add(np.where(stored, in_units(each[order]), UNSTORED)) for each in values],
        "worths": [columns.add(in_units(each)) for each in _worths(solution, deciding, progress).T] if sets else None,
        "plies": columns.add(solution.arrays()["plies"][order]) if solution.has_plies else None,
        "choices": columns.add(np.asarray(play.choices)[order]),
        "policies": {each: columns.add_policy(policy[deciding]) for each, policy in policies.items()},
    }
    return PageTable(description, b"".join(columns.parts), solution.listable_states)


def _information_sets(solution: Solution[Any]) -> tuple[I64, I64]:
    """Return int64[sets, fields], the distinct observations of players who choose, and the index of a state of each."""
    play = solution.optimal_play
    choosing = np.flatnonzero(play.choices != CHANCE)
    seen = observations(solution.compiled, solution.rules, play.states)[choosing]
    distinct, first = np.unique(seen, axis=0, return_index=True)
    return distinct, choosing[first]


def _seat_values(solution: Solution[Any]) -> list[F64]:
    """Return float64[states], the value given all of the state: for each seat of several, else for the mover."""
    if isinstance(solution, MultiplayerSolution):
        return [solution.data.values[:, -seat] for seat in range(solution.kind.seats)]
    return [solution.data.full_values if isinstance(solution, HiddenSolution) else solution.optimal_play.values]


def _worths(solution: Solution[Any], indices: I64, progress: Progress) -> F64:
    """Return float64[indices, actions], the value of each legal action, given what the mover observes."""
    if isinstance(solution, HiddenSolution):
        return solution.kind.payoffs.payoff(solution.data.action_values[indices])
    game, rules = solution.game, solution.rules
    rows: list[list[float]] = []
    for fields in solution.optimal_play.states.all_fields()[indices].tolist():
        progress("evaluating states", len(rows), len(indices))
        state = game.module.State(*fields)
        values = solution.actions(state)
        rows.append([values[label] for label in game.labels(rules, state)])
    most = max(map(len, rows))
    return np.array([row + row[-1:] * (most - len(row)) for row in rows])


class _Columns:
    """Columns of whole numbers, written as their lowest bytes, then their next bytes, and so on."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add_index(self, fields: I64, name: str) -> tuple[dict[str, Any], I64]:
        """Add the sorted keys of states, and return their description and the order of the states.

        Args:
            fields: int64[states, fields].
            name: the name of the game, for the error.

        Raises:
            TooLargeError: if the fields have too many values.
        """
        lows, highs = fields.min(axis=0), fields.max(axis=0)
        sizes = [high - low + 1 for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]
        if prod(sizes) >= MAX_KEY or max(abs(int(lows.min())), abs(int(highs.max()))) >= MAX_KEY:
            raise TooLargeError(f"the fields of {name} have too many values for a page in one file.")
        keys = np.zeros(len(fields), np.int64)
        for field, size in enumerate(sizes):
            keys = keys * size + (fields[:, field] - lows[field])
        order = np.argsort(keys)
        return {"lows": lows.tolist(), "sizes": sizes, "keys": self.add(np.diff(keys[order], prepend=0))}, order

    def add(self, numbers: Any) -> dict[str, int]:
        """Add a column and return its description."""
        least = int(numbers.min())
        shifted = (numbers - least).astype("<u8")
        width = max(1, (int(shifted.max()).bit_length() + 7) // 8)
        data = shifted.view(np.uint8).reshape(-1, 8)[:, :width].T.tobytes()
        found = {"at": self.size, "rows": len(numbers), "bytes": width, "least": least}
        self.parts.append(data)
        self.size += len(data)
        return found

    def add_policy(self, policy: I16 | F64) -> Any:
        """Add int16[rows], actions, or float64[rows, actions], probabilities: a column for each action."""
        if policy.ndim == 1:
            return self.add(policy)
        return [self.add(each) for each in np.rint(policy.T * UNITS).astype(np.int64)]


def _stored(solution: Solution[Any]) -> Flags:
    """Return bool[states], whether the value of a state is stored."""
    states = solution.optimal_play.states
    everything = np.ones(states.size, np.bool_)
    if solution.kind.seats == 1 or solution.kind.hidden or solution.has_plies or not solution.is_pure:
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
