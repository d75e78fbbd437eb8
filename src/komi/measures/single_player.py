"""Measures that only games for one player have: the spread of the result, and how often a game is lost early.

A game is *lost before its last turn* if, when that turn begins, the expected result of the whole game can no longer be
attained, whatever the player does and chance brings. If the objective is a chance, that is: the target is out of reach.
What is out of reach stays so, so that these are the games in which any turn begins that way.

V is a martingale along play, so that the variance of the result is the expected sum of (V' - V)^2: for points, the
variance of `komi.measures.tension`.
"""

from contextlib import suppress
from typing import Any

from komi.errors import SolveError
from komi.evaluation.score_flow import ResultTarget, follow_scores
from komi.evaluation.scores import ScoreDistribution, score_distribution
from komi.measures.attainable import find_attainable
from komi.measures.bounded import Bounded
from komi.measures.chain import Play
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.solvers.solution import Solution

QUANTILES = {f"quantile_{percent}": percent / 100 for percent in (5, 25, 50, 75, 95)}


def measure_result(
    solution: Solution[Any], policy: Policy, play: Play, variance: Bounded, progress: Progress = silent
) -> dict[str, Bounded]:
    """Compute the expected result, its spread, and how often the game is lost before its last turn.

    Quantiles and lost games are missing if there are too many states and scores to follow.

    Args:
        solution: the solved game.
        policy: the policy.
        play: play of the policy.
        variance: that of the result, of a game for points.
        progress: progress callback, called during long work; see `komi.progress`.
    """
    sign = play.table.sign
    numbers = {"value": play.first.times(sign)}
    if solution.kind.rewards:
        numbers["deviation"] = variance.root()
    with suppress(SolveError):
        if solution.kind.rewards:
            scores = score_distribution(solution, policy, progress)
            numbers |= {name: _quantile(scores, share) for name, share in QUANTILES.items()}
        states = solution.optimal_play.states
        attainable = find_attainable(solution.compiled, solution.rules, states, sign)
        target = ResultTarget(play.first.value - play.first.error, attainable[:, 0].copy(), sign)
        games = follow_scores(solution, policy, target, progress)
        numbers["lost_early"] = Bounded(games.missed, games.error)
    return numbers


def _quantile(scores: ScoreDistribution, share: float) -> Bounded:
    low, middle, high = (scores.quantile(share + side * 2.0 * scores.error_bound) for side in (-1, 0, 1))
    return Bounded(float(middle), float(max(high - middle, middle - low)))
