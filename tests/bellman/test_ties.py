"""Of actions that are worth the same the one is taken that ends: reported strategies attain the reported values."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import komi
from games import reference
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError, SolveError
from komi.rules import catalog
from komi.solvers.simultaneous.mixed_solver import SimultaneousSolution
from komi.solvers.solve import solve_without_storing

from slowly import slowly

GAMES = Path(__file__).parents[1] / "games"
CHOICE = catalog.find(str(GAMES / "random_choice.py"))
WAITING = str(GAMES / "waiting_or_winning.py")


def rules_of(seed: int) -> Any:
    return CHOICE.rules({"plan": seed, "places": 1 + seed % 5, "waits": (0, 16, 32)[seed % 3], "ends": 2 + seed % 2})


def play_reported(seeds: range) -> int:
    """Play the reported strategies of games with simultaneous choice; return in how many."""
    compiled = CompiledGame(CHOICE)
    played = 0
    for seed in seeds:
        rules = rules_of(seed)
        try:
            solution = solve_without_storing(compiled, rules)
        except SolveError:
            continue
        if not isinstance(solution, SimultaneousSolution):
            continue
        start = CHOICE.part("start")(rules)
        values = reference.evaluate(CHOICE, rules, lambda state, solution=solution: mix(solution, state))[start]
        assert abs(Fraction(solution.value()) - values[0]) <= Fraction(solution.error_bound) + Fraction(1, 10**12), (
            rules
        )
        played += 1
    return played


def mix(solution: Any, state: Any) -> dict[int, Fraction]:
    labels, shares = solution.game.labels(solution.rules, state), solution.mixed(tuple(state))
    total = sum(map(Fraction, shares.values()))
    return {labels[label]: Fraction(share) / total for label, share in shares.items() if share > 0.0}


@pytest.mark.slow
def test_strategies_of_choice_at_the_same_time_attain_the_reported_value() -> None:
    assert play_reported(range(40)) > 7


@pytest.mark.slow
def test_strategies_of_many_games_of_choice_at_the_same_time_attain_the_reported_value() -> None:
    assert play_reported(range(1000, 4000)) > 500


@pytest.mark.slow
def test_optimal_play_of_a_game_that_may_wait_for_ever_is_matched_with_itself(run: Any) -> None:
    settings = [f"{name}={value}" for name, value in rules_of(12)._asdict().items()]
    played = run(
        "match", GAMES / "random_choice.py", "optimal", "optimal", *(x for s in settings for x in ("--set", s))
    )
    assert played.code == 0, played.err
    assert "Proved" in played.out


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_the_best_action_ends_where_waiting_is_as_good(seats: int) -> None:
    solution = komi.solve(WAITING, seats=seats)
    assert solution.value() == pytest.approx(1.0)
    assert solution.best() == "toss"
    assert solution.action_values()[0].label == "toss"
    assert solution.actions()["wait"] == pytest.approx(1.0)
    chosen = solution.optimal_action(solution.read(None))
    assert solution.game.module.actions[chosen] == "toss"


@pytest.mark.parametrize("seats", [2, *slowly(1, 3)])
def test_optimal_play_is_matched_where_waiting_is_as_good_as_winning(run: Any, seats: int) -> None:
    played = run("match", WAITING, *["optimal"] * seats, "--set", f"seats={seats}")
    assert played.code == 0, played.err
    assert "2.000" in played.out  # tosses on average


@pytest.mark.slow
def test_a_choice_that_changes_nothing_hides_nothing() -> None:
    solution = komi.solve(str(GAMES / "chosen_in_vain.py"))
    assert solution.value() == pytest.approx(0.5)
    assert list(solution.mixed("turn=1").values()) == pytest.approx([0.5, 0.5])


@pytest.mark.slow
def test_games_that_hide_more_than_one_choice_are_solved_as_games_with_hidden_information() -> None:
    game = str(GAMES / "two_ways.py")
    assert komi.solve(game).value() == pytest.approx(2 / 3)
    with pytest.raises(
        GameError, match=r"states with the same view, stage=2,cup=1,won=0, have different legal actions"
    ):
        komi.solve(game, thrown=False, asks=True)
    assert komi.solve(game, thrown=False).value() == pytest.approx(0.5)
