"""Simulated annealing of strategies (S. Kirkpatrick, C. Gelatt and M. Vecchi, Science 1983), in compiled code.

A move changes one to three parts of a strategy. If it then has too many numbers, parts are dropped until it is within
the limit.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from komi.jit.kernels import engine_kernels
from komi.teaching.edits import MAX_STEPS, Buffers, drop, edit, settle
from komi.teaching.strategy import Strategy
from komi.teaching.strategy_arrays import (
    SearchData,
    copy_plan,
    empty_plan,
    mark,
    numbers_of,
    plan_of,
    score_of,
    size_of,
    strategy_of,
    tests_of,
)

MAX_EDITS = 3  # in a move
MORE = 0.35  # probability of one more
AGAIN = 0.5  # probability that another test is optimized, too


def anneal(
    world: SearchData,
    coefficients: Sequence[Fraction],
    start: Strategy,
    numbers: int,
    moves: int,
    heat: tuple[float, float],
    random: np.random.Generator,
) -> list[Strategy]:
    """Search for strategies by simulated annealing; return the best one for each number of numbers.

    Args:
        world: the features, costs and permitted tests.
        coefficients: the coefficients of the world.
        start: the initial strategy.
        numbers: the greatest number of numbers to remember.
        moves: the number of moves to try.
        heat: the initial and the final temperature, in loss.
        random: the random number generator.
    """
    decisions = world.values.shape[1]
    now, trial = plan_of(start, coefficients, decisions), empty_plan(decisions)
    best_tests = np.zeros((numbers + 1, *now.tests.shape), np.int64)
    best_actions = np.zeros((numbers + 1, *now.actions.shape), np.int64)
    scores = np.full(numbers + 1, np.inf)
    room = Buffers(np.empty(decisions), np.empty(decisions), np.empty(MAX_STEPS))
    seed = int(random.integers(2**31))
    engine_kernels()[_anneal](world, now, trial, room, numbers, moves, *heat, seed, best_tests, best_actions, scores)
    return [
        strategy_of(tests, actions, coefficients, world.counted)
        for tests, actions, score in zip(best_tests, best_actions, scores, strict=True)
        if score < np.inf
    ]


def _anneal(
    world: Any,
    now: Any,
    trial: Any,
    room: Any,
    numbers: int,
    moves: int,
    hot: float,
    cold: float,
    seed: int,
    best_tests: Any,
    best_actions: Any,
    scores: Any,
) -> None:
    """Fill in the best plan for each number of numbers, and its score."""
    np.random.seed(seed)
    for clause in range(size_of(now)):
        mark(world, now, clause, -1, room.sums)
    score = score_of(world, now)
    _keep(world, now, score, best_tests, best_actions, scores)
    for move in range(moves):
        copy_plan(now, trial)
        if not _changed(world, trial, numbers, room):
            continue
        other = score_of(world, trial)
        temperature = hot * (cold / hot) ** (move / moves)
        if other <= score or np.random.random() < np.exp((score - other) / temperature):
            copy_plan(trial, now)
            score = other
            _keep(world, now, score, best_tests, best_actions, scores)


def _changed(world: Any, plan: Any, numbers: int, room: Any) -> bool:
    """Make a random move; return whether it succeeded."""
    works = edit(world, plan, room)
    for _ in range(MAX_EDITS - 1):
        if works and np.random.random() < MORE:
            works = edit(world, plan, room)
    while works and numbers_of(world, plan) > numbers:
        works = drop(world, plan, room)
    if works and size_of(plan) and np.random.random() < AGAIN:
        clause = np.random.randint(size_of(plan))
        settle(world, plan, clause, np.random.randint(tests_of(plan, clause)), room)
    return works


def _keep(world: Any, plan: Any, score: float, best_tests: Any, best_actions: Any, scores: Any) -> None:
    """Store a plan if it is the best one with its number of numbers."""
    numbers = numbers_of(world, plan)
    if numbers < len(scores) and score < scores[numbers]:
        scores[numbers] = score
        best_tests[numbers] = plan.tests
        best_actions[numbers] = plan.actions
