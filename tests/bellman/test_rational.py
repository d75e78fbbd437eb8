"""Components in fractions: who can make play endless, values, and what rounding of probabilities can change."""

import random
from fractions import Fraction
from typing import Any

import pytest

from komi.bellman.rational import (
    EVEN,
    GAINING,
    LEAST,
    MOST,
    NOBODY,
    TRAPPED,
    Graph,
    InfinitePlayError,
    Way,
    evaluate,
    solve_chances,
    solve_gains,
)

ONE, NOTHING = Fraction(1), Fraction(0)


def way(gain: Any, moves: dict[int, Any], number: int = 0) -> Way:
    chances = {node: Fraction(chance) for node, chance in moves.items()}
    return Way(number, chances, Fraction(gain), abs(Fraction(gain)), sum(chances.values()) < 1)


def graph(*nodes: tuple[int, list[Way]]) -> Graph:
    return Graph([(i, 0, True) for i in range(len(nodes))], [n[0] for n in nodes], [n[1] for n in nodes], True, 0.0)


def test_a_chance_of_two_to_the_minus_fifty_is_no_less_sure() -> None:
    tiny = Fraction(1, 2**50)
    climb = graph((NOBODY, [way(tiny, {1: 1 - tiny})]), (NOBODY, [way(0, {0: 1 - tiny})]))
    exact = solve_chances(climb)
    assert exact.low == exact.high == [1 / (2 - tiny), (1 - tiny) / (2 - tiny)]
    assert exact.bound < 1e-13


def test_a_stall_that_costs_something_changes_nothing_and_one_that_is_free_does() -> None:
    costly = graph((MOST, [way("7/10", {}), way(0, {1: 1})]), (LEAST, [way("6/10", {}), way(0, {0: 1})]))
    exact = solve_chances(costly)
    assert exact.low == exact.high == [Fraction(7, 10), Fraction(6, 10)]
    free = solve_chances(graph((MOST, [way("7/10", {}), way(0, {1: 1})]), (NOBODY, [way(0, {0: 1})])))
    assert (free.low[0], free.high[0]) == (Fraction(7, 10), ONE)


def test_of_ways_that_are_as_good_the_one_is_taken_that_ends() -> None:
    waiting = graph((MOST, [way(0, {0: 1}, 5), way("1/2", {0: "1/2"}, 6)]))
    exact = solve_chances(waiting)
    assert exact.low == exact.high == [ONE]
    assert exact.chosen[0].number == 6


@pytest.mark.parametrize(
    ("nodes", "mover", "opponent"),
    [
        ([(MOST, [way("2/5", {}), way(0, {0: 1})])], True, False),
        ([(LEAST, [way("2/5", {}), way(0, {0: 1})])], False, True),
        ([(MOST, [way("2/5", {}), way(0, {1: 1})]), (LEAST, [way("2/5", {}), way(0, {0: 1})])], False, False),
        ([(MOST, [way(0, {0: 1}), way(0, {1: 1})]), (LEAST, [way(0, {1: 1}), way(0, {0: 1})])], True, True),
        ([(MOST, [way(0, {0: 1}), way("1/9", {1: "8/9"})]), (LEAST, [way(0, {1: 1}), way(1, {})])], True, True),
    ],
)
def test_who_can_make_play_endless(nodes: Any, mover: bool, opponent: bool) -> None:
    made = graph(*nodes)
    assert (0 not in made.surely_ending(LEAST)) == mover
    assert (0 not in made.surely_ending(MOST)) == opponent
    assert made.holding(MOST, LEAST)


@pytest.mark.parametrize(
    ("ways", "how"),
    [
        ([way(0, {0: 1})], TRAPPED),
        ([way(1, {}), way("1/1000", {0: 1})], GAINING),
        ([way(1, {}), way(0, {0: 1})], EVEN),
    ],
)
def test_gains_without_a_value_are_told_apart(ways: list[Way], how: int) -> None:
    with pytest.raises(InfinitePlayError) as found:
        solve_gains(graph((MOST, ways)))
    assert found.value.how == how


def test_a_step_that_costs_next_to_nothing_is_not_repeated_for_ever() -> None:
    exact = solve_gains(graph((MOST, [way(10**9, {}), way(Fraction(-1, 10**12), {0: 1})])))
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
        made = graph(*[(NOBODY, [each]) for each in ways])
        exactly, off = (evaluate(each, [[one.gain for one in each]])[0] for each in (ways, rounded))
        assert made.error >= 2 * (size + 1) * unit
        assert all(abs(a - b) <= made.error for a, b in zip(exactly, off, strict=True))
        assert solve_chances(made).low == exactly
