"""Simulated annealing of strategies (S. Kirkpatrick, C. Gelatt and M. Vecchi, Science 1983), in compiled code.

A move edits one to three parts of a strategy. If it then has too many numbers to remember, parts are removed until it
is within the limit.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.jit.kernels import engine_kernels
from komi.teaching.edits import MAX_STEPS, EditBuffers, edit_randomly, optimize_constant, remove_random_part
from komi.teaching.strategy import Strategy
from komi.teaching.strategy_arrays import (
    SearchData,
    StrategyArrays,
    copy_arrays,
    count_clauses,
    count_numbers,
    count_tests,
    decode_strategy,
    empty_arrays,
    encode_strategy,
    penalized_loss,
    update_applies,
)

MAX_EDITS = 3  # in a move
P_ANOTHER_EDIT = 0.35  # probability of one more
P_OPTIMIZE = 0.5  # probability that the constant of another test is optimized, too


class Schedule(NamedTuple):
    """The limits of an annealing run.

    Attributes:
        numbers: the greatest number of numbers to remember.
        moves: the number of moves to try.
        hot, cold: the initial and the final temperature, in loss.
    """

    numbers: int
    moves: int
    hot: float
    cold: float


class BestStrategies(NamedTuple):
    """The best strategy visited for each number of numbers to remember.

    Attributes:
        tests: int64[numbers + 1, ...], as in `StrategyArrays`.
        actions: int64[numbers + 1, clauses + 1], as in `StrategyArrays`.
        losses: float64[numbers + 1], the penalized losses; infinite where there is no strategy.
    """

    tests: I64
    actions: I64
    losses: F64


def anneal(
    data: SearchData, coefficients: Sequence[Fraction], start: Strategy, schedule: Schedule, random: np.random.Generator
) -> list[Strategy]:
    """Search for strategies by simulated annealing; return the best one for each number of numbers to remember.

    Args:
        data: the features, costs and permitted tests.
        coefficients: the coefficients of the data.
        start: the initial strategy.
        schedule: the limits of the run.
        random: the random number generator.
    """
    decisions = data.values.shape[1]
    current, trial = encode_strategy(start, coefficients, decisions), empty_arrays(decisions)
    best = BestStrategies(
        np.zeros((schedule.numbers + 1, *current.tests.shape), np.int64),
        np.zeros((schedule.numbers + 1, *current.actions.shape), np.int64),
        np.full(schedule.numbers + 1, np.inf),
    )
    buffers = EditBuffers(np.empty(decisions), np.empty(decisions), np.empty(MAX_STEPS))
    seed = int(random.integers(2**31))
    engine_kernels()[_anneal](data, current, trial, buffers, schedule, seed, best)
    return [
        decode_strategy(tests, actions, coefficients, data.action_numbers)
        for tests, actions, loss in zip(*best, strict=True)
        if loss < np.inf
    ]


def _anneal(
    data: SearchData,
    current: StrategyArrays,
    trial: StrategyArrays,
    buffers: EditBuffers,
    schedule: Schedule,
    seed: int,
    best: BestStrategies,
) -> None:
    """Fill in the best strategies."""
    np.random.seed(seed)
    for clause in range(count_clauses(current)):
        update_applies(data, current, clause, -1, buffers.sums)
    loss = penalized_loss(data, current)
    _store_if_best(data, current, loss, best)
    for move in range(schedule.moves):
        copy_arrays(current, trial)
        if not _make_move(data, trial, schedule.numbers, buffers):
            continue
        trial_loss = penalized_loss(data, trial)
        temperature = schedule.hot * (schedule.cold / schedule.hot) ** (move / schedule.moves)
        if trial_loss <= loss or np.random.random() < np.exp((loss - trial_loss) / temperature):
            copy_arrays(trial, current)
            loss = trial_loss
            _store_if_best(data, current, loss, best)


def _make_move(data: SearchData, arrays: StrategyArrays, numbers: int, buffers: EditBuffers) -> bool:
    """Make a random move; return whether it succeeded."""
    is_valid = edit_randomly(data, arrays, buffers)
    for _ in range(MAX_EDITS - 1):
        if is_valid and np.random.random() < P_ANOTHER_EDIT:
            is_valid = edit_randomly(data, arrays, buffers)
    while is_valid and count_numbers(data, arrays) > numbers:
        is_valid = remove_random_part(data, arrays, buffers)
    if is_valid and count_clauses(arrays) and np.random.random() < P_OPTIMIZE:
        clause = np.random.randint(count_clauses(arrays))
        optimize_constant(data, arrays, clause, np.random.randint(count_tests(arrays, clause)), buffers)
    return is_valid


def _store_if_best(data: SearchData, arrays: StrategyArrays, loss: float, best: BestStrategies) -> None:
    """Store a strategy if it is the best one with its number of numbers."""
    numbers = count_numbers(data, arrays)
    if numbers < len(best.losses) and loss < best.losses[numbers]:
        best.losses[numbers] = loss
        best.tests[numbers] = arrays.tests
        best.actions[numbers] = arrays.actions
