"""Two-player constant-sum games: the effect of passing the turn on values and weights."""

from typing import Any

from komi.arrays import F64
from komi.graph.lookup import StateIndex, index_of, locate
from komi.rules.interface import over, payoff
from komi.typing import Rules, State


def to_mover(worth: Any, passes: Any) -> Any:
    """Convert a value of the player who moves after `passes` passes of the turn to one of the player to move."""
    return 1.0 - worth if passes & 1 else worth


def linear_term(probability: float, passes: int) -> tuple[float, float]:
    """Return an outcome as (constant, weight), which contributes constant + weight * v(s') to the mover's value.

    After an odd number of passes it contributes probability * (1 - v(s')). The sign of the weight then encodes the
    seat, so that a backup is one sum of products.
    """
    if passes & 1:
        return probability, -probability
    return 0.0, probability


def successor_value(rules: Rules, states: StateIndex, values: F64, successor: State, passes: int) -> float:
    """Return the value of a successor state to the acting player; `passes` as yielded by `outcomes`."""
    is_over = over(rules, successor)
    value = payoff(rules, successor) if is_over else values[index_of(states, locate(states, successor))]
    return to_mover(value, passes)  # type: ignore[no-any-return]
