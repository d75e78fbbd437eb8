"""Policies for games without chance that know wins and losses up to a limited number of moves ahead."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from komi.errors import SolveError
from komi.policies.policy import Policy, legal_actions, sample_uniformly
from komi.rules.game import Game
from komi.solvers.solution import Solution
from komi.typing import Rules, State

UNLIMITED = 1 << 15  # a horizon, in moves, that no game exceeds


@dataclass(frozen=True, eq=False)
class _DeterministicGamePolicy(Policy):
    """A policy that takes one of the actions with the greatest score, chosen at random.

    Attributes:
        horizon: results that are more moves away are unknown.
    """

    name: str
    horizon: int

    def code(self) -> None:
        """Raise an error: compiled code cannot call the policy.

        Raises:
            SolveError: always.
        """
        raise SolveError(f"policy {self.name} of a game without chance cannot be simulated.")

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Sample one of the actions with the greatest score."""
        scores = self._scores(game, rules, state)
        best = max(scores.values())
        return sample_uniformly([action for action, score in scores.items() if score == best], uniform)

    @abstractmethod
    def _scores(self, game: Game, rules: Rules, state: State) -> dict[int, int]:
        """Return the score of each legal action: early wins are best, early losses worst; 0 if undecided."""


@dataclass(frozen=True, eq=False)
class TablebasePolicy(_DeterministicGamePolicy):
    """A policy that looks up the outcome of each move in the solution, as far as its horizon.

    Attributes:
        solution: the solution of the game, with plies.
    """

    solution: Solution[Any]

    def _scores(self, game: Game, rules: Rules, state: State) -> dict[int, int]:
        values = self.solution.actions(state)
        return {
            action: values[label].score if (values[label].plies or UNLIMITED) <= self.horizon else 0
            for label, action in game.labels(rules, state).items()
        }


@dataclass(frozen=True, eq=False)
class DepthLimitedPolicy(_DeterministicGamePolicy):
    """The same policy for a game that is not solved: an exhaustive search to the depth of its horizon."""

    def _scores(self, game: Game, rules: Rules, state: State) -> dict[int, int]:
        return {
            action: _search(game, rules, state, action, self.horizon) for action in legal_actions(game, rules, state)
        }


def _search(game: Game, rules: Rules, state: State, action: int, depth: int) -> int:
    """Compute the score of an action for the mover by negamax search."""
    _, after, passes = next(game.outcomes(rules, state, action))
    if game.part("over")(rules, after):
        score = round(2 * game.shares(rules, after)[0] - 1) * UNLIMITED
    elif depth == 1:
        score = 0
    else:
        score = max(_search(game, rules, after, reply, depth - 1) for reply in legal_actions(game, rules, after))
    score -= (score > 0) - (score < 0)  # later results count less
    return -score if passes % 2 else score
