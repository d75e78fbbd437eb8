"""The inputs of a network: fields of the state, what is left of each stock, and the odds of drawing from two stocks.

All inputs are derived from the rules, as in `komi.teaching.features`. Of two stocks, the share of one in what is left
is the probability of drawing from it; the points at risk times the share of the other are the expected loss of a draw.
Where a turn banks the points at risk, the part of the stock that remains when the goal is reached shows how likely
the player is to win by continuing: n draws avoid one bad card among c good ones with probability (c + 1 - n) / (c + 1).
The same holds for the points that the rival needs.

Most decisions compare the points at risk with a threshold that depends on the rest of the state. The output layer
therefore also has direct connections from the points at risk, shares, products and both remaining parts. The hidden
units get neither the products nor the rival's part. A stock that follows from the other one and its share is omitted.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from komi.arrays import F32, F64, I64
from komi.compiling.packing import Layout
from komi.graph.lookup import StateIndex, members_at, packed_at
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.rules.game import Game
from komi.teaching.features import Quantity, field_ranges, list_features, packed_quantity
from komi.teaching.field_roles import find_banked_fields, find_risk_field
from komi.typing import Rules

UNIT, ZERO = (0, 1, 0), (0, 0, 0)  # encodings of the numbers 1 and 0, as in `Quantity.encoding`
SHARE, REACH = range(2)  # kinds of inputs, for compiled code


@dataclass(frozen=True)
class ShareInput:
    """A quantity, times the share of one stock in what is left of two.

    Attributes:
        factor: the quantity; 1 if there is none.
        part: the stock whose share it is; None if there is no share.
        rest: the other stock; the share is 0 where both are empty.
        least, most: the range of the input over all states.
    """

    factor: Quantity | None
    part: Quantity | None
    rest: Quantity | None
    least: int
    most: int

    @property
    def value(self) -> str:
        """The input as an expression of a policy file."""
        value = self.factor.code if self.factor else ""
        if self.part and self.rest:
            value += f"{' * ' * bool(value)}{self.part.code} / max({self.part.code} + {self.rest.code}, 1)"
        return value

    @property
    def encoding(self) -> tuple[int, ...]:
        """The kind, the encodings of the three quantities, and an unused number, for compiled code."""
        return (SHARE, *_encoding(self.factor, UNIT), *_encoding(self.part, UNIT), *_encoding(self.rest, ZERO), 0)


@dataclass(frozen=True)
class ReachInput:
    """The part of a stock, plus one, that remains if it is drawn from until a goal is reached; 0 where it is too small.

    Attributes:
        stock: the stock.
        bank: the quantity that counts towards the goal.
        risk: the quantity at risk, which would count, too, or None.
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
    def encoding(self) -> tuple[int, ...]:
        """The kind, the encodings of the three quantities, and the goal, for compiled code."""
        return (REACH, *self.stock.encoding, *self.bank.encoding, *_encoding(self.risk, ZERO), self.goal)


Input = ShareInput | ReachInput


def input_source(each: Input) -> str:
    """Write an input as an expression of a policy file, scaled to [-1, 1]."""
    scale, middle = input_scaling(each)
    return f"{scale!r} * ({each.value}) - {middle!r}"


def input_scaling(each: Input) -> tuple[float, float]:
    """Compute (factor, offset) of an input: factor * value - offset is in [-1, 1]."""
    return 2 / (each.most - each.least), (each.most + each.least) / (each.most - each.least)


def _encoding(quantity: Quantity | None, default: tuple[int, int, int]) -> tuple[int, int, int]:
    return quantity.encoding if quantity else default


@dataclass(frozen=True)
class NetworkInputs:
    """The inputs of a game's states.

    Attributes:
        items: all inputs, in order.
        hidden_inputs: the number of inputs to the hidden units: the first ones.
        skip_inputs: the number of inputs with direct connections to the outputs: the last ones.
    """

    items: tuple[Input, ...]
    hidden_inputs: int
    skip_inputs: int


def create_inputs(game: Game, rules: Rules, states: StateSet) -> NetworkInputs:
    """Create the inputs of a game's states."""
    lows, highs = field_ranges(states)
    quantities = [each.a for each in list_features(game, rules, states) if each.form == "identity"]
    risk = next(
        (each for each in quantities if each.stock is None and each.field == find_risk_field(game, rules)), None
    )
    pairs = list(combinations([each for each in quantities if each.stock is not None], 2))
    implied = {part for _, part in pairs}
    plain = [_single_input(each, lows, highs) for each in quantities if each not in implied and each != risk]
    risks = [_single_input(risk, lows, highs)] if risk else []
    shares = [ShareInput(None, part, rest, 0, 1) for rest, part in pairs]
    products = [ShareInput(each.factor, rest, part, 0, each.most) for rest, part in pairs for each in risks]
    own, rival = _reach_inputs(game, rules, risk, quantities, highs, [part for _, part in pairs])
    items: tuple[Input, ...] = (*plain, *risks, *shares, *own, *products, *rival)
    return NetworkInputs(items, len(items) - len(products) - len(rival), len(items) - len(plain))


def _single_input(quantity: Quantity, lows: I64, highs: I64) -> ShareInput:
    """Create the input for a single quantity."""
    ends = sorted(quantity.encoding[1] + quantity.encoding[2] * int(limit[quantity.index]) for limit in (lows, highs))
    return ShareInput(quantity, None, None, ends[0], ends[1])


def _reach_inputs(
    game: Game,
    rules: Rules,
    risk: Quantity | None,
    quantities: list[Quantity],
    highs: I64,
    stocks: list[Quantity],
) -> tuple[list[ReachInput], list[ReachInput]]:
    """Create the inputs for what remains of each stock when the goal is reached: by the mover, and by the rival."""
    fields = find_banked_fields(game, rules, risk.field) if risk and stocks else None
    if not fields:
        return [], []
    plain = {each.field: each for each in quantities if each.stock is None}
    if not plain.keys() >= set(fields):
        return [], []
    mine, other = (plain[field] for field in fields)
    goal = int(highs[mine.index]) + game.steps[mine.index]  # inferred from the states: with more the game is over
    return [ReachInput(stock, mine, risk, goal) for stock in stocks], [
        ReachInput(stock, other, None, goal) for stock in stocks
    ]


def input_scalings(inputs: NetworkInputs) -> F64:
    """Return float64[inputs, 2], the factor and the offset of each input."""
    return np.array([input_scaling(each) for each in inputs.items])


def compute_inputs(inputs: NetworkInputs, states: StateSet, indices: I64) -> F32:
    """Compute float32[indices, inputs], the inputs of the states with these indices, which are in ascending order."""
    encodings = np.array([each.encoding for each in inputs.items], np.int64)
    values = np.empty((len(indices), len(encodings)), np.float32)
    engine_kernels()[_fill_inputs](states, encodings, input_scalings(inputs), indices, values)
    return values


def _fill_inputs(states: StateIndex, encodings: I64, scalings: F64, indices: I64, values: F32) -> None:
    """Fill in float32[indices, inputs]."""
    for row, handle in members_at(states.keys, indices):
        high, low = packed_at(states, handle)
        for i in range(len(encodings)):
            values[row, i] = packed_input(states.layout, high, low, encodings[i], scalings[i])


def packed_input(layout: Layout, high: int, low: int, encoding: I64, scaling: F64) -> float:
    """Compute an input, scaled to [-1, 1], of a packed state."""
    a = packed_quantity(layout, high, low, encoding, 1)
    b = packed_quantity(layout, high, low, encoding, 4)
    c = packed_quantity(layout, high, low, encoding, 7)
    value = max(a + 1 + b + c - encoding[10], 0) / (a + 1) if encoding[0] == REACH else a * b / max(b + c, 1)
    return scaling[0] * value - scaling[1]  # type: ignore[no-any-return]
