"""Bounds of games for one player with infinitely many beliefs: the value in exact fractions lies between them."""

import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import komi
from komi.errors import KomiError, SolveError
from komi.progress import silent
from komi.solvers.hidden.point_based import BeliefModel, search_bounds

from slowly import slowly

EXAMPLES = Path(__file__).parents[2] / "examples"
Weights = tuple[Fraction, ...]


class Process:
    """A random process of four states with two observations, exact in binary fractions, so that floats lose nothing."""

    def __init__(self, seed: int) -> None:
        generator = random.Random(seed)
        self.groups = [[0, 1], [2, 3]]
        self.legal = [[0, 1], generator.choice(([0], [1], [0, 1]))]
        self.rewards = [[Fraction(generator.randrange(-4, 5)) for _ in range(4)] for _ in range(2)]
        self.steps = [[self._row(generator) for _ in range(4)] for _ in range(2)]
        self.first = Fraction(generator.randrange(1, 8), 8)

    @staticmethod
    def _row(generator: random.Random) -> list[Fraction]:
        return [Fraction(generator.choice((0, 1, 2)), 16) for _ in range(4)]

    def model(self) -> BeliefModel:
        return BeliefModel(
            np.array(self.rewards, float),
            np.array(self.steps, float),
            [np.array(group) for group in self.groups],
            self.legal,
            [(0, np.array([float(self.first), 1 - float(self.first)]))],
            0.0,
            0.5,
        )

    def value(self, seen: int, weights: Weights, depth: int) -> Fraction:
        """Return the value of a game that stops after some actions, from all ways to play it."""
        if not depth or not any(weights):
            return Fraction(0)
        best = []
        for action in self.legal[seen]:
            pairs = list(zip(self.groups[seen], weights, strict=True))
            total = sum((weight * self.rewards[action][state] for state, weight in pairs), Fraction(0))
            after = [
                sum((weight * self.steps[action][state][i] for state, weight in pairs), Fraction(0)) for i in range(4)
            ]
            for number, group in enumerate(self.groups):
                total += self.value(number, tuple(after[i] for i in group), depth - 1)
            best.append(total)
        return max(best)


@pytest.mark.parametrize("seeds", [range(5), *slowly(range(5, 300))])
def test_the_value_of_all_policies_is_between_the_bounds(seeds: range) -> None:
    for seed in seeds:
        process, depth = Process(seed), 5
        found = search_bounds(process.model(), 1e-9, silent)
        value = process.value(0, (process.first, 1 - process.first), depth)
        rest = Fraction(4, 2**depth) * 2  # rewards of at most 4, and half of the weight remains after each action
        assert value - rest <= Fraction(found.upper)
        assert Fraction(found.lower) <= value + rest
        assert 0 <= found.upper - found.lower <= 1e-9 * max(1.0, abs(found.upper))


def value_on_a_grid(discount: float, hear: float, size: int) -> tuple[float, float]:
    """Bound the value of the tiger from belief 1/2: beliefs after n more growls on one side than on the other."""
    growls = np.arange(-size, size + 1)
    tiger = 1 / (1 + (1 / hear - 1) ** growls)
    heard = tiger * hear + (1 - tiger) * (1 - hear)
    bounds = []
    for edge in (-100 / (1 - discount), 10 / (1 - discount)):
        values = np.full(len(growls), edge)
        for _ in range(2000):
            listened = np.full(len(growls), edge)
            listened[1:-1] = -1 + discount * (heard * np.roll(values, -1) + (1 - heard) * np.roll(values, 1))[1:-1]
            opened = 10 - 110 * np.minimum(tiger, 1 - tiger) + discount * values[size]
            values = np.maximum(opened, listened)
        bounds.append(float(values[size]))
    return bounds[0], bounds[1]


def test_the_endless_tiger_is_worth_what_a_grid_of_its_beliefs_finds() -> None:
    lower, upper = value_on_a_grid(0.75, 0.85, 40)
    assert upper - lower < 1e-9
    solution = komi.solve(EXAMPLES / "endless_tiger.py", discount=0.75)
    assert solution.value() == pytest.approx(lower, abs=solution.error_bound + 1e-9)
    assert solution.error_bound <= 1e-9 * solution.scale


@pytest.mark.slow
def test_the_published_tiger_is_worth_19_37() -> None:
    lower, upper = value_on_a_grid(0.95, 0.85, 400)
    solution = komi.solve(EXAMPLES / "endless_tiger.py")
    assert solution.value() == pytest.approx((lower + upper) / 2, abs=1e-7)
    assert round(solution.value(), 2) == 19.37


def test_other_commands_refuse_what_has_no_list_of_beliefs() -> None:
    with pytest.raises(KomiError, match="imperfect recall"):
        komi.match(EXAMPLES / "endless_tiger.py", "optimal", discount=0.75)


def test_a_game_that_goes_on_for_certain_is_refused(tmp_path: Path) -> None:
    text = (EXAMPLES / "endless_tiger.py").read_text().replace("def discount(", "def unused(")
    path = tmp_path / "endless.py"
    path.write_text(text)
    with pytest.raises(SolveError, match="needs a game that can end after each action"):
        komi.solve(path)
