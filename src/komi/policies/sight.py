"""Policies for games without chance that see wins and losses some moves ahead, and nothing beyond."""

from dataclasses import dataclass
from typing import Any

from komi.errors import SolveError
from komi.game import Game
from komi.methods.answer import Answer
from komi.policies.policy import Policy, fallen_on, legal_actions

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


@dataclass(frozen=True, eq=False)
class Looking(Policy):
    """The same of a game that is not solved: it tries out all that can happen so many moves ahead.

    Attributes:
        sight: how many moves ahead it sees.
    """

    name: str
    sight: int

    def question(self) -> None:
        """It is asked move by move only.

        Raises:
            SolveError: always.
        """
        raise SolveError(f"policy {self.name} of a game without chance cannot be simulated.")

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """One of the moves that look best."""
        scores = {
            action: _outlook(game, rules, state, action, self.sight) for action in legal_actions(game, rules, state)
        }
        best = max(scores.values())
        return fallen_on([action for action, score in scores.items() if score == best], luck)


def _outlook(game: Game, rules: Any, state: Any, action: int, sight: int) -> int:
    """What an action is worth to the mover: soon won is most, soon lost is least, 0 is neither within sight."""
    _, after, passes = next(game.outcomes(rules, state, action))
    if game.part("over")(rules, after):
        score = round(2 * game.payoffs(rules, after)[0] - 1) * ALL
    elif sight == 1:
        score = 0
    else:
        score = max(_outlook(game, rules, after, each, sight - 1) for each in legal_actions(game, rules, after))
    score -= (score > 0) - (score < 0)  # a move later, it is worth less
    return -score if passes % 2 else score
