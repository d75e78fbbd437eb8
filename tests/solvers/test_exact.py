"""The solver against the independent solution in exact fractions."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import komi

import exact

SMALL = [
    ("pig", {"goal": 10}),
    ("pig", {"goal": 7, "sides": 4, "komi": 2}),
    ("piglet", {"goal": 2}),
    ("piglet", {"goal": 10}),
    ("progressive-pig", {"goal": 8}),
    ("two-dice-pig", {"goal": 14}),
    ("big-pig", {"goal": 14}),
    ("fowl-play", {"goal": 4, "wolves": 2, "chickens": 4}),
    ("fowl-play", {"goal": 5, "wolves": 2, "chickens": 5, "komi": 1}),
    ("fowl-play", {"goal": 6, "wolves": 1, "chickens": 3}),
    ("red-light", {"goal": 5, "red": 3, "green": 4}),
]
PIGLET = {"P000": "4/7", "P001": "5/7", "P010": "2/5", "P011": "3/5", "P100": "4/5", "P110": "2/3"}

cases = pytest.mark.parametrize(("name", "rules"), SMALL, ids=str)


@cache
def exact_values(name: str, rules: tuple[tuple[str, int], ...]) -> exact.Values:
    game = komi.find(name)
    return exact.values(game, game.rules(dict(rules)))


@cases
def test_error_bound_covers_the_distance_from_exact_values_in_every_state(name: str, rules: dict[str, Any]) -> None:
    solution = komi.solve(name, **rules)
    for state, value in exact_values(name, tuple(rules.items())).items():
        assert abs(Fraction(solution.value(tuple(state))) - value) <= Fraction(solution.error_bound), state


@cases
def test_best_action_is_one_of_the_best(name: str, rules: dict[str, Any]) -> None:
    solution = komi.solve(name, **rules)
    values = exact_values(name, tuple(rules.items()))
    game = solution.game
    for state, value in values.items():
        best = solution.best(tuple(state))
        if best is not None:
            action = game.labels(solution.rules, state)[best]
            outcomes = game.outcomes(solution.rules, state, action)
            worth = exact.worth([(exact.rational(p), after, bool(q % 2)) for p, after, q in outcomes], values)
            assert value - worth <= 4 * Fraction(solution.error_bound)


@pytest.mark.parametrize(("point", "value"), PIGLET.items())
def test_piglet_with_two_points_has_the_published_fractions(point: str, value: str) -> None:
    score, rival, turn = map(int, point[1:])
    piglet = komi.solve("piglet", goal=2)
    state = piglet.game.module.State(score=score, rival=rival, turn=turn)
    assert abs(piglet.value(state) - float(Fraction(value))) < 1e-12
    assert exact_values("piglet", (("goal", 2),))[state] == Fraction(value)


def test_every_state_of_the_exact_solution_is_one_of_the_solver() -> None:
    pig = komi.solve("pig", goal=10)
    values = exact_values("pig", (("goal", 10),))
    assert pig.states == sum(not pig.game.part("over")(pig.rules, state) for state in values)
