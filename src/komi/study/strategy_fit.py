"""Selection of the simple strategy that describes people best.

The model is that a person follows a strategy except for slips: with probability e the person takes a uniformly random
legal action. If m of n choices agree with the strategy, the maximum likelihood estimate of e follows from

    P(choice) = (1 - e) [it is the strategy's action] + e / options

Strategies are compared by Akaike's criterion; e, and the number N of a family such as hold-at:N, count as parameters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import I64, Flags
from komi.errors import KomiError
from komi.policies import named
from komi.policies.policy import Policy
from komi.policies.tabulate import tabulate
from komi.solvers.solution import Solution
from komi.study.human_decisions import HumanDecision

FAMILIES = {"hold-at": range(2, 61), "cautious": range(1, 6), "ahead": range(1, 4)}
SINGLE = ("optimal", "max-score", "keep-pace")
UNUSED_RANDOM_NUMBER = 0.0  # for deterministic policies


@dataclass(frozen=True)
class StrategyFit:
    """The fit of a strategy to choices.

    Attributes:
        strategy: its name; the best member of a family.
        agree: the share of choices that agree with it.
        slips: e, as in the module's model.
        aic: Akaike's information criterion; less is better.
        decisions: the number of choices.
    """

    strategy: str
    agree: float
    slips: float
    aic: float
    decisions: int


@dataclass(frozen=True)
class StrategyAgreement:
    """The agreement of a strategy with each choice.

    Attributes:
        strategy: its name.
        parameters: its number of parameters, 1 for hold-at:N.
        agrees: bool[decisions], True if the choice is the strategy's action.
    """

    strategy: str
    parameters: int
    agrees: Flags


def compare_strategies(solution: Solution[Any], decisions: Sequence[HumanDecision]) -> list[StrategyAgreement]:
    """Compare each named policy that fits the game with choices under the rules of the solution."""
    return [
        StrategyAgreement(policy.name, numbers, _agrees(solution, policy, decisions))
        for policy, numbers in _strategies(solution)
    ]


def rank_strategies(
    agreements: Sequence[StrategyAgreement], decisions: Sequence[HumanDecision], rows: Sequence[int]
) -> list[StrategyFit]:
    """Rank the strategies by how well they describe these rows of the decisions; of each family the best member."""
    options = np.array([len(decisions[row].options) for row in rows])
    best: dict[str, StrategyFit] = {}
    for agreement in agreements:
        found = _fit(agreement, agreement.agrees[list(rows)], options)
        family = agreement.strategy.partition(":")[0]
        if family not in best or found.aic < best[family].aic:
            best[family] = found
    return sorted(best.values(), key=lambda each: each.aic)


def _strategies(solution: Solution[Any]) -> Iterator[tuple[Policy, int]]:
    """Yield the named policies that fit the game, and the number of parameters of each."""
    names = [(name, 0) for name in SINGLE]
    names += [(f"{family}:{number}", 1) for family, members in FAMILIES.items() for number in members]
    for name, numbers in names:
        try:
            policy = named.find(name, solution)
            tabulate(policy, solution.compiled, solution.rules, solution.optimal_play.states)
        except KomiError:  # not for this game
            continue
        yield policy, numbers


def _agrees(solution: Solution[Any], policy: Policy, decisions: Sequence[HumanDecision]) -> Flags:
    game, rules = solution.game, solution.rules
    agrees = []
    for decision in decisions:
        action = policy.choose(game, rules, decision.state, UNUSED_RANDOM_NUMBER)
        agrees.append(game.labels(rules, decision.state)[decision.options[decision.chosen]] == action)
    return np.array(agrees, np.bool_)


def _fit(agreement: StrategyAgreement, agrees: Flags, options: I64) -> StrategyFit:
    from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]  # slow to import

    def negative_log_likelihood(slips: float) -> float:
        return -float(np.log((1.0 - slips) * agrees + slips / options).sum())

    found = minimize_scalar(negative_log_likelihood, bounds=(1e-9, 1.0), method="bounded")
    aic = 2.0 * (1 + agreement.parameters) + 2.0 * float(found.fun)
    return StrategyFit(agreement.strategy, float(agrees.mean()), float(found.x), aic, len(options))
