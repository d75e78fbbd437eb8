"""Pieces of JavaScript: expressions with what decides about parentheses, and constants."""

import json
from dataclasses import dataclass, replace
from textwrap import indent, wrap
from types import MappingProxyType
from typing import Any

from komi.translation.kinds import MAX_EXACT, UNKNOWN, WIDE, ValueKind, kind_of

WIDTH = 112  # characters in a line of data
ATOM, UNARY, PRODUCT, SUM, SHIFT, ORDER, EQUALITY, BIT_AND, BIT_XOR, BIT_OR, AND, OR, CHOICE = range(13, 0, -1)


@dataclass(frozen=True)
class Code:
    """An expression of JavaScript.

    Attributes:
        text: its source.
        kind: the kind of its value.
        level: how tightly its outermost operator binds, `ATOM` the most.
        is_rounded: True for a sum, difference or product of whole numbers, which can be beyond those that are exact: it
            then compares with exact ones as the true number does.
        most: a bound on the magnitude of a whole number.
        is_bigint: True for a wide number that is a bigint even if it is small.
    """

    text: str
    kind: ValueKind = UNKNOWN
    level: int = ATOM
    is_rounded: bool = False
    most: int = MAX_EXACT
    is_bigint: bool = False

    @property
    def number(self) -> "Code":
        """The expression as an operand of arithmetic: truth values become numbers."""
        return replace(self, text=f"Number({self.text})", level=ATOM) if "bool" in self.kind.names else self

    def at(self, level: int) -> str:
        """Return the source for a place that binds this tightly, in parentheses where these are needed."""
        return self.text if self.level >= level else f"({self.text})"


def constant(value: Any) -> Code:
    """Return a constant.

    Raises:
        ValueError: if it has no exact counterpart in JavaScript.
    """
    text, kind = literal(value), kind_of(value)
    most = abs(int(value)) if isinstance(value, int) else MAX_EXACT
    return Code(text, kind, UNARY if text.startswith("-") else ATOM, most=most, is_bigint=kind == WIDE)


def literal(value: Any) -> str:
    """Return the source of a constant.

    Raises:
        ValueError: if it has no exact counterpart in JavaScript.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return f"{int(value)}n" if abs(value) > MAX_EXACT else str(int(value))
    if isinstance(value, float):
        return repr(value).replace("inf", "Infinity").replace("nan", "NaN")
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return f"new {type(value).__name__}({', '.join(map(literal, value))})"
    if isinstance(value, tuple | list | range):
        return _listed("[", list(map(literal, value)), "]")
    if isinstance(value, dict | MappingProxyType):
        return _listed("new Map([", [f"[{literal(key)}, {literal(each)}]" for key, each in value.items()], "])")
    if isinstance(value, set | frozenset):
        return _listed("new Set([", list(map(literal, sorted(value))), "])")
    raise ValueError(f"{value!r} is not a number, a text, or a tuple, set or dict of these")


def _listed(head: str, items: list[str], tail: str) -> str:
    """Return a list on one line if it fits there, and else on several."""
    line = f"{head}{', '.join(items)}{tail}"
    if len(line) <= WIDTH:
        return line
    if any(len(item) > WIDTH // 4 or " " in item for item in items):
        body = ",\n".join(items)
    else:
        body = "\n".join(wrap(", ".join(items), WIDTH, break_on_hyphens=False, break_long_words=False))
    return f"{head}\n{indent(body, '  ')},\n{tail}"
