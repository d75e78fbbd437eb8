"""A ladder of policies from random to optimal play, each against each: how much skill and luck a game has.

Rungs: random play; for races to a goal, holding at the first turn total at which another step has no expected gain;
the best strategies found with 1, 3 and 5 numbers to remember (`komi teach`); optimal play. W(i, j) is the exact
probability that rung i, moving first, wins against rung j. A win rate is the mean over both seats.

- *Skill depth*: the number of steps from one rung to the next with a win rate of at least 55 %.
- *Share of skill*: if both policies are drawn from the ladder, each rung with the same probability, the variance of the
  result is m (1 - m), where m is the mean of W; the share that the policies and seats explain is the variance of W.
  The rest is luck: chance, and the choices of random play.
- *Relative skill* (P. Borm and B. van der Genugten, On a relative measure of skill for games with chance elements,
  European Journal of Operational Research 127(1), 2000) is the learning effect / (learning effect + random effect).
  The learning effect is the win rate of optimal play less that of a beginner, each against optimal play; the beginner
  is the lowest rung. The random effect is what a fictive player who knows beforehand what chance will bring wins more
  than optimal play, against optimal play. No foresight wins more than all games, so that the random effect is at most
  1/2; with 1/2 in its place the relative skill here is a lower bound.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64
from komi.errors import SolveError
from komi.evaluation.policy_evaluator import PolicyEvaluator
from komi.evaluation.requirements import check_two_player, teaching_refusal
from komi.measures.bounded import Bounded
from komi.policies import named
from komi.policies.policy import Policy
from komi.policies.table import TablePolicy
from komi.progress import Progress, silent
from komi.solvers.solution import Solution
from komi.teaching.features import list_features
from komi.teaching.field_roles import find_risk_field
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.parallel_search import create_searches, run_searches
from komi.teaching.strategy import strategy_actions
from komi.teaching.strategy_rendering import count_actions

TAUGHT = (1, 3, 5)  # numbers to remember
TEACHING_SECONDS = 10.0  # of a search for strategies
STEP = 0.55  # a win rate that counts as a step
MAX_HOLD = 10_000


@dataclass(frozen=True, eq=False)
class Ladder:
    """Policies from the weakest to the strongest, each against each.

    Attributes:
        names: the names of the rungs.
        first: float64[rungs, rungs], the probability that the row, moving first, wins against the column.
        error_bound: the error bound of each.
    """

    names: tuple[str, ...]
    first: F64
    error_bound: float

    @property
    def win_rates(self) -> F64:
        """float64[rungs, rungs], the probability that the row wins against the column, averaged over both seats."""
        rates: F64 = (self.first + 1.0 - self.first.T) / 2.0
        return rates

    @property
    def steps(self) -> F64:
        """float64[rungs - 1], the win rate of each rung but the lowest against the one before."""
        rates: F64 = np.diagonal(self.win_rates, -1)
        return rates

    @property
    def skill_depth(self) -> int:
        """The number of steps with a win rate of at least 55 %."""
        return int(np.count_nonzero(self.steps >= STEP))

    @property
    def skill_share(self) -> Bounded:
        """The share of the variance of the result that the policies explain, both drawn from the ladder."""
        mean = float(self.first.mean())
        total = Bounded(mean * (1.0 - mean), self.error_bound)
        return Bounded(float(self.first.var()), 4.0 * self.error_bound).over(total)

    @property
    def learning_effect(self) -> Bounded:
        """The win rate of the highest rung against itself, which is one half, less that of the lowest."""
        return Bounded(0.5 - float(self.win_rates[0, -1]), self.error_bound)

    @property
    def relative_skill(self) -> Bounded:
        """A lower bound of the relative skill: the random effect is at most one half."""
        effect = self.learning_effect
        return effect.over(Bounded(effect.value + 0.5, effect.error))


def climb(solution: Solution[Any], seconds: float = TEACHING_SECONDS, progress: Progress = silent) -> Ladder:
    """Find the rungs of a ladder, and evaluate each against each exactly.

    Args:
        solution: the solved game for two players.
        seconds: the time limit of the search for strategies with few numbers; 0 leaves them out.
        progress: progress callback, called during long work; see `komi.progress`.

    Raises:
        SolveError: if the game is not for two players, or play between two rungs may never end.
    """
    check_two_player(solution.kind)
    rungs: list[Policy] = [named.find("random", solution)]
    rungs += _hold_rung(solution)
    if seconds > 0.0:
        rungs += _taught_rungs(solution, seconds, progress)
    rungs.append(named.find("optimal", solution))
    evaluator = PolicyEvaluator.of(solution, progress)
    tables = [evaluator.tabulate(policy) for policy in rungs]
    first, bound = np.empty((len(rungs), len(rungs))), 0.0
    for i, one in enumerate(tables):
        for j, other in enumerate(tables[: i + 1]):
            both = [one] if i == j else [one, other]
            values, bounds, *_ = evaluator.evaluate(both, measures=0)
            row = evaluator.start * len(both)
            first[i, j], first[j, i] = values[row], values[row + len(both) - 1]
            bound = max(bound, float(bounds.max()))
            progress("climbing", i * (i + 1) // 2 + j + 1, len(tables) * (len(tables) + 1) // 2)
    return Ladder(tuple(policy.name for policy in rungs), first, bound)


def _hold_rung(solution: Solution[Any]) -> list[Policy]:
    """Return the policy that holds at the first turn total where another step has no expected gain, in a race."""
    game, rules = solution.game, solution.rules
    if not named.is_race_to_goal(game, rules):
        return []
    cautious = named.find("cautious:1", solution)
    start = game.part("start")(rules)
    hold = int(game.module.actions.index("hold"))
    for total in range(1, min(rules.goal, MAX_HOLD)):
        state = start._replace(turn=total)
        if game.possible(rules, state) and cautious.choose(game, rules, state, 0.5) == hold:
            return [named.find(f"hold-at:{total}", solution)]
    return []


def _taught_rungs(solution: Solution[Any], seconds: float, progress: Progress) -> list[Policy]:
    """Search for strategies, and return the best ones with at most 1, 3 and 5 numbers, each once."""
    if teaching_refusal(solution.kind, solution.has_plies):
        return []
    game, rules, states = solution.game, solution.rules, solution.optimal_play.states
    try:
        evaluator = LossEvaluator.of(solution, count_actions(game, rules))
    except SolveError:
        return []
    features, subject = list_features(game, rules, states, evaluator.choices), find_risk_field(game, rules)
    front = run_searches(create_searches(evaluator, features, max(TAUGHT), subject, 1), seconds, progress)
    rungs: dict[int, Policy] = {}
    for numbers in TAUGHT:
        found = [point.strategy for point in front if point.strategy.numbers <= numbers]
        if found and found[-1].numbers not in rungs:
            actions = strategy_actions(found[-1], features, states)
            count = found[-1].numbers
            rungs[count] = TablePolicy(f"{count} number{'s' * (count != 1)}", states, evaluator.legalize(actions))
    return list(rungs.values())
