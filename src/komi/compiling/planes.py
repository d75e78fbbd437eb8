"""Observations as planes: float32 numbers from 0 to 1, as networks take them.

A set becomes one number for each of its elements, 1 if it has the element. A field with few values, or with values
that are listed, becomes one for each value, of which one is 1. Any other becomes (value - low) / (high - low).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F32, F64, I64
from komi.compiling.packing import Layout
from komi.errors import InputError
from komi.game import CHANCE
from komi.jit.kernels import engine_kernels
from komi.jit.specialization import always_inline
from komi.rules import enumeration
from komi.rules.domains import Domain, declared_domains, element_names
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.typing import Rules

FORMS = ("fields", "planes")  # of an observation
MAX_ONE_HOT = 16  # values of a range that get a plane each
MAX_STATES = 20_000  # states from which the values of fields are found,
MAX_OUTCOMES = 50_000  # and their outcomes: about a second
MEMBER, IS, SCALED = range(3)  # kinds of planes
NO_ROW = -1


class Encoding(NamedTuple):
    """How the fields of an observation become planes, and the values that they can have.

    Attributes:
        lows, highs: int64[fields], the least and the greatest value of each field.
        members: int64[fields], the set of all elements of a set, otherwise -1.
        choices: the number of fields with a plane for each value.
        kinds: int64[planes], MEMBER, IS or SCALED.
        columns: int64[planes], the field of each plane.
        values: int64[planes], the element, the value, or the least value.
        widths: float64[planes], the greatest value minus the least.
    """

    lows: I64
    highs: I64
    members: I64
    choices: int
    kinds: I64
    columns: I64
    values: I64
    widths: F64


@always_inline
def encode(row: int, fields: I64, encoding: Encoding, planes: F32) -> bool:
    """Write the planes of one observation; return whether each field has one of its values."""
    for column in range(len(encoding.lows)):
        value = fields[row, column]
        if not encoding.lows[column] <= value <= encoding.highs[column]:
            return False
        if value & encoding.members[column] != value:
            return False
    chosen = 0
    for plane in range(len(encoding.kinds)):
        value = fields[row, encoding.columns[plane]]
        if encoding.kinds[plane] == MEMBER:
            planes[row, plane] = (value >> encoding.values[plane]) & 1
        elif encoding.kinds[plane] == IS:
            planes[row, plane] = value == encoding.values[plane]
            chosen += value == encoding.values[plane]
        else:
            planes[row, plane] = (value - encoding.values[plane]) / encoding.widths[plane]
    return chosen == encoding.choices


class Planes:
    """The planes of the observations of a game under its rules, or its fields alone.

    Args:
        game, rules: the game.
        form: "planes", or "fields" for no planes.

    Attributes:
        domains: the values that each field can have.
        names: the meaning of each plane: `hand: 3` for an element, `rolls = 2` for a value, `score` for a number.
        encoding: the same for compiled code.

    Raises:
        InputError: for another form.
        GameError: if the rules are broken.
    """

    def __init__(self, game: Game, rules: Rules, form: str = "planes") -> None:
        if form not in FORMS:
            raise InputError(f"an observation is 'fields' or 'planes', not {form!r}.")
        self.domains = domains_of(game, rules)
        listed = list(_planes(self.domains)) if form == "planes" else []
        self.names = tuple(name for name, *_ in listed)
        kinds, columns, values = (np.array([each[i] for each in listed], np.int64) for i in range(1, 4))
        self.encoding = Encoding(
            lows=np.array([domain.low for domain in self.domains], np.int64),
            highs=np.array([domain.high for domain in self.domains], np.int64),
            members=np.array([domain.high if domain.names else -1 for domain in self.domains], np.int64),
            choices=len(set(columns[kinds == IS].tolist())),
            kinds=kinds,
            columns=columns,
            values=values,
            widths=np.array([each[4] for each in listed], np.float64),
        )

    def __len__(self) -> int:
        return len(self.names)

    def encoded(self, fields: I64) -> F32:
        """Return float32[rows, planes] of observations, int64[rows, fields].

        Raises:
            InputError: if a field has a value that is not in its domain.
        """
        planes: F32 = np.empty((len(fields), len(self)), np.float32)
        row = engine_kernels()[encode_rows](np.ascontiguousarray(fields), self.encoding, planes)
        if row != NO_ROW:
            raise InputError(self.wrong(fields[row].tolist()))
        return planes

    def wrong(self, fields: Sequence[int]) -> str:
        """Describe the value that is not in its domain."""
        for value, domain in zip(fields, self.domains, strict=True):
            if not domain.has(value):
                what = f"field {domain.field!r} of an observation is {value:,}"
                return f"{what}, which is not in its domain: {_text(domain)}."
        return ""


def encode_rows(fields: I64, encoding: Encoding, planes: F32) -> int:
    """Write the planes of all observations; return NO_ROW, or a row with a value that its field cannot have."""
    for row in range(len(fields)):
        if not encode(row, fields, encoding, planes):
            return row
    return NO_ROW


@lru_cache(64)
def domains_of(game: Game, rules: Rules) -> tuple[Domain, ...]:
    """Return the values that each field of an observation can have.

    They are those of `domains` if the rule file declares it; otherwise those in all states that play can reach; if
    these are many, ranges around those in a sample.

    Raises:
        GameError: if the rules are broken.
    """
    domains = declared_domains(game, rules) if game.has("domains") else _found_domains(game, rules)
    if game.has("view") and not game.has("turned") and game.players(rules) > 1:
        return tuple(domain.with_zero() for domain in domains)  # what a player sees who is not to move
    return domains


def _found_domains(game: Game, rules: Rules) -> tuple[Domain, ...]:
    interpreter = Interpreter(game, rules)
    moves_of, is_complete = enumeration.explore(interpreter, MAX_STATES, MAX_OUTCOMES)
    if not is_complete:
        moves_of |= enumeration.sample_states(interpreter, MAX_STATES, max_outcomes=MAX_OUTCOMES, known=moves_of)
    seats = range(game.players(rules) if game.has("turned") else 1)
    rows: Any = {
        tuple(game.observed(rules, game.turned(rules, state, seat)))
        for state, moves in moves_of.items()
        if not moves or moves[0].action != CHANCE
        for seat in seats
    }
    table = np.array([*rows], np.int64)
    layout = Layout.around(table, game.steps)
    elements = game.elements(rules)
    found = {}
    for field, column, low, high, step in zip(
        game.module.State._fields, table.T, layout.lows, layout.maxima, layout.steps, strict=True
    ):
        values = tuple(np.unique(column).tolist())
        if names := elements.get(field):
            members = tuple(range(len(names)))
            found[field] = Domain(field, members, element_names(members, names))
        elif not is_complete:
            found[field] = Domain(field, range(low * step, high + 1, step))
        elif len(values) <= MAX_ONE_HOT:
            found[field] = Domain(field, values)
        else:
            found[field] = Domain(field, range(values[0], values[-1] + 1, step))
    return tuple(found[field] for field in game.fields(rules))


def _planes(domains: Sequence[Domain]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield the name, kind, column, value and width of each plane."""
    for column, domain in enumerate(domains):
        field, values = domain.field, domain.values
        if domain.names:
            for element, name in zip(values, domain.names, strict=True):
                yield f"{field}: {name}", MEMBER, column, element, 1
        elif len(values[:3]) > 2 and (_are_few(values) or not isinstance(values, range)):
            for value in values:
                yield f"{field} = {value}", IS, column, value, 1
        elif len(values[:2]) > 1:
            yield field, SCALED, column, domain.low, domain.high - domain.low


def _are_few(values: range | tuple[int, ...]) -> bool:
    return len(values[: MAX_ONE_HOT + 1]) <= MAX_ONE_HOT  # the length of a wide range does not fit into 63 bits


def _text(domain: Domain) -> str:
    if domain.names:
        return f"the sets of {', '.join(domain.names)}"
    return ", ".join(map(str, domain.values)) if _are_few(domain.values) else f"{domain.low:,} to {domain.high:,}"
