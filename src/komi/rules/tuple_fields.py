"""Tuple fields of states: the place that gives the engine flat states of numbers.

A rule file may declare fields such as `columns: tuple[int, ...]`. The engine stores and compares flat states, one
number for each entry, named as a rule file reads it: `columns[0]`, `columns[1]`, ... `flattened` makes the module that
the engine sees. It has all parts of the rule file, and its functions take and return flat states: compiled code builds
the tuples in registers, where the compiler removes them. The lengths of the tuples are those that `start` returns.
"""

import re
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from komi.errors import GameError
from komi.rules.flat_states import FLATTENING, Flattening
from komi.time_limit import TimeLimit, TooLongError, rule_seconds
from komi.typing import Rules, State


def flattening_of(module: ModuleType) -> Flattening | None:
    """Return the mapping of a flattened module; None for any other module."""
    return vars(module).get(FLATTENING)


def author_of(module: ModuleType) -> ModuleType:
    """Return the module of the rule file of a flattened module; any other module itself."""
    flattening = flattening_of(module)
    return flattening.author if flattening else module


def is_tuple(annotation: object) -> bool:
    """Return whether a field with this annotation is a tuple of numbers."""
    return re.match(r"(<class '|typing\.)?tuple\b", str(annotation), re.IGNORECASE) is not None


def tuple_fields(module: ModuleType) -> list[str]:
    """List the fields of `State` that are tuples."""
    annotations = getattr(author_of(module).State, "__annotations__", {})
    return [name for name in author_of(module).State._fields if is_tuple(annotations.get(name))]


def entries(module: ModuleType) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the entries of each tuple field; nothing for a module that is not flattened."""
    flattening = flattening_of(module)
    return flattening.entries if flattening else {}


def flattened(module: ModuleType, rules: Rules) -> ModuleType:
    """Return the module whose states are flat, with the lengths of tuples under these rules.

    Args:
        module: the module of a rule file, or a flattened one; returned unchanged if no field is a tuple.
        rules: the rules.

    Raises:
        GameError: if `start` fails, or returns anything but a tuple for such a field.
    """
    author = author_of(module)
    if not tuple_fields(author):
        return module
    start = _start(author, rules)
    lengths = tuple(len(getattr(start, name)) for name in tuple_fields(author))
    suffix = "__" + "_".join(map(str, lengths))
    name = author.__name__ + suffix
    known = sys.modules.get(name)
    if known is None or author_of(known) is not author:
        entries = dict(zip(tuple_fields(author), lengths, strict=True))
        sys.modules[name] = Flattening(author, suffix, entries, rules).module
    return sys.modules[name]


def _start(author: ModuleType, rules: Rules) -> State:
    """Return the initial state of a rule file.

    Raises:
        GameError: if it fails, or a tuple field is not a tuple.
    """
    file = Path(str(author.__file__)).name
    try:
        with TimeLimit():
            start = author.start(rules)
    except (TooLongError, Exception) as error:
        if isinstance(error, TooLongError):
            raise GameError(
                f"{file}: 'start' does not end within {rule_seconds():g} seconds (set KOMI_RULE_SECONDS if it needs "
                "more)."
            ) from None
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        raise GameError(f"{where}: {type(error).__name__}: {error}.") from None
    if not isinstance(start, author.State):
        raise GameError(f"{file}, 'start': 'start' returns {start!r}, which is not a State.")
    for name in tuple_fields(author):
        value = getattr(start, name)
        if not isinstance(value, tuple) or not value:
            raise GameError(
                f"{file}: 'start' returns {value!r} for field {name!r}, which is declared a tuple of numbers."
            )
    return start
