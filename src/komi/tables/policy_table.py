"""`komi.table`: a policy as a readable table with an action, or the values at which it changes, in each cell.

A cell represents all states with the same values of the fields x and y and fixed values of the other fields. Without a
third field there is one such state, and the cell shows the policy's action in it. Over a third field the cell shows
the actions as that field grows: "20" if all cells have one action below a value and another from it on; else "roll 25
hold 35 roll", with each value at which the action changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from komi.arrays import F64, I64
from komi.bellman import ActionCode
from komi.errors import InputError
from komi.game import CHANCE
from komi.graph.lookup import StateIndex, members, packed_at
from komi.graph.state_sets import unpack_row
from komi.jit.kernels import Notice, engine_kernels
from komi.policies import named
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.rules import catalog, tuple_fields
from komi.rules.game import Game
from komi.rules.kind import check_choices
from komi.rules.vocabulary import field_label, format_rules, title
from komi.solvers.solution import AnyState, Solution
from komi.solvers.solve import solve_all_states
from komi.tables.usual_axes import unobserved_fields, usual_map
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules, State

MAX_STATES = 5_000_000  # of a table: more do not fit into a readable file
MIN_PURE = 0.9995  # an action with at least this probability is shown alone: four digits round it to 1
MIXED = "mixed"
TURN_TOTAL = "turn"  # the default field inside the cells, in games with holding

ActionRange = tuple[int, str]  # the least value at which an action is taken, and the action


@dataclass(frozen=True)
class PolicyTable(Tabular):
    """A policy's actions over the values of one, two or three fields.

    Attributes:
        game: the game.
        rules: its rules.
        policy: the policy's name.
        x, y, over: the fields across, down, and inside the cells; empty if there is none.
        state: the state that defines the values of all other fields that are observed.
        unobserved: fields that no player observes.
        xs, ys: the values of x and y; (0,) without a field.
        runs: by (y, x), the policy's actions: each with the least value of `over` at which it is taken.
    """

    game: Game
    rules: Rules
    policy: str
    x: str
    y: str
    over: str
    state: State
    unobserved: tuple[str, ...]
    xs: tuple[int, ...]
    ys: tuple[int, ...]
    runs: dict[tuple[int, int], tuple[ActionRange, ...]]

    def __repr__(self) -> str:
        fields = " by ".join(filter(None, (self.y, self.x)))
        return f"<PolicyTable of {self.policy} in {self.game.name}: {len(self.ys)} x {len(self.xs)} cells, {fields}>"

    def records(self) -> list[Record]:
        """List the rows of the table."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def below_and_above(self) -> tuple[str, str] | None:
        """The two actions, if all cells with one change share them; such cells are shown as a number alone."""
        pairs = {(runs[0][1], runs[1][1]) for runs in self.runs.values() if len(runs) == 2}
        return pairs.pop() if len(pairs) == 1 else None

    @property
    def columns(self) -> list[str]:
        """The column headings: the field y, then the values of x."""
        return [
            self.y or "",
            *(f"{self.x} {self.value_text(self.x, value)}" if self.x else "policy" for value in self.xs),
        ]

    @property
    def rows(self) -> list[list[str]]:
        """The rows: a value of y, then the cells for each value of x; empty for unreachable states."""
        return [[self.value_text(self.y, y) if self.y else "", *(self.cell(y, x) for x in self.xs)] for y in self.ys]

    @property
    def heading(self) -> str:
        """The title of the table: game and policy."""
        return f"{title(self.game)}: {self.policy}"

    @property
    def notes(self) -> list[str]:
        """The rules, the fields with fixed values, and how to read a cell."""
        axes, entries = {self.x, self.y, self.over}, tuple_fields.entries(self.game.module)
        fixed = ", ".join(
            f"{part} {self.value_text(part, getattr(self.state, part))}"
            for name in self.game.names(self.rules)
            for part in (entries[name] if axes.intersection(entries.get(name, ())) else (name,))
            if part not in axes and part not in self.unobserved
        )
        notes = [f"Rules: {format_rules(self.rules) or 'none to set'}."]
        notes += [f"Other fields: {fixed}."] if fixed else []
        down, across = (field_label(self.game, field) if field else "" for field in (self.y, self.x))
        notes += [f"Down: {down}."] if down else []
        notes += [f"Across: {across}."] if across else []
        if self.over and self.below_and_above:
            below, above = self.below_and_above
            field = f"{self.over} ({field_label(self.game, self.over)})"
            notes.append(f"Each number is the smallest {field} at which the policy takes {above}; below it, {below}.")
        elif self.over:
            notes.append(f"A cell lists the actions as {self.over} grows, each with the value from which it is taken.")
        return notes

    def cell(self, y: int, x: int) -> str:
        """Return the text of the cell with these values; empty for unreachable states."""
        runs = self.runs.get((y, x), ())
        if not runs:
            return ""
        labels = tuple(label for _, label in runs)
        if labels == self.below_and_above:
            return str(runs[1][0])
        if len(runs) == 1:
            return runs[0][1]
        return " ".join([runs[0][1], *(f"{value} {label}" for value, label in runs[1:])])

    def value_text(self, field: str, value: Any) -> str:
        """Return the text of a value of a field."""
        return self.game.text(self.rules, field, value)

    def brief(self, y: int, x: int) -> str:
        """Return a short text of the cell: only the first change, with a star if there are others."""
        runs = self.runs.get((y, x), ())
        if len(runs) > 2 and tuple(label for _, label in runs[:2]) == self.below_and_above:
            return f"{runs[1][0]}*"
        return self.cell(y, x)

    def thinned(self, max_rows: int, max_columns: int) -> "PolicyTable":
        """Return a table with fewer, evenly spaced values of x and y, which fits on a screen."""
        xs, ys = _thinned(self.xs, max_columns), _thinned(self.ys, max_rows)
        return replace(self, xs=xs, ys=ys)


def table(
    game: GameLike,
    *,
    x: str = "",
    y: str = "",
    over: str = "",
    state: AnyState = "",
    policy: named.PolicyLike = "optimal",
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> PolicyTable:
    """Create a table of a policy.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        x, y: fields of the state across and down; by default the first ones that vary.
        over: a field inside the cells; if no field is named, the turn total in games with holding.
        state: the values of the other fields; by default those of the start, or of the first choice in play
            if no field is named.
        policy: the name of a policy, or a Python function; as in `komi.match`.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of rules to change, by name.

    Raises:
        InputError: for an unknown game, rule, policy, field or state, or if no player decides in any of these states.
        GameError: if the rules are broken, or the policy takes an action that is not legal.
        SolveError: if the game cannot be solved.

    Examples:
        >>> import komi
        >>> piglet = komi.table("piglet", goal=3)
        >>> piglet.columns
        ['score', 'rival 0', 'rival 1', 'rival 2']
        >>> piglet.rows
        [['0', '1', '3', '3'], ['1', '2', '2', '2'], ['2', '1', '1', '1']]
    """
    found = catalog.find(game)
    settings = found.rules(rules)
    check_choices(found.under(settings), settings, "there is no policy to show")
    solution = solve_all_states(found, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]  # named by the game
    found = solution.game
    base = solution.read(state or None) if state or x or y or over else None
    base, x, y, over = _axes(solution, base, x, y, over)
    unobserved = tuple(field for field in unobserved_fields(solution) if field not in (x, y, over))
    shown = named.as_policy(policy, solution)
    runs = _runs(solution, shown, base, (y, x, over), unobserved)
    if not runs:
        fixed = ", ".join(name for name in found.fields(solution.rules) if name not in (x, y, over))
        raise InputError(
            f"no player chooses in any state that differs from {found.write(solution.rules, base)} only in the fields "
            f"of the table: choose a 'state' with other values of {fixed}."
        )
    xs, ys = (tuple(sorted({pair[axis] for pair in runs})) for axis in (1, 0))
    return PolicyTable(found, solution.rules, shown.name, x, y, over, base, unobserved, xs, ys, runs)


def _axes(solution: Solution[Any], base: State | None, x: str, y: str, over: str) -> tuple[State, str, str, str]:
    """Return the state and the fields of a table.

    The default is the first fields that vary, and the turn total inside cells where one can hold.
    """
    game = solution.game
    fields = game.fields(solution.rules)
    chosen = [field for field in (x, y, over) if field]
    for field in chosen:
        if field not in fields:
            raise InputError(f"a state of {game.name} has no field {field!r}: its fields are {', '.join(fields)}.")
        if chosen.count(field) > 1:
            raise InputError(f"the fields of a table must differ: {field!r} is named twice.")
    if not over and not (x or y) and TURN_TOTAL in fields and "hold" in getattr(game.module, "actions", ()):
        over = TURN_TOTAL
    if not (x or y):
        base, usual = usual_map(solution, base, over)
        if not (usual or over):
            raise InputError(f"no field of {game.name} is a number that varies: choose 'x' and 'y', or `komi plot` it.")
        y, x = [*usual, "", ""][:2]
    return base or solution.read(None), x, y, over


def _runs(
    solution: Solution[Any], policy: Policy, base: State, axes: tuple[str, str, str], unobserved: tuple[str, ...]
) -> dict[tuple[int, int], tuple[ActionRange, ...]]:
    """Return, by (y, x), the policy's actions as the third field grows."""
    rows = matching_states(solution, base, axes, unobserved)
    labels = _labels(solution, policy, rows[:, 3])
    runs: dict[tuple[int, int], list[ActionRange]] = {}
    for row in np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0])):
        label = labels[row]
        if not label:
            continue
        y, x, value, _ = map(int, rows[row])
        cell = runs.setdefault((y, x), [])
        if not cell or cell[-1][1] != label:
            cell.append((value, label))
    return {pair: tuple(cell) for pair, cell in runs.items()}


def matching_states(
    solution: Solution[Any], base: State, axes: tuple[str, str, str], unobserved: tuple[str, ...]
) -> I64:
    """Return int64[states, 4] of the states that differ from `base` in these fields only.

    The columns are the values of the axes, and the state's index.
    """
    states, fields = solution.all_states, solution.game.module.State._fields
    indices = np.array([fields.index(axis) if axis else -1 for axis in (*axes, *unobserved)], np.int64)
    values = np.array(base, np.int64)
    kernel, buffer = engine_kernels()[_match_states], np.empty(len(fields), np.int64)
    count = kernel(states, values, indices, np.empty((0, 4), np.int64), buffer)
    if count > MAX_STATES:
        raise InputError(f"these fields select {count:,} states, more than the {MAX_STATES:,} of a table: name fewer.")
    rows = np.empty((count, 4), np.int64)
    kernel(states, values, indices, rows, buffer)
    return rows


def _labels(solution: Solution[Any], policy: Policy, indices: I64) -> Sequence[str]:
    """Return the policy's action in each of these states, as text; empty at chance nodes."""
    states = solution.all_states
    probabilities = policy.probabilities_in(solution.compiled, solution.rules, states)
    if probabilities is not None:
        return [_mixed(solution, int(index), probabilities[index]) for index in indices]
    actions = tabulate(policy, solution.compiled, solution.rules, states)
    return [_label(solution, int(index), int(actions[index])) for index in indices]


def _label(solution: Solution[Any], index: int, action: int) -> str:
    game = solution.game
    if action == CHANCE:
        return ""
    if game.has("label"):
        state = game.module.State(*solution.all_states.fields(index))
        if action == ActionCode.UNIFORM:
            return "" if game.is_chance(solution.rules, state) else "random"
        return game.label(solution.rules, state, action)
    return "random" if action == ActionCode.UNIFORM else str(game.module.actions[action])


def _mixed(solution: Solution[Any], index: int, probabilities: F64) -> str:
    """Return the action that is almost always taken, or MIXED."""
    game = solution.game
    state = game.module.State(*solution.all_states.fields(index))
    if game.is_chance(solution.rules, state):
        return ""
    likeliest = int(probabilities.argmax())
    label = list(game.labels(solution.rules, state))[likeliest]
    return label if probabilities[likeliest] >= MIN_PURE else MIXED


def _match_states(states: StateIndex, values: I64, axes: I64, rows: I64, state: I64) -> int:
    """Find the states that have these values in all fields but those of the axes.

    Args:
        states: the `StateSet`.
        values: int64[fields], the values of the fields.
        axes: int64[.], the numbers of the fields that may differ, the three of the table first; -1 for none.
        rows: int64[., 4], filled up to its capacity: the values of these three, and the state's index.
        state: int64[fields], a buffer.

    Returns:
        The number of these states.
    """
    count = 0
    for index, position in members(states.keys):
        high, low = packed_at(states, position)
        unpack_row(states.layout, high, low, state)
        matches = True
        for field in range(len(values)):
            is_free = False
            for axis in axes:
                is_free = is_free or axis == field
            matches = matches and (is_free or state[field] == values[field])
        if not matches:
            continue
        if count < len(rows):
            for axis in range(3):
                rows[count, axis] = state[axes[axis]] if axes[axis] >= 0 else 0
            rows[count, 3] = index
        count += 1
    return count


def _thinned(values: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Return at most `most` of the values: the first, and those at multiples of a round step."""
    if len(values) <= most:
        return values
    step = next(
        unit * 10**power
        for power in range(10)
        for unit in (1, 2, 5)
        if len({value // (unit * 10**power) for value in values}) <= most
    )
    return tuple({value // step: value for value in reversed(values)}.values())[::-1]
