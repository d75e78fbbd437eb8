"""What the commands answer."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import komi

import rulefiles


def test_games_lists_every_game_with_its_rules(run: Any) -> None:
    games = {game["name"]: game for game in run("games", "--json").solution["games"]}
    assert games.keys() >= {"pig", "piglet", "progressive-pig", "two-dice-pig", "big-pig", "fowl-play", "red-light"}
    assert games["red-light"]["rules"] == {"goal": 50, "red": 4, "green": 24, "komi": 1}
    assert games["red-light"]["players"] == 2


def test_rules_explain_how_a_game_is_played(run: Any) -> None:
    solution = run("rules", "pig", "--set", "goal=25", "--json").solution
    assert solution["how_to_play"][0].endswith("First to 25 points wins.")
    assert solution["how_to_play"][-1].startswith("Example: ")
    out = run("rules", "pig").out
    assert out.startswith("Pig\n")
    assert "Next: komi play pig" in out


def test_missing_rules_of_a_file_are_reported_in_a_sentence(run: Any, tmp_path: Path) -> None:
    result = run("rules", str(rulefiles.write(tmp_path)))
    assert (result.code, result.err) == (
        2,
        "komi: sprint.py does not explain sprint: it has no 'how_to_play'.\n",
    )


def test_solve_answers_with_value_and_bound(run: Any) -> None:
    solution = run("solve", "piglet", "--set", "goal=2", "--json").solution
    assert solution["game"] == "piglet"
    assert solution["rules"] == {"goal": 2, "komi": 0, "players": 2}
    assert solution["states"] == 10
    assert abs(solution["value"] - 4 / 7) <= solution["error_bound"] <= 1e-9
    assert solution["seconds"].keys() == {"compile", "solve", "total"}


def test_solve_prints_who_wins_and_the_next_command(run: Any) -> None:
    out = run("solve", "piglet", "--set", "goal=2").out
    assert "first player wins 57.1429 %" in out
    assert "Next: komi value piglet --set goal=2 --state score=0,rival=0,turn=0" in out


def test_command_without_arguments_is_a_question_for_help(run: Any) -> None:
    result = run()
    assert (result.code, result.err) == (0, "")
    assert "Usage: komi" in result.out
    assert "simulate" in result.out


@pytest.mark.parametrize("state", ["", "score=1,turn=2", "score=4,rival=3,turn=1"])
def test_best_action_has_the_value_of_the_state(run: Any, state: str) -> None:
    solution = run("value", "piglet", "--state", state, "--json").solution
    assert solution["actions"][solution["best"]] == solution["value"] == max(solution["actions"].values())
    assert "-0.0000" not in run("value", "piglet", "--state", state).out


def test_bound_of_a_value_is_reported_as_one_of_a_probability(run: Any) -> None:
    assert "Proved: no probability is off by more than " in run("value", "piglet").out


def test_value_answers_with_each_action_best_first(run: Any) -> None:
    solution = run("value", "piglet", "--set", "goal=2", "--state", "turn=1", "--json").solution
    assert solution["state"] == {"score": 0, "rival": 0, "turn": 1}
    assert solution["best"] == next(iter(solution["actions"])) == "flip"
    assert abs(solution["actions"]["flip"] - 5 / 7) < 1e-12
    assert abs(solution["actions"]["hold"] - 3 / 5) < 1e-12


def test_value_where_the_game_is_over_has_no_actions(run: Any) -> None:
    solution = run("value", "piglet", "--state", "rival=10", "--json").solution
    assert (solution["value"], solution["actions"], solution["best"]) == (0.0, {}, None)


def test_check_of_a_sound_game_is_ok(run: Any) -> None:
    result = run("check", "piglet", "--set", "goal=3", "--json")
    assert result.code == 0
    assert result.solution["ok"]
    assert result.solution["problems"] == []


def test_check_prints_what_holds(run: Any) -> None:
    out = run("check", "piglet", "--set", "goal=3").out
    assert "The game can end" in out
    assert "Sound" in out


def test_solution_is_found_again_and_solved_again_when_requested() -> None:
    komi.solve("piglet", goal=6)
    assert komi.solve("piglet", goal=6).is_loaded
    assert not komi.solve("piglet", goal=6, fresh=True).is_loaded


def test_version_is_the_package_s(run: Any) -> None:
    result = run("--version")
    assert (result.code, result.out) == (0, f"komi {komi.__version__}\n")


def test_package_runs_as_the_command() -> None:
    command = [sys.executable, "-m", "komi", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"komi {komi.__version__}\n"


def test_h_asks_for_help_as_help_does(run: Any) -> None:
    assert run("-h").out == run("--help").out
    assert run("match", "-h").out == run("match", "--help").out
