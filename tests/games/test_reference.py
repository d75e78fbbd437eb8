"""The reference solver agrees with what is known otherwise."""

from fractions import Fraction

import pytest

from games import reference
from komi.rules import catalog

import exact


@pytest.mark.parametrize(
    ("payoffs", "value"),
    [
        ([[1, -1], [-1, 1]], 0),
        ([[3, 1], [0, 2]], Fraction(3, 2)),
        ([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], 0),
        ([[2, 3], [1, 4]], 2),
        ([[1, 5, 2], [4, 0, 3]], Fraction(20, 8)),
    ],
)
def test_matrix_games_have_their_known_values(payoffs: list[list[int]], value: object) -> None:
    fractions = [[Fraction(number) for number in row] for row in payoffs]
    found, mix = reference.mixed(fractions)
    assert sum(mix) == 1
    assert found == value


def test_bounds_and_equilibria_of_two_seats_are_exact_values() -> None:
    game = catalog.find("piglet")
    rules = game.rules({"goal": 3})
    exactly = exact.values(game, rules)
    policy = reference.equilibrium(game, rules)
    evaluated = reference.evaluate(game, rules, lambda state: {policy[state]: Fraction(1)})
    for state, (low, high) in reference.bounds(game, rules).items():
        assert low - 1e-12 <= exactly[state] <= high + 1e-12
        if state in evaluated:
            assert evaluated[state][0] == exactly[state]
