"""Maps of optimal play over any two fields of the state, the others fixed: the best action and the state's value.

Fields that the player to move does not observe are not fixed: the map shows what this player knows.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import gcd, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I16
from komi.errors import InputError
from komi.plotting.decisions import MAX_DECISIONS
from komi.plotting.formats import PALETTE
from komi.progress import Progress, silent
from komi.rules.vocabulary import field_label, format_rules, title
from komi.solvers.mixed_solution import MixedSolution
from komi.solvers.solution import AnyState, Solution
from komi.tables.policy_table import matching_states
from komi.tables.usual_axes import unobserved_fields
from komi.typing import State

MAX_CELLS = 250_000  # 500 by 500: smaller cells cannot be seen on a page
OTHER, CHANCE = "another action", "chance moves"
NOWHERE = -1  # in place of the index of an action
MAX_FIELDS = 8  # maximum number of state fields in a heading
CLEAR = 90  # percentile of the margins from which an action has its full colour
MAX_LOOKED_UP = 24  # values of an axis that a reader can look up one by one
MAX_ROUGHNESS = 0.5  # of an axis along which values change gradually
NUMBERED = re.compile(r"(\D*)(\d+)(\D*)")  # the label of an action that names a number


@dataclass(frozen=True, eq=False)
class PolicyMap:
    """Best actions and values over one or two fields.

    Attributes:
        solution: the solved game.
        x, y: the fields; y is empty for a map with one row.
        xs, ys: their values, evenly spaced, or those that occur if these are few; ys is (0,) without a field.
        state: the state that supplies all other fields.
        names: the names of the actions, ordered; the rarest are combined as OTHER if there are too many to have a
            colour each, unless they are numbered.
        actions: int16[y, x], the index of the best action in `names`, or NOWHERE for a state that play does not reach.
        labels: str[y, x], the game's label of the best action; empty for an unreached state.
        strengths: float64[y, x], from 0 to 1: the probability of the action; where optimal play does not mix, how much
            better it is than the second best, relative to other states of the map.
        values: float64[y, x], the value of the state for the player to move; nan for an unreached state.
    """

    solution: Solution[Any]
    x: str
    y: str
    xs: Sequence[int]
    ys: Sequence[int]
    state: State
    names: Sequence[str]
    actions: I16
    labels: NDArray[np.str_]
    strengths: F64
    values: F64

    @property
    def heading(self) -> str:
        """The title of the game and of the plot."""
        return f"{title(self.solution.game)}: optimal play"

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the actions, in the order of `names`, if they have too many for a colour each; else empty."""
        found = [NUMBERED.fullmatch(name) for name in self.names]
        return [int(each[2]) for each in found if each] if len(found) > len(PALETTE) else []

    @property
    def fixed(self) -> str:
        """The rules, and the fields that are constant over the map."""
        fields = self.solution.game.shown(self.solution.rules, self.state)
        known = unobserved_fields(self.solution)
        others = [f"{name} {value}" for name, value in fields.items() if name not in (self.x, self.y, *known)]
        shown = ", ".join(others[:MAX_FIELDS]) + (", ..." if len(others) > MAX_FIELDS else "")
        return ";  ".join(filter(None, (format_rules(self.solution.rules), shown)))

    @property
    def is_readable(self) -> bool:
        """True if the map shows more choices than a list, not all alike, and values change gradually along long axes.

        Along an axis of codes, neighbors differ as much as any two values.
        """
        choices = np.count_nonzero((self.actions != NOWHERE) & np.isin(self.labels, [CHANCE], invert=True))
        is_ordered = [
            _roughness(lines) < MAX_ROUGHNESS
            for lines in (self.values, self.values.T)
            if lines.shape[1] > MAX_LOOKED_UP
        ]
        return bool(choices > MAX_DECISIONS and len(self.names) > 1 and all(is_ordered))

    def field_label(self, field: str) -> str:
        """Return the name of a field on its axis."""
        return field_label(self.solution.game, field) if field else ""

    def value_label(self, field: str, value: int) -> str:
        """Return the name of a value of a field: a number, or the elements of a set."""
        return self.solution.game.text(self.solution.rules, field, value)


def read_map(
    solution: Solution[Any], x: str, y: str = "", state: AnyState = "", progress: Progress = silent
) -> PolicyMap:
    """Compute the best action and the value of every state that differs from one in these fields only.

    Raises:
        InputError: for an unknown field or state, or if play reaches none of these states.
    """
    game = solution.game
    base = solution.read(state or None)
    for field in filter(None, (x, y)):
        if field not in base._fields:
            raise InputError(
                f"a state of {game.name} has no field {field!r}: its fields are {', '.join(base._fields)}."
            )
    if x == y:
        raise InputError(f"a map needs two different fields: {x!r} is given twice.")
    cells = _cells(solution, base, x, y)
    if not cells:
        raise InputError(
            f"play reaches no state that differs from {game.write(solution.rules, base)} in these fields only."
        )
    cells = _with_choices(solution, cells)
    sets = game.elements(solution.rules)
    ys, xs = (_axis({cell[axis] for cell in cells}, field in sets) for axis, field in enumerate((y, x)))
    labels = np.full((len(ys), len(xs)), "", object)
    strengths, values = np.ones(labels.shape), np.full(labels.shape, np.nan)
    for done, ((row, column), shown) in enumerate(cells.items()):
        cell = ys.index(row), xs.index(column)
        labels[cell], strengths[cell] = _choice(solution, shown)
        values[cell] = solution.expected_value(shown)
        progress("evaluating states", done + 1, len(cells))
    strengths = np.minimum(strengths, 1.0) if isinstance(solution, MixedSolution) else _relative(strengths)
    names = _names(labels, getattr(game.module, "actions", ()))
    indices = {name: index for index, name in enumerate(names)}
    actions = [[indices.get(label, len(names) - 1) if label else NOWHERE for label in row] for row in labels]
    shown_actions = np.array(actions, np.int16)
    return PolicyMap(solution, x, y, xs, ys, base, names, shown_actions, labels.astype(np.str_), strengths, values)


def _roughness(lines: F64) -> float:
    """Return the mean difference of neighbors in the lines, relative to that of any two values of a line."""
    known = [line[~np.isnan(line)] for line in lines]
    steps = sum(float(np.abs(np.diff(line)).mean()) for line in known if len(line) > 1)
    spreads = sum(_mean_difference(line) for line in known if len(line) > 1)
    return steps / spreads if spreads else 0.0


def _mean_difference(values: F64) -> float:
    """Return the mean absolute difference of two of the values: of sorted ones sum (2 i - n + 1) x_i over all pairs."""
    n = len(values)
    return float(2.0 * ((2 * np.arange(n) - n + 1) * np.sort(values)).sum() / (n * (n - 1)))


def _with_choices(solution: Solution[Any], cells: dict[tuple[int, int], State]) -> dict[tuple[int, int], State]:
    """Leave out rows and columns in which only chance moves, unless there are no others."""
    chosen = [cell for cell, state in cells.items() if not solution.game.is_chance(solution.rules, state)]
    rows, columns = ({cell[axis] for cell in chosen} for axis in (0, 1))
    return {cell: state for cell, state in cells.items() if cell[0] in rows and cell[1] in columns} or cells


def _choice(solution: Solution[Any], state: State) -> tuple[str, float]:
    """Return the best action, and how much better it is than the second; if play mixes, the likeliest and how likely.

    The margin is infinite where there is no second action, and at chance nodes.
    """
    if solution.game.is_chance(solution.rules, state):
        return CHANCE, inf
    if isinstance(solution, MixedSolution):
        mixed = solution.mixed(state)
        label = max(mixed, key=lambda each: mixed[each])
        return label, mixed[label]
    best, *others = solution.action_values(state)
    return best.label, best.value - others[0].value if others else inf


def _relative(margins: F64) -> F64:
    """Return margins relative to a large one of them, from 0 to 1; the root, since most are small."""
    positive = margins[np.isfinite(margins) & (margins > 0.0)]
    if not len(positive):
        return np.ones(margins.shape)
    return np.sqrt(np.clip(margins / np.percentile(positive, CLEAR), 0.0, 1.0))


def _axis(values: Collection[int], is_set: bool) -> Sequence[int]:
    """Return evenly spaced numbers that contain these values; the values alone if they are sets, or less than half."""
    if is_set:
        return sorted(values, key=lambda value: (value.bit_count(), value))
    low, step = min(values), gcd(*(value - min(values) for value in values)) or 1
    spaced = range(low, max(values) + 1, step)
    return spaced if 2 * len(values) >= len(spaced) else sorted(values)


def _cells(solution: Solution[Any], base: State, x: str, y: str) -> dict[tuple[int, int], Any]:
    """Return the reachable states of the map by (value of y, value of x).

    Of states that look alike to the player to move, the first one in which a player chooses.
    """
    game = solution.game
    hidden = tuple(field for field in unobserved_fields(solution) if field not in (x, y))
    found: dict[tuple[int, int], Any] = {}
    for row, column, _, index in matching_states(solution, base, (y, x, ""), hidden).tolist():
        state = game.module.State(*solution.all_states.fields(index))
        if (row, column) not in found or game.is_chance(solution.rules, found[row, column]):
            found[row, column] = state
    rows, columns = ({cell[axis] for cell in found} for axis in (0, 1))
    if len(rows) * len(columns) > MAX_CELLS:
        raise InputError(
            f"{x!r} and {y!r} have {len(rows) * len(columns):,} pairs of values, and a map has at most "
            f"{MAX_CELLS:,}: choose other fields."
        )
    return found


def _names(labels: NDArray[Any], order: Sequence[str]) -> list[str]:
    """Return the most frequent actions, one for each colour, or all if they are numbered.

    They are in the order of the rules if these list them, and of their numbers.
    """
    names = [name for name, _ in Counter(label for label in labels.flat if label).most_common()]
    numbered = [NUMBERED.fullmatch(name) for name in names]
    if len({each and (each[1], each[3]) for each in numbered}) == 1 and all(numbered):
        return sorted(names, key=_number)
    others = [OTHER] if len(names) > len(PALETTE) else []
    shown = names[: len(PALETTE) - len(others)]
    return sorted(shown, key=lambda name: (order.index(name) if name in order else len(order), _number(name))) + others


def _number(name: str) -> int:
    """Return the first number in the name of an action; 0 if it contains no number."""
    found = NUMBERED.match(name)
    return int(found[2]) if found else 0


def value_title(solution: Solution[Any]) -> str:
    """Return the title of the map of values."""
    return solution.objective if solution.kind.seats == 1 else f"{solution.objective} of the player to move"


def action_title(solution: Solution[Any]) -> str:
    """Return the title of the map of actions."""
    return "the likeliest action" if isinstance(solution, MixedSolution) else "the best action"
