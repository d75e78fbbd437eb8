"""Components in fractions: who can make play endless, values, and what rounding of probabilities can change."""

import random
from fractions import Fraction
from typing import Any

import pytest

from komi.bellman.rational import InfinitePlay, InfinitePlayError, evaluate, solve_probabilities, solve_rewards
from komi.bellman.rational_graph import MAXIMIZER, MINIMIZER, NO_PLAYER, Action, Graph

ONE, NOTHING = Fraction(1), Fraction(0)


def way(gain: Any, moves: dict[int, Any], number: int = 0) -> Action:
    chances = {node: Fraction(chance) for node, chance in moves.items()}
    return Action(number, chances, Fraction(gain), abs(Fraction(gain)), sum(chances.values()) < 1)


def graph(*nodes: tuple[int, list[Action]]) -> Graph:
    return Graph([(i, 0, True) for i in range(len(nodes))], [n[0] for n in nodes], [n[1] for n in nodes], True, 0.0)


def test_tiny_probabilities_are_solved_exactly() -> None:
    tiny = Fraction(1, 2**50)
    climb = graph((NO_PLAYER, [way(tiny, {1: 1 - tiny})]), (NO_PLAYER, [way(0, {0: 1 - tiny})]))
    exact = solve_probabilities(climb)
    assert exact.low == exact.high == [1 / (2 - tiny), (1 - tiny) / (2 - tiny)]
    assert exact.bound < 1e-13


def test_a_stall_that_costs_something_changes_nothing_and_one_that_is_free_does() -> None:
    costly = graph((MAXIMIZER, [way("7/10", {}), way(0, {1: 1})]), (MINIMIZER, [way("6/10", {}), way(0, {0: 1})]))
    exact = solve_probabilities(costly)
    assert exact.low == exact.high == [Fraction(7, 10), Fraction(6, 10)]
    free = solve_probabilities(graph((MAXIMIZER, [way("7/10", {}), way(0, {1: 1})]), (NO_PLAYER, [way(0, {0: 1})])))
    assert (free.low[0], free.high[0]) == (Fraction(7, 10), ONE)


def test_of_ways_that_are_as_good_the_one_is_taken_that_ends() -> None:
    waiting = graph((MAXIMIZER, [way(0, {0: 1}, 5), way("1/2", {0: "1/2"}, 6)]))
    exact = solve_probabilities(waiting)
    assert exact.low == exact.high == [ONE]
    assert exact.chosen[0].number == 6


@pytest.mark.parametrize(
    ("nodes", "mover", "opponent"),
    [
        ([(MAXIMIZER, [way("2/5", {}), way(0, {0: 1})])], True, False),
        ([(MINIMIZER, [way("2/5", {}), way(0, {0: 1})])], False, True),
        ([(MAXIMIZER, [way("2/5", {}), way(0, {1: 1})]), (MINIMIZER, [way("2/5", {}), way(0, {0: 1})])], False, False),
        ([(MAXIMIZER, [way(0, {0: 1}), way(0, {1: 1})]), (MINIMIZER, [way(0, {1: 1}), way(0, {0: 1})])], True, True),
        (
            [(MAXIMIZER, [way(0, {0: 1}), way("1/9", {1: "8/9"})]), (MINIMIZER, [way(0, {1: 1}), way(1, {})])],
            True,
            True,
        ),
    ],
)
def test_who_can_make_play_endless(nodes: Any, mover: bool, opponent: bool) -> None:
    made = graph(*nodes)
    assert (0 not in made.almost_surely_ending(MINIMIZER)) == mover
    assert (0 not in made.almost_surely_ending(MAXIMIZER)) == opponent
    assert made.endless_nodes(MAXIMIZER, MINIMIZER)


@pytest.mark.parametrize(
    ("ways", "reason"),
    [
        ([way(0, {0: 1})], InfinitePlay.NO_END),
        ([way(1, {}), way("1/1000", {0: 1})], InfinitePlay.UNLIMITED),
        ([way(1, {}), way(0, {0: 1})], InfinitePlay.UNDETERMINED),
    ],
)
def test_gains_without_a_value_are_distinguished(ways: list[Action], reason: int) -> None:
    with pytest.raises(InfinitePlayError) as found:
        solve_rewards(graph((MAXIMIZER, ways)))
    assert found.value.reason == reason


def test_a_step_that_costs_next_to_nothing_is_not_repeated_for_ever() -> None:
    exact = solve_rewards(graph((MAXIMIZER, [way(10**9, {}), way(Fraction(-1, 10**12), {0: 1})])))
    assert exact.low == [10**9]
    assert exact.bound <= 1e-3


def test_rounding_changes_no_value_by_more_than_the_bound() -> None:
    draw = random.Random(1)
    unit = Fraction(1, 2**50)
    for _ in range(40):
        size = draw.randint(1, 5)
        ways, rounded = [], []
        for _ in range(size):
            weights = [Fraction(draw.randint(1, 9), 2 ** draw.choice((0, 40, 90))) for _ in range(size + 2)]
            near = [each * (1 + draw.choice((-1, 1)) * unit) for each in weights]
            for found, shares in ((ways, weights), (rounded, near)):
                total = sum(shares)
                found.append(way(shares[-1] / total, {i: shares[i] / total for i in range(size)}))
        made = graph(*[(NO_PLAYER, [each]) for each in ways])
        exactly, off = (evaluate(each, [one.reward for one in each]) for each in (ways, rounded))
        assert made.error >= 2 * (size + 1) * unit
        assert all(abs(a - b) <= made.error for a, b in zip(exactly, off, strict=True))
        assert solve_probabilities(made).low == exactly
