"""Annealing: plans mean what strategies mean, and the best constants and the values are what they claim to be."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from komi.evaluation.two_player import match_two_player
from komi.jit.kernels import engine_kernels
from komi.policies import named
from komi.solvers.solution import Solution
from komi.teaching.annealing import Schedule, _make_move
from komi.teaching.decision_sample import DecisionSample
from komi.teaching.edits import MAX_STEPS, EditBuffers, optimize_constant
from komi.teaching.features import list_features
from komi.teaching.loss_evaluation import TOLERANCE, LossEvaluator
from komi.teaching.sample_search import (
    COEFFICIENTS,
    UNIT_COEFFICIENTS,
    ZERO_PROBABILITIES,
    SampleSearch,
    with_integer_coefficients,
)
from komi.teaching.strategy import Clause, Strategy, Term, strategy_actions
from komi.teaching.strategy import LinearTest as Comparison
from komi.teaching.strategy_arrays import (
    COMPARISON_PENALTY,
    CONSTANT,
    SearchData,
    StrategyArrays,
    copy_arrays,
    count_clauses,
    count_numbers,
    decode_strategy,
    empty_arrays,
    encode_strategy,
    penalized_loss,
    update_applies,
)


@pytest.fixture(scope="module")
def features(pig_to_60: Solution[Any]) -> list[Any]:
    return list_features(pig_to_60.game, pig_to_60.rules, pig_to_60.optimal_play.states)


@pytest.fixture(scope="module")
def sample(games: LossEvaluator, features: list[Any]) -> DecisionSample:
    visits = games.visits(games.solution.optimal_play.choices, exploration_rate=0.1)
    return DecisionSample.of(games, features, visits, np.random.default_rng(1))


@pytest.fixture(scope="module")
def strategy(features: list[Any]) -> Strategy:
    """Create three clauses, one of two tests, one of a coefficient."""
    place = {each.text: number for number, each in enumerate(features)}
    race = Comparison((Term(place["the larger of score and rival"], Fraction(1)),), 24)
    pace = Comparison((Term(place["turn"], Fraction(1)), Term(place["score - rival"], Fraction(1, 4))), 12)
    late = Comparison((Term(place["rival + turn"], Fraction(-1)),), -14)
    return Strategy((Clause((race,), 0), Clause((pace, late), 1), Clause((pace,), 1)), 0)


def search_data(sample: DecisionSample) -> SearchData:
    many = len(sample.values)
    anything = np.ones((many, len(COEFFICIENTS)), np.bool_)
    coefficients = np.array(COEFFICIENTS, np.float64)
    is_incompatible = np.eye(many, dtype=np.bool_)
    return SearchData(
        sample.values,
        sample.costs,
        coefficients,
        len(UNIT_COEFFICIENTS),
        anything,
        is_incompatible,
        np.zeros(len(sample.costs), np.int64),
        ZERO_PROBABILITIES[0],
    )


def encoded(data: SearchData, strategy: Strategy) -> StrategyArrays:
    decisions = data.values.shape[1]
    arrays = encode_strategy(strategy, COEFFICIENTS, decisions)
    for clause in range(len(strategy.clauses)):
        update_applies(data, arrays, clause, -1, np.empty(decisions))
    return arrays


def test_a_plan_is_the_strategy_that_it_was_made_of(strategy: Strategy) -> None:
    arrays = encode_strategy(strategy, COEFFICIENTS, 0)
    assert decode_strategy(arrays.tests, arrays.actions, COEFFICIENTS, np.zeros(2, np.int64)) == strategy
    assert decode_strategy(*empty_arrays(0)[:2], COEFFICIENTS, np.ones(2, np.int64)) == Strategy((), 0, (1, 1))


def test_a_plan_gives_away_what_its_strategy_does(sample: DecisionSample, strategy: Strategy) -> None:
    data = search_data(sample)
    arrays = encoded(data, strategy)
    assert count_numbers(data, arrays) == strategy.numbers
    assert penalized_loss(data, arrays) == pytest.approx(sample.loss(strategy) + COMPARISON_PENALTY * strategy.length)


@pytest.mark.parametrize(("clause", "test"), [(0, 0), (1, 0), (1, 1), (2, 0)])
def test_no_other_constant_gives_away_less(sample: DecisionSample, strategy: Strategy, clause: int, test: int) -> None:
    data = search_data(sample)
    arrays = encoded(data, strategy)
    decisions = sample.values.shape[1]
    buffers = EditBuffers(np.empty(decisions), np.empty(decisions), np.empty(MAX_STEPS))
    old = strategy.clauses[clause].tests[test]
    losses = {
        constant: sample.loss(strategy.with_test(clause, test, Comparison(old.terms, constant)))
        for constant in range(-61, 62)
    }
    if optimize_constant(data, arrays, clause, test, buffers):
        assert losses[int(arrays.tests[clause, test, CONSTANT])] == pytest.approx(min(losses.values()))
    else:
        assert losses[61] == pytest.approx(min(losses.values()))  # best if it never applies


def test_annealing_loses_nothing_and_keeps_to_the_numbers(
    sample: DecisionSample, strategy: Strategy, features: list[Any]
) -> None:
    found = SampleSearch(features, "turn", np.random.default_rng(2)).anneal(
        sample, strategy, Schedule(6, 300, 1e-3, 1e-5)
    )
    assert [each.numbers for each in found] == sorted({each.numbers for each in found})
    assert found[-1].numbers <= 6
    assert min(map(sample.loss, found)) <= sample.loss(strategy) + COMPARISON_PENALTY * strategy.length
    again = SampleSearch(features, "turn", np.random.default_rng(2)).anneal(
        sample, strategy, Schedule(6, 300, 1e-3, 1e-5)
    )
    assert found == again


def test_tests_of_whole_numbers_ask_the_same(sample: DecisionSample, strategy: Strategy) -> None:
    assert with_integer_coefficients(strategy) != strategy
    assert with_integer_coefficients(strategy).numbers == strategy.numbers
    assert np.array_equal(with_integer_coefficients(strategy).actions(sample.values), strategy.actions(sample.values))


def test_values_are_those_of_the_learners_games(
    pig_to_60: Solution[Any], games: LossEvaluator, features: list[Any], strategy: Strategy
) -> None:
    values = games.values(strategy_actions(strategy, features, pig_to_60.optimal_play.states))
    start = pig_to_60.optimal_play.states.index_of(pig_to_60.game.part("start")(pig_to_60.rules))
    average = (values[0, start] + 1.0 - values[1, start]) / 2
    turn = next(number for number, each in enumerate(features) if each.text == "turn")
    assert average < 0.5 - 1e-3
    hold = Strategy((Clause((Comparison((Term(turn, Fraction(1)),), 12),), 1),), 0)
    values = games.values(strategy_actions(hold, features, pig_to_60.optimal_play.states))
    exact = match_two_player(pig_to_60, named.find("hold-at:12", pig_to_60), named.find("optimal", pig_to_60)).average
    assert (values[0, start] + 1.0 - values[1, start]) / 2 == pytest.approx(exact, abs=10 * TOLERANCE)


def test_optimal_play_has_the_values_of_the_solution_and_no_drawbacks(
    pig_to_60: Solution[Any], games: LossEvaluator
) -> None:
    best = np.asarray(pig_to_60.optimal_play.choices)
    values = games.values(best)
    deciding = np.flatnonzero(games.choices > 1)
    assert np.allclose(values, np.asarray(pig_to_60.optimal_play.values), atol=10 * TOLERANCE)
    deviation_regrets = games.deviation_regrets(values, deciding)
    assert np.allclose(deviation_regrets, games.regrets[:, deciding], atol=10 * TOLERANCE)
    assert np.array_equal(deviation_regrets.min(axis=0), np.zeros(len(deciding)))


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [2, 6])
def test_a_plan_changed_at_random_is_marked_as_its_strategy_applies(
    sample: DecisionSample, strategy: Strategy, numbers: int
) -> None:
    data, decisions = search_data(sample), sample.values.shape[1]
    buffers = EditBuffers(np.empty(decisions), np.empty(decisions), np.empty(MAX_STEPS))
    change, seed = engine_kernels()[_make_move], engine_kernels()[_seed]
    seed(1)
    arrays, trial = encoded(data, strategy), empty_arrays(decisions)
    made = 0
    for _ in range(400):
        copy_arrays(arrays, trial)
        if not change(data, trial, numbers, buffers):
            continue
        again = empty_arrays(decisions)
        copy_arrays(trial, again)
        for clause in range(count_clauses(again)):
            update_applies(data, again, clause, -1, buffers.sums)
        assert penalized_loss(data, trial) == penalized_loss(data, again)
        if count_clauses(trial):
            copy_arrays(trial, arrays)
        made += 1
    assert made > 20


def _seed(seed: int) -> None:
    np.random.seed(seed)
