"""Optimal play as columns of bytes for the page in one file: the keys, values and actions of all states.

The key of a state is its fields as the digits of one number, each in its own range. A value is a whole number of units
of a millionth of the payoffs' range. In games of turns only the states at their beginnings need a value: those inside a
turn follow by the Bellman equation, which the page solves, along courses of at most `MAX_DEPTH` actions.

With hidden information or simultaneous choices, the values of actions and the policies depend on what the mover
observes: their rows are the distinct observations. The value of a state is that given all of it.

The page of a larger game has only the actions of its opponents: it solves the game, when it is opened.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from komi.arrays import F64, I16, I64, Flags
from komi.errors import TooLargeError
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members, members_down, state_at
from komi.graph.observations import observations
from komi.progress import Progress, silent
from komi.rules.interface import legal, outcomes, over
from komi.rules.kind import Kind
from komi.solvers.hidden.hidden_solver import HiddenMultiplayerSolution, HiddenSolution
from komi.solvers.multiplayer.nash_solver import MultiplayerSolution
from komi.solvers.solution import Solution
from komi.typing import Rules

MAX_STORED = 600_000  # states of a game whose values are in the file
MAX_STATES = 12_000_000  # of a game that the page solves, in half a minute and with 2 GB
MAX_OUTCOMES = 100_000_000  # of all their actions
PRECISION = 1e-9  # of the page's solver, relative to the range of payoffs
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


def check_size(name: str, states: int, limit: int) -> None:
    """Check that a game has at most this many states.

    Raises:
        TooLargeError: if it has more.
    """
    if states > limit:
        raise TooLargeError(f"{name} is too large for a page in one file: it has more than {limit:,} states.")


def max_states(kind: Kind) -> int:
    """Return the largest number of states of a game of this kind in a page: more if the page can solve it."""
    is_solved = not (kind.hidden or kind.seats > 2 or kind.alone or (kind.seats == 2 and kind.rewards))
    return MAX_STATES if is_solved else MAX_STORED


def page_table(
    solution: Solution[Any],
    policies: Mapping[str, I16 | F64 | None],
    progress: Progress = silent,
    max_stored: int = MAX_STORED,
) -> PageTable:
    """Create the table of a solved game.

    Args:
        solution: optimal play.
        policies: other policies by name: int16[states], their actions, or float64[states, actions], the probabilities
            of all actions, see `komi.policies.tabulate`; None for optimal play.
        progress: called during long work.
        max_stored: the largest number of states whose values are stored. The page solves games of more.

    Raises:
        TooLargeError: if there are too many states or outcomes, or the fields have too many values.
    """
    name, kind, play = solution.game.name, solution.kind, solution.optimal_play
    check_size(name, solution.listable_states, max_states(kind))
    fields = play.states.all_fields()
    is_stored = len(fields) <= max_stored or max_states(kind) == MAX_STORED
    if not is_stored:
        count = GraphKernels(solution.compiled)[_count_outcomes](solution.rules, play.states)
        if count > MAX_OUTCOMES:
            raise TooLargeError(
                f"{name} is too large for a page in one file: its actions have more than {MAX_OUTCOMES:,} outcomes."
            )
    columns = _Columns()
    states, order = columns.add_index(fields, name, is_stored)
    sets, deciding = None, order
    if kind.hidden:
        seen, first = _information_sets(solution)
        sets, order_of_sets = columns.add_index(seen, name)
        seen, deciding = seen[order_of_sets], first[order_of_sets]
    else:
        seen = fields[order]
    values = [kind.payoffs.payoff(np.asarray(each)) for each in _seat_values(solution)]
    least, most = float(values[0].min()), float(values[0].max())
    if not kind.rewards:
        least, most = kind.payoffs.payoff(0.0), kind.payoffs.payoff(1.0)
    unit = (most - least or 1.0) / UNITS

    def in_units(numbers: F64) -> I64:
        return np.rint((numbers - least) / unit).astype(np.int64)

    description: dict[str, Any] = {
        "states": states,
        "sets": sets,
        "aim": kind.aim,
        "rewards": kind.rewards,
        "least": least,
        "unit": unit if is_stored else PRECISION * UNITS * unit,
        "policies": {
            each: None if policy is None else columns.add_policy(policy[deciding], seen, name)
            for each, policy in policies.items()
        },
        "solver": None,
    }
    if is_stored:
        stored = _stored(solution)[order]
        description |= {
            "values": [columns.add(np.where(stored, in_units(each[order]), UNSTORED)) for each in values],
            "worths": [columns.add(in_units(each)) for each in _worths(solution, deciding, progress).T]
            if sets
            else None,
            "plies": columns.add(solution.arrays()["plies"][order]) if solution.has_plies else None,
            "choices": columns.add(np.asarray(play.choices)[order]),
        }
    else:
        description["solver"] = {
            "states": len(fields),
            "fields": solution.game.module.State._fields,
            "lows": states["lows"],
            "sizes": states["sizes"],
            "aim": kind.aim,
            "rewards": kind.rewards,
            "hasPlies": solution.has_plies,
            "range": most - least or 1.0,
        }
    return PageTable(description, b"".join(columns.parts), play.states.size)


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
    if isinstance(solution, HiddenMultiplayerSolution):
        return list(solution.data.full_values.T)
    return [solution.data.full_values[:, 0] if isinstance(solution, HiddenSolution) else solution.optimal_play.values]


def _worths(solution: Solution[Any], indices: I64, progress: Progress) -> F64:
    """Return float64[indices, actions], the value of each legal action, given what the mover observes."""
    if isinstance(solution, HiddenSolution | HiddenMultiplayerSolution):
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

    def add_index(self, fields: I64, name: str, is_stored: bool = True) -> tuple[dict[str, Any], I64]:
        """Add the sorted keys of states, and return their description and the order of the states.

        Args:
            fields: int64[states, fields].
            name: the name of the game, for the error.
            is_stored: False to leave out the keys.

        Raises:
            TooLargeError: if the fields have too many values.
        """
        lows, highs = fields.min(axis=0), fields.max(axis=0)
        sizes = [high - low + 1 for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]
        if prod(sizes) >= MAX_KEY or max(abs(int(lows.min())), abs(int(highs.max()))) >= MAX_KEY:
            raise TooLargeError(f"the fields of {name} have too many values for a page in one file.")
        keys = _keys(fields - lows, sizes)
        order = np.argsort(keys)
        description = {"lows": lows.tolist(), "sizes": sizes}
        return description | ({"keys": self.add(np.diff(keys[order], prepend=0))} if is_stored else {}), order

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

    def add_policy(self, policy: I16 | F64, fields: I64, name: str) -> Any:
        """Add a policy and return its description.

        Args:
            policy: int16[rows], actions: they are added for the distinct values of the fields on which they depend; or
                float64[rows, actions], probabilities: a column for each action.
            fields: int64[rows, fields].
            name: the name of the game, for the error.
        """
        if policy.ndim > 1:
            return [self.add(each) for each in np.rint(policy.T * UNITS).astype(np.int64)]
        needed = list(range(fields.shape[1]))
        sizes = (fields.max(axis=0) - fields.min(axis=0) + 1).tolist()
        digits = fields - fields.min(axis=0)
        for field in list(needed[:-1]):
            fewer = [other for other in needed if other != field]
            keys = _keys(digits[:, fewer], [sizes[other] for other in fewer])
            _, first, index = np.unique(keys, return_index=True, return_inverse=True)
            if np.array_equal(policy[first][index], policy):
                needed, digits, fields, policy = fewer, digits[first], fields[first], policy[first]
        found, order = self.add_index(fields[:, needed], name)
        return {"index": found | {"fields": needed}, "actions": self.add(policy[order])}


def _keys(digits: I64, sizes: Sequence[int]) -> I64:
    """Return int64[rows], the numbers with these digits."""
    keys = np.zeros(len(digits), np.int64)
    for field, size in enumerate(sizes):
        keys = keys * size + digits[:, field]
    return keys


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


def _count_outcomes(rules: Rules, states: StateIndex) -> int:
    """Count the outcomes of all actions."""
    count = 0
    for _, handle in members(states.keys):
        state = state_at(states, handle)
        for action in legal(rules, state):
            for _ in outcomes(rules, state, action):
                count += 1
    return count
