"""The bear-off of the examples against an independent computation: whole turns, equity, cube and gammons."""

import re
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import komi

GAME = Path(__file__).parents[2] / "examples" / "bear_off.py"

Home = tuple[int, ...]  # the points of the checkers, ascending


def after_die(home: Home, die: int) -> set[Home]:
    if not home:
        return {home}
    found = set()
    for i, point in enumerate(home):
        rest = home[:i] + home[i + 1 :]
        if point > die:
            found.add(tuple(sorted((*rest, point - die))))
        elif point == die or point == max(home):
            found.add(rest)
    return found


def after_dice(home: Home, dice: tuple[int, ...]) -> set[Home]:
    homes = {home}
    for die in dice:
        homes = {after for each in homes for after in after_die(each, die)}
    return homes


class Backgammon:
    """The equity of the player to throw, from Bellman's equation over whole turns."""

    def __init__(self, checkers: int, gammon: int, cube: int) -> None:
        self.checkers, self.gammon, self.cube = checkers, gammon, cube
        self.equity = cache(self._equity)

    def _equity(self, own: Home, rival: Home, cube: int, owner: str) -> float:
        throw = self.throw(own, rival, cube, owner)
        if owner == "rival" or 2 * cube > self.cube:
            return throw
        taken = self.throw(own, rival, 2 * cube, "rival")
        return max(throw, min(taken, cube))

    def throw(self, own: Home, rival: Home, cube: int, owner: str) -> float:
        theirs = {"mine": "rival", "rival": "mine"}.get(owner, owner)
        total = 0.0
        for first, second in product(range(1, 7), repeat=2):
            orders = [(first,) * 4] if first == second else [(first, second), (second, first)]
            homes = {home for order in orders for home in after_dice(own, order)}
            if () in homes:
                total += cube * (self.gammon if len(rival) == self.checkers else 1)
            else:
                total += max(-self.equity(rival, home, cube, theirs) for home in homes)
        return total / 36


@pytest.mark.slow
@pytest.mark.parametrize(
    ("checkers", "points", "gammon", "cube"),
    [
        (2, 3, 2, 1),
        (2, 3, 2, 4),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in ((3, 3, 2, 1), (3, 2, 3, 1), (2, 5, 1, 8))),
    ],
)
def test_the_equity_is_that_of_whole_turns(checkers: int, points: int, gammon: int, cube: int) -> None:
    solution = komi.solve(str(GAME), checkers=checkers, points=points, gammon=gammon, cube=cube)
    home = (points,) * checkers
    expected = Backgammon(checkers, gammon, cube).equity(home, home, 1, "nobody")
    assert solution.value() == pytest.approx(expected, abs=solution.error_bound + 1e-12)
    assert solution.objective == "expected points"


@pytest.mark.slow
def test_a_cube_is_dropped_where_taking_loses_more() -> None:
    solution = komi.solve(str(GAME), checkers=2, points=5, gammon=1, cube=8)
    plain = Backgammon(2, 1, 8)
    dropped = 0
    for own, rival in product([(1, 1), (2, 4), (5, 5)], repeat=2):
        homes = "/".join(",".join(str(home.count(point)) for point in range(1, 6)) for home in (rival, own))
        values = solution.actions(f"{homes} cube 1 offered")
        taken = -plain.throw(own, rival, 2, "rival")
        assert values["drop"] == pytest.approx(-1.0, abs=1e-9)
        assert values["take"] == pytest.approx(taken, abs=1e-9)
        dropped += next(iter(values)) == "drop"
    assert 0 < dropped < 9


@pytest.mark.slow
def test_the_rules_are_sound_and_states_can_be_written_and_read() -> None:
    assert komi.check(str(GAME), checkers=2, cube=2).ok


SMALL = (str(GAME), "--set", "checkers=2")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("solve", *SMALL), "the expected points of the first player are 0.973765, of the second -0.973765."),
        (
            ("value", *SMALL, "--state", "1,1,0/2,0,0 2-1*2"),
            "With best play the expected points of the player to move are 2.000000.",
        ),
        pytest.param(
            ("match", *SMALL, "optimal", "random", "--exploit"), "optimal: expected points", marks=pytest.mark.slow
        ),
        pytest.param(("compare", *SMALL, "random"), "0.020455 (expected points)", marks=pytest.mark.slow),
        pytest.param(("opponents", *SMALL), "Hard against Easy: expected points 0.0205", marks=pytest.mark.slow),
        pytest.param(
            ("sweep", *SMALL, "--vary", "gammon=1..2"), "first player: expected points", marks=pytest.mark.slow
        ),
    ],
)
def test_results_are_reported_in_points(command: tuple[str, ...], said: str, run: Any) -> None:
    result = run(*command)
    assert result.code == 0
    assert said in result.out
    lines = [line for line in result.out.splitlines() if "agree in" not in line and "and in" not in line]
    assert not re.search(r"wins [\d.]+ % of the games|probability of winning|no probability", "\n".join(lines))


def test_what_needs_probabilities_refuses_points(run: Any) -> None:
    result = run("measure", *SMALL)
    assert result.code == 2
    assert "by the probability of winning: bear-off has a 'payoff_range'." in result.err
