"""Bear-offs and Hypergammon against the databases that GNU Backgammon 1.07 makes (`makebearoff`, `makehyper`)."""

from pathlib import Path

import pytest

import komi

EXAMPLES = Path(__file__).parents[2] / "examples"
HYPERGAMMON = {
    1: {
        "24/16": -0.512206,
        "11/22": 1.484284,
        "1/18": 2.000000,
        "24/19": 0.071554,
        "20/10": -0.193842,
        "4/7": 1.858025,
        "18/16": 0.048506,
        "12/21": 1.327065,
    },
    2: {
        "23,20/13,6": -0.330386,
        "12,7/8,8": 0.226217,
        "12,0/17,4": 1.815954,
        "22,20/21,12": -0.059724,
        "19,15/17,0": -1.308304,
        "2,2/25,6": 2.689762,
        "18,13/9,5": -0.955006,
        "8,8/2,2": -1.290295,
    },
}  # money equities without the cube, by checkers and position
WITHOUT_CUBE = {
    "0,0,0,2,0,2/1,0,1,1,1,0": -0.23137,
    "0,0,1,1,1,0/0,2,1,0,0,1": 0.76858,
    "2,1,0,0,0,0/0,0,0,0,0,2": 0.81479,
    "0,0,0,2,0,2/1,0,2,0,0,0": -0.70285,
    "1,0,1,0,1,1/0,2,0,0,2,0": 0.50527,
    "0,2,2,0,0,0/2,2,0,0,0,0": 0.03948,
    "0,0,2,1,0,1/2,2,0,0,0,0": -0.51650,
    "0,0,0,3,1,0/0,0,2,0,1,0": -0.34716,
}
SIX_CHECKERS = {
    "0,1,1,1,0,3/0,0,1,1,0,3": 0.12758,
    "0,1,1,1,3,0/0,2,0,0,0,2": -0.38271,
    "4,0,1,0,0,0/0,0,4,0,2,0": 0.93567,
    "1,0,1,1,0,3/1,0,2,2,1,0": -0.12386,
    "0,1,0,1,0,2/5,0,0,0,0,1": 0.64211,
    "2,0,3,1,0,0/0,1,0,4,1,0": 0.70529,
    "0,0,1,2,2,1/3,1,0,1,1,0": -0.33730,
    "2,1,0,0,0,1/0,0,4,0,2,0": 0.95724,
}
WITH_CUBE = {
    "0,0,0,0,0,2/0,0,0,1,0,1 cube 1": 0.46458,
    "0,1,0,0,1,0/0,0,0,1,0,0 cube 1": 0.11106,
    "3,0,0,0,0,0/0,0,2,0,1,0 cube 1": 1.00000,
    "0,0,0,0,0,2/1,1,0,0,0,1 cube 1": 0.76060,
    "2,0,1,0,0,0/0,1,2,0,0,0 cube 1": 1.00000,
    "0,0,1,0,1,0/0,0,1,1,0,0 cube 1": 0.81956,
}  # in the middle, of any height; komi's goes up to 64


def check(name: str, rules: dict[str, int], equities: dict[str, float], error: float) -> None:
    solution = komi.solve(EXAMPLES / name, **rules)
    for position, equity in equities.items():
        assert solution.expected_value(position) == pytest.approx(equity, abs=error), position


@pytest.mark.parametrize("checkers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_hypergammon_has_the_equities_of_gnu_backgammon(checkers: int) -> None:
    check("hypergammon.py", {"checkers": checkers}, HYPERGAMMON[checkers], 3e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("checkers", "cube", "equities"), [(4, 1, WITHOUT_CUBE), (6, 1, SIX_CHECKERS), (3, 64, WITH_CUBE)]
)
def test_bear_offs_have_the_equities_of_gnu_backgammon(checkers: int, cube: int, equities: dict[str, float]) -> None:
    rules = {"checkers": checkers, "points": 6, "gammon": 1, "cube": cube}
    check("bear_off.py", rules, equities, 1.3e-4)  # each equity is stored in units of 3e-5 and computed from such ones
