"""The errors for rules that only rolls can violate."""

from komi.arrays import I64
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError
from komi.graph.broken_rules import broken_in, broken_rule
from komi.graph.reachability_kernel import ExplorationStatus
from komi.typing import Rules

SPARE = 2  # entries of every array of a roll that stay unused


class UnsharedError(GameError):
    """Raised if rolls cannot be shared: one leads into another with a choice, without a stored state in between."""


def broken_roll(compiled: CompiledGame, rules: Rules, reason: int, witness: I64) -> GameError:
    """Create the error for a violation of the rules, in a roll or elsewhere; see `reachability.broken_rule`."""
    if reason == ExplorationStatus.ROUND:
        return broken_in(compiled, rules, "'transient' states form a cycle", witness)
    if reason == ExplorationStatus.UNSHARED:
        what = "a roll that is shared leads to a choice inside another one, reached"
        return broken_in(compiled, rules, what, witness, UnsharedError)
    return broken_rule(compiled, rules, reason, witness)
