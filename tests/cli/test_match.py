"""`komi match` and `komi compare`: both seats are reported, and the comparison is explained."""

import math
from pathlib import Path
from typing import Any

import pytest

KUHN = Path(__file__).parents[2] / "examples" / "kuhn_poker.py"
MATCH = ("match", "piglet", "optimal", "hold-at:4", "--set", "goal=5", "--turns")


def test_turns_are_reported_from_both_seats_and_on_average(run: Any) -> None:
    solution = run(*MATCH, "--json").solution
    seats = solution["turns_by_seat"]
    for seat in ("first", "second"):
        assert math.fsum(seats[seat].values()) == pytest.approx(1.0, abs=1e-11)
        mean = sum(int(turns) * chance for turns, chance in seats[seat].items())
        assert mean == pytest.approx(solution["seats"][seat]["turns"], abs=1e-8)
    assert seats["first"] != seats["second"]
    mean = sum(int(turns) * chance for turns, chance in solution["turns"].items())
    assert mean == pytest.approx(solution["expected_turns"], abs=1e-8)


def test_people_see_which_seat_turns_are_of(run: Any) -> None:
    out = run(*MATCH).out
    assert "of both players together, if optimal moves first and if it moves second:" in out
    assert "turns  first     second    on average" in out


def test_random_play_is_said_to_agree_as_its_lots_say(run: Any) -> None:
    out = run("compare", "piglet", "optimal", "random", "--set", "goal=5").out
    assert "optimal and random agree in 50.00 % of the" in out
    assert "at least two legal actions" in out
    assert "In games against random, optimal loses nothing" in out
    worse = run("compare", "piglet", "random", "--set", "goal=5", "--most", "0").out
    assert "loses nothing" not in worse


def test_one_player_reads_what_a_policy_comes_to_and_gives_away(run: Any) -> None:
    solution = run("match", "think", "hold-at:12", "--set", "turns=2", "--turns", "--scores", "--json").solution
    assert solution["objective"] == "expected points"
    assert solution["loss"] == pytest.approx(solution["optimal"] - solution["value"])
    assert math.fsum(solution["scores"].values()) == pytest.approx(1.0, abs=1e-9)
    assert solution["turns"] == {"2": pytest.approx(1.0)}
    out = run("match", "think", "hold-at:12", "--set", "turns=2", "--scores").out
    assert "loss" in out
    assert "Final score: 15.092 on average" in out
    assert "Next: komi compare think" in out


def test_one_player_cannot_be_exploited(run: Any) -> None:
    found = run("match", "think", "optimal", "--set", "turns=2", "--exploit")
    assert found.code == 2
    assert "think is for one player: its policies have no best response" in found.err
    assert "takes one policy, not 2" in run("match", "think", "optimal", "random", "--set", "turns=2").err


def test_three_seats_read_what_each_wins_and_could_win(run: Any) -> None:
    rules = ("--set", "goal=3", "--set", "players=3")
    solution = run("match", "piglet", "optimal", "random", *rules, "--exploit", "--json").solution
    assert solution["policies"] == ["optimal", "random", "random"]
    assert math.fsum(solution["values"]) == pytest.approx(1.0, abs=1e-9)
    for best, value in zip(solution["best_responses"], solution["values"], strict=True):
        assert best >= value - 1e-9
    out = run("match", "piglet", "optimal", "random", *rules).out
    assert "With seats drawn by lot, a player of each policy wins" in out


@pytest.mark.slow
def test_mixed_strategies_are_matched_and_exploited(run: Any) -> None:
    rules = ("--set", "goal=5", "--set", "ending=first")
    solution = run("match", "skunk", "optimal", "random", *rules, "--exploit", "--json").solution
    assert solution["average"] > 0.5
    assert solution["worst_case"]["random"] < solution["worst_case"]["optimal"] == pytest.approx(0.5, abs=1e-6)


@pytest.mark.slow
def test_best_responses_see_no_hidden_cards(run: Any) -> None:
    solution = run("match", KUHN, "random", "optimal", "--exploit", "--json").solution
    assert solution["worst_case"]["random"] == pytest.approx(-11 / 24, abs=1e-9)
    assert solution["worst_case"]["optimal"] == pytest.approx(0.0, abs=1e-9)
    assert (
        "Against its best response, random wins -0.458333 (expected chips)."
        in run("match", KUHN, "random", "--exploit").out
    )


@pytest.mark.slow
def test_mistakes_with_hidden_cards_are_listed_by_what_a_player_sees(run: Any) -> None:
    solution = run("compare", KUHN, "random", "--json").solution
    assert (solution["states"], solution["mistakes"][0]["action"]) == (12, "pass")
    out = run("compare", KUHN, "random").out
    assert "agree in 50.00 % of the 12 information sets with a choice," in out
    assert "(expected chips) in total, compared with optimal play." in out
    assert f"komi compare {KUHN} random optimal" in run("match", KUHN, "random", "optimal").out


def test_equilibria_of_hidden_cards_are_shown_with_their_exploitability(run: Any) -> None:
    game = run("solve", KUHN, "--json").solution
    assert 0.0 < game["exploitability"] < 1e-9
    assert game["bounds"][0] <= -1 / 18 <= game["bounds"][1]
    assert "The players choose in 12 information sets." in run("solve", KUHN).out
    state = run("value", KUHN, "--state", "card=2,said=2", "--json").solution
    assert state["mixed"] == pytest.approx({"pass": 2 / 3, "bet": 1 / 3})
    assert state["exploitability"] == game["exploitability"]
    assert "given what it observes" in run("value", KUHN, "--state", "card=2,said=2").out
    assert "Chance moves." in run("value", KUHN).out


def test_where_a_policy_of_one_player_goes_wrong_is_reported_in_points(run: Any) -> None:
    out = run("compare", "think", "hold-at:12", "--set", "turns=2").out
    assert "of the expected points, compared with optimal play" in out
    assert "%" not in out.split("loses")[1]
