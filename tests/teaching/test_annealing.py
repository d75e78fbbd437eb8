"""Annealing: plans mean what strategies mean, and the best constants and the values are what they claim to be."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from komi.evaluation.match import match
from komi.jit.kernels import engine_kernels
from komi.policies import named
from komi.solvers.solution import Solution
from komi.teaching.annealing import _changed
from komi.teaching.decision_sample import DecisionSample
from komi.teaching.edits import MAX_STEPS, Buffers, settle
from komi.teaching.features import features_of
from komi.teaching.loss_evaluation import NEAR, LossEvaluator
from komi.teaching.sample_search import COEFFICIENTS, NOTHING, PLAIN, SampleSearch, whole
from komi.teaching.strategy import Clause, Strategy, Term, follow
from komi.teaching.strategy import LinearTest as Comparison
from komi.teaching.strategy_arrays import (
    CONSTANT,
    PER_COMPARISON,
    SearchData,
    StrategyArrays,
    copy_plan,
    empty_plan,
    mark,
    numbers_of,
    plan_of,
    score_of,
    size_of,
    strategy_of,
)


@pytest.fixture(scope="module")
def features(pig_to_60: Solution[Any]) -> list[Any]:
    return features_of(pig_to_60.game, pig_to_60.rules, pig_to_60.arrays.states)


@pytest.fixture(scope="module")
def sample(games: LossEvaluator, features: list[Any]) -> DecisionSample:
    visits = games.visits(games.solution.arrays.choices, noise=0.1)
    return DecisionSample.of(games, features, visits, np.random.default_rng(1))


@pytest.fixture(scope="module")
def strategy(features: list[Any]) -> Strategy:
    """Three clauses, one of two tests, one of a coefficient."""
    place = {each.words: number for number, each in enumerate(features)}
    race = Comparison((Term(place["the larger of score and rival"], Fraction(1)),), 24)
    pace = Comparison((Term(place["turn"], Fraction(1)), Term(place["score - rival"], Fraction(1, 4))), 12)
    late = Comparison((Term(place["rival + turn"], Fraction(-1)),), -14)
    return Strategy((Clause((race,), 0), Clause((pace, late), 1), Clause((pace,), 1)), 0)


def world_of(sample: DecisionSample) -> SearchData:
    many = len(sample.values)
    anything = np.ones((many, len(COEFFICIENTS)), np.bool_)
    coefficients = np.array(COEFFICIENTS, np.float64)
    apart = np.eye(many, dtype=np.bool_)
    return SearchData(sample.values, sample.costs, coefficients, len(PLAIN), anything, apart, False, NOTHING[0])


def marked(world: SearchData, strategy: Strategy) -> StrategyArrays:
    decisions = world.values.shape[1]
    plan = plan_of(strategy, COEFFICIENTS, decisions)
    for clause in range(len(strategy.clauses)):
        mark(world, plan, clause, -1, np.empty(decisions))
    return plan


def test_a_plan_is_the_strategy_that_it_was_made_of(strategy: Strategy) -> None:
    plan = plan_of(strategy, COEFFICIENTS, 0)
    assert strategy_of(plan.tests, plan.actions, COEFFICIENTS, False) == strategy
    assert strategy_of(*empty_plan(0)[:2], COEFFICIENTS, True) == Strategy((), 0, True)


def test_a_plan_gives_away_what_its_strategy_does(sample: DecisionSample, strategy: Strategy) -> None:
    world = world_of(sample)
    plan = marked(world, strategy)
    assert numbers_of(world, plan) == strategy.numbers
    assert score_of(world, plan) == pytest.approx(sample.loss(strategy) + PER_COMPARISON * strategy.length)


@pytest.mark.parametrize(("clause", "test"), [(0, 0), (1, 0), (1, 1), (2, 0)])
def test_no_other_constant_gives_away_less(sample: DecisionSample, strategy: Strategy, clause: int, test: int) -> None:
    world = world_of(sample)
    plan = marked(world, strategy)
    decisions = sample.values.shape[1]
    room = Buffers(np.empty(decisions), np.empty(decisions), np.empty(MAX_STEPS))
    old = strategy.clauses[clause].tests[test]
    losses = {
        constant: sample.loss(strategy.with_test(clause, test, Comparison(old.terms, constant)))
        for constant in range(-61, 62)
    }
    if settle(world, plan, clause, test, room):
        assert losses[int(plan.tests[clause, test, CONSTANT])] == pytest.approx(min(losses.values()))
    else:
        assert losses[61] == pytest.approx(min(losses.values()))  # best if it never applies


def test_annealing_loses_nothing_and_keeps_to_the_numbers(
    sample: DecisionSample, strategy: Strategy, features: list[Any]
) -> None:
    found = SampleSearch(features, "turn", np.random.default_rng(2)).anneal(sample, strategy, 6, 300, (1e-3, 1e-5))
    assert [each.numbers for each in found] == sorted({each.numbers for each in found})
    assert found[-1].numbers <= 6
    assert min(map(sample.loss, found)) <= sample.loss(strategy) + PER_COMPARISON * strategy.length
    again = SampleSearch(features, "turn", np.random.default_rng(2)).anneal(sample, strategy, 6, 300, (1e-3, 1e-5))
    assert found == again


def test_tests_of_whole_numbers_ask_the_same(sample: DecisionSample, strategy: Strategy) -> None:
    assert whole(strategy) != strategy
    assert whole(strategy).numbers == strategy.numbers
    assert np.array_equal(whole(strategy).actions(sample.values), strategy.actions(sample.values))


def test_values_are_those_of_the_learners_games(
    pig_to_60: Solution[Any], games: LossEvaluator, features: list[Any], strategy: Strategy
) -> None:
    values = games.values(follow(strategy, features, pig_to_60.arrays.states))
    start = pig_to_60.arrays.states.index_of(pig_to_60.game.part("start")(pig_to_60.rules))
    average = (values[0, start] + 1.0 - values[1, start]) / 2
    turn = next(number for number, each in enumerate(features) if each.words == "turn")
    assert average < 0.5 - 1e-3
    hold = Strategy((Clause((Comparison((Term(turn, Fraction(1)),), 12),), 1),), 0)
    values = games.values(follow(hold, features, pig_to_60.arrays.states))
    exact = match(pig_to_60, named.find("hold-at:12", pig_to_60), named.find("optimal", pig_to_60)).average
    assert (values[0, start] + 1.0 - values[1, start]) / 2 == pytest.approx(exact, abs=10 * NEAR)


def test_optimal_play_has_the_values_of_the_solution_and_no_drawbacks(
    pig_to_60: Solution[Any], games: LossEvaluator
) -> None:
    best = np.asarray(pig_to_60.arrays.choices)
    values = games.values(best)
    deciding = np.flatnonzero(games.choices > 1)
    assert np.allclose(values, np.asarray(pig_to_60.arrays.values), atol=10 * NEAR)
    drawbacks = games.drawbacks(values, deciding)
    assert np.allclose(drawbacks, games.regrets[:, deciding], atol=10 * NEAR)
    assert np.array_equal(drawbacks.min(axis=0), np.zeros(len(deciding)))


@pytest.mark.parametrize("numbers", [2, 6])
def test_a_plan_changed_at_random_is_marked_as_its_strategy_applies(
    sample: DecisionSample, strategy: Strategy, numbers: int
) -> None:
    world, decisions = world_of(sample), sample.values.shape[1]
    room = Buffers(np.empty(decisions), np.empty(decisions), np.empty(MAX_STEPS))
    change, seed = engine_kernels()[_changed], engine_kernels()[_seed]
    seed(1)
    plan, trial = marked(world, strategy), empty_plan(decisions)
    made = 0
    for _ in range(400):
        copy_plan(plan, trial)
        if not change(world, trial, numbers, room):
            continue
        again = empty_plan(decisions)
        copy_plan(trial, again)
        for clause in range(size_of(again)):
            mark(world, again, clause, -1, room.sums)
        assert score_of(world, trial) == score_of(world, again)
        if size_of(trial):
            copy_plan(trial, plan)
        made += 1
    assert made > 20


def _seed(seed: int) -> None:
    np.random.seed(seed)
