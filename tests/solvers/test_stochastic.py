"""What must hold of the values of any race."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import komi
from komi.rules import catalog
from komi.rules.enumeration import explore
from komi.rules.interpreter import Interpreter
from komi.solvers.solve import solve_by
from komi.solvers.stochastic.stochastic_solver import STOCHASTIC

import rulefiles
from slowly import slowly

GAMES = Path(__file__).parents[1] / "games"
RANDOM_RACE = catalog.find(str(GAMES / "random_race.py"))


@pytest.mark.parametrize(("name", "goal"), [("piglet", 12), *slowly(("pig", 25), ("two-dice-pig", 20))])
def test_more_komi_never_helps_the_first_player(name: str, goal: int) -> None:
    values = [komi.solve(name, goal=goal, komi=points).value() for points in range(goal)]
    assert all(more <= less + 2e-9 for less, more in itertools.pairwise(values))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"way": 30_000, "first": 20_000, "last": 500},
        {"first": 20_000, "last_but_one": 9000, "last": 60_000},
    ],
    ids=str,
)
def test_components_of_any_size_may_follow_each_other(sizes: dict[str, int]) -> None:
    for _ in range(3):
        rings = komi.solve(str(GAMES / "rings.py"), fresh=True, **sizes)
        assert rings.value() == pytest.approx(0.5 + 3.0**-7 / 2, abs=rings.error_bound + 1e-15)


def test_a_start_too_wide_to_store_is_refused(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, ("return State(0, 0, 0)", "return State(0, -(1 << 62) - 1, 0)"))
    with pytest.raises(komi.SolveError, match="'rival' reaches -4611686018427387905; 'rival' takes 64 of the 64 bits"):
        komi.solve(str(path))


def test_best_action_has_the_value_of_the_state() -> None:
    pig = komi.solve("pig", goal=20)
    for state in ("", "turn=5", "score=12,rival=15,turn=4", "rival=19"):
        assert max(pig.actions(state).values()) == pytest.approx(pig.value(state), abs=2 * pig.error_bound + 1e-12)


def test_opponent_of_a_sure_winner_has_no_chance() -> None:
    pig = komi.solve("pig", goal=20)
    assert pig.value("score=15,turn=5") == 1.0
    assert pig.value("score=0,rival=20") == 0.0


def test_states_that_play_cannot_reach_are_solved_when_requested() -> None:
    pig = komi.solve("pig", goal=20, komi=3)
    unreachable = "score=1,rival=1,turn=0"
    assert pig.value(unreachable) == pytest.approx(komi.solve("pig", goal=20).value("score=1,rival=1"), abs=2e-9)


def test_values_are_proved_to_the_tolerance_or_refused() -> None:
    with pytest.raises(komi.SolveError, match=r"proved only to .* a tolerance of .* accepts them"):
        komi.solve("pig", goal=15, tolerance=1e-18)


@pytest.mark.slow
@settings(max_examples=100)
@given(seed=st.integers(0, 10**6), places=st.integers(1, 12), spread=st.integers(0, 3))
def test_random_races_with_cycles_and_stalls_are_bracketed_or_refused(seed: int, places: int, spread: int) -> None:
    """Plain value iteration, endless games lost and endless games won, closes in on any value that is proved."""
    rules: dict[str, Any] = {"plan": seed, "places": places, "spread": spread}
    bracket = low, high = brackets(rules)
    try:
        solution = solve_by(STOCHASTIC, RANDOM_RACE, RANDOM_RACE.rules(rules))  # some are without chance
    except komi.SolveError:
        return
    assert low - solution.error_bound - 1e-12 <= solution.value() <= high + solution.error_bound + 1e-12, bracket


def brackets(rules: dict[str, Any], sweeps: int = 300) -> tuple[float, float]:
    """Compute bounds on the first player's payoff: endless games lost, and endless games won."""
    game, chosen = RANDOM_RACE, RANDOM_RACE.rules(rules)
    walked, _ = explore(Interpreter(game, chosen), 1000)
    places = list(itertools.product(walked, (0, 1)))
    index = {place: i for i, place in enumerate(places)}
    rows, ends = [], []
    for state, seat in places:
        for move in walked[state]:
            row = np.zeros(len(places))
            for probability, after, passes in move.outcomes:
                row[index[after, (seat + passes) % 2]] += probability
            rows.append(row)
        ends.append(len(rows))
    first = [0, *ends[:-1]]
    matrix = np.array(rows)
    bounds = []
    for endless in (0.0, 1.0):
        values = np.array([paid(chosen, *place, endless) for place in places])
        for _ in range(sweeps):
            worth = matrix @ values
            for i, (_, seat) in enumerate(places):
                if ends[i] > first[i]:
                    values[i] = (min if seat else max)(worth[first[i] : ends[i]])
        bounds.append(float(values[0]))
    return bounds[0], bounds[1]


def paid(rules: Any, state: Any, seat: int, endless: float) -> float:
    """Return the first player's payoff if the game is over; otherwise what an endless game counts."""
    if not RANDOM_RACE.part("over")(rules, state):
        return endless
    payoff = float(RANDOM_RACE.part("payoff")(rules, state))
    return 1.0 - payoff if seat else payoff


def test_a_sure_winner_may_wait(tmp_path: Path) -> None:
    """Whoever has rolled enough may wait as long as they like before they hold: that is worth 1 however it counts."""
    path = rulefiles.write(
        tmp_path,
        ('("roll", "hold")', '("roll", "hold", "wait")'),
        ("        yield ROLL\n", "        yield ROLL\n    else:\n        yield 2\n"),
        (
            "    yield 1 / 3, State(rival",
            "    if action == 2:\n        yield 1.0, state, 0\n        return\n    yield 1 / 3, State(rival",
        ),
    )
    assert komi.solve(str(path)).value("turn=5") == 1.0
