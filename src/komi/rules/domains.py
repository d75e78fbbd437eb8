"""Domains: the values that each field of an observation can have, as a rule file declares them."""

from collections.abc import Mapping, Set
from typing import Any, NamedTuple

from komi.errors import GameError
from komi.rules import tuple_fields
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.typing import Rules

MAX_ELEMENT = 62  # of a set, which is a number of 63 bits
MAX_NUMBER = (1 << 62) - 1  # so that the difference of two is a number, too
FORM = "a range, a tuple of numbers of up to 62 bits, or a set of the elements, 0 to 62, or a dict with their names"


class Domain(NamedTuple):
    """The values that a field can have.

    Attributes:
        field: its name.
        values: the values in ascending order; of a set those of its elements.
        names: the names of the elements of a set; empty for a number.
    """

    field: str
    values: range | tuple[int, ...]
    names: tuple[str, ...] = ()

    @property
    def low(self) -> int:
        """The least value."""
        return 0 if self.names else self.values[0]

    @property
    def high(self) -> int:
        """The greatest value."""
        return sum(1 << element for element in self.values) if self.names else self.values[-1]

    def has(self, value: int) -> bool:
        """Return whether the field can have this value."""
        return value & ~self.high == 0 if self.names else value in self.values

    def with_zero(self) -> "Domain":
        """Return the domain that also has 0."""
        if self.names or 0 in self.values:
            return self
        if isinstance(self.values, range):
            return self._replace(values=range(min(self.low, 0), max(self.high, 0) + 1))
        return self._replace(values=tuple(sorted((0, *self.values))))


def declared_domains(game: Game, rules: Rules) -> tuple[Domain, ...]:
    """Return the domains of the fields of an observation, by `domains` of the rule file.

    Raises:
        GameError: if it fails, or does not return a `State` of domains.
    """
    interpreter = Interpreter(game, rules)
    stated = interpreter.attempt(lambda: game.part("domains")(rules), "domains", None)
    for problem in interpreter.problems.values():
        raise GameError(str(problem))
    if not isinstance(stated, tuple_fields.author_of(game.module).State):
        raise GameError(f"{game.file.name}: 'domains' returns {stated!r}, which is not a State.")
    entries, names = tuple_fields.entries(game.module), game.elements(rules)
    domains = {}
    for field, values in zip(stated._fields, stated, strict=True):
        flat = entries.get(field, (field,))
        is_listed = field in entries and isinstance(values, tuple) and not all(isinstance(each, int) for each in values)
        by_entry = values if is_listed and len(values) == len(flat) else (values,) * len(flat)
        for entry, each in zip(flat, by_entry, strict=True):
            domains[entry] = _domain(game, entry, each, names.get(field, ()))
    return tuple(domains[field] for field in game.fields(rules))


def element_names(elements: range | tuple[int, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the elements of a set: those that the rule file gives them, or their numbers."""
    return tuple(names[element] if element < len(names) else str(element) for element in elements)


def _domain(game: Game, field: str, stated: Any, names: tuple[str, ...]) -> Domain:
    is_set = isinstance(stated, Set | Mapping)
    low, high = (0, MAX_ELEMENT) if is_set else (-MAX_NUMBER, MAX_NUMBER)
    if isinstance(stated, range):
        given: Any = (stated[0], stated[-1]) if stated else ()
    else:
        given = (stated,) if isinstance(stated, int) else stated if is_set or isinstance(stated, tuple) else ()
    if not given or not all(isinstance(value, int) and low <= value <= high for value in given):
        raise GameError(f"{game.file.name}: 'domains' gives {field!r} {stated!r}, which is not {FORM}.")
    if isinstance(stated, range):
        return Domain(field, stated if stated.step > 0 else stated[::-1])
    values = tuple(sorted(set(given)))
    if isinstance(stated, Mapping):
        return Domain(field, values, tuple(str(stated[element]) for element in values))
    return Domain(field, values, element_names(values, names) if is_set else ())
