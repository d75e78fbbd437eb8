"""Policies for games without chance that see wins and losses some moves ahead, and nothing beyond."""

from dataclasses import dataclass
from typing import Any

from komi.errors import SolveError
from komi.game import Game
from komi.methods.answer import Answer
from komi.policies.policy import Policy, fallen_on

ALL = 1 << 15  # moves ahead


@dataclass(frozen=True, eq=False)
class Sighted(Policy):
    """A policy that knows how each move ends, if it ends soon enough; luck picks among those it takes for equal.

    Attributes:
        answer: perfect play of the game; it counts plies.
        sight: how many moves ahead it sees.
    """

    name: str
    answer: Answer[Any]
    sight: int

    def question(self) -> None:
        """It is asked move by move only.

        Raises:
            SolveError: always.
        """
        raise SolveError(f"policy {self.name} of a game without chance cannot be simulated.")

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """One of the moves that look best."""
        worths = self.answer.actions(state)
        scores = {
            action: worths[label].score if (worths[label].plies or ALL) <= self.sight else 0
            for label, action in game.labels(rules, state).items()
        }
        best = max(scores.values())
        return fallen_on([action for action, score in scores.items() if score == best], luck)
