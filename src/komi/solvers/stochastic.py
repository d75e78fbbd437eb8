"""Two-player zero-sum stochastic games: each player maximizes the probability of winning (Shapley 1953)."""

from collections.abc import Sequence
from typing import Any

from komi.bellman import WIN_PROBABILITY, Objective
from komi.progress import Progress
from komi.rules.compiled import CompiledGame
from komi.rules.kind import Kind, kind_of
from komi.solvers.optimal_values import Values, find_values
from komi.solvers.solver import hidden_refusal, rewards_refusal
from komi.solvers.value_solution import ValueSolution
from komi.typing import Rules


class StochasticSolution(ValueSolution):
    """Optimal play of a two-player stochastic game: winning probabilities, where a shared win counts half.

    Examples:
        >>> import komi
        >>> red_light = komi.solve("red-light")
        >>> round(red_light.value(), 6)
        0.500011
        >>> red_light.best("score=47,rival=49,turn=2,red=3,green=23")
        'draw'
    """

    @property
    def solver_objective(self) -> Objective:
        """The objective: the probability of winning."""
        return WIN_PROBABILITY


class StochasticSolver:
    """Solves two-player games of perfect information that are won or lost at the end."""

    name = "stochastic"
    data_type = Values
    solution_type = StochasticSolution

    def supports_players(self, players: int) -> bool:
        """Return whether the solver supports games for this number of players: two."""
        return players == 2

    def refusal(self, kind: Kind) -> str | None:
        """Return the reason to refuse a game with intermediate rewards or hidden states; None for all others."""
        return rewards_refusal(kind, "games of two players") or hidden_refusal(kind)

    def solve(
        self, compiled: CompiledGame, rules: Rules, roots: Sequence[Any], known: Values | None, progress: Progress
    ) -> Values:
        """Compute the winning probabilities of all states that are reachable from the roots."""
        has_rolls = kind_of(compiled.game, rules).transient
        return find_values(compiled, rules, roots, known, progress, has_rolls=has_rolls)
