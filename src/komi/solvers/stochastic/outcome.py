"""The value of an outcome, for compiled code that has the values of all states."""

from typing import Any

from komi.graph.lookup import StateIndex, index_of, locate
from komi.graph.perspective import to_mover
from komi.rules.interface import over, payoff


def worth_of(rules: Any, states: StateIndex, values: Any, after: Any, passes: int) -> float:
    """Return the value of the successor state `after` to the acting player; `passes` as yielded by `outcomes`."""
    value = payoff(rules, after) if over(rules, after) else values[index_of(states, locate(states, after))]
    return to_mover(value, passes)  # type: ignore[no-any-return]
