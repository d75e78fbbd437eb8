"""A game compared with sampled ones: its figures, their distributions, and the errors of these."""

import math
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import komi
from komi.measures.courses import (
    FIGURES,
    LEVELS,
    FigureDistribution,
    course_figures,
    figure_distributions,
    sample_figures,
    share_error,
)
from komi.play.fairness import sample_event
from komi.play.review import course
from komi.play.table import Table
from komi.policies.named import find
from komi.solvers.solution import Solution
from komi.solvers.solve import solve

GAMES = 20_000


@cache
def solution() -> Solution[Any]:
    return solve("piglet", goal=3, komi=1)


@cache
def sampled() -> Any:
    optimal = find("optimal", solution())
    return sample_figures(solution(), optimal, optimal, GAMES)


def test_the_figures_of_a_game_follow_their_definitions() -> None:
    figures = course_figures(np.array([0.5, 0.6, 0.5, 0.4, 0.7, 0.96, 0.9, 1.0]), 1e-9)
    assert figures == pytest.approx({"lead_changes": 2, "surprise": 1.02, "lowest": 0.4, "decisive": 2 / 7})
    lost = course_figures(np.array([0.55, 0.85, 0.2, 0.0]), 1e-9)
    assert lost == pytest.approx({"lead_changes": 1, "surprise": 1.15, "lowest": 0.15, "decisive": 0.0})
    assert set(course_figures(np.array([0.5, 0.7, 0.5]), 1e-9)) == set(FIGURES) - {"lowest"}  # a draw has no winner


def test_mean_figures_of_sampled_games_are_the_measures_of_the_game() -> None:
    measures = komi.measure("piglet", goal=3, komi=1)
    columns = dict(zip(FIGURES, sampled().T, strict=True))
    samples = {
        "lead_changes": columns["lead_changes"],
        "surprise": columns["surprise"],
        "comeback": columns["lowest"] <= measures.comeback_at + 1e-9,
    }
    for name, sample in samples.items():
        error = sample.std(ddof=1) / math.sqrt(GAMES)
        assert abs(sample.mean() - measures[name]) <= 4.0 * error


def test_sampled_games_are_like_those_of_the_referee() -> None:
    policies = find("random", solution()), find("optimal", solution())
    figures, random = sample_figures(solution(), *policies, GAMES), Random(1)
    played = []
    for _ in range(500):
        table = Table(solution().game, solution().rules)
        while not table.is_over:
            if table.waiting == "event":
                table.enter(sample_event(table.events, random.random()).label)
                continue
            assert table.mover is not None
            action = policies[table.mover].choose(table.game, table.rules, table.state, random.random())
            table.enter(table.game.label(table.rules, table.state, action))
        found = course_figures(np.array(course(solution(), table)), solution().error_bound)
        played.append([found[name] for name in FIGURES])
    sample = np.array(played)
    errors = np.sqrt(sample.var(axis=0, ddof=1) / len(sample) + figures.var(axis=0, ddof=1) / GAMES)
    assert np.all(abs(sample.mean(axis=0) - figures.mean(axis=0)) <= 4.0 * errors)


def test_shares_of_games_are_those_of_the_sample() -> None:
    column = np.array([3.0, 1.0, 1.0, 2.0] * LEVELS)
    figures = np.stack([column, column, np.full(len(column), np.nan), column], axis=1)
    found = figure_distributions(figures)
    assert "lowest" not in found
    for value, below, above in (
        (0.0, 0.0, 1.0),
        (1.0, 0.0, 0.5),
        (2.0, 0.5, 0.25),
        (2.5, 0.75, 0.25),
        (3.0, 0.75, 0.0),
    ):
        shares = found["surprise"]
        assert shares.share_below(value) == pytest.approx(below, abs=1.0 / LEVELS)
        assert shares.share_above(value) == pytest.approx(above, abs=1.0 / LEVELS)


def test_two_samples_differ_by_no_more_than_the_stated_error() -> None:
    optimal = find("optimal", solution())
    one, other = (
        figure_distributions(each) for each in (sampled(), sample_figures(solution(), optimal, optimal, GAMES, 2))
    )
    for name in FIGURES:
        for value in one[name].levels[::25]:
            difference = one[name].share_below(value) - other[name].share_below(value)
            assert abs(difference) <= 2.0 * share_error(GAMES)


def test_a_figure_that_differs_by_rounding_is_the_same() -> None:
    shares = FigureDistribution((0.1, 0.2, 0.2, 0.3))
    assert (shares.share_below(0.2 + 1e-12), shares.share_above(0.2 - 1e-12)) == (0.25, 0.25)
