"""What a network sees of a state: its fields, what is left of each stock, and the chances in drawing from two stocks.

All of it follows from the rules, as in `komi.teaching.features`. Of two stocks the share of one in what is left is a
chance; what is at risk times the share of the other is what a draw loses on average. Where a turn banks what is at
risk, the part of the stock that stays when the goal is reached tells how likely the player wins by going on: one bad
card among c good ones comes in none of n draws with a chance of (c + 1 - n) / (c + 1). The same goes for what the rival
lacks.

A decision is mostly whether what is at risk is more than a threshold, which the rest of the state sets. So the logits
see what is at risk, shares, products and both parts themselves. The hidden units see neither the products nor the
rival's part. The stock that follows from the other one and its share is left out altogether.
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
from komi.teaching.features import Quantity, at_risk, banked, features_of, quantity_of, ranges

ONE, NONE = (0, 1, 0), (0, 0, 0)  # rows of the numbers 1 and 0, as `Quantity.row` has them
SHARE, REACH = range(2)  # kinds of inputs, as compiled code tells them apart


@dataclass(frozen=True)
class Share:
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
    def value(self) -> str:
        """It as an expression of a policy."""
        value = self.times.code if self.times else ""
        if self.part and self.rest:
            value += f"{' * ' * bool(value)}{self.part.code} / max({self.part.code} + {self.rest.code}, 1)"
        return value

    @property
    def row(self) -> tuple[int, ...]:
        """Its kind, the rows of the three quantities, and a number that is not used, for compiled code."""
        return (SHARE, *_row(self.times, ONE), *_row(self.part, ONE), *_row(self.rest, NONE), 0)


@dataclass(frozen=True)
class Reach:
    """What part of a stock, and one more, stays if it is drawn from until a goal is reached; 0 where it is too small.

    Attributes:
        stock: the stock.
        bank: what counts towards the goal.
        risk: what is at risk and would count, too; None if nothing does.
        goal: what is to be reached.
    """

    stock: Quantity
    bank: Quantity
    risk: Quantity | None
    goal: int
    least: int = 0
    most: int = 1

    @property
    def value(self) -> str:
        """It as an expression of a policy."""
        reached = self.bank.code + (f" + {self.risk.code}" if self.risk else "")
        return f"max({self.stock.code} + 1 + {reached} - {self.goal}, 0) / ({self.stock.code} + 1)"

    @property
    def row(self) -> tuple[int, ...]:
        """Its kind, the rows of the three quantities, and the goal, for compiled code."""
        return (REACH, *self.stock.row, *self.bank.row, *_row(self.risk, NONE), self.goal)


Input = Share | Reach


def code_of(each: Input) -> str:
    """An input as an expression of a policy, from -1 to 1."""
    scale, middle = scale_of(each)
    return f"{scale!r} * ({each.value}) - {middle!r}"


def scale_of(each: Input) -> tuple[float, float]:
    """What an input is multiplied by, and what is then taken away, to lie between -1 and 1."""
    return 2 / (each.most - each.least), (each.most + each.least) / (each.most - each.least)


def _row(quantity: Quantity | None, default: tuple[int, int, int]) -> tuple[int, int, int]:
    return quantity.row if quantity else default


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
    risk = next((each for each in quantities if each.stock is None and each.field == at_risk(game, rules)), None)
    pairs = list(combinations([each for each in quantities if each.stock is not None], 2))
    followed = {part for _, part in pairs}
    plain = [_alone(each, least, most) for each in quantities if each not in followed and each != risk]
    risks = [_alone(risk, least, most)] if risk else []
    shares = [Share(None, part, rest, 0, 1) for rest, part in pairs]
    products = [Share(each.times, rest, part, 0, each.most) for rest, part in pairs for each in risks]
    own, rival = _reaches(game, rules, risk, quantities, most, [part for _, part in pairs])
    every: tuple[Input, ...] = (*plain, *risks, *shares, *own, *products, *rival)
    return Inputs(every, len(every) - len(products) - len(rival), len(every) - len(plain))


def _alone(quantity: Quantity, least: NDArray[np.int64], most: NDArray[np.int64]) -> Share:
    """A quantity itself."""
    ends = sorted(quantity.row[1] + quantity.row[2] * int(limit[quantity.place]) for limit in (least, most))
    return Share(quantity, None, None, ends[0], ends[1])


def _reaches(
    game: Game,
    rules: Any,
    risk: Quantity | None,
    quantities: list[Quantity],
    most: NDArray[np.int64],
    stocks: list[Quantity],
) -> tuple[list[Reach], list[Reach]]:
    """What stays of each stock if the goal is reached from here: by the player to move, and by the rival."""
    fields = banked(game, rules, risk.field) if risk and stocks else None
    if not fields:
        return [], []
    plain = {each.field: each for each in quantities if each.stock is None}
    if not plain.keys() >= set(fields):
        return [], []
    mine, other = (plain[field] for field in fields)
    goal = int(most[mine.place]) + game.steps[mine.place]  # as far as the states tell: with more the game is over
    return [Reach(stock, mine, risk, goal) for stock in stocks], [Reach(stock, other, None, goal) for stock in stocks]


def scales(inputs: Inputs) -> NDArray[np.float64]:
    """float64[inputs, 2], the scale of each."""
    return np.array([scale_of(each) for each in inputs.every])


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
    a = quantity_of(layout, high, low, row, 1)
    b = quantity_of(layout, high, low, row, 4)
    c = quantity_of(layout, high, low, row, 7)
    value = max(a + 1 + b + c - row[10], 0) / (a + 1) if row[0] == REACH else a * b / max(b + c, 1)
    return scale[0] * value - scale[1]  # type: ignore[no-any-return]
