"""Skill by experience, the positions of frequent errors, and the share of skill in results."""

import warnings
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from komi.study.choice_model import MIN_DECISIONS, MIN_PEOPLE, ParameterEstimate
from komi.study.human_decisions import HumanDecision, StudyResult

EXPERIENCE = ((0, 0), (1, 2), (3, 5), (6, 10), (11, 20), (21, 50), (51, 10**9))
VALUE_BOUNDS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class DecisionGroup:
    """Statistics of a group of decisions.

    Attributes:
        name: the property that they share.
        decisions, people: the numbers of decisions and of people.
        loss: their mean loss.
        stderr: standard error of the mean loss; nan for one person.
        best: the share of decisions without a loss.
    """

    name: str
    decisions: int
    people: int
    loss: float
    stderr: float
    best: float


@dataclass(frozen=True)
class CostlyPosition:
    """A position in which people lost much.

    Attributes:
        state: the position, in the game's notation.
        count: the number of choices made there.
        error_rate: the share of choices with a loss.
        loss: their mean loss.
        best: the best action.
        usual_error: the wrong action most often chosen.
    """

    state: str
    count: int
    error_rate: float
    loss: float
    best: str
    usual_error: str


def group_by_experience(decisions: Sequence[HumanDecision]) -> list[DecisionGroup]:
    """Group decisions by the number of games of the same name that the person had finished before."""
    groups = []
    for low, high in EXPERIENCE:
        own = [decision for decision in decisions if low <= decision.record.games_before <= high]
        name = f"{low}" if low == high else f"{low} to {high}" if high < 10**9 else f"{low} and more"
        groups += [_group(name, own)] if own else []
    return groups


def group_by_value(decisions: Sequence[HumanDecision]) -> list[DecisionGroup]:
    """Group decisions by the probability of winning before them, in games that are won or lost."""
    groups = []
    for low, high in pairwise(VALUE_BOUNDS):
        own = [each for each in decisions if each.value is not None and low <= each.value < high + (high == 1.0)]
        groups += [_group(f"{100 * low:.0f} to {100 * high:.0f} %", own)] if own else []
    return groups


def change_per_doubling(decisions: Sequence[HumanDecision]) -> ParameterEstimate | None:
    """Estimate the change of a decision's loss with each doubling of games played; None if it is not identified.

    Least squares of the loss on log2(1 + games before), with fixed effects and clustered errors by person.
    """
    people = np.array([decision.record.person for decision in decisions])
    experience = np.log2(1.0 + np.array([decision.record.games_before for decision in decisions]))
    if len(decisions) < MIN_DECISIONS or len(set(people.tolist())) < MIN_PEOPLE or experience.std() == 0.0:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from statsmodels.regression.linear_model import OLS  # type: ignore[import-untyped]
    loss = np.array([decision.loss for decision in decisions], float)
    for person in set(people.tolist()):
        own = people == person
        loss[own] -= loss[own].mean()
        experience[own] -= experience[own].mean()
    if not experience.any():
        return None
    fitted = OLS(loss, experience[:, None]).fit(cov_type="cluster", cov_kwds={"groups": people})
    (low, high), value = np.asarray(fitted.conf_int())[0], float(fitted.params[0])
    return ParameterEstimate("change with each doubling of games", value, float(low), float(high))


def costliest(decisions: Sequence[HumanDecision], limit: int = 10, min_count: int = 3) -> list[CostlyPosition]:
    """Return the positions with the largest total loss, among those that occurred at least `min_count` times."""
    states: dict[tuple[Any, Any], list[HumanDecision]] = defaultdict(list)
    for decision in decisions:
        states[decision.record.rules, decision.state].append(decision)
    frequent = [own for own in states.values() if len(own) >= min_count and any(decision.loss for decision in own)]
    frequent.sort(key=lambda own: -sum(decision.loss or 0.0 for decision in own))
    return [_costly(own) for own in frequent[:limit]]


def share_of_skill(results: Sequence[StudyResult]) -> float | None:
    """Estimate the share of skill: var(skill) / (var(skill) + var(luck)); None if it is not known.

    result - start = luck + skill, where skill is the opponents' losses less the person's losses.
    """
    known = [(result.luck, result.skill) for result in results if result.luck is not None]
    if len(known) < MIN_DECISIONS:
        return None
    luck, skill = np.array(known, float).T.var(axis=1)
    return float(skill / (luck + skill)) if luck + skill > 0.0 else None


def _group(name: str, decisions: Sequence[HumanDecision]) -> DecisionGroup:
    """Compute the statistics of a group; the standard error is clustered by person."""
    loss = np.array([decision.loss for decision in decisions], float)
    people = np.array([decision.record.person for decision in decisions])
    names = sorted(set(people.tolist()))
    sums = np.array([(loss[people == person] - loss.mean()).sum() for person in names])
    count = len(names)
    stderr = float(np.sqrt((sums**2).sum() * count / max(count - 1, 1)) / len(loss)) if count > 1 else float("nan")
    return DecisionGroup(name, len(loss), count, float(loss.mean()), stderr, float((loss == 0.0).mean()))


def _costly(decisions: Sequence[HumanDecision]) -> CostlyPosition:
    first = decisions[0]
    assert first.option_values is not None
    errors = [decision.options[decision.chosen] for decision in decisions if decision.loss]
    best = min(range(len(first.options)), key=lambda i: abs((first.option_values or ())[i] - (first.value or 0.0)))
    return CostlyPosition(
        first.record.game.write(first.record.rules, first.state),
        len(decisions),
        len(errors) / len(decisions),
        sum(decision.loss or 0.0 for decision in decisions) / len(decisions),
        first.options[best],
        max(set(errors), key=lambda label: (errors.count(label), label)),
    )
