"""The value of a successor state, for compiled code that has the values of all states."""

from typing import Any

from komi.graph.lookup import index_of, locate
from komi.graph.perspective import to_mover
from komi.rules.interface import over, payoff


def successor_value(rules: Any, layout: Any, keys: Any, ranks: Any, values: Any, successor: Any, passes: int) -> float:
    """Return the value of a successor state to the acting player; `passes` as yielded by `outcomes`."""
    value = (
        payoff(rules, successor)
        if over(rules, successor)
        else values[index_of(keys, ranks, locate(layout, keys, ranks, successor))]
    )
    return to_mover(value, passes)  # type: ignore[no-any-return]
