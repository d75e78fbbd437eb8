"""Rewriting: of all tests, at every place, with every constant, the best are found; tried one by one here."""

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.teaching import replacement
from komi.teaching.decision_sample import DecisionSample
from komi.teaching.features import Feature, list_features
from komi.teaching.loss_evaluation import LossEvaluator
from komi.teaching.replacement import enumerate_tests, insertion_points, replace_tests
from komi.teaching.sample_search import COEFFICIENTS, UNIT_COEFFICIENTS, SampleSearch
from komi.teaching.strategy import Clause, Strategy, Term
from komi.teaching.strategy import LinearTest as Comparison
from komi.teaching.strategy_arrays import COMPARISON_PENALTY, CONSTANT, FIRST, TERMS, decode_tests
from komi.teaching.strategy_search import StrategySearch

from slowly import slowly

PLANTED = Path(__file__).parent / "planted.py"
SEEN = ("turn", "score", "rival")


@pytest.fixture(scope="module")
def features(pig_to_60: Solution[Any]) -> list[Feature]:
    costs = {each.text: each for each in list_features(pig_to_60.game, pig_to_60.rules, pig_to_60.optimal_play.states)}
    return [costs[words] for words in SEEN]


@pytest.fixture(scope="module")
def large_sample(games: LossEvaluator, features: list[Feature]) -> DecisionSample:
    return DecisionSample.of(
        games, features, games.visits(games.solution.optimal_play.choices, 0.1), np.random.default_rng(1)
    )


@pytest.fixture(scope="module")
def sample(large_sample: DecisionSample) -> DecisionSample:
    """Return a few decisions."""
    return DecisionSample(large_sample.values[:, ::300], large_sample.costs[:, ::300])


@pytest.fixture(scope="module")
def search(features: list[Feature]) -> SampleSearch:
    return SampleSearch(features, "turn", np.random.default_rng(1))


@pytest.fixture(scope="module")
def tests(search: SampleSearch) -> Any:
    return enumerate_tests(
        search.is_allowed, search._is_incompatible, len(UNIT_COEFFICIENTS), np.random.default_rng(1)
    )[::11]


def compared(feature: int, coefficient: int | Fraction, constant: int) -> Comparison:
    return Comparison((Term(feature, Fraction(coefficient)),), constant)


STRATEGIES = [
    Strategy((), 0),
    Strategy((Clause((compared(0, 1, 20),), 1),), 0),
    Strategy((Clause((compared(1, 1, 40), compared(2, -1, -30)), 0), Clause((compared(0, 1, 20),), 1)), 0),
]


@pytest.mark.parametrize("numbers", [1, *slowly(0, 3)])
@pytest.mark.parametrize("strategy", STRATEGIES, ids=["nothing", "one", "two"])
def test_no_other_test_gives_away_less(
    search: SampleSearch, sample: DecisionSample, tests: Any, strategy: Strategy, numbers: int
) -> None:
    costs = replace_tests(search._data(sample), COEFFICIENTS, tests, sample, strategy, numbers)
    assert all(each.numbers <= numbers for each in costs)
    assert [sample.loss(each) for each in costs] == pytest.approx(sorted(map(sample.loss, costs)))
    best = dict.fromkeys(insertion_points(strategy, 2), np.inf)
    for place in best:
        for test in decode_tests(tests, COEFFICIENTS):
            for constant in range(-65, 66):
                other = place.with_test(strategy, Comparison(test.terms, constant))
                if other.numbers <= numbers:
                    best[place] = min(best[place], sample.loss(other))
        gained = [sample.loss(each) for each in costs if _is_at(each, strategy, place)]
        never = sample.loss(place.with_test(strategy, replacement.NEVER))
        if best[place] < never - 1e-4:
            assert min(gained) <= best[place] + 3 * COMPARISON_PENALTY


def _is_at(other: Strategy, strategy: Strategy, place: replacement.InsertionPoint) -> bool:
    """Return whether one strategy is the other with a test at a position."""
    clauses = len(other.clauses) - len(strategy.clauses) == (place.action is not None)
    tests = [test for clause in other.clauses for test in clause.tests]
    return clauses and any(place.with_test(strategy, test) == other for test in tests)


def test_trying_all_tests_in_some_decisions_first_loses_little(
    search: SampleSearch, large_sample: DecisionSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = STRATEGIES[1]
    quick = search.replace_tests(large_sample, start, 2)
    monkeypatch.setattr(replacement, "SUBSET_SIZE", large_sample.values.shape[1])
    slow = search.replace_tests(large_sample, start, 2)
    best = large_sample.loss(slow[0])
    gained = large_sample.loss(start) - best
    assert gained > 0.0
    assert large_sample.loss(quick[0]) <= best + 0.05 * gained


def test_all_tests_are_listed_once_and_one_coefficient_at_most_is_a_number(search: SampleSearch) -> None:
    listed = enumerate_tests(
        search.is_allowed, search._is_incompatible, len(UNIT_COEFFICIENTS), np.random.default_rng(1)
    )
    assert len({tuple(row) for row in listed.tolist()}) == len(listed)
    for row in listed:
        terms = row[FIRST : FIRST + 2 * row[TERMS]].reshape(-1, 2)
        assert row[CONSTANT] == 0
        assert search.is_allowed[terms[:, 0], terms[:, 1]].all()
        assert (terms[:, 1] >= len(UNIT_COEFFICIENTS)).sum() <= 1
    coefficients = search.is_allowed.sum(axis=1)
    signs = len(UNIT_COEFFICIENTS)
    pairs = sum(
        signs * signs + signs * (coefficients[one] + coefficients[other] - 2 * signs)
        for one, other in combinations(range(3), 2)
    )
    assert (listed[:, TERMS] == 1).sum() == 3 * signs
    assert (listed[:, TERMS] == 2).sum() == pairs


def test_of_too_many_tests_some_are_drawn(search: SampleSearch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replacement, "MAX_LISTED", 100)
    lists = [
        enumerate_tests(search.is_allowed, search._is_incompatible, len(UNIT_COEFFICIENTS), np.random.default_rng(seed))
        for seed in range(9)
    ]
    assert len({tuple(map(tuple, each.tolist())) for each in lists}) > 1


def test_what_takes_several_steps_otherwise_is_found_at_once() -> None:
    """To jump is right exactly where a + 2 b is at least 12."""
    solution = solve(str(PLANTED))
    features = list_features(solution.game, solution.rules, solution.optimal_play.states)
    search = StrategySearch(LossEvaluator.of(solution, 2), features, 2, None, seed=1)
    walk = Strategy((), 0)
    search._evaluate(walk)
    for _ in search._improve_tests(walk, 2):
        pass
    best = search.front()[-1]
    assert (best.strategy.numbers, best.loss) == (2, pytest.approx(0.0, abs=1e-9))
