"""`komi.table`: a policy as a readable table, an action in each cell, or the values of a field at which it changes.

A cell stands for all states that have the same values of the fields x and y, those not named being fixed. Without a
third field there is one such state, and the cell says what the policy does there. Over a third field the cell says what
it does as that field grows: "20" where it does one thing below 20 and another from there on, as in all cells; else
"roll 25 hold 35 roll", with each value at which it changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi import catalog
from komi.compile.kernels import Notice
from komi.compile.places import members, state_at
from komi.errors import InputError
from komi.game import CHANCE, Game
from komi.methods.answer import Answer, AnyState
from komi.methods.backup.rows import UNIFORM
from komi.methods.solve import solve
from komi.policies import named
from komi.policies.tabulate import tabulate
from komi.progress import Progress, silent
from komi.vocabulary import meaning, settings, title

MOST_STATES = 5_000_000  # that a table looks up
SURE = 0.9995  # the share of an action from which it is not said to be mixed
MIXED = "mixed"
GROWING = "turn"  # the field over which cells are, if none is named, where one can hold

Run = tuple[int, str]  # the value from which on an action is taken, and the action


@dataclass(frozen=True)
class PolicyTable:
    """What a policy does, over the values of one, two or three fields.

    Attributes:
        game: the game.
        rules: its rules.
        policy: the policy's name.
        x, y, over: the fields across, down, and inside the cells; empty where there is none.
        state: the state whose other fields all share.
        xs, ys: the values of x and y; (0,) without a field.
        runs: by (y, x), what the policy does: each action with the value of `over` from which on it is taken.
    """

    game: Game
    rules: Any
    policy: str
    x: str
    y: str
    over: str
    state: Any
    xs: tuple[int, ...]
    ys: tuple[int, ...]
    runs: dict[tuple[int, int], tuple[Run, ...]]

    @property
    def below_and_above(self) -> tuple[str, str] | None:
        """The two actions, if there are just two, of which cells with one change are told by a number alone."""
        pairs = {(runs[0][1], runs[1][1]) for runs in self.runs.values() if len(runs) == 2}
        return pairs.pop() if len(pairs) == 1 else None

    @property
    def columns(self) -> list[str]:
        """The headings: what stands down the left, then the values of x."""
        return [self.y or "", *(f"{self.x} {value}" if self.x else "policy" for value in self.xs)]

    @property
    def rows(self) -> list[list[str]]:
        """A value of y, then what the policy does with each value of x; empty where play does not come to."""
        return [[str(y) if self.y else "", *(self.cell(y, x) for x in self.xs)] for y in self.ys]

    @property
    def heading(self) -> str:
        """What is shown of which game."""
        return f"{title(self.game)}: {self.policy}"

    @property
    def notes(self) -> list[str]:
        """The rules, the fields that are the same everywhere, and how a cell is read."""
        fixed = ", ".join(
            f"{name} {value}"
            for name, value in self.game.shown(self.rules, self.state).items()
            if name not in (self.x, self.y, self.over)
        )
        notes = [f"Rules: {settings(self.rules) or 'none to set'}."]
        notes += [f"Everywhere {fixed}."] if fixed else []
        down, across = (meaning(self.game, field) if field else "" for field in (self.y, self.x))
        notes += [f"Down: {down}."] if down else []
        notes += [f"Across: {across}."] if across else []
        if self.over and self.below_and_above:
            below, above = self.below_and_above
            notes.append(f"Each number is the {self.over} ({meaning(self.game, self.over)}) from which on the policy")
            notes[-1] += f" takes {above}; below it, {below}."
        elif self.over:
            notes.append(f"In a cell what is done as {self.over} grows, and from which values on.")
        return notes

    def cell(self, y: int, x: int) -> str:
        """What the policy does with these values; empty where play does not come to."""
        runs = self.runs.get((y, x), ())
        if not runs:
            return ""
        labels = tuple(label for _, label in runs)
        if labels == self.below_and_above:
            return str(runs[1][0])
        if len(runs) == 1:
            return runs[0][1]
        return " ".join([runs[0][1], *(f"{value} {label}" for value, label in runs[1:])])

    def brief(self, y: int, x: int) -> str:
        """The same in few letters: the first change alone, and a star, where there are others later on."""
        runs = self.runs.get((y, x), ())
        if len(runs) > 2 and tuple(label for _, label in runs[:2]) == self.below_and_above:
            return f"{runs[1][0]}*"
        return self.cell(y, x)

    def thinned(self, most_rows: int, most_columns: int) -> "PolicyTable":
        """The same with fewer values of x and y, evenly spaced, so that it fits on a screen."""
        xs, ys = _thinned(self.xs, most_columns), _thinned(self.ys, most_rows)
        return PolicyTable(self.game, self.rules, self.policy, self.x, self.y, self.over, self.state, xs, ys, self.runs)


def table(
    game: str | Game,
    *,
    x: str = "",
    y: str = "",
    over: str = "",
    state: AnyState = "",
    policy: str = "optimal",
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> PolicyTable:
    """A policy as a table.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        x, y: fields of the state across and down; the game's first ones if neither is named.
        over: a field inside the cells; if no field is named, the turn total where one can hold.
        state: the other fields' values; as at the start where it does not say.
        policy: the policy, by name.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before something that takes seconds and happens only once.
        rules: the rules to change, by name.

    Raises:
        InputError: for an unknown game, rule, policy, field or state, or if nobody chooses in any of these states.
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
    found = catalog.find(game) if isinstance(game, str) else game
    answer = solve(found, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]  # named by the game
    base = answer.read(state or None)
    x, y, over = _axes(answer, x, y, over)
    runs = _runs(answer, policy, base, (y, x, over))
    if not runs:
        fixed = ", ".join(name for name in found.fields(answer.rules) if name not in (x, y, over)) or "the fields"
        raise InputError(
            f"nobody chooses in any state that differs from {found.write(answer.rules, base)} in these fields only: "
            f"--state sets others of {fixed}."
        )
    xs, ys = (tuple(sorted({pair[axis] for pair in runs})) for axis in (1, 0))
    return PolicyTable(found, answer.rules, policy, x, y, over, base, xs, ys, runs)


def _axes(answer: Answer[Any], x: str, y: str, over: str) -> tuple[str, str, str]:
    """The fields named; if none is, the first ones, the turn total inside the cells where one can hold."""
    game = answer.game
    fields = game.fields(answer.rules)
    chosen = [field for field in (x, y, over) if field]
    for field in chosen:
        if field not in fields:
            raise InputError(f"a state of {game.name} has no field {field!r}: its fields are {', '.join(fields)}.")
        if chosen.count(field) > 1:
            raise InputError(f"a table is over different fields: {field!r} is named twice.")
    if not over and not (x or y) and GROWING in fields and "hold" in getattr(game.module, "actions", ()):
        over = GROWING
    if not (x or y):
        y, x = [*(field for field in fields if field != over), "", ""][:2]
    return x, y, over


def _runs(
    answer: Answer[Any], policy: str, base: Any, axes: tuple[str, str, str]
) -> dict[tuple[int, int], tuple[Run, ...]]:
    """By (y, x), what the policy does as the third field grows."""
    found = _selected(answer, base, axes)
    labels = _labels(answer, policy, found[:, 3])
    runs: dict[tuple[int, int], list[Run]] = {}
    for place in np.lexsort((found[:, 2], found[:, 1], found[:, 0])):
        label = labels[place]
        if not label:
            continue
        y, x, value, _ = (int(each) for each in found[place])
        cell = runs.setdefault((y, x), [])
        if not cell or cell[-1][1] != label:
            cell.append((value, label))
    return {pair: tuple(cell) for pair, cell in runs.items()}


def _selected(answer: Answer[Any], base: Any, axes: tuple[str, str, str]) -> NDArray[np.int64]:
    """int64[states, 4]: the values of the three fields, and the index, of all states that differ in these only."""
    states, fields = answer.listed, answer.game.module.State._fields
    places = np.array([fields.index(axis) if axis else -1 for axis in axes], np.int64)
    wanted = np.array(base, np.int64)
    kernel = answer.compiled.kernels[_select]
    count = kernel(states.layout, states.keys, wanted, places, np.empty((0, 4), np.int64))
    if count > MOST_STATES:
        raise InputError(f"these are {count:,} states: a table has room for {MOST_STATES:,}; name fewer fields.")
    found = np.empty((count, 4), np.int64)
    kernel(states.layout, states.keys, wanted, places, found)
    return found


def _labels(answer: Answer[Any], policy: str, indices: NDArray[np.int64]) -> Sequence[str]:
    """What the policy does in each of these states; empty where chance moves."""
    chosen = named.find(policy, answer)
    states = answer.listed
    shares = chosen.shares_in(states)
    if shares is not None:
        return [_mixed(answer, int(index), shares[index]) for index in indices]
    actions = tabulate(chosen, answer.compiled, answer.rules, states)
    return [_label(answer, int(index), int(actions[index])) for index in indices]


def _label(answer: Answer[Any], index: int, action: int) -> str:
    game = answer.game
    if action == CHANCE:
        return ""
    if game.has("label"):
        state = game.module.State(*answer.listed.fields(index))
        if action == UNIFORM:
            return "" if game.is_chance(answer.rules, state) else "random"
        return game.label(answer.rules, state, action)
    return "random" if action == UNIFORM else str(game.module.actions[action])


def _mixed(answer: Answer[Any], index: int, shares: NDArray[np.float64]) -> str:
    """The action that is as good as always taken, or that it is mixed."""
    game = answer.game
    state = game.module.State(*answer.listed.fields(index))
    if game.is_chance(answer.rules, state):
        return ""
    likeliest = int(shares.argmax())
    label = list(game.labels(answer.rules, state))[likeliest]
    return label if shares[likeliest] >= SURE else MIXED


def _select(layout: Any, keys: Any, wanted: Any, places: Any, found: Any) -> int:
    """Find the states that agree with the wanted one in all fields but those at these places.

    Args:
        layout, keys: the set of states.
        wanted: int64[fields].
        places: int64[3], of the fields that may differ; -1 for none.
        found: int64[., 4], filled in as far as there is room: the values of these fields, and the state's index.

    Returns:
        how many there are
    """
    count = 0
    for index, place in members(keys):
        state = state_at(layout, keys, place)
        agrees = True
        for field in range(len(wanted)):
            free = field in (places[0], places[1], places[2])
            agrees = agrees and (free or state[field] == wanted[field])
        if not agrees:
            continue
        if count < len(found):
            for axis in range(3):
                found[count, axis] = state[places[axis]] if places[axis] >= 0 else 0
            found[count, 3] = index
        count += 1
    return count


def _thinned(values: tuple[int, ...], most: int) -> tuple[int, ...]:
    """At most so many of the values: the first, and those that a round step leads to."""
    if len(values) <= most:
        return values
    step = next(
        unit * 10**power
        for power in range(10)
        for unit in (1, 2, 5)
        if len({value // (unit * 10**power) for value in values}) <= most
    )
    return tuple({value // step: value for value in reversed(values)}.values())[::-1]
