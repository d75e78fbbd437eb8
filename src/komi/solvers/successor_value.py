"""The value of a successor state, for compiled code that has the values of all states."""

from komi.arrays import F64
from komi.graph.lookup import StateIndex, index_of, locate
from komi.graph.transitions import to_mover
from komi.rules.interface import over, payoff
from komi.typing import Rules, State


def successor_value(rules: Rules, states: StateIndex, values: F64, successor: State, passes: int) -> float:
    """Return the value of a successor state to the acting player; `passes` as yielded by `outcomes`."""
    is_over = over(rules, successor)
    value = payoff(rules, successor) if is_over else values[index_of(states, locate(states, successor))]
    return to_mover(value, passes)  # type: ignore[no-any-return]
