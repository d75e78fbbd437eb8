"""Proved bounds: which games have them, how tight they are, and what each covers."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.bellman import MEASURES, ActionCode, RationalSolver, ValueBackup, rounding_slack
from komi.compiling.compiled import CompiledGame
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.reachability_kernel import DEFICIT_UNITS
from komi.graph.sources import GameTransitions
from komi.graph.transitions import GraphCounts
from komi.rules import catalog

import countings
import exact
from slowly import slowly

GAMES = Path(__file__).parents[1] / "games"
RANDOM_GAME = catalog.find(str(GAMES / "random_game.py"))


@pytest.mark.parametrize(
    ("name", "goal"),
    [("piglet", 16), ("piglet", 22), ("piglet", 30), ("piglet", 60), ("piglet", 100), *slowly(("pig", 150))],
)
def test_stalls_that_cost_something_loosen_no_bound(name: str, goal: int) -> None:
    assert komi.solve(name, goal=goal).error_bound <= 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("name", "goal"), [("piglet", 250), ("pig", 300), ("pig", 350), ("pig", 400)])
def test_stalls_that_cost_something_loosen_no_bound_of_long_games(name: str, goal: int) -> None:
    assert komi.solve(name, goal=goal).error_bound <= 1e-9


@pytest.mark.parametrize(
    ("name", "bound"),
    [
        ("pig", 7e-11),
        ("piglet", 1e-11),
        pytest.param("progressive-pig", 1.4e-11, marks=pytest.mark.slow),
        pytest.param("big-pig", 5e-11, marks=pytest.mark.slow),
        pytest.param("two-dice-pig", 2e-12, marks=pytest.mark.slow),
    ],
)
def test_bounds_of_known_games_stay_as_tight_as_they_were(name: str, bound: float) -> None:
    assert komi.solve(name).error_bound <= bound


@pytest.mark.parametrize("back", [False, True])
def test_probabilities_that_are_short_of_one_loosen_the_bound(back: bool) -> None:
    steps = 60 if back else 10_000
    walk = komi.solve(str(GAMES / "coin_walk.py"), steps=steps, back=back, tolerance=1.0)
    assert abs(walk.value() - 0.5) <= walk.error_bound
    assert walk.error_bound > 1e-7


def test_sums_that_only_rounding_keeps_from_one_loosen_no_bound() -> None:
    short = [0.1 + 0.2 + 0.7, 0.3 + 0.6 + 0.1, 1 / 3 + 1 / 3 + 1 / 3, sum([1 / 6] * 6), sum([1 / 49] * 49)]
    deficits = [int(abs(total - 1.0) * DEFICIT_UNITS) for total in short]
    assert len({rounding_slack(GraphCounts(1, 1, 3, 3, 1, deficit), mixing=False) for deficit in [0, *deficits]}) == 1
    rounded = rounding_slack(GraphCounts(1, 1, 3, 3, 1, int(1e-12 * DEFICIT_UNITS)), mixing=False)
    assert 1e-12 <= rounded <= 1.1e-12


@pytest.mark.slow
def test_the_refusal_of_a_duel_that_need_not_begin_names_those_who_wait_and_both_countings() -> None:
    with pytest.raises(komi.SolveError, match=r"the two players together .* from shot=0, .* 0\.4 .* lost, and 0\.6 "):
        komi.solve(str(GAMES / "stand_off.py"))


@pytest.mark.parametrize("seed", range(0, 400, 5))
def test_lengths_of_random_games_are_within_their_bounds(seed: int) -> None:
    """Two policies against each other, and optimal play against itself, beside linear equations in fractions."""
    rules = RANDOM_GAME.rules({"plan": seed, "places": 1 + seed % 8, "ends": 6, "stalls": 3})
    counted = countings.count(RANDOM_GAME, rules)
    if not counted.is_well_defined:
        return
    compiled = CompiledGame(RANDOM_GAME)
    start = counted.states[0]
    states, counts = find_reachable(GameTransitions(compiled, rules), [start])
    mixed = np.full(states.size, ActionCode.UNIFORM, np.int16)
    optimal = np.empty(states.size, np.int16)
    backup = ValueBackup(states.size, counts, RationalSolver(compiled, rules, states), measures=len(MEASURES))
    solve_components(GameTransitions(compiled, rules), states, counts, [start], backup)
    optimal[:] = backup.results.choice
    check_lengths(counted, rules, states, backup, (optimal,))
    actions_alone = ValueBackup(states.size, counts, RationalSolver(compiled, rules, states), measures=1)
    solve_components(GameTransitions(compiled, rules), states, counts, [start], actions_alone)
    assert np.array_equal(actions_alone.results.length[0], backup.results.length[0])
    policies, unproved = (optimal, mixed), RationalSolver(compiled, rules, states)
    backup = ValueBackup(states.size, counts, unproved, policies=policies, measures=len(MEASURES))
    try:
        solve_components(GameTransitions(compiled, rules), states, counts, [start], backup)
    except komi.SolveError:
        return  # they play on for ever
    check_lengths(counted, rules, states, backup, policies)


def check_lengths(counted: Any, rules: Any, states: Any, backup: ValueBackup, policies: tuple[Any, ...]) -> None:
    roles = len(policies)
    places = [(state, role) for state in counted.states for role in range(roles)]
    index = {place: i for i, place in enumerate(places)}
    equations = []
    for state, role in places:
        numbers = list(RANDOM_GAME.part("legal")(rules, state))
        chosen = policies[role][states.index_of(state)]
        taken = numbers if chosen == ActionCode.UNIFORM else [int(chosen)]
        row = [Fraction(0)] * (len(places) + 1)
        row[index[state, role]] += 1
        for action in taken:
            share = Fraction(1, len(taken))
            row[-1] += share * (action >= 0)
            for p, after, passes in RANDOM_GAME.part("outcomes")(rules, state, action):
                if not RANDOM_GAME.part("over")(rules, after):
                    row[index[after, (role + passes) % roles]] -= share * countings.rational(p)
        equations.append(row)
    lengths = exact.eliminated(equations)
    found, bound = backup.results.length[0], float(backup.results.length_bound.max())
    for (state, role), length in zip(places, lengths, strict=True):
        assert abs(Fraction(float(found[states.index_of(state) * roles + role])) - length) <= Fraction(bound), state
