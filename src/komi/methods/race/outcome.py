"""What an outcome is worth, for compiled code that has the values of all states."""

from typing import Any

from komi.compile.bits import rank
from komi.compile.rulebook import over, pack, payoff


def worth_of(rules: Any, layout: Any, bits: Any, ranks: Any, values: Any, after: Any, passes: int) -> float:
    """What the state that follows is worth to the player who acts; `passes` as `outcomes` yields it."""
    value = payoff(rules, after) if over(rules, after) else values[rank(bits, ranks, pack(layout, after))]
    return 1.0 - value if passes & 1 else value
