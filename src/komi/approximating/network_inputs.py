"""The inputs of a network: fields of the state, what is left of each stock, and the odds of drawing from two stocks.

All inputs are derived from the rules, as in `komi.teaching.features`. Of two stocks, the share of one in what is left
is the probability of drawing from it; the points at risk times the share of the other are the expected loss of a draw.
Where a turn banks the points at risk, the part of the stock that remains when the goal is reached shows how likely
the player is to win by continuing: n draws avoid one bad card among c good ones with probability (c + 1 - n) / (c + 1).
The same holds for the points that the rival needs.

Most decisions compare the points at risk with a threshold that depends on the rest of the state. The output layer
therefore also has direct connections from the points at risk, shares, products and both remaining parts. The hidden
units see neither the products nor the rival's part. A stock that follows from the other one and its share is left out.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.game import Game
from komi.graph.lookup import StateIndex, members, packed_at
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.teaching.features import Quantity, at_risk, banked, features_of, quantity_of, ranges

ONE, NONE = (0, 1, 0), (0, 0, 0)  # rows of the numbers 1 and 0, in the form of `Quantity.row`
SHARE, REACH = range(2)  # kinds of inputs, for compiled code


@dataclass(frozen=True)
class ShareInput:
    """A quantity, times the share of one stock in what is left of two.

    Attributes:
        times: the quantity; 1 if there is none.
        part: the stock whose share it is; None if there is no share.
        rest: the other stock; the share is 0 where both are empty.
        least, most: the range of the input over all states.
    """

    times: Quantity | None
    part: Quantity | None
    rest: Quantity | None
    least: int
    most: int

    @property
    def value(self) -> str:
        """The input as an expression of a policy file."""
        value = self.times.code if self.times else ""
        if self.part and self.rest:
            value += f"{' * ' * bool(value)}{self.part.code} / max({self.part.code} + {self.rest.code}, 1)"
        return value

    @property
    def row(self) -> tuple[int, ...]:
        """The kind, the rows of the three quantities, and an unused number, for compiled code."""
        return (SHARE, *_row(self.times, ONE), *_row(self.part, ONE), *_row(self.rest, NONE), 0)


@dataclass(frozen=True)
class ReachInput:
    """The part of a stock, plus one, that remains if it is drawn from until a goal is reached; 0 where it is too small.

    Attributes:
        stock: the stock.
        bank: the quantity that counts towards the goal.
        risk: the quantity at risk, which would count, too; None if there is none.
        goal: the goal.
    """

    stock: Quantity
    bank: Quantity
    risk: Quantity | None
    goal: int
    least: int = 0
    most: int = 1

    @property
    def value(self) -> str:
        """The input as an expression of a policy file."""
        reached = self.bank.code + (f" + {self.risk.code}" if self.risk else "")
        return f"max({self.stock.code} + 1 + {reached} - {self.goal}, 0) / ({self.stock.code} + 1)"

    @property
    def row(self) -> tuple[int, ...]:
        """The kind, the rows of the three quantities, and the goal, for compiled code."""
        return (REACH, *self.stock.row, *self.bank.row, *_row(self.risk, NONE), self.goal)


Input = ShareInput | ReachInput


def code_of(each: Input) -> str:
    """Write an input as an expression of a policy file, scaled to [-1, 1]."""
    scale, middle = scale_of(each)
    return f"{scale!r} * ({each.value}) - {middle!r}"


def scale_of(each: Input) -> tuple[float, float]:
    """Compute (factor, offset) of an input: factor * value - offset is in [-1, 1]."""
    return 2 / (each.most - each.least), (each.most + each.least) / (each.most - each.least)


def _row(quantity: Quantity | None, default: tuple[int, int, int]) -> tuple[int, int, int]:
    return quantity.row if quantity else default


@dataclass(frozen=True)
class NetworkInputs:
    """The inputs of a game's states.

    Attributes:
        every: all inputs, in order.
        bent: the number of inputs to the hidden units: the first ones.
        direct: the number of inputs with direct connections to the outputs: the last ones.
    """

    every: tuple[Input, ...]
    bent: int
    direct: int


def inputs_of(game: Game, rules: Any, states: StateSet) -> NetworkInputs:
    """Create the inputs of a game's states."""
    least, most = ranges(states)
    quantities = [each.a for each in features_of(game, rules, states) if each.form == "one"]
    risk = next((each for each in quantities if each.stock is None and each.field == at_risk(game, rules)), None)
    pairs = list(combinations([each for each in quantities if each.stock is not None], 2))
    followed = {part for _, part in pairs}
    plain = [_alone(each, least, most) for each in quantities if each not in followed and each != risk]
    risks = [_alone(risk, least, most)] if risk else []
    shares = [ShareInput(None, part, rest, 0, 1) for rest, part in pairs]
    products = [ShareInput(each.times, rest, part, 0, each.most) for rest, part in pairs for each in risks]
    own, rival = _reaches(game, rules, risk, quantities, most, [part for _, part in pairs])
    every: tuple[Input, ...] = (*plain, *risks, *shares, *own, *products, *rival)
    return NetworkInputs(every, len(every) - len(products) - len(rival), len(every) - len(plain))


def _alone(quantity: Quantity, least: NDArray[np.int64], most: NDArray[np.int64]) -> ShareInput:
    """Create the input for a single quantity."""
    ends = sorted(quantity.row[1] + quantity.row[2] * int(limit[quantity.place]) for limit in (least, most))
    return ShareInput(quantity, None, None, ends[0], ends[1])


def _reaches(
    game: Game,
    rules: Any,
    risk: Quantity | None,
    quantities: list[Quantity],
    most: NDArray[np.int64],
    stocks: list[Quantity],
) -> tuple[list[ReachInput], list[ReachInput]]:
    """Create the inputs for what remains of each stock when the goal is reached: by the mover, and by the rival."""
    fields = banked(game, rules, risk.field) if risk and stocks else None
    if not fields:
        return [], []
    plain = {each.field: each for each in quantities if each.stock is None}
    if not plain.keys() >= set(fields):
        return [], []
    mine, other = (plain[field] for field in fields)
    goal = int(most[mine.place]) + game.steps[mine.place]  # inferred from the states: with more the game is over
    return [ReachInput(stock, mine, risk, goal) for stock in stocks], [
        ReachInput(stock, other, None, goal) for stock in stocks
    ]


def scales(inputs: NetworkInputs) -> NDArray[np.float64]:
    """Return float64[inputs, 2], the factor and the offset of each input."""
    return np.array([scale_of(each) for each in inputs.every])


def measure(inputs: NetworkInputs, states: StateSet, indices: NDArray[np.int64]) -> NDArray[np.float32]:
    """Compute float32[indices, inputs], the inputs of the states with these indices, which are in ascending order."""
    rows = np.array([each.row for each in inputs.every], np.int64)
    values = np.empty((len(indices), len(rows)), np.float32)
    engine_kernels()[_measure](states, rows, scales(inputs), indices, values)
    return values


def _measure(states: StateIndex, rows: Any, scales: Any, indices: Any, values: Any) -> None:
    """Fill in float32[indices, inputs]."""
    line = 0
    for index, place in members(states.keys):
        if line == len(indices):
            break
        if index == indices[line]:
            high, low = packed_at(states, place)
            for i in range(len(rows)):
                values[line, i] = input_of(states.layout, high, low, rows[i], scales[i])
            line += 1


def input_of(layout: Any, high: int, low: int, row: Any, scale: Any) -> float:
    """Compute an input, scaled to [-1, 1], of a packed state."""
    a = quantity_of(layout, high, low, row, 1)
    b = quantity_of(layout, high, low, row, 4)
    c = quantity_of(layout, high, low, row, 7)
    value = max(a + 1 + b + c - row[10], 0) / (a + 1) if row[0] == REACH else a * b / max(b + c, 1)
    return scale[0] * value - scale[1]  # type: ignore[no-any-return]
