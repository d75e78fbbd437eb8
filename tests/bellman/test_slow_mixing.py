"""Textbook chains and games in which play lasts very long are solved, and worth what closed forms say."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, identity
from scipy.sparse.linalg import spsolve
from test_random_games import MIXES, meet

import komi
from games import reference
from games.waiting import CHOICE, COUPONS, SNAKES, URNS, WALK
from komi.bellman.backup import ValueBackup
from komi.evaluation.mixed import match_mixed
from komi.evaluation.two_player import match_two_player
from komi.policies.named import find
from komi.rules import catalog
from komi.transient.roll_backup import RollBackup

import exact

GAMES = Path(__file__).parents[1] / "games"
WALKING, WAITING, TUG = (str(GAMES / f"{name}.py") for name in ("walk", "waiting", "tug"))


def check(solution: Any, exactly: Fraction, state: tuple[int, ...] | None = None) -> None:
    """Check that the value is within its bound, and the bound within the tolerance."""
    assert abs(Fraction(solution.value(state)) - exactly) <= Fraction(solution.error_bound)
    assert solution.error_bound <= 1e-9 * solution.scale


def ruin(up: Fraction, coins: int, goal: int) -> Fraction:
    """Return the probability that a gambler with this many coins reaches the goal, staking one each time."""
    odds = (1 - up) / up
    return Fraction(coins, goal) if odds == 1 else (1 - odds**coins) / (1 - odds**goal)


def test_values_of_random_games_agree_with_fractions(directly: list[bool]) -> None:
    meet(MIXES[0], range(60))
    assert any(directly)


@pytest.mark.slow
@pytest.mark.parametrize("mix", MIXES, ids=str)
def test_values_of_many_random_games_agree_with_fractions(directly: list[bool], mix: dict[str, Any]) -> None:
    meet(mix, range(5000, 6000))
    assert any(directly)


@pytest.fixture
def directly(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Solve cyclic components directly without sweeps; record for each whether that succeeded."""
    done: list[bool] = []
    solve = ValueBackup._solve_directly

    def counted(*arguments: Any) -> bool:
        done.append(solve(*arguments))
        return done[-1]

    monkeypatch.setattr("komi.bellman.backup.FIRST_SWEEPS", 0)
    monkeypatch.setattr(ValueBackup, "_solve_directly", counted)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("up", ["0.5", "0.508", "0.497", "0.1"])
def test_the_gamblers_ruin_is_as_probable_as_the_closed_form_says(up: str) -> None:
    solution = komi.solve(WALKING, up=float(up))
    for coins in (1, 300, 999):
        check(solution, ruin(Fraction(up), coins, 1000), (coins,))


def test_staying_put_nearly_always_changes_nothing() -> None:
    check(komi.solve(WALKING, goal=100, coins=30, stay=0.999), Fraction(3, 10))
    check(komi.solve(WALKING, goal=100, coins=30, stay=0.999999, up=0.52), ruin(Fraction("0.52"), 30, 100))


def test_bold_play_is_best_in_an_unfair_game() -> None:
    solution = komi.solve(WALKING, goal=1024, coins=256, up=0.45, stakes=10)
    check(solution, Fraction(45, 100) ** 2)
    assert solution.best() == "stake 256"


@pytest.mark.slow
def test_timid_play_is_best_in_a_favourable_game() -> None:
    solution = komi.solve(WALKING, goal=1024, coins=100, up=0.502, stakes=10)
    check(solution, ruin(Fraction("0.502"), 100, 1024))
    assert solution.best() == "stake 1"


@pytest.mark.slow
def test_all_play_is_best_in_a_fair_game() -> None:
    check(komi.solve(WALKING, goal=1024, coins=300, stakes=10), Fraction(300, 1024))


@pytest.mark.slow
def test_a_fair_walk_lasts_as_long_as_the_closed_form_says() -> None:
    check(komi.solve(WAITING, chain=WALK, places=1000, place=300), Fraction(300 * 700))


@pytest.mark.slow
def test_coupons_are_collected_in_the_time_that_harmonic_numbers_say() -> None:
    check(komi.solve(WAITING, chain=COUPONS, places=500, place=0), 500 * sum(Fraction(1, k) for k in range(1, 501)))


@pytest.mark.slow
def test_an_urn_fills_in_the_time_of_births_and_deaths() -> None:
    balls, step, exactly = 25, Fraction(0), Fraction(0)
    for place in range(balls):
        step = (balls + place * step) / (balls - place)
        exactly += step
    assert exactly > 2**balls
    check(komi.solve(WAITING, chain=URNS, places=balls, place=0), exactly)


def snakes(squares: int) -> float:
    """Compute the expected throws of snakes and ladders with a sparse solver."""
    rules = catalog.find(WAITING).rules({"chain": SNAKES, "places": squares})
    landed = catalog.find(WAITING).module.landed
    places = [(place, landed(rules, place, face)) for place in range(squares) for face in range(1, 7)]
    rows, columns = np.array([each for each in places if each[1] < squares]).T
    chances = csr_array((np.full(len(rows), 1 / 6), (rows, columns)), shape=(squares, squares))
    return float(spsolve((identity(squares, format="csr") - chances).tocsc(), np.ones(squares))[0])


@pytest.mark.parametrize("squares", [1000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_snakes_and_ladders_take_as_long_as_a_sparse_solver_says(squares: int) -> None:
    solution = komi.solve(WAITING, chain=SNAKES, places=squares, place=0)
    assert solution.value() == pytest.approx(snakes(squares), rel=1e-9)
    assert solution.error_bound <= 1e-9 * solution.scale


@pytest.mark.slow
def test_a_hundred_thousand_states_are_proved_to_the_tolerance() -> None:
    check(komi.solve(WALKING, goal=100_000, coins=30_000), Fraction(3, 10))
    check(komi.solve(WALKING, goal=100_000, coins=30_000, up=0.50001), ruin(Fraction("0.50001"), 30_000, 100_000))
    check(komi.solve(WAITING, chain=WALK, places=100_000, place=30_000), Fraction(30_000 * 70_000))


def test_lengths_of_slow_play_are_proved() -> None:
    found = komi.match(WALKING, "optimal", coins=400)
    assert abs(Fraction(found.value) - Fraction(2, 5)) <= Fraction(found.error_bound) <= 1e-9
    drawn = komi.match(WALKING, "random", goal=512, coins=100, stakes=9)
    assert abs(Fraction(drawn.value) - Fraction(100, 512)) <= Fraction(drawn.error_bound) <= 1e-9
    assert drawn.length_error_bound <= 1e-9 * drawn.actions


def test_the_fewest_steps_of_a_walk_with_choices_are_those_in_fractions(directly: list[bool]) -> None:
    game = catalog.find(WAITING)
    rules = game.rules({"chain": CHOICE, "places": 30, "place": 11})
    solution = komi.solve(game, chain=CHOICE, places=30, place=11)
    assert directly == [True]
    for state, value in reference.solve_one_seat(game, rules).items():
        assert abs(Fraction(solution.value(tuple(state))) - value) <= solution.error_bound


@pytest.mark.slow
def test_the_value_of_a_slow_game_agrees_with_fractions(directly: list[bool]) -> None:
    game = catalog.find(TUG)
    solution = komi.solve(game, length=12)
    assert directly == [True]
    for state, value in exact.values(game, game.rules({"length": 12})).items():
        assert abs(Fraction(solution.value(tuple(state))) - value) <= Fraction(solution.error_bound)


@pytest.mark.slow
def test_a_long_game_of_two_is_solved_and_its_strategy_gets_its_value() -> None:
    solution = komi.solve(TUG, length=500)
    assert solution.error_bound <= 1e-9
    found = komi.match(TUG, "optimal", "optimal", length=500)
    assert found.first.wins == pytest.approx(solution.value(), abs=solution.error_bound + found.error_bound)
    assert found.expected_actions > 100_000


@pytest.mark.slow
def test_equal_actions_that_take_ten_times_as_long_make_a_range_however_long_play_is() -> None:
    found = komi.match(TUG, "optimal", "optimal", length=100, fair=True)
    assert found.first.wins == pytest.approx(0.5, abs=1e-9)
    assert found.expected_actions_range == pytest.approx((100**2, 10 * 100**2), rel=1e-9)


@pytest.mark.slow
def test_a_slow_match_of_mixed_strategies_is_the_match_of_the_same_policies() -> None:
    solution = komi.solve(TUG, length=300, fair=True)
    drawn = find("random", solution)
    mixed, plain = match_mixed(solution, drawn, drawn), match_two_player(solution, drawn, drawn)
    assert mixed.error_bound <= 1e-9
    assert mixed.first.wins == pytest.approx(plain.first.wins, abs=1e-9)
    assert mixed.expected_actions == pytest.approx(plain.expected_actions, rel=1e-9)


@pytest.mark.slow
def test_slow_rolls_are_solved_directly_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two who pull one step in every second turn, and can let go, win as often as in a walk of both."""
    monkeypatch.setattr("komi.bellman.backup.FIRST_SWEEPS", 0)
    done = []
    solve = RollBackup._solve_directly
    monkeypatch.setattr(RollBackup, "_solve_directly", lambda *given: done.append(solve(*given)) or done[-1])
    check(komi.solve(str(GAMES / "dawdling.py"), length=100), Fraction(200, 399))
    assert done == [True]


def test_bounds_that_come_from_later_states_need_no_rational_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Hog chance adds up 30 dice, and what is added to the error bound of the states that follow is small."""
    exactly: list[Any] = []
    monkeypatch.setattr(ValueBackup, "_solve_exactly", lambda *given: exactly.append(given) or True)
    found = komi.match("hog", "random", "optimal", goal=25)
    assert not exactly
    assert found.error_bound < 1e-9
