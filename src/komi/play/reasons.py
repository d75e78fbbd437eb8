"""Explanations of an action's value: how often it ends the turn or the game, and the player's value after that.

Let action a have outcomes with probabilities p, and let v be the mover's value of each outcome. Outcomes with the same
continuation are one part, with P = sum p and V = sum p v / P, so that sum P V is the value of the action. This
identity is checked before a part is reported.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from komi.game import Event
from komi.solvers.solution import Solution

ROUNDING = 1e-9
MAX_OUTCOMES = 1000  # of an action; actions with more are not explained

Ends = Literal["nothing", "turn", "game"]


@dataclass(frozen=True)
class Part:
    """Outcomes of an action with the same continuation.

    Attributes:
        ends: what the outcomes end.
        probability: their total probability.
        worth: the mover's expected probability of winning after them.
    """

    ends: Ends
    probability: float
    worth: float


def reasons(solution: Solution[Any], state: Any, worth: dict[str, float]) -> dict[str, list[Part]]:
    """Compute the parts of each action in a two-player game of chance with perfect information; {} in others.

    Args:
        solution: optimal play.
        state: the state in which the player decides.
        worth: the value of each action, by label.
    """
    game, rules, kind = solution.game, solution.rules, solution.kind
    if kind.seats != 2 or kind.rewards or kind.hidden or not kind.chance:
        return {}
    actions = game.labels(rules, state)
    found = {}
    for label, value in worth.items():
        events = game.events(rules, state, actions[label])
        parts = _parts(solution, events) if len(events) <= MAX_OUTCOMES else []
        told = sum(part.probability * part.worth for part in parts)
        if parts and abs(told - value) <= ROUNDING + 4 * solution.error_bound:
            found[label] = parts
    return found


def _parts(solution: Solution[Any], events: Iterable[Event]) -> list[Part]:
    sums: dict[Ends, list[float]] = {}
    over = solution.game.part("over")
    for event in events:
        ends: Ends = "game" if over(solution.rules, event.after) else "turn" if event.passes % 2 else "nothing"
        worth = float(solution.expected_value(event.after))
        both = sums.setdefault(ends, [0.0, 0.0])
        both[0] += event.probability
        both[1] += event.probability * (1.0 - worth if event.passes % 2 else worth)
    return [Part(ends, probability, worth / probability) for ends, (probability, worth) in sums.items() if probability]
