"""Policies for games without chance that see wins and losses up to a limited number of moves ahead."""

from dataclasses import dataclass
from typing import Any

from komi.errors import SolveError
from komi.game import Game
from komi.policies.policy import Policy, fallen_on, legal_actions
from komi.solvers.solution import Solution

ALL = 1 << 15  # moves ahead


@dataclass(frozen=True, eq=False)
class Sighted(Policy):
    """A policy that knows the result of each move if play ends within its horizon; ties are broken at random.

    Attributes:
        answer: the solution of the game, with plies.
        sight: the horizon, in moves.
    """

    name: str
    solution: Solution[Any]
    sight: int

    def question(self) -> None:
        """Raise an error: the policy cannot be called by compiled code.

        Raises:
            SolveError: always.
        """
        raise SolveError(f"policy {self.name} of a game without chance cannot be simulated.")

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """Sample one of the moves with the best score."""
        worths = self.solution.actions(state)
        scores = {
            action: worths[label].score if (worths[label].plies or ALL) <= self.sight else 0
            for label, action in game.labels(rules, state).items()
        }
        best = max(scores.values())
        return fallen_on([action for action, score in scores.items() if score == best], luck)


@dataclass(frozen=True, eq=False)
class Looking(Policy):
    """The same policy for a game that is not solved: an exhaustive search to a limited depth.

    Attributes:
        sight: the search depth, in moves.
    """

    name: str
    sight: int

    def question(self) -> None:
        """Raise an error: the policy cannot be called by compiled code.

        Raises:
            SolveError: always.
        """
        raise SolveError(f"policy {self.name} of a game without chance cannot be simulated.")

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """Sample one of the moves with the best score."""
        scores = {
            action: _outlook(game, rules, state, action, self.sight) for action in legal_actions(game, rules, state)
        }
        best = max(scores.values())
        return fallen_on([action for action, score in scores.items() if score == best], luck)


def _outlook(game: Game, rules: Any, state: Any, action: int, sight: int) -> int:
    """Compute the score of an action for the mover: early wins are best, early losses worst; 0 if undecided."""
    _, after, passes = next(game.outcomes(rules, state, action))
    if game.part("over")(rules, after):
        score = round(2 * game.payoffs(rules, after)[0] - 1) * ALL
    elif sight == 1:
        score = 0
    else:
        score = max(_outlook(game, rules, after, each, sight - 1) for each in legal_actions(game, rules, after))
    score -= (score > 0) - (score < 0)  # later results count less
    return -score if passes % 2 else score
