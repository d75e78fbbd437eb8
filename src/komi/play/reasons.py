"""Why an action is worth what it is: how often it ends the turn or the game, and what the player has then.

Let action a lead to outcomes with the probabilities p, and let v be what each is then worth to who acts. Outcomes that
go on alike are one part, with P = sum p and V = sum p v / P: so sum P V is what the action is worth. That is checked
before a part is told.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from komi.game import Event
from komi.methods.answer import Answer

ROUNDING = 1e-9
MOST_OUTCOMES = 1000  # of an action; more are not looked at

Ends = Literal["nothing", "turn", "game"]


@dataclass(frozen=True)
class Part:
    """Outcomes of an action that go on alike.

    Attributes:
        ends: what they end.
        probability: of all of them.
        worth: the chance of winning that they leave to who acts, on average.
    """

    ends: Ends
    probability: float
    worth: float


def reasons(solution: Answer[Any], state: Any, worth: dict[str, float]) -> dict[str, list[Part]]:
    """The parts of actions, where two take turns in an open game of chance, for a win; of others nothing is told.

    Args:
        solution: optimal play.
        state: where.
        worth: what each action is worth, by its label.
    """
    game, rules, kind = solution.game, solution.rules, solution.kind
    if kind.seats != 2 or kind.rewards or kind.hidden or not kind.chance:
        return {}
    actions = game.labels(rules, state)
    found = {}
    for label, value in worth.items():
        events = game.events(rules, state, actions[label])
        parts = _parts(solution, events) if len(events) <= MOST_OUTCOMES else []
        told = sum(part.probability * part.worth for part in parts)
        if parts and abs(told - value) <= ROUNDING + 4 * solution.error_bound:
            found[label] = parts
    return found


def _parts(solution: Answer[Any], events: Iterable[Event]) -> list[Part]:
    sums: dict[Ends, list[float]] = {}
    over = solution.game.part("over")
    for event in events:
        ends: Ends = "game" if over(solution.rules, event.after) else "turn" if event.passes % 2 else "nothing"
        worth = float(solution.chance(event.after))
        both = sums.setdefault(ends, [0.0, 0.0])
        both[0] += event.probability
        both[1] += event.probability * (1.0 - worth if event.passes % 2 else worth)
    return [Part(ends, probability, worth / probability) for ends, (probability, worth) in sums.items() if probability]
