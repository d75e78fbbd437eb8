"""Random games against exact fractions: no bound is broken, and none is refused whose value is well defined."""

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.progress import silent
from komi.rules import catalog
from komi.solvers.stochastic.stochastic_solver import STOCHASTIC

import countings

GAME = catalog.find(str(Path(__file__).parents[1] / "games" / "random_game.py"))
MIXES: list[dict[str, Any]] = [
    {"stalls": 4, "ends": 4},
    {"stalls": 10, "ends": 6, "twins": 40},
    {"stalls": 16, "ends": 8},
    {"stalls": 0, "ends": 3, "twins": 0},
]


def solved(rules: Any, compiled: CompiledGame) -> Any:
    return STOCHASTIC.solve(compiled, rules, [GAME.part("start")(rules)], None, silent)


def games(mix: dict[str, Any], seeds: range) -> Any:
    for seed in seeds:
        rules = GAME.rules({"places": 1 + seed % 8, **mix, "plan": seed})
        yield rules, countings.count(GAME, rules)


def meet(mix: dict[str, Any], seeds: range) -> Counter[str]:
    """Solve the games; count how many were well defined, and how many had exact values."""
    compiled = CompiledGame(GAME)
    met: Counter[str] = Counter()
    for rules, counted in games(mix, seeds):
        met["games"] += 1
        try:
            found = solved(rules, compiled)
        except SolveError:
            assert not (counted.settled and counted.is_well_defined), rules
            continue
        exact = countings.values(counted) if counted.is_well_defined else None
        met["well defined"] += counted.is_well_defined
        met["exact"] += exact is not None
        for i, state in enumerate(counted.states):
            value, bound = float(found.values[found.states.index_of(state)]), found.error_bound
            assert counted.low[i] - bound - 1e-12 <= value <= counted.high[i] + bound + 1e-12, (rules, state)
            if exact:
                assert abs(Fraction(value) - exact[state]) <= Fraction(bound), (rules, state)
    return met


@pytest.mark.parametrize("mix", MIXES, ids=str)
def test_values_of_random_games_are_within_their_bounds_and_well_defined_games_are_solved(mix: dict[str, Any]) -> None:
    met = meet(mix, range(100))
    assert met["well defined"] > 0.3 * met["games"]
    assert met["exact"] > 0.95 * met["well defined"]


@pytest.mark.slow
@pytest.mark.parametrize("mix", MIXES, ids=str)
def test_values_of_many_random_games_are_within_their_bounds(mix: dict[str, Any]) -> None:
    meet(mix, range(1000, 4000))


def test_refusals_say_what_each_counting_of_an_endless_game_gives() -> None:
    compiled = CompiledGame(GAME)
    refusals = 0
    for rules, counted in games(MIXES[0], range(60)):
        if not counted.settled or counted.is_well_defined:
            continue
        with pytest.raises(SolveError, match="depends on what an endless game counts") as refused:
            solved(rules, compiled)
        place, low, high = re.findall(r"place=(\d+), .* worth (\S+) .* lost, and (\S+) ", str(refused.value))[0]
        index = counted.states.index(GAME.module.State(int(place)))
        assert float(low) == pytest.approx(counted.low[index], abs=2e-6)
        assert float(high) == pytest.approx(counted.high[index], abs=2e-6)
        refusals += 1
    assert refusals > 5
