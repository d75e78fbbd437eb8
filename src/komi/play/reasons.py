"""Explanations of an action's value: how often it ends the turn or the game, and the player's value after that.

Let action a have outcomes with probabilities p, and let v be the mover's value of each outcome. Outcomes with the same
continuation are one reason, with P = sum p and V = sum p v / P, so that sum P V is the value of the action. This
identity is checked before a reason is reported.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from komi.rules.game import Event
from komi.solvers.solution import Solution
from komi.typing import State

ROUNDING = 1e-9  # of a sum of some hundred products of probabilities
MAX_OUTCOMES = 1000  # of an action; actions with more are not explained

Ends = Literal["nothing", "turn", "game"]


@dataclass(frozen=True)
class Reason:
    """Outcomes of an action with the same continuation.

    Attributes:
        ends: what the outcomes end.
        probability: their total probability.
        worth: the mover's expected probability of winning, or expected payoff, after them.
    """

    ends: Ends
    probability: float
    worth: float


def reasons(solution: Solution[Any], state: State, values: dict[str, float]) -> dict[str, list[Reason]]:
    """Compute the reasons for the value of each action.

    Return {} unless the game is a two-player zero-sum game of chance with perfect information.

    Args:
        solution: optimal play.
        state: the state in which the player decides.
        values: the value of each action, by label.
    """
    game, rules, kind = solution.game, solution.rules, solution.kind
    if kind.seats != 2 or not kind.is_opposed or kind.rewards or kind.hidden or not kind.chance:
        return {}
    actions = game.labels(rules, state)
    explained = {}
    for label, value in values.items():
        events = game.events(rules, state, actions[label])
        parts = _parts(solution, events) if len(events) <= MAX_OUTCOMES else []
        total = sum(part.probability * part.worth for part in parts)
        if parts and abs(total - value) <= ROUNDING + 4 * solution.error_bound:
            explained[label] = parts
    return explained


def _parts(solution: Solution[Any], events: Iterable[Event]) -> list[Reason]:
    sums: dict[Ends, list[float]] = {}
    over = solution.game.part("over")
    for event in events:
        ends: Ends = "game" if over(solution.rules, event.after) else "turn" if event.passes % 2 else "nothing"
        value = float(solution.expected_value(event.after))
        sum_of_end = sums.setdefault(ends, [0.0, 0.0])
        sum_of_end[0] += event.probability
        sum_of_end[1] += event.probability * (solution.kind.payoffs.opposite(value) if event.passes % 2 else value)
    return [
        Reason(ends, probability, value / probability) for ends, (probability, value) in sums.items() if probability
    ]
