"""The features of a state that a person sees: its fields, what is left of a stock, and combinations of two or three.

All features are derived from the rules. A rule with the name of a field is the stock of what the field counts, such as
`wolves` in Fowl Play: the rule minus the field is what is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from komi.game import Game
from komi.graph.lookup import StateIndex, members, packed_at
from komi.graph.state_sets import StateSet
from komi.jit.intrinsics import extract_field
from komi.jit.kernels import engine_kernels
from komi.rules import enumeration
from komi.rules.interpreter import Interpreter

Form = Literal["one", "sum", "difference", "product", "ratio", "larger", "smaller", "scaled"]
FORMS: tuple[Form, ...] = ("one", "sum", "difference", "product", "ratio", "larger", "smaller", "scaled")
ONE, SUM, DIFFERENCE, PRODUCT, RATIO, LARGER, SMALLER, SCALED = range(len(FORMS))
ALONE = (0, 1, 0)  # the row of the number 1
WIDTH = 10  # of a feature's row
TIMES = "×"  # noqa: RUF001  for people
MAX_FIELDS = 8  # that are combined in pairs
LOOKED_AT = 300  # states from the start


@dataclass(frozen=True)
class Quantity:
    """A field of the state, or what is left of the stock that it counts.

    Attributes:
        field: the name of the field.
        place: the index of the field in the state.
        stock: the initial stock of what the field counts; None for the field itself.
        is_ruled: True if the stock is a rule with the name of the field.
    """

    field: str
    place: int
    stock: int | None = None
    is_ruled: bool = True

    @property
    def words(self) -> str:
        """The name for people."""
        return self.field if self.stock is None else f"{self.field} left"

    @property
    def code(self) -> str:
        """The quantity as an expression of a policy file."""
        if self.stock is None:
            return f"state.{self.field}"
        return f"({f'rules.{self.field}' if self.is_ruled else self.stock} - state.{self.field})"

    def of(self, state: Any) -> int:
        """Compute the quantity in a state."""
        value = int(getattr(state, self.field))
        return value if self.stock is None else self.stock - value

    @property
    def row(self) -> tuple[int, int, int]:
        """(place, offset, sign): the quantity is offset + sign * field."""
        return (self.place, 0, 1) if self.stock is None else (self.place, self.stock, -1)


@dataclass(frozen=True)
class Feature:
    """A quantity, or a number computed from two; the form "scaled" is the difference of two, times a third."""

    form: Form
    a: Quantity
    b: Quantity
    times: Quantity | None = None

    @property
    def quantities(self) -> frozenset[Quantity]:
        """The quantities from which it is computed."""
        return frozenset((self.a, self.b, *([self.times] if self.times else [])))

    @property
    def turned(self) -> "Feature":
        """The negated difference: with the two quantities swapped."""
        return replace(self, a=self.b, b=self.a)

    @property
    def words(self) -> str:
        """The feature as people write it."""
        a, b = self.a.words, self.b.words
        match self.form:
            case "one":
                return a
            case "sum":
                return f"{a} + {b}"
            case "difference":
                return f"{a} - {b}"
            case "product":
                return f"{a} {TIMES} {b}"
            case "ratio":
                return f"{a} / {b}"
        if self.times:
            return f"({a} - {b}) {TIMES} {self.times.words}"
        return f"the {self.form} of {a} and {b}"

    @property
    def code(self) -> str:
        """The feature as an expression of a policy file; only the numerator of a ratio."""
        a, b = self.a.code, self.b.code
        match self.form:
            case "one" | "ratio":
                return a
            case "sum":
                return f"({a} + {b})"
            case "difference":
                return f"({a} - {b})"
            case "product":
                return f"{a} * {b}"
        if self.times:
            return f"({a} - {b}) * {self.times.code}"
        return f"{'max' if self.form == 'larger' else 'min'}({a}, {b})"

    def of(self, state: Any) -> Fraction:
        """Compute the feature in a state."""
        a, b = Fraction(self.a.of(state)), Fraction(self.b.of(state))
        match self.form:
            case "one":
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
        return (a - b) * (self.times.of(state) if self.times else 1)

    @property
    def row(self) -> tuple[int, ...]:
        """The form, and the rows of its quantities, for compiled code."""
        return (FORMS.index(self.form), *self.a.row, *self.b.row, *(self.times.row if self.times else ALONE))


def features_of(game: Game, rules: Any, states: StateSet) -> list[Feature]:
    """Create all features of a game's states, without those that are constant."""
    least, most = ranges(states)
    places = {name: place for place, name in enumerate(game.module.State._fields)}
    changing = [name for name in game.fields(rules) if least[places[name]] < most[places[name]]][:MAX_FIELDS]
    stocks = {name: getattr(rules, name) for name in changing if isinstance(getattr(rules, name, None), int)}
    own = [Quantity(name, places[name]) for name in changing if name not in stocks]
    left = [Quantity(name, places[name], stock) for name, stock in stocks.items()]
    facing = facing_fields(game, rules)
    found = [Feature("one", each, each) for each in (*own, *left)]
    for a, b in combinations(own, 2):
        found.append(Feature("sum", a, b))
        if (a.field, b.field) in facing:
            found += [Feature(form, a, b) for form in ("difference", "larger", "smaller")]
            found += [Feature("scaled", a, b, each) for each in left]
    for a, b in combinations(left, 2):
        found.append(Feature("sum", a, b))
        found += [Feature("ratio", *pair) for pair in ((a, b), (b, a)) if _is_always_left(pair[1], most)]
    found += [Feature("product", a, b) for a in own for b in left]
    return found


def facing_fields(game: Game, rules: Any) -> set[tuple[str, str]]:
    """Find pairs of fields, in both orders, that swap roles when the turn passes: mine and the rival's.

    They are inferred from random games, not from the first states of play, where too many fields are 0.
    """
    walked = enumeration.sample_states(Interpreter(game, rules), LOOKED_AT)
    over = game.part("over")
    passing = [(state, after) for state, after, passes in _steps(walked) if passes % 2 and not over(rules, after)]
    found = set()
    for mine, other in permutations(game.fields(rules), 2):
        met = {getattr(state, other) for state, _ in passing}
        if len(met) > 1 and all(getattr(after, mine) == getattr(state, other) for state, after in passing):
            found |= {(mine, other), (other, mine)}
    return found


def banked(game: Game, rules: Any, risk: str) -> tuple[str, str] | None:
    """Find the field to which the points at risk are added when a turn ends well, and the rival's counterpart.

    They are inferred from random games. Return None if there is no such pair.
    """
    steps = _steps(enumeration.sample_states(Interpreter(game, rules), LOOKED_AT))
    for mine, other in sorted(facing_fields(game, rules)):
        gained = {
            (getattr(after, other) - getattr(state, mine)) / getattr(state, risk)
            for state, after, passes in steps
            if passes % 2 and getattr(state, risk)
        }
        if 1 in gained and gained <= {0, 1}:
            return mine, other
    return None


def at_risk(game: Game, rules: Any) -> str | None:
    """Find the field that grows during a turn, and returns to its initial value whenever the turn passes.

    Return None if there is no such field; the first one if there are several.
    """
    start, transitions = game.part("start")(rules), _transitions(game, rules)
    for name in game.fields(rules):
        first = getattr(start, name)
        passed = {getattr(after, name) for _, after, passes in transitions if passes}
        within = {getattr(after, name) > getattr(state, name) for state, after, passes in transitions if not passes}
        if passed == {first} and within == {True}:
            return str(name)
    return None


def _transitions(game: Game, rules: Any) -> list[tuple[Any, Any, int]]:
    """Enumerate (state, next state, seats that the turn passes on) of the first states of play."""
    walked, _ = enumeration.explore(Interpreter(game, rules), LOOKED_AT)
    return _steps(walked)


def _steps(walked: enumeration.StateMoves) -> list[tuple[Any, Any, int]]:
    """List (state, next state, seats that the turn passes on) of all transitions from some states."""
    return [
        (state, after, passes)
        for state, moves in walked.items()
        for move in moves
        for _, after, passes in move.outcomes
    ]


def _is_always_left(quantity: Quantity, most: NDArray[np.int64]) -> bool:
    return quantity.stock is not None and quantity.stock > int(most[quantity.place])


def ranges(states: StateSet) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Compute the least and the greatest value of each field in a set of states."""
    count = len(states.layout.lows)
    least, most = np.full(count, np.iinfo(np.int64).max), np.full(count, np.iinfo(np.int64).min)
    engine_kernels()[_spread](states, least, most)
    return least, most


def measure(features: Sequence[Feature], states: StateSet, indices: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute float64[features, indices], the features of states; their indices are in ascending order."""
    rows = np.array([feature.row for feature in features], np.int64)
    values = np.empty((len(features), len(indices)))
    engine_kernels()[_measure](states, rows, indices, values)
    return values


def _spread(states: StateIndex, least: Any, most: Any) -> None:
    """Fill in the range of each field."""
    for _, place in members(states.keys):
        high, low = packed_at(states, place)
        for i in range(len(states.layout.lows)):
            value = extract_field(high, low, states.layout.shifts[i], states.layout.masks[i]) + states.layout.lows[i]
            least[i] = min(least[i], value)
            most[i] = max(most[i], value)


def _measure(states: StateIndex, rows: Any, indices: Any, values: Any) -> None:
    """Fill in float64[features, indices]."""
    column = 0
    for index, place in members(states.keys):
        if column == len(indices):
            break
        if index == indices[column]:
            high, low = packed_at(states, place)
            for i in range(len(rows)):
                values[i, column] = value_of(states.layout, high, low, rows[i])
            column += 1


def quantity_of(layout: Any, high: int, low: int, row: Any, first: int) -> int:
    """Compute the quantity whose row begins at an index, in a packed state."""
    i = row[first]
    field = extract_field(high, low, layout.shifts[i], layout.masks[i]) + layout.lows[i]
    return row[first + 1] + row[first + 2] * field  # type: ignore[no-any-return]


def value_of(layout: Any, high: int, low: int, row: Any) -> float:
    """Compute a feature in a packed state."""
    if row[0] == RATIO:
        return quantity_of(layout, high, low, row, 1) / quantity_of(layout, high, low, row, 4)
    return float(whole_of(layout, high, low, row, 0))


def whole_of(layout: Any, high: int, low: int, row: Any, first: int) -> int:
    """Compute the feature whose row begins at an index, in a packed state; only the numerator of a ratio."""
    form = row[first]
    a = quantity_of(layout, high, low, row, first + 1)
    b = quantity_of(layout, high, low, row, first + 4)
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
        a = (a - b) * quantity_of(layout, high, low, row, first + 7)
    return a
