"""What a network sees of a state: its fields, what is left of each stock, and the chances in drawing from two stocks.

All of it follows from the rules, as in `komi.teaching.features`. Of two stocks the share of one in what is left is a
chance; what is at risk times the share of the other is what a draw loses on average. For Fowl Play these are the seven
inputs of T. Neller and others, Optimal, Approximately Optimal, and Fair Play of the Fowl Play Card Game, 2013. Where
players climb to an end point by point, the chance of drawing so many in a row from one stock as each still lacks says
how near the end of the game is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.kernels import engine
from komi.compile.places import members, word_at
from komi.game import Game
from komi.model.states import StateSet
from komi.teaching.features import Quantity, at_risk, facing_fields, features_of, quantity_of, ranges

ONE, NONE = (0, 1, 0), (0, 0, 0)  # rows of the numbers 1 and 0, as `Quantity.row` has them
RUN = "_run"  # what a policy calls the function of the same name below


@dataclass(frozen=True)
class Input:
    """A quantity less another, times the share of one stock in what is left of two; or a run of that length.

    Attributes:
        times: the quantity; 1 if there is none.
        less: what is taken from it.
        part: the stock whose share it is; without one there is no share.
        rest: the other stock; the share is 0 where neither has anything left.
        least, most: of all states.
        is_run: whether it is the chance that the next `times - less` drawn are all of the part.
    """

    times: Quantity | None
    less: Quantity | None
    part: Quantity | None
    rest: Quantity | None
    least: int
    most: int
    is_run: bool = False

    @property
    def code(self) -> str:
        """It as an expression of a policy, from -1 to 1."""
        value = self.times.code if self.times else ""
        if self.less:
            value += f" - {self.less.code}"
        if self.is_run and self.part and self.rest:
            value = f"{RUN}({value}, {self.part.code}, {self.rest.code})"
        elif self.part and self.rest:
            value += f"{' * ' * bool(value)}{self.part.code} / max({self.part.code} + {self.rest.code}, 1)"
        return f"{2 / (self.most - self.least)!r} * ({value}) - {(self.most + self.least) / (self.most - self.least)!r}"

    @property
    def row(self) -> tuple[int, ...]:
        """Whether it is a run, and the rows of the four quantities, for compiled code."""
        rows = [
            each.row if each else default
            for each, default in zip((self.times, self.less, self.part, self.rest), (ONE, NONE, ONE, NONE), strict=True)
        ]
        return (int(self.is_run), *(number for row in rows for number in row))


def inputs_of(game: Game, rules: Any, states: StateSet) -> list[Input]:
    """All inputs of a game's states."""
    least, most = ranges(states)
    quantities = [each.a for each in features_of(game, rules, states) if each.form == "one"]
    found = []
    for each in quantities:
        ends = sorted((each.row[1] + each.row[2] * int(limit[each.place])) for limit in (least, most))
        found.append(Input(each, None, None, None, ends[0], ends[1]))
    stocks = [each for each in quantities if each.stock is not None]
    risk = next((each for each in found if each.times and each.times.field == at_risk(game, rules)), None)
    lacking = _lacking(game, rules, quantities, most)
    for place, one in enumerate(stocks):
        for other in stocks[place + 1 :]:
            found.append(Input(None, None, other, one, 0, 1))
            if risk:
                found.append(Input(risk.times, None, one, other, 0, risk.most))
                for each, less in zip(lacking, (risk.times, None), strict=False):
                    found.append(Input(each, less, other, one, 0, 1, is_run=True))
    return found


def _lacking(game: Game, rules: Any, quantities: Sequence[Quantity], most: NDArray[np.int64]) -> list[Quantity]:
    """What the mover lacks to the end of the game, and what the rival does; nothing if nothing is theirs alone."""
    for mine, rival in sorted(facing_fields(game, rules)):
        found = {each.field: each for each in quantities if each.stock is None and each.field in (mine, rival)}
        if len(found) == 2:
            ends = [(found[name], int(most[found[name].place]) + 1) for name in (mine, rival)]
            return [Quantity(each.field, each.place, end, is_ruled=False) for each, end in ends]
    return []


def scales(inputs: Sequence[Input]) -> NDArray[np.float64]:
    """float64[inputs, 2], what an input is multiplied by, and what is then taken away, to lie between -1 and 1."""
    return np.array([(2 / (e.most - e.least), (e.most + e.least) / (e.most - e.least)) for e in inputs])


def measure(inputs: Sequence[Input], states: StateSet, indices: NDArray[np.int64]) -> NDArray[np.float32]:
    """float32[indices, inputs], the inputs of the states with these indices, which ascend."""
    rows = np.array([each.row for each in inputs], np.int64)
    values = np.empty((len(indices), len(inputs)), np.float32)
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
    times = quantity_of(layout, high, low, row, 1) - quantity_of(layout, high, low, row, 4)
    part = quantity_of(layout, high, low, row, 7)
    rest = quantity_of(layout, high, low, row, 10)
    if row[0]:
        return scale[0] * run(times, part, rest) - scale[1]  # type: ignore[no-any-return]
    return scale[0] * (times * part / max(part + rest, 1)) - scale[1]  # type: ignore[no-any-return]


def run(length: int, part: int, rest: int) -> float:
    """The chance that the next so many drawn from two stocks are all of the part."""
    if length > part:
        return 0.0
    chance = 1.0
    for drawn in range(length):
        chance *= (part - drawn) / (part + rest - drawn)
    return chance
