"""Lists, tuples, sets and dicts that a rule file sets up once, as constants of compiled code.

A table, which is a list or a tuple of numbers of one kind, or of such rows of equal lengths, becomes a read-only array
unless it is short: compiled rules check its indices, as Python does. Any other list or set becomes a tuple, a dict of
numbers a `ConstantDict`, which is searched linearly. `komi.rules.determinism` ensures that these values never change.

Parameters are annotated alike in the functions that numba asks for types and in those that it compiles, because it
compares them.
"""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Any

import numpy as np
from numba.core import types
from numba.core.imputils import lower_constant
from numba.extending import models, overload, overload_method, register_model, typeof_impl
from numpy.typing import NDArray

MAX_IN_TUPLE = 32
"""Maximum count of numbers in a table that stays a tuple."""
MAX_NUMBERS = 1000
"""Maximum count of numbers in any other constant: the compiler handles each as a variable."""
COLLECTIONS = (list, set, frozenset, tuple)
DATA_TYPES = {bool: np.bool_, int: np.int64, float: np.float64}


@dataclass(frozen=True)
class ConstantDict:
    """A dict as a compile-time constant."""

    keys: tuple[Any, ...]
    values: tuple[Any, ...]


def constant(value: Any) -> object:
    """Return the compile-time constant that replaces a value of a rule file."""
    if type(value) in (list, tuple) and _count_numbers(value) > MAX_IN_TUPLE and (table := _table(value)) is not None:
        return table
    if isinstance(value, COLLECTIONS) and 0 < _count_numbers(value) <= MAX_NUMBERS:
        return value if isinstance(value, tuple) and not _has_lists(value) else _as_tuples(value)
    if (
        isinstance(value, dict | MappingProxyType)
        and 0 < _count_numbers(value.keys()) + _count_numbers(value.values()) <= MAX_NUMBERS
    ):
        return ConstantDict(tuple(map(_as_tuples, value)), tuple(map(_as_tuples, value.values())))
    return dict(value) if isinstance(value, MappingProxyType) else value  # the compiler's message names the type


def _table(rows: Sequence[Any]) -> NDArray[Any] | None:
    """Return a table as a read-only array; None if it has numbers of several kinds, or rows of different lengths."""
    shape = []
    numbers = rows
    while isinstance(numbers[0], list | tuple):
        shape.append(len(numbers[0]))
        if (
            {type(row) for row in numbers} - {list, tuple}
            or {len(row) for row in numbers} != {shape[-1]}
            or not shape[-1]
        ):
            return None
        numbers = [number for row in numbers for number in row]
    kinds = {type(number) for number in numbers}
    if len(kinds) > 1 or kinds.isdisjoint(DATA_TYPES):
        return None
    try:
        table: NDArray[Any] = np.array(numbers, DATA_TYPES[kinds.pop()]).reshape(len(rows), *shape)
    except OverflowError:
        return None  # the compiler explains that a number has more than 64 bits
    table.flags.writeable = False
    return table


def _count_numbers(values: Iterable[object]) -> float:
    """Count the numbers in nested values; infinity if they contain anything else."""
    return sum(
        _count_numbers(value) if isinstance(value, COLLECTIONS) else 1 if isinstance(value, int | float) else inf
        for value in values
    )


def _has_lists(values: tuple[object, ...]) -> bool:
    return any(not isinstance(value, tuple) or _has_lists(value) for value in values if isinstance(value, COLLECTIONS))


def _as_tuples(value: Any) -> Any:
    if not isinstance(value, COLLECTIONS) or hasattr(value, "_fields"):
        return value
    return tuple(map(_as_tuples, value))


class ConstantDictType(types.Type):
    """The numba type of one dict; its contents are part of the type."""

    def __init__(self, keys: tuple[Any, ...], values: tuple[Any, ...]) -> None:
        self.keys, self.values = keys, values
        super().__init__(name=f"ConstantDict({keys!r}, {values!r})")


@typeof_impl.register(ConstantDict)
def _typeof(value: ConstantDict, context: object) -> ConstantDictType:
    return ConstantDictType(value.keys, value.values)


register_model(ConstantDictType)(models.OpaqueModel)


@lower_constant(ConstantDictType)  # type: ignore[untyped-decorator]
def _lower(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()


@overload(operator.getitem)
def _overload_getitem(table: Any, key: Any) -> Any:
    if not isinstance(table, ConstantDictType):
        return None
    keys, values = table.keys, table.values

    def getitem(table: Any, key: Any) -> Any:
        for i in range(len(keys)):
            if keys[i] == key:
                return values[i]
        raise KeyError("a dict does not have this key")

    return getitem


@overload_method(ConstantDictType, "get")
def _overload_get(table: Any, key: Any, default: Any) -> Any:
    keys, values = table.keys, table.values

    def get_or_default(table: Any, key: Any, default: Any) -> Any:
        for i in range(len(keys)):
            if keys[i] == key:
                return values[i]
        return default

    return get_or_default


@overload(operator.contains)
def _overload_contains(table: Any, key: Any) -> Any:
    if not isinstance(table, ConstantDictType):
        return None
    keys = table.keys

    def contains(table: Any, key: Any) -> bool:
        for i in range(len(keys)):  # noqa: SIM110
            if keys[i] == key:
                return True
        return False

    return contains


@overload(len)
def _overload_len(table: Any) -> Any:
    return _returning(len(table.keys)) if isinstance(table, ConstantDictType) else None


@overload_method(ConstantDictType, "keys")
def _overload_keys(table: Any) -> Any:
    return _returning(table.keys)


@overload_method(ConstantDictType, "values")
def _overload_values(table: Any) -> Any:
    return _returning(table.values)


@overload_method(ConstantDictType, "items")
def _overload_items(table: Any) -> Any:
    return _returning(tuple(zip(table.keys, table.values, strict=True)))


def _returning(value: Any) -> Any:
    """Create a function of a dict that returns this constant."""

    def constant_result(table: Any) -> Any:
        return value

    return constant_result
