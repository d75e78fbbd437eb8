"""The features of a state that a person sees: quantities read off its fields, and combinations of two or three.

All features are derived from the rules. A rule with the name of a field is the stock of what the field counts, such as
`wolves` in Fowl Play: the rule minus the field is what is left, if it is never negative. A field that begins with the
whole stock is itself what is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I64, Flags
from komi.bitset import count, length
from komi.compiling.packing import Layout
from komi.graph.lookup import StateIndex, members, members_at, packed_at
from komi.graph.state_sets import StateSet
from komi.jit.intrinsics import extract_field
from komi.jit.kernels import engine_kernels
from komi.rules.game import Game
from komi.teaching.field_roles import find_mirrored_fields
from komi.typing import Rules, State

Form = Literal["identity", "sum", "difference", "product", "ratio", "larger", "smaller", "scaled"]
FORMS: tuple[Form, ...] = ("identity", "sum", "difference", "product", "ratio", "larger", "smaller", "scaled")
IDENTITY, SUM, DIFFERENCE, PRODUCT, RATIO, LARGER, SMALLER, SCALED = range(len(FORMS))
Reading = Literal["number", "size", "highest", "lowest"]
READINGS: tuple[Reading, ...] = ("number", "size", "highest", "lowest")
NUMBER, SIZE, HIGHEST, LOWEST = range(len(READINGS))
UNIT = (0, 1, 0)  # the encoding of the number 1
ENCODING_WIDTH = 10  # numbers that encode a feature
TIMES = "×"  # noqa: RUF001  # in texts
MAX_FIELDS = 8  # that are combined


@dataclass(frozen=True, order=True)
class Quantity:
    """A number that a person reads off a field of the state.

    Attributes:
        field: the name of the field.
        index: the index of the field in the state.
        reading: how the number is read: the field itself, or a property of a set of bits (`komi.bitset`).
        stock: the initial stock of what the field counts; None for the field itself, else for what is left.
    """

    field: str
    index: int
    reading: Reading = "number"
    stock: int | None = None

    @property
    def text(self) -> str:
        """The name for people."""
        if self.reading in ("highest", "lowest"):
            return f"the {self.reading} of {self.field}"
        return self.field if self.stock is None else f"{self.field} left"

    @property
    def code(self) -> str:
        """The quantity as an expression of a policy file."""
        code = self.code_of(f"state.{self.field}")
        return code if self.stock is None else f"(rules.{self.field} - {code})"

    def code_of(self, field: str) -> str:
        """Write the reading of a field as an expression of a policy file, given the expression of the field."""
        match self.reading:
            case "number":
                return field
            case "size":
                return f"count({field})"
            case "highest":
                return f"length({field})"
        return f"length({field} & -{field})"

    def evaluate(self, state: State) -> int:
        """Compute the quantity in a state."""
        value = int(read_field(state, *self.reading_code))
        return value if self.stock is None else self.stock - value

    @property
    def encoding(self) -> tuple[int, int, int]:
        """(index, offset, sign): the quantity is offset + sign * field."""
        return (self.index, 0, 1) if self.stock is None else (self.index, self.stock, -1)

    @property
    def reading_code(self) -> tuple[int, int]:
        """(reading, index), for `read_field`."""
        return READINGS.index(self.reading), self.index


def read_field(state: State, reading: int, index: int) -> int:
    """Read a number off a field of a state."""
    field = state[index]
    if reading == NUMBER:
        return field  # type: ignore[no-any-return]
    if reading == SIZE:
        return count(field)
    if reading == HIGHEST:
        return length(field)
    return length(field & -field)


@dataclass(frozen=True)
class Feature:
    """A quantity, or a number computed from two; the form "scaled" is the difference of two, times a third."""

    form: Form
    a: Quantity
    b: Quantity
    factor: Quantity | None = None

    @property
    def quantities(self) -> frozenset[Quantity]:
        """The quantities from which it is computed."""
        return frozenset((self.a, self.b, *([self.factor] if self.factor else [])))

    @property
    def negated(self) -> "Feature":
        """The negated difference: with the two quantities swapped."""
        return replace(self, a=self.b, b=self.a)

    @property
    def verb(self) -> str:
        """The verb of a sentence that compares the feature: a set has members."""
        return "has" if self.a.reading == "size" else "is"

    @property
    def text(self) -> str:
        """The feature as people write it."""
        a, b = self.a.text, self.b.text
        match self.form:
            case "identity":
                return a
            case "sum":
                return f"{a} + {b}"
            case "difference":
                return f"{a} - {b}"
            case "product":
                return f"{a} {TIMES} {b}"
            case "ratio":
                return f"{a} / {b}"
        if self.factor:
            return f"({a} - {b}) {TIMES} {self.factor.text}"
        return f"the {self.form} of {a} and {b}"

    @property
    def code(self) -> str:
        """The feature as an expression of a policy file; only the numerator of a ratio."""
        a, b = self.a.code, self.b.code
        match self.form:
            case "identity" | "ratio":
                return a
            case "sum":
                return f"({a} + {b})"
            case "difference":
                return f"({a} - {b})"
            case "product":
                return f"{a} * {b}"
        if self.factor:
            return f"({a} - {b}) * {self.factor.code}"
        return f"{'max' if self.form == 'larger' else 'min'}({a}, {b})"

    def evaluate(self, state: State) -> Fraction:
        """Compute the feature in a state."""
        a, b = Fraction(self.a.evaluate(state)), Fraction(self.b.evaluate(state))
        match self.form:
            case "identity":
                return a
            case "sum":
                return a + b
            case "difference":
                return a - b
            case "product":
                return a * b
            case "ratio":
                return a / b
            case "larger":
                return max(a, b)
            case "smaller":
                return min(a, b)
        return (a - b) * (self.factor.evaluate(state) if self.factor else 1)

    @property
    def encoding(self) -> tuple[int, ...]:
        """The form, and the encodings of its quantities, for compiled code."""
        return (
            FORMS.index(self.form),
            *self.a.encoding,
            *self.b.encoding,
            *(self.factor.encoding if self.factor else UNIT),
        )


def list_features(
    game: Game, rules: Rules, states: StateSet, choices: NDArray[np.integer[Any]] | None = None
) -> list[Feature]:
    """Create all features of a game's states, without those that are constant.

    Args:
        game, rules: the game.
        states: the states.
        choices: int[states], the number of legal actions in each; a field that is constant where there are two or more
            is not a feature. None to take all states.
    """
    lows, highs = field_ranges(states, choices)
    indices = {name: index for index, name in enumerate(game.module.State._fields)}
    changing = [name for name in game.fields(rules) if lows[indices[name]] < highs[indices[name]]][:MAX_FIELDS]
    start = game.part("start")(rules)
    least, highs = field_ranges(states)
    stocks = {
        name: getattr(rules, name)
        for name in changing
        if isinstance(getattr(rules, name, None), int) and getattr(start, name) != getattr(rules, name)
        if least[indices[name]] >= 0 and highs[indices[name]] <= getattr(rules, name)  # a set of bits is not a count
    }
    own = [Quantity(name, indices[name]) for name in changing if name not in stocks]
    remaining = [Quantity(name, indices[name], stock=stock) for name, stock in stocks.items()]
    mirrored = find_mirrored_fields(game, rules)
    features = [Feature("identity", each, each) for each in (*own, *remaining)]
    for a, b in combinations(own, 2):
        features.append(Feature("sum", a, b))
        if (a.field, b.field) in mirrored:
            features += [Feature(form, a, b) for form in ("difference", "larger", "smaller")]
            features += [Feature("scaled", a, b, each) for each in remaining]
    for a, b in combinations(remaining, 2):
        features.append(Feature("sum", a, b))
        features += [Feature("ratio", *pair) for pair in ((a, b), (b, a)) if _is_always_positive(pair[1], highs)]
    features += [Feature("product", a, b) for a in own for b in remaining]
    return features


def _is_always_positive(quantity: Quantity, highs: I64) -> bool:
    return quantity.stock is not None and quantity.stock > int(highs[quantity.index])


def field_ranges(states: StateSet, choices: NDArray[np.integer[Any]] | None = None) -> tuple[I64, I64]:
    """Compute the least and the greatest value of each field in a set of states, or where there are two choices."""
    count = len(states.layout.lows)
    lows, highs = np.full(count, np.iinfo(np.int64).max), np.full(count, np.iinfo(np.int64).min)
    is_counted = np.ones(states.size, np.bool_) if choices is None else choices > 1
    engine_kernels()[_fill_ranges](states, is_counted, lows, highs)
    return lows, highs


def compute_features(features: Sequence[Feature], states: StateSet, indices: I64) -> F64:
    """Compute float64[features, indices], the features of states; their indices are in ascending order."""
    encodings = np.array([feature.encoding for feature in features], np.int64)
    values = np.empty((len(features), len(indices)))
    engine_kernels()[_fill_features](states, encodings, indices, values)
    return values


def _fill_ranges(states: StateIndex, is_counted: Flags, lows: I64, highs: I64) -> None:
    """Fill in the range of each field over the states that count."""
    for index, handle in members(states.keys):
        if not is_counted[index]:
            continue
        high, low = packed_at(states, handle)
        for i in range(len(states.layout.lows)):
            value = extract_field(high, low, states.layout.shifts[i], states.layout.masks[i]) + states.layout.lows[i]
            lows[i] = min(lows[i], value)
            highs[i] = max(highs[i], value)


def _fill_features(states: StateIndex, encodings: I64, indices: I64, values: F64) -> None:
    """Fill in float64[features, indices]."""
    for column, handle in members_at(states.keys, indices):
        high, low = packed_at(states, handle)
        for i in range(len(encodings)):
            values[i, column] = packed_value(states.layout, high, low, encodings[i])


def packed_quantity(layout: Layout, high: int, low: int, encoding: I64, first: int) -> int:
    """Compute the quantity whose encoding begins at an index, in a packed state."""
    i = encoding[first]
    field = extract_field(high, low, layout.shifts[i], layout.masks[i]) + layout.lows[i]
    return encoding[first + 1] + encoding[first + 2] * field  # type: ignore[no-any-return]


def packed_value(layout: Layout, high: int, low: int, encoding: I64) -> float:
    """Compute a feature in a packed state."""
    if encoding[0] == RATIO:
        return packed_quantity(layout, high, low, encoding, 1) / packed_quantity(layout, high, low, encoding, 4)
    return float(packed_integer(layout, high, low, encoding, 0))


def packed_integer(layout: Layout, high: int, low: int, encoding: I64, first: int) -> int:
    """Compute the feature whose encoding begins at an index, in a packed state; only the numerator of a ratio."""
    form = encoding[first]
    a = packed_quantity(layout, high, low, encoding, first + 1)
    b = packed_quantity(layout, high, low, encoding, first + 4)
    if form == SUM:
        a += b
    elif form == DIFFERENCE:
        a -= b
    elif form == PRODUCT:
        a *= b
    elif form == LARGER:
        a = max(a, b)
    elif form == SMALLER:
        a = min(a, b)
    elif form == SCALED:
        a = (a - b) * packed_quantity(layout, high, low, encoding, first + 7)
    return a
