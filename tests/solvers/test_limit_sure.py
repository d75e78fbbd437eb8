"""Values that no strategy attains are proved, and said to be such."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import SolveError

GAMES = Path(__file__).parents[1] / "games"
HIDE_OR_RUN, LONG_WAY, PURGATORY = (str(GAMES / f"{name}.py") for name in ("hide_or_run", "long_way", "purgatory"))


def climbs(heads: list[Fraction], devil: tuple[int, ...]) -> Fraction:
    """Compute the climber's chance of heaven against a devil who shows these coins, the last terrace last.

    With x the chance from the first terrace, the chance from each terrace is a + b x for known a and b.
    """
    constant, factor = Fraction(1), Fraction(0)  # in heaven
    for chance, coin in reversed(list(zip(heads, devil, strict=True))):
        climb = chance if coin else 1 - chance
        constant, factor = climb * constant, climb * factor + (1 - chance if coin else 0)
    return constant / (1 - factor) if factor < 1 else Fraction(0)


@pytest.mark.parametrize("terraces", [1, 2, 3, pytest.param(6, marks=pytest.mark.slow)])
def test_the_climber_wins_within_the_bound_against_every_devil(terraces: int) -> None:
    solution = komi.solve(PURGATORY, terraces=terraces)
    heads = []
    for terrace in range(terraces):
        tails_share, heads_share = map(Fraction, solution.mixed({"terrace": terrace}).values())
        heads.append(heads_share / (tails_share + heads_share))
    worst = min(climbs(heads, devil) for devil in product((0, 1), repeat=terraces))
    assert solution.value() == 1.0
    assert 1 - worst <= solution.error_bound <= 1e-6
    assert 1 - worst >= solution.error_bound / 1.001 - 1e-12


def test_near_optimal_play_is_said_to_be_near_optimal(run: Any) -> None:
    shown = run("solve", HIDE_OR_RUN).out
    assert "wins 100.0000 % of the games" in shown
    assert "Only near-optimal strategies exist" in shown
    assert run("value", HIDE_OR_RUN, "--state", "thrower=0", "--json").solution["supremum"]


def test_a_value_that_a_strategy_attains_is_no_supremum() -> None:
    assert not komi.solve("skunk", goal=5).is_supremum()


THROWER_FIRST = """
from typing import NamedTuple
players, actions = 2, ("hide or wait", "run or throw")
class Rules(NamedTuple):
    unused: int = 0
class State(NamedTuple):
    runner: int = 0
    thrown: int = 0
    end: int = 0
def start(rules):
    return State()
def view(rules, state):
    return state._replace(thrown=min(state.thrown, 1))
def legal(rules, state):
    yield 0
    yield 1
def outcomes(rules, state, action):
    if state.runner == 0:
        yield 1.0, State(1, action + 1, 0), 1
    elif action == 0 and state.thrown == 1:
        yield 1.0, State(), 1
    else:
        yield 1.0, State(0, 0, 2 if action == 1 and state.thrown == 2 else 1), 1
def over(rules, state):
    return state.end > 0
def payoff(rules, state):
    return 1.0 if state.end == 2 else 0.0
"""


def test_the_seat_that_chooses_second_can_be_the_one_that_wins(tmp_path: Path) -> None:
    file = tmp_path / "thrower_first.py"
    file.write_text(THROWER_FIRST)
    solution = komi.solve(str(file))
    assert solution.value() == 0.0
    assert solution.error_bound <= 1e-6
    assert solution.is_supremum()
    hide, run = solution.mixed({"runner": 1, "thrown": 1}).values()
    assert 0 < run < 1e-6 < hide


@pytest.mark.parametrize(("terraces", "says"), [(8, "a tolerance of .* accepts them"), (12, "smaller than a float")])
def test_what_floats_cannot_hold_is_refused_in_a_sentence(terraces: int, says: str) -> None:
    with pytest.raises(SolveError, match=says):
        komi.solve(PURGATORY, terraces=terraces)


def test_a_way_that_wins_for_sure_is_found_however_long_it_is() -> None:
    solution = komi.solve(LONG_WAY)
    assert (solution.value(), solution.is_supremum()) == (1.0, False)
    assert solution.error_bound < 1e-9
    with pytest.raises(SolveError, match="smaller than a float"):
        komi.solve(LONG_WAY, hall=0)
