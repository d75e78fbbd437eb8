"""What each action is worth, for a player who asks for advice."""

from dataclasses import dataclass
from typing import Any

from komi.methods.win_draw_loss.tablebase import Tablebase, Value
from komi.play.opponents import Solved

CHANCES = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True)
class Advice:
    """What an action is worth to the mover if all play on optimally.

    Attributes:
        label: the action.
        worth: the chance of winning; without chance in the game 1 for a win, a half for a draw, 0 for a loss.
        value: "win", "draw" or "loss"; None in games of chance.
        plies: actions to the end, this one counted; None in a draw, and in games of chance.
    """

    label: str
    worth: float
    value: Value | None = None
    plies: int | None = None


def chance(solution: Solved, state: Any) -> float:
    """The mover's chance of winning, a draw counting half."""
    value = solution.value(state)
    return CHANCES[value] if isinstance(value, str) else value


def hint(solution: Solved, state: Any) -> list[Advice]:
    """All legal actions, best first; none where the game is over or nobody chooses."""
    if isinstance(solution, Tablebase):
        actions = solution.actions(state).items()
        return [Advice(label, CHANCES[worth.value], worth.value, worth.plies) for label, worth in actions]
    if solution.game.part("over")(solution.rules, state) or solution.game.is_chance(solution.rules, state):
        return []
    return [Advice(label, worth) for label, worth in solution.actions(state).items()]
