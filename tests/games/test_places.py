"""The protocol has a place for each kind of game: a tiny one of each runs, compiles and is found sound."""

from pathlib import Path

import pytest

import komi
from komi.rules.enumeration import sample_states
from komi.rules.interpreter import Interpreter

import exact

FOLDER = Path(__file__).parent
SOLVED = ("forced_roll", "two_dice_kept")
DRAWN = ("shuttle",)  # without chance, and it can go on for ever
OF_OTHER_SEATS = ("skipping", "last_match", "best_of_turns", "matching_pennies")  # four, three, one; two at once


def tiny(name: str) -> komi.Game:
    return komi.find(str(FOLDER / f"{name}.py"))


@pytest.mark.parametrize("name", [*SOLVED, *DRAWN, *OF_OTHER_SEATS])
def test_random_play_comes_to_an_end(name: str) -> None:
    game = tiny(name)
    interpreter = Interpreter(game, game.default_rules)
    walked = sample_states(interpreter, 500)
    assert not interpreter.problems
    assert any(game.part("over")(game.default_rules, state) for state in walked)


@pytest.mark.parametrize(
    "name",
    [
        "forced_roll",
        *OF_OTHER_SEATS[2:],
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("two_dice_kept", *DRAWN, *OF_OTHER_SEATS[:2])),
    ],
)
def test_check_proves_all_of_games_that_are_solved(name: str) -> None:
    report = komi.check(tiny(name))
    assert report.ok, report.problems
    assert not report.unproved


@pytest.mark.parametrize("name", ["forced_roll", pytest.param("two_dice_kept", marks=pytest.mark.slow)])
def test_solver_agrees_with_exact_fractions(name: str) -> None:
    solution = komi.solve(tiny(name))
    for state, value in exact.values(solution.game, solution.rules).items():
        assert abs(solution.value(tuple(state)) - float(value)) <= solution.error_bound + 1e-15


@pytest.mark.parametrize("players", [1, 2, 5])
def test_as_many_play_as_the_rules_say(players: int) -> None:
    game = tiny("last_match")
    rules = game.rules({"players": players})
    assert game.players(rules) == players
    payoffs = game.payoffs(rules, game.module.State(0))
    assert payoffs == (0.0,) * (players - 1) + (1.0,)


def test_second_player_cannot_see_what_the_first_has_chosen() -> None:
    game = tiny("matching_pennies")
    heads, tails = (game.module.State(chosen, 0) for chosen in (1, 2))
    assert game.part("view")((), heads) == game.part("view")((), tails)


def test_a_game_of_any_number_of_players_is_solved_for_two() -> None:
    matches = komi.solve(tiny("last_match"), players=2, matches=7)
    values = [matches.value(f"left={left}") for left in range(8)]
    assert values == ["loss", "win", "win", "loss", "win", "win", "loss", "win"]
