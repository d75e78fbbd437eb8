"""Many states at once: optimal play as named columns, and states given as arrays, mappings or data frames."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I16, I64
from komi.errors import InputError
from komi.rules.game import Game
from komi.typing import Rules

RESULTS = ("value", "action", "error_bound")
"""The columns beside the fields of the state that all solutions have."""

Columns = dict[str, NDArray[Any]]


def column_names(game: Game, rules: Rules) -> dict[str, str]:
    """Return the name of the column of each field in use: the field's, with an underscore if a result has that name."""
    return {name: f"{name}_" if name in RESULTS else name for name in game.fields(rules)}


def field_columns(game: Game, rules: Rules, fields: I64) -> Columns:
    """Return the columns of the fields in use.

    Args:
        game: the game.
        rules: its rules.
        fields: int64[states, fields], all fields of each state.
    """
    every = game.module.State._fields
    return {column: fields[:, every.index(name)] for name, column in column_names(game, rules).items()}


def read_states(game: Game, rules: Rules, states: Any) -> I64:
    """Return int64[states, fields], all fields of each state; fields that are not given are those of the start.

    Args:
        game: the game.
        rules: its rules.
        states: integers[states, fields], of all fields of `State` or of those that the rules use; or columns by name, a
            mapping or a data frame, such as `Solution.arrays` and `Solution.to_frame` return.

    Raises:
        InputError: if there is no such field, or a column does not contain whole numbers.
    """
    start, every, used = game.part("start")(rules), game.module.State._fields, game.fields(rules)
    columns = _named_columns(game, rules, states)
    if columns is None:
        rows = _integers(states, "the array of states")
        if rows.ndim != 2 or rows.shape[1] not in (len(used), len(every)):
            raise InputError(
                f"states of {game.name} are an array of {len(used)} columns ({', '.join(used)}), not of shape "
                f"{rows.shape}."
            )
        names = used if rows.shape[1] == len(used) else every
        columns = {name: rows[:, index] for index, name in enumerate(names)}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) != 1:
        raise InputError("the columns of states must have the same length." if lengths else "no column is a field.")
    fields = np.empty((lengths.pop(), len(every)), np.int64)
    for index, name in enumerate(every):
        fields[:, index] = columns.get(name, start[index])
    return fields


def _named_columns(game: Game, rules: Rules, states: Any) -> Columns | None:
    """Return the columns that are fields, by the names of the fields; None if the states are an array."""
    given: Iterable[str] | None = states if isinstance(states, Mapping) else getattr(states, "columns", None)
    if given is None:
        return None
    names = {column: name for name, column in column_names(game, rules).items()}
    return {
        names[column]: _integers(np.asarray(states[column]), f"column {column!r}")
        for column in given
        if column in names
    }


def _integers(values: Any, what: str) -> I64:
    array = np.asarray(values)
    whole = array.astype(np.int64) if array.dtype.kind in "biuf" else None
    if whole is None or not (whole == array).all():
        raise InputError(f"{what} must contain whole numbers.")
    return whole


def action_labels(game: Game, rules: Rules, fields: I64, actions: I16) -> NDArray[np.str_]:
    """Return the labels of actions, each in its state.

    Args:
        game: the game.
        rules: its rules.
        fields: int64[states, fields].
        actions: int16[states]; -1 where chance moves.
    """
    if not game.has("label"):
        return np.array([*map(str, game.module.actions), "chance"])[actions]
    state = game.module.State
    pairs = zip(fields.tolist(), actions.tolist(), strict=True)
    return np.array([game.label(rules, state(*each), action) for each, action in pairs], np.str_)
