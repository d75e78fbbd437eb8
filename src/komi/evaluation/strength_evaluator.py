"""The exact strength of policies in one game: their regret against an opponent, and their best response.

The regret of a policy p against an opponent q is max over p' of v(p', q) - v(p, q): the value of the best response to q
minus the value of p. Against optimal play the first term is the value of the game.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import I16
from komi.bellman import ActionCode
from komi.evaluation.losses import Mistake
from komi.evaluation.policy_evaluator import PolicyEvaluator, check_tolerance
from komi.evaluation.requirements import check_perfect_information, check_two_player
from komi.policies.named import find
from komi.policies.policy import Policy
from komi.policies.table import TablePolicy
from komi.progress import Progress, silent
from komi.rounding import format_bound
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.stochastic.optimal_values import objective_of


@dataclass(frozen=True)
class Regret:
    """The regret (expected loss) of a policy against an opponent, by default optimal play.

    Attributes:
        losses: from each seat, in probability of winning; with a `payoff_range` and for one player in the objective's
            unit.
        error_bound: the error bound of each, beside that of the solution.
        mistakes: with hidden information, the actions that lose in each information set, worst first: the sum of `loss`
            times `visits` is `average`. Otherwise empty; see `komi.compare`.
    """

    losses: tuple[float, ...]
    error_bound: float
    mistakes: tuple[Mistake, ...] = ()

    @property
    def average(self) -> float:
        """The loss, averaged over the seats."""
        return sum(self.losses) / len(self.losses)


@dataclass(frozen=True, eq=False)
class BestResponse:
    """The best response to a policy.

    Attributes:
        policy: the best response.
        wins: its probability of winning, or its expected payoff, when it moves first, second, and so on.
        error_bound: the error bound of each.
        even: the result of two equally strong players: one half, or no payoff; with more players the average over the
            seats of what the policy wins against itself.
    """

    policy: TablePolicy
    wins: tuple[float, ...]
    error_bound: float
    even: float = 0.5

    def __repr__(self) -> str:
        bound = format_bound(self.error_bound)
        if len(self.wins) > 2:
            seats = ", ".join(f"{wins:.6f} in seat {seat}" for seat, wins in enumerate(self.wins, 1))
            return f"<BestResponse: {seats}; error bound {bound}>"
        first, second = self.wins
        return f"<BestResponse: {first:.6f} moving first, {second:.6f} moving second; error bound {bound}>"

    @property
    def average(self) -> float:
        """Its probability of winning, or its expected payoff, averaged over the seats."""
        return sum(self.wins) / len(self.wins)

    @property
    def exploitability(self) -> float:
        """The gain over `even`, averaged over the seats."""
        return self.average - self.even


class StrengthEvaluator:
    """Measures policies of one game, each result proved to the tolerance of `komi match`.

    Args:
        solution: the solved game, for one player, or for two with a constant sum and perfect information.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        SolveError: for another kind of game.
    """

    def __init__(self, solution: Solution[Any], progress: Progress = silent) -> None:
        check_perfect_information(solution.kind)
        self._solution = solution
        self._evaluator = PolicyEvaluator.of(solution, progress)
        self._optimal = self._evaluator.tabulate(find("optimal", solution)) if solution.kind.seats == 2 else None

    def regret(self, policy: Policy, opponent: Policy | None = None) -> Regret:
        """Compute the regret of a policy against an opponent; None for optimal play.

        Raises:
            GameError: if a policy takes an action that is not legal.
            SolveError: if play may never end with it, or the result cannot be proved to the tolerance; with an opponent
                in a game for one player.
        """
        table = self._evaluator.tabulate(policy)
        if opponent is not None:
            check_two_player(self._solution.kind)
            theirs = self._evaluator.tabulate(opponent)
            best, best_bound, _ = self._wins(self._evaluator.free(), theirs)
            wins, error_bound, _ = self._wins(table, theirs)
            losses = tuple(max(most - won, 0.0) for most, won in zip(best, wins, strict=True))
            return Regret(losses, best_bound + error_bound)
        if self._optimal is None:
            return self._single_player_regret(table)
        (first, second), error_bound, _ = self._wins(table, self._optimal)
        value = self._solution.expected_value()
        other = self._solution.kind.payoffs.opposite(value)
        return Regret((max(value - first, 0.0), max(other - second, 0.0)), error_bound)

    def best_response(self, policy: Policy) -> BestResponse:
        """Compute the best response to a policy.

        Raises:
            GameError: if the policy takes an action that is not legal.
            SolveError: in a game for one player; if play may never end with the policy, or the result cannot be proved
                to the tolerance.
        """
        check_two_player(self._solution.kind)
        wins, error_bound, choices = self._wins(self._evaluator.free(), self._evaluator.tabulate(policy))
        actions = np.where(choices == ActionCode.UNREACHED, np.int16(ActionCode.UNIFORM), choices)
        even = self._solution.kind.payoffs.even
        return BestResponse(TablePolicy("best response", self._evaluator.states, actions), wins, error_bound, even)

    def _wins(self, ours: I16, theirs: I16) -> tuple[tuple[float, float], float, I16]:
        """Return what the first policy wins from each seat, the error bound, and its actions."""
        values, bounds, choices, *_ = self._evaluator.evaluate([ours, theirs], measures=0)
        error_bound = float(bounds.max())
        check_tolerance(error_bound, TOLERANCE)
        row, payoffs = 2 * self._evaluator.start, self._solution.kind.payoffs
        wins = payoffs.payoff(float(values[row])), payoffs.payoff(1.0 - float(values[row + 1]))
        return wins, payoffs.bound(error_bound), choices[::2]

    def _single_player_regret(self, table: I16) -> Regret:
        objective = objective_of(self._solution.kind)
        values, bounds, *_ = self._evaluator.evaluate([table], objective, objective.gain_columns, measures=0)
        error_bound = float(bounds.max())
        check_tolerance(error_bound, TOLERANCE * self._solution.scale)
        value = objective.sign * float(values[self._evaluator.start])
        return Regret((abs(self._solution.expected_value() - value),), error_bound)
