"""A game in the terminal: what is typed is understood, chance is fair, and leaving is quiet."""

import hashlib
import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.cli.review_text import HEIGHT, WIDTH, chart
from komi.cli.terminal_player import advised, matching
from komi.play import searching
from komi.solvers.solution import ActionValue

GAMES = Path(__file__).parents[1] / "games"
EXAMPLES = Path(__file__).parents[2] / "examples"
PIGLET = ("piglet", "--set", "goal=3", "--seed", "s")
RED_LIGHT = ("red-light", "--set", "goal=8", "--seed", "s")
LIGHTS = ("traffic-lights", "--set", "rows=1", "--set", "columns=3")


@pytest.fixture
def play(run: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    def play(*arguments: str, typed: str = "") -> Any:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed.replace(" ", "\n").replace("_", " ") + "\n"))
        return run("play", *arguments)

    return play


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
@pytest.mark.parametrize("typed", ["flip flip hold", "1 1 2", "f F h"])
def test_a_game_is_played_to_its_end_by_names_numbers_and_letters(play: Any, level: str, typed: str) -> None:
    result = play(*PIGLET, "--seat", "first", "--opponent", level, typed=" ".join([typed] * 40))
    assert result.code == 0
    assert re.search(r"^(You win|\w+ wins|It is a draw)\.$", result.out, re.MULTILINE)
    assert "Your chance of winning, from the start to the end:" in result.out


def test_a_game_without_progress_is_a_draw(play: Any) -> None:
    out = play("pig", "--opponent", "hold-at:0", "--seat", "first", typed="hold " * 9).out
    assert "a position has occurred three times" in out
    assert "It is a draw." in out


def test_names_numbers_and_letters_play_the_same_game(play: Any) -> None:
    games = [play(*PIGLET, "--seat", "second", typed=typed * 40).out for typed in ("flip hold ", "1 2 ", "f H ")]
    moves = [re.findall(r"^(?:You|Hard): .*$", game, re.MULTILINE) for game in games]
    assert moves[0]
    assert moves[0] == moves[1] == moves[2]


@pytest.mark.slow
def test_a_game_without_chance_that_is_too_large_to_solve_is_played(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_MAX_STATES", "100")
    board = str(EXAMPLES / "connect_four.py")
    monkeypatch.setattr(searching, "HARD", 0.02)
    monkeypatch.setattr(searching, "HINT_PLAYOUTS", 500)
    monkeypatch.setattr(searching, "REVIEW_PLAYOUTS", 500)
    small = ("--set", "columns=5", "--set", "line=3")
    result = play(board, *small, "--seat", "first", "--seed", "s", typed="1 ? 5 1 5 1 5 2 2 3 3 4 4 " * 3)
    assert result.code == 0
    assert "hints are estimates of a search: connect-four has more than 100 states" in result.err
    assert re.search(r"^Hint \(a search estimates\): \d: \d+\.\d ± \d+\.\d %; ", result.out, re.MULTILINE)
    assert re.search("^A search (thinks that your costliest move was number|finds none)", result.out, re.MULTILINE)
    assert re.search(r"^(You win|\w+ wins|It is a draw)\.$", result.out, re.MULTILINE)


def test_the_seed_makes_the_chance(play: Any) -> None:
    same = [
        play("pig", "--opponent", "random", "--seed", "a", "--seat", "first", typed="roll roll q").out for _ in "ab"
    ]
    other = play("pig", "--opponent", "random", "--seed", "b", "--seat", "first", typed="roll roll q").out
    assert same[0] == same[1] != other


def test_the_seed_shown_at_the_end_has_the_hash_shown_before(play: Any) -> None:
    out = play("piglet", "--set", "goal=1", "--opponent", "random", typed="flip hold " * 30).out
    before, after = re.findall(r"^[0-9a-f]{64}$", out, re.MULTILINE)
    assert hashlib.sha256(bytes.fromhex(after)).hexdigest() == before


def test_wrong_input_gets_one_sentence_and_is_requested_again(play: Any) -> None:
    out = play(*PIGLET, "--seat", "first", typed="fly 3 [/] q").out
    for wrong in ("'fly'", "'3'", "'[/]'"):
        assert f"{wrong} is not possible now: flip, hold." in out
    assert out.count("You, your move (1 flip, 2 hold)?") == 4
    assert "You left the game." in out


def test_hints_show_the_value_of_each_action(play: Any) -> None:
    printed = play(*PIGLET, "--seat", "first", typed="? hint q").out
    assert printed.count("Hint: flip: ") == 2
    assert play(*PIGLET, "--seat", "first", "--hints", typed="q").out.count("Hint: flip: ") == 1


def test_test_mode_asks_for_each_event_and_takes_only_possible_ones(play: Any) -> None:
    typed = "roll 7 one_1 6 hold quit"
    out = play("pig", "--opponent", "random", "--seat", "first", "--test-mode", typed=typed).out
    assert "You, roll: what came (1, 2, 3, 4, 5, 6)?" in out
    assert "'7' is not possible now: 1, 2, 3, 4, 5, 6." in out
    assert "'one 1' is not possible now" in out
    assert "You: roll → 6" in out
    assert "SHA-256" not in out


def test_test_mode_plays_a_whole_game_of_entered_chance(play: Any) -> None:
    out = play(*RED_LIGHT, "--seat", "first", "--test-mode", typed="draw green draw green hold red " * 40).out
    assert "Hard: draw → red" in out
    assert "by luck" in out


def test_the_computer_throws_nothing_in_test_mode(play: Any) -> None:
    out = play("pig", "--opponent", "hold-at:5", "--seat", "second", "--test-mode", typed="5 1 q").out
    assert "hold-at:5, roll: what came" in out
    assert "hold-at:5: hold" in out


def test_a_board_is_drawn_with_its_moves(play: Any) -> None:
    out = play(*LIGHTS, "--seat", "first", typed="a1 ? q").out
    assert "│  ·  a1 │  ·  b1 │  ·  c1 │" in out
    assert re.search(r"│  [RO]  a1 │", out)
    assert "Hint: " in out


def test_a_game_without_chance_ends_with_its_mistakes(play: Any) -> None:
    out = play(*LIGHTS, "--seat", "second", "--opponent", "hard", typed="a1 b1 c1 " * 10).out
    assert "decisions gave" in out
    assert "0.0 % by luck" in out.replace("+", "").replace("-", "")


@pytest.mark.slow
def test_cards_that_others_hold_are_not_shown(play: Any) -> None:
    out = play("red7", "--opponent", "easy", "--seat", "second", "--seed", "s", typed="1 ? q").out
    assert "Fields that you cannot see are shown with a fixed value." in out
    assert "Hint (a search estimates): " in out
    assert "hidden\n" not in re.sub(r" → hidden\n", "", out)  # dealt cards are not printed one by one


@pytest.mark.slow
def test_result_that_is_neither_all_nor_nothing_is_reported_and_what_was_hidden_is_shown(play: Any) -> None:
    game = str(Path(__file__).parents[1] / "games" / "pebbles.py")
    out = play(game, "--opponent", "random", "--seat", "second", typed="pebble " * 60).out
    assert "You get 0.75, random gets 0.25." in out
    shown = out.partition("Nothing is hidden any more;")[2]
    assert "2" in shown


@pytest.mark.slow
def test_three_players_have_their_numbers(play: Any) -> None:
    out = play("red7", "--opponent", "easy", "--seat", "first", "--seed", "s", typed="1 " * 40).out
    assert "Easy 2: " in out
    assert "Easy 3: " in out
    assert re.search(r"^(You win|Easy \d wins)\.$", out, re.MULTILINE)


def test_solitaire_has_no_opponent(play: Any) -> None:
    game = str(Path(__file__).parents[1] / "games" / "best_of_turns.py")
    out = play(game, "--test-mode", typed="roll 5 keep roll 2 again 6 roll 3 keep").out
    assert "Against" not in out
    assert "The game is over: you get 14." in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("piglet", "--seat", "third"), "--seat takes first, second or either, not 'third'"),
        (("piglet", "--opponent", "unknown"), "there is no policy 'unknown'"),
        (("piglet", "--set", "goal=0"), "goal of piglet must be 1 to 1000, not 0"),
        (("pgilet",), "there is no game 'pgilet': did you mean 'piglet'?"),
    ],
)
def test_a_game_that_cannot_begin_is_reported_in_one_sentence(
    play: Any, arguments: tuple[str, ...], sentence: str
) -> None:
    result = play(*arguments)
    assert result.code == 2
    assert sentence in result.err
    assert "Traceback" not in result.err


def test_the_end_of_input_leaves_quietly(play: Any) -> None:
    result = play(*PIGLET, "--seat", "first", typed="flip")
    assert result.code == 0
    assert result.out.rstrip().endswith("You left the game.")
    assert "Traceback" not in result.err


def test_ctrl_c_leaves_quietly() -> None:
    playing = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from komi.cli import main; main()",
            "play",
            "pig",
            "--opponent",
            "random",
            "--seat",
            "first",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert playing.stdout is not None
    printed = ""
    deadline = time.monotonic() + 120
    while "your move" not in printed and time.monotonic() < deadline:
        printed += playing.stdout.read(1)
    playing.send_signal(signal.SIGINT)
    _, err = playing.communicate(timeout=60)
    assert playing.returncode == 130
    assert [line for line in err.splitlines() if "a few seconds, once only" not in line] == []


def test_opponents_are_listed_with_their_exact_strengths(run: Any) -> None:
    solution = run("opponents", "piglet", "--set", "goal=3", "--json").solution
    assert [opponent["name"] for opponent in solution["opponents"]] == ["easy", "medium", "hard"]
    exact = komi.match("piglet", "optimal", "max-score", goal=3).average
    [hard] = [s for s in solution["strengths"] if (s["a"], s["b"]) == ("hard", "medium")]
    assert (hard["average"], hard["games"]) == (exact, 0)
    assert "Hard beats Medium" in run("opponents", "piglet", "--set", "goal=3").out


@pytest.mark.parametrize(
    ("text", "labels", "found"),
    [
        ("2", ["1", "2", "3"], ["2"]),
        ("1", ["total 2", "1", "one 1"], ["1"]),
        ("3", ["one 1", "two 1s", "total 7", "total 8 or double 2"], ["total 7"]),
        ("7", ["one 1", "two 1s", "total 7", "total 8 or double 2"], []),
        ("7", ["1", "2", "total 7"], []),
        ("9" * 5000, ["roll", "hold"], []),
        ("t", ["two 1s", "total 7"], ["two 1s", "total 7"]),
        ("2", ["a1", "b1"], ["b1"]),
        ("9", ["a1", "b1"], []),
        ("0", ["roll", "hold"], []),
        ("Play R7", ["play R7", "play R7, discard O1"], ["play R7"]),
        ("", ["roll", "hold"], []),
    ],
)
def test_what_a_text_can_mean(text: str, labels: list[str], found: list[str]) -> None:
    assert matching(text, labels) == found


def test_advice_groups_actions_of_equal_value() -> None:
    advice = [
        ActionValue("a1", 1.0, "win", 3),
        ActionValue("b1", 0.5, "draw"),
        ActionValue("c1", 0.5, "draw"),
        ActionValue("d1", 0.0, "loss", 2),
    ]
    assert advised(advice) == "a1: win in 3; b1, c1: draw; d1: loss in 2"


def test_the_chart_is_as_high_as_the_chance_and_no_wider_than_the_page() -> None:
    lines = chart([step / 500 for step in range(501)])
    assert len(lines) == HEIGHT
    assert all(len(line) <= WIDTH + 8 for line in lines)
    assert lines[0].endswith("█")
    assert all(line[7] == " " for line in lines)
    assert [line[7] for line in chart([0.5])] == [" "] * (HEIGHT // 2) + ["█"] * (HEIGHT // 2)


def test_forced_moves_need_no_typing(play: Any) -> None:
    result = play(str(GAMES / "countdown.py"), "--set", "pile=4", "--seat", "first", "--opponent", "optimal")
    assert "You win." in play(str(GAMES / "countdown.py"), "--set", "pile=5", "--seat", "first").out
    assert "?" not in result.out.partition("leave.")[2]
    assert result.out.count("You: take") == 2


def test_moves_with_numbers_in_their_names_are_numbered_too(play: Any) -> None:
    out = play("red7", "--opponent", "random", "--seat", "first", "--seed", "s", typed="2 q").out
    assert "2 play" in out or "2 discard" in out
    assert "is not possible now" not in out


@pytest.mark.slow
def test_the_opponent_that_is_not_named_is_the_strongest_there_is(play: Any) -> None:
    game = str(GAMES / "last_match.py")  # for three players
    assert "Against Hard." in play(game, "--seat", "first", typed="q").out
    assert "Against Hard." in play(*PIGLET, typed="q").out


def test_hints_of_a_game_for_points_are_reported_in_points(play: Any) -> None:
    arguments = ("pig-solitaire", "--set", "objective=turns", "--set", "goal=12", "--hints", "--seed", "s")
    out = play(*arguments, typed="roll " * 40).out
    assert re.search(r"^Hint \(expected turns\): roll: \d\.\d\d; hold: \d\.\d\d$", out, re.MULTILINE)
    assert "%" not in re.sub(r"\$.*", "", out)
    assert re.search(r"^The game is over: you get \d\.$", out, re.MULTILINE)
    assert re.search(r"^\d\.\d\d at the start, [+-]\d\.\d\d by luck", out, re.MULTILINE)
