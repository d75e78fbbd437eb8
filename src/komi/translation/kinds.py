"""Kinds of values in a rule file: what a translator must know of a value to pick the right operator."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import Any

MAX_EXACT = 2**53 - 1  # the largest magnitude of whole numbers that JavaScript counts exactly
MAX_ITEMS = 16  # entries of a tuple whose kinds are inferred one by one
MAX_DEPTH = 4  # of tuples in tuples
WHOLE = frozenset(("int", "wide", "bool"))
NUMBERS = WHOLE | {"float"}
ORDERED = frozenset(("int", "wide", "float"))  # numbers that are compared as they are
SEQUENCES = frozenset(("tuple", "list"))
SCALARS = NUMBERS | {"str", "none"}


@dataclass(frozen=True)
class ValueKind:
    """A set of types that a value can have.

    Attributes:
        names: the types: int, wide (a whole number, which can be beyond 2**53; includes int), bool, float, str,
            none, tuple, list, set, dict, iterator, or the name of a record class.
        items: the kinds of the entries of a tuple whose length is known; None for any other value.
        element: the kind of the values that iterating yields, or of the values of a dict.
    """

    names: frozenset[str] = frozenset()
    items: "tuple[ValueKind, ...] | None" = None
    element: "ValueKind | None" = None

    def is_in(self, names: Iterable[str]) -> bool:
        """Return whether the value always has one of these types; true for a value that is never computed."""
        return self.names <= frozenset(names)

    def is_only(self, name: str) -> bool:
        """Return whether the value always has this type."""
        return self.names == {name}

    @property
    def is_wide(self) -> bool:
        """True if the value is a wide number or holds some."""
        return "wide" in self.names or (self.element is not None and self.element.is_wide)

    @property
    def is_unknown(self) -> bool:
        """True as long as inference has not reached the value."""
        return not self.names


UNKNOWN = ValueKind()
INT, WIDE, BOOL, FLOAT, STR, NONE = (
    ValueKind(frozenset((name,))) for name in ("int", "wide", "bool", "float", "str", "none")
)


def of_type(name: str, element: ValueKind | None = None) -> ValueKind:
    """Return the kind of all values of a type."""
    return ValueKind(frozenset((name,)), element=element)


def tuple_of(items: Iterable[ValueKind]) -> ValueKind:
    """Return the kind of a tuple with these entries."""
    items = tuple(items)
    return _cut(ValueKind(frozenset(("tuple",)), items if len(items) <= MAX_ITEMS else None, join(*items)))


def join(*kinds: ValueKind) -> ValueKind:
    """Return the kind of a value that has one of these kinds."""
    return reduce(_join, kinds, UNKNOWN)


def _join(one: ValueKind, other: ValueKind) -> ValueKind:
    if one == other or other.is_unknown:
        return one
    if one.is_unknown:
        return other
    items = one.items if other.items is None and "tuple" not in other.names else other.items
    if one.items is not None and other.items is not None:
        same_length = len(one.items) == len(other.items)
        items = tuple(map(_join, one.items, other.items)) if same_length else None
    elif "tuple" in one.names and "tuple" in other.names:
        items = None
    elements = [kind.element for kind in (one, other) if kind.element]
    names = one.names | other.names
    return ValueKind(names - {"int"} if "wide" in names else names, items, join(*elements) if elements else None)


def _cut(kind: ValueKind, depth: int = MAX_DEPTH) -> ValueKind:
    """Forget what is nested too deeply, so that inference ends."""
    if depth == 0:
        return ValueKind(kind.names, None, UNKNOWN if kind.element else None)
    items = kind.items and tuple(_cut(item, depth - 1) for item in kind.items)
    return ValueKind(kind.names, items, kind.element and _cut(kind.element, depth - 1))


def kind_of(value: Any) -> ValueKind:
    """Return the kind of a constant."""
    if value is None:
        return NONE
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return of_type(type(value).__name__, join(*map(kind_of, value)))
    if isinstance(value, tuple):
        return tuple_of(map(kind_of, value))
    if isinstance(value, range):
        return of_type("tuple", INT)
    if isinstance(value, list):
        return of_type("list", join(*map(kind_of, value)))
    if isinstance(value, set | frozenset):
        return of_type("set", join(*map(kind_of, value)))
    if isinstance(value, dict | MappingProxyType):
        return of_type("dict", join(*map(kind_of, value.values())))
    return WIDE if isinstance(value, int) and abs(value) > MAX_EXACT else of_type(type(value).__name__)
