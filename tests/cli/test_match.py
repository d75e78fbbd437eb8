"""`komi match` and `komi compare`: both seats are told, and what is compared is said."""

import math
from typing import Any

import pytest

MATCH = ("match", "piglet", "optimal", "hold-at:4", "--set", "goal=5", "--turns")


def test_turns_are_told_from_both_seats_and_on_average(run: Any) -> None:
    answer = run(*MATCH, "--json").answer
    seats = answer["turns_by_seat"]
    for seat in ("first", "second"):
        assert math.fsum(seats[seat].values()) == pytest.approx(1.0, abs=1e-11)
        mean = sum(int(turns) * chance for turns, chance in seats[seat].items())
        assert mean == pytest.approx(answer["seats"][seat]["turns"], abs=1e-8)
    assert seats["first"] != seats["second"]
    mean = sum(int(turns) * chance for turns, chance in answer["turns"].items())
    assert mean == pytest.approx(answer["expected_turns"], abs=1e-8)


def test_people_see_which_seat_turns_are_of(run: Any) -> None:
    out = run(*MATCH).out
    assert "How many turns a game takes, of both players together:" in out
    assert "optimal moving first  optimal moving second  on average" in out


def test_compare_and_agree_are_one_command(run: Any) -> None:
    arguments = ("piglet", "hold-at:4", "optimal", "--set", "goal=5", "--json")
    assert run("compare", *arguments).answer == run("agree", *arguments).answer
    assert "compare" in run().out
    assert "agree" not in run().out


def test_random_play_is_said_to_agree_as_its_lots_say(run: Any) -> None:
    out = run("compare", "piglet", "optimal", "random", "--set", "goal=5").out
    assert "optimal decides as random in 50.00 % of the" in out
    assert "between two actions or more" in out
    assert "In games against random it gives nothing away" in out
    worse = run("compare", "piglet", "random", "--set", "goal=5", "--most", "0").out
    assert "nothing away" not in worse
