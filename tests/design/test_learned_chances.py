"""Chances learned from counts: the policy for their mean, and what it loses where the truth differs."""

from typing import Any

import pytest

import komi
from komi.errors import InputError
from komi.evaluation.two_player import match_two_player
from komi.policies.named import find
from komi.policies.table import TablePolicy

COUNTS = {"right": 6, "left": 3, "razorback": 2, "trotter": 1}
GOAL = 40


@pytest.fixture(scope="module")
def learned() -> komi.LearnedChances:
    return komi.learn_chances("pass-the-pigs", COUNTS, draws=5, seed=3, goal=GOAL)


@pytest.mark.slow
def test_the_chances_are_those_of_the_counts_and_one_throw_more_of_each(learned: komi.LearnedChances) -> None:
    assert learned.chances["right"] == pytest.approx(7 / 18)
    assert learned.chances["jowler"] == pytest.approx(1 / 18)
    assert sum(learned.chances.values()) == pytest.approx(1)
    weights = {name: COUNTS.get(name, 0) + 1.0 for name in learned.chances}
    assert learned.solution.value() == pytest.approx(
        komi.solve("pass-the-pigs", goal=GOAL, **weights).value(), abs=1e-9
    )


def test_each_draw_is_what_solving_and_matching_say(learned: komi.LearnedChances) -> None:
    policy = TablePolicy("learned", learned.solution.optimal_play.states, learned.solution.optimal_play.choices)
    for draw in learned.draws[:2]:
        truth = komi.solve("pass-the-pigs", goal=GOAL, **{name: 1e6 * chance for name, chance in draw.chances.items()})
        assert draw.first == pytest.approx(truth.value(), abs=1e-8)
        assert draw.average == pytest.approx(match_two_player(truth, policy, find("optimal", truth)).average, abs=1e-8)


def test_a_seed_gives_the_same_draws_however_many_work(learned: komi.LearnedChances) -> None:
    again = komi.learn_chances("pass-the-pigs", COUNTS, draws=5, seed=3, goal=GOAL, workers=1)
    assert again.draws == learned.draws
    other = komi.learn_chances("pass-the-pigs", COUNTS, draws=2, seed=4, goal=GOAL)
    assert other.draws[0] != learned.draws[0]


def test_more_throws_lose_less_and_narrow_the_interval(learned: komi.LearnedChances) -> None:
    many = {name: 100 * count for name, count in COUNTS.items()}
    sure = komi.learn_chances("pass-the-pigs", many, draws=5, seed=3, goal=GOAL)
    assert -1e-9 <= sure.loss < learned.loss
    assert sure.first[1] - sure.first[0] < learned.first[1] - learned.first[0]


@pytest.mark.parametrize(
    ("counts", "more", "message"),
    [
        ({"right": -1}, {}, "from 0 to"),
        ({"right": 1.5}, {}, "whole number"),
        ({"right": 0, "left": 0}, {}, "all zero"),
        ({}, {}, "there are no counts"),
        ({"ear": 3}, {}, "has no chance 'ear'"),
        (COUNTS, {"prior": 0.0}, "prior"),
        (COUNTS, {"draws": 1}, "draws"),
        (COUNTS, {"seed": -1}, "seed"),
        (COUNTS, {"credible": 1.0}, "credible"),
        (COUNTS, {"right": 5.0}, "is learned"),
    ],
)
def test_counts_that_make_no_sense_are_refused_in_one_sentence(
    counts: dict[str, Any], more: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        komi.learn_chances("pass-the-pigs", counts, **more)


def test_a_game_whose_chances_are_fixed_has_none_to_learn() -> None:
    with pytest.raises(InputError, match="has no chances to learn"):
        komi.learn_chances("pig", {"right": 1})


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ("right=two", "must be a whole number"),
        ("right", "name=number"),
        ("right=1,right=2", "twice"),
        ("right=-5,left=3", "from 0 to"),
        ("right=0", "all zero"),
        ("ear=3", "no chance"),
    ],
)
def test_the_command_refuses_an_invalid_count_in_one_sentence(run: Any, counts: str, message: str) -> None:
    answer = run("learn-chances", "pass-the-pigs", "--counts", counts)
    assert answer.code == 2
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_the_command_says_what_was_learned(run: Any) -> None:
    arguments = [
        "learn-chances",
        "pass-the-pigs",
        "--counts",
        "right=30,left=20",
        "--draws",
        "2",
        "--set",
        f"goal={GOAL}",
    ]
    answer = run(*arguments, "--json").solution
    assert answer["counts"]["jowler"] == 0
    assert answer["first"][0] <= answer["first"][1]
    assert "on average" in run(*arguments).out
