"""Logit choice model of human players: how precisely they distinguish actions by value, and their biases.

A person takes action a in state s with probability proportional to exp(u(s, a)),

    u(s, a) = bias(a) - precision * loss(s, a)

with loss(s, a) the loss in probability of winning (or in the objective) under optimal play afterwards, and a bias for
each action but the one most often taken. D. McFadden, "Conditional Logit Analysis of Qualitative Choice
Behavior", Frontiers in Econometrics, 1974; in games, R. McKelvey and T. Palfrey, "Quantal Response Equilibria for
Normal Form Games", Games and Economic Behavior 10, 1995. Choices of one person are correlated:
with enough people, confidence intervals use the sandwich estimator clustered by person. The ConditionalLogit of
statsmodels has the same estimates and unclustered errors, but no clustered ones, and takes 20 to 45 times as long.
"""

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import F64, I64, Flags
from komi.errors import InputError, SolveError
from komi.study.human_decisions import HumanDecision

MIN_DECISIONS = 50  # minimum number of decisions of a fit
MIN_PEOPLE = 10  # minimum number of people for clustered errors
MAX_BIASES = 6  # maximum number of actions with a bias; games with more labels have none
RARE = 0.01  # minimum share of opportunities in which an action is taken, and is not taken, to have a bias
SEPARATION_LIMIT = -1.0  # log-likelihood above which the choices are separable and no finite optimum exists
PRECISION = "precision"


@dataclass(frozen=True)
class ParameterEstimate:
    """A parameter with its 95 % confidence interval."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ChoiceModel:
    """A fitted choice model.

    Attributes:
        precision: the precision of choice: an action that is better by d is exp(precision * d) times as likely, apart
            from biases.
        biases: the biases of actions, by label, relative to `base_action`.
        base_action: the action whose bias is 0.
        decisions, people: the numbers of decisions and of people.
        log_likelihood: the log-likelihood of the choices.
        uniform_log_likelihood: the log-likelihood of uniformly random choices.
        is_clustered: whether the intervals are clustered by person.
    """

    precision: ParameterEstimate
    biases: tuple[ParameterEstimate, ...]
    base_action: str
    decisions: int
    people: int
    log_likelihood: float
    uniform_log_likelihood: float
    is_clustered: bool

    @property
    def aic(self) -> float:
        """Akaike's information criterion; less is better."""
        return 2.0 * (1 + len(self.biases)) - 2.0 * self.log_likelihood

    def bias(self, label: str) -> float:
        """Return the bias of an action."""
        return next((term.value for term in self.biases if term.name == label), 0.0)


def check_statistics() -> None:
    """Check that models can be fitted, before any computation.

    Raises:
        InputError: if statsmodels is missing.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import statsmodels.base.model  # type: ignore[import-untyped]  # noqa: F401
    except ImportError:
        raise InputError("a study needs statsmodels: pip install 'komi[study]'.") from None


def fit_choice(decisions: Sequence[HumanDecision]) -> ChoiceModel:
    """Fit the model by maximum likelihood.

    Args:
        decisions: decisions whose options have a known value.

    Raises:
        InputError: if statsmodels is missing.
        SolveError: if there are too few decisions, or they do not determine the parameters.
    """
    check_statistics()
    from statsmodels.base.model import GenericLikelihoodModel

    if len(decisions) < MIN_DECISIONS:
        raise SolveError(f"{len(decisions)} decisions are too few for a choice model: it needs {MIN_DECISIONS}.")
    labels, base_action = _biased_actions(decisions)
    options, chosen, legal = _options(decisions, labels)
    scale = max(float(np.std(options[legal][:, 0])), 1e-9)  # scaled parameters converge
    options[:, :, 0] /= scale
    people = np.array([decision.record.person for decision in decisions])

    class Logit(GenericLikelihoodModel):  # type: ignore[misc]  # statsmodels is not typed
        def loglikeobs(self, params: Any) -> Any:
            return _log_likelihoods(params, options, chosen, legal)

        def score_obs(self, params: Any) -> Any:
            return _scores(params, options, chosen, legal)

        def score(self, params: Any) -> Any:
            return self.score_obs(params).sum(axis=0)

    is_clustered = len(set(people.tolist())) >= MIN_PEOPLE
    names = [PRECISION, *labels]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Logit(np.zeros(len(decisions)), np.zeros((len(decisions), len(names))), extra_params_names=None)
        errors = {"cov_type": "cluster", "cov_kwds": {"groups": people}} if is_clustered else {}
        fitted = model.fit(start_params=np.zeros(len(names)), method="bfgs", maxiter=500, disp=0, **errors)
        intervals = np.asarray(fitted.conf_int())
    values = np.asarray(fitted.params, float)
    likelihood = float(_log_likelihoods(values, options, chosen, legal).sum())
    if likelihood > SEPARATION_LIMIT or not np.all(np.isfinite(intervals)):
        raise SolveError("the choices do not determine a choice model: one rule explains all of them.")
    factors = np.array([1.0 / scale, *np.ones(len(labels))])
    terms = [
        ParameterEstimate(name, float(value * factor), float(low * factor), float(high * factor))
        for name, value, (low, high), factor in zip(names, values, intervals, factors, strict=True)
    ]
    uniform_log_likelihood = -float(np.log(legal.sum(axis=1)).sum())
    count = len(set(people.tolist()))
    return ChoiceModel(
        terms[0], tuple(terms[1:]), base_action, len(decisions), count, likelihood, uniform_log_likelihood, is_clustered
    )


def _biased_actions(decisions: Sequence[HumanDecision]) -> tuple[list[str], str]:
    """Return the actions that can have a bias, and the one most often taken, to which biases are relative."""
    offered = Counter(option for decision in decisions for option in decision.options)
    taken = Counter(decision.options[decision.chosen] for decision in decisions)
    base_action = max(taken, key=lambda label: (taken[label], label))
    if len(offered) > MAX_BIASES:
        return [], base_action
    shares = {label: taken[label] / offered[label] for label in offered}
    return sorted(
        label for label, share in shares.items() if label != base_action and RARE < share < 1.0 - RARE
    ), base_action


def _options(decisions: Sequence[HumanDecision], labels: Sequence[str]) -> tuple[F64, I64, Flags]:
    """Return the model matrix of the decisions.

    Returns float64[decisions, options, features]; int64[decisions], the options chosen; and bool[decisions, options],
    the legal options.
    """
    most = max(len(decision.options) for decision in decisions)
    features = np.zeros((len(decisions), most, 1 + len(labels)))
    legal = np.zeros((len(decisions), most), np.bool_)
    for row, decision in enumerate(decisions):
        assert decision.option_values is not None
        legal[row, : len(decision.options)] = True
        features[row, : len(decision.options), 0] = -np.abs(np.array(decision.option_values) - decision.value)
        for column, label in enumerate(labels, 1):
            if label in decision.options:
                features[row, decision.options.index(label), column] = 1.0
    return features, np.array([decision.chosen for decision in decisions]), legal


def _shares(params: F64, options: F64, legal: Flags) -> F64:
    utility = np.where(legal, options @ np.asarray(params), -np.inf)
    weights = np.exp(utility - utility.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _log_likelihoods(params: F64, options: F64, chosen: I64, legal: Flags) -> F64:
    shares = _shares(params, options, legal)
    return np.log(np.maximum(shares[np.arange(len(chosen)), chosen], 1e-300))


def _scores(params: F64, options: F64, chosen: I64, legal: Flags) -> F64:
    """Compute the gradient of each log-likelihood: the features chosen less the expected features."""
    expected = np.einsum("do,dof->df", _shares(params, options, legal), options)
    return np.asarray(options[np.arange(len(chosen)), chosen] - expected)
