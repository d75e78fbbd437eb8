"""What a network sees of a state: its fields, what is left of each stock, and the chances in drawing from two stocks.

All of it follows from the rules, as in `komi.teaching.features`. Of two stocks the share of one in what is left is a
chance; what is at risk times the share of the other is what a draw loses on average. For Fowl Play these are the seven
inputs of T. Neller and others, Optimal, Approximately Optimal, and Fair Play of the Fowl Play Card Game, 2013.

A decision is mostly whether what is at risk is more than a threshold, which the rest of the state sets. So the logits
see what is at risk, shares, and their products themselves; the hidden units see all but the products.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import engine
from komi.compile.places import members, word_at
from komi.game import Game
from komi.model.states import StateSet
from komi.teaching.features import Quantity, at_risk, features_of, quantity_of, ranges

ONE, NONE = (0, 1, 0), (0, 0, 0)  # rows of the numbers 1 and 0, as `Quantity.row` has them


@dataclass(frozen=True)
class Input:
    """A quantity, times the share of one stock in what is left of two.

    Attributes:
        times: the quantity; 1 if there is none.
        part: the stock whose share it is; without one there is no share.
        rest: the other stock; the share is 0 where neither has anything left.
        least, most: of all states.
    """

    times: Quantity | None
    part: Quantity | None
    rest: Quantity | None
    least: int
    most: int

    @property
    def code(self) -> str:
        """It as an expression of a policy, from -1 to 1."""
        value = self.times.code if self.times else ""
        if self.part and self.rest:
            value += f"{' * ' * bool(value)}{self.part.code} / max({self.part.code} + {self.rest.code}, 1)"
        return f"{2 / (self.most - self.least)!r} * ({value}) - {(self.most + self.least) / (self.most - self.least)!r}"

    @property
    def row(self) -> tuple[int, ...]:
        """The rows of the three quantities, for compiled code."""
        rows = [
            each.row if each else default
            for each, default in zip((self.times, self.part, self.rest), (ONE, ONE, NONE), strict=True)
        ]
        return tuple(number for row in rows for number in row)


@dataclass(frozen=True)
class Inputs:
    """All inputs of a game's states.

    Attributes:
        every: in order.
        bent: how many hidden units see: so many of the first.
        direct: how many the logits see themselves: so many of the last.
    """

    every: tuple[Input, ...]
    bent: int
    direct: int


def inputs_of(game: Game, rules: Any, states: StateSet) -> Inputs:
    """All inputs of a game's states."""
    least, most = ranges(states)
    quantities = [each.a for each in features_of(game, rules, states) if each.form == "one"]
    plain: list[Input] = []
    risks: list[Input] = []
    shares: list[Input] = []
    products: list[Input] = []
    for each in quantities:
        ends = sorted((each.row[1] + each.row[2] * int(limit[each.place])) for limit in (least, most))
        found = Input(each, None, None, ends[0], ends[1])
        (risks if each.stock is None and each.field == at_risk(game, rules) else plain).append(found)
    for one, other in combinations([each for each in quantities if each.stock is not None], 2):
        shares.append(Input(None, other, one, 0, 1))
        products += [Input(risk.times, one, other, 0, risk.most) for risk in risks]
    every = (*plain, *risks, *shares, *products)
    return Inputs(every, len(every) - len(products), len(every) - len(plain))


def scales(inputs: Inputs) -> NDArray[np.float64]:
    """float64[inputs, 2], what an input is multiplied by, and what is then taken away, to lie between -1 and 1."""
    return np.array([(2 / (e.most - e.least), (e.most + e.least) / (e.most - e.least)) for e in inputs.every])


def measure(inputs: Inputs, states: StateSet, indices: NDArray[np.int64]) -> NDArray[np.float32]:
    """float32[indices, inputs], the inputs of the states with these indices, which ascend."""
    rows = np.array([each.row for each in inputs.every], np.int64)
    values = np.empty((len(indices), len(rows)), np.float32)
    engine()[_measure](states.layout, states.keys, rows, scales(inputs), indices, values)
    return values


def _measure(layout: Any, keys: Any, rows: Any, scales: Any, indices: Any, values: Any) -> None:
    """Fill in float32[indices, inputs]."""
    line = 0
    for index, place in members(keys):
        if line == len(indices):
            break
        if index == indices[line]:
            high, low = word_at(keys, place)
            for i in range(len(rows)):
                values[line, i] = input_of(layout, high, low, rows[i], scales[i])
            line += 1


def input_of(layout: Any, high: int, low: int, row: Any, scale: Any) -> float:
    """An input in the state of a word, from -1 to 1."""
    times = quantity_of(layout, high, low, row, 0)
    part = quantity_of(layout, high, low, row, 3)
    rest = quantity_of(layout, high, low, row, 6)
    return scale[0] * (times * part / max(part + rest, 1)) - scale[1]  # type: ignore[no-any-return]
