"""How long optimal play lasts where actions are worth the same."""

from math import inf
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.bellman.length_range import LengthRangeBackup, length_ranges
from komi.bellman.refusals import RationalSolver
from komi.errors import SolveError
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions

LOST = '''"""Lost: a player who is lost, but for a tiny chance, ends the game at once, or after more actions."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("short", "long")


class Rules(NamedTuple):
    more: int = 10
    chance: float = 0.0  # of winning the long way


class State(NamedTuple):
    step: int
    left: int = 0


def start(rules):
    return State(0)


def legal(rules, state):
    if state.step == 0:
        yield CHANCE
    else:
        yield 0
        if state.left == 0:
            yield 1


def outcomes(rules, state, action):
    if state.step == 0:
        yield 0.5, State(1), 0
        yield 0.5, State(1, 1), 1
    elif action == 1:
        yield 1.0, State(1, rules.more), 0
    elif state.left > 1:
        yield 1.0, State(1, state.left - 1), 0
    else:
        if rules.chance > 0.0 and state.left == 1:
            yield rules.chance, State(3), 0
            yield 1.0 - rules.chance, State(2), 0
        else:
            yield 1.0, State(2), 0


def over(rules, state):
    return state.step > 1


def payoff(rules, state):
    return 1.0 if state.step == 3 else 0.0
'''

RANDOM_RACE = str(Path(__file__).parents[1] / "games" / "random_race.py")
DETOUR = str(Path(__file__).parents[1] / "games" / "detour.py")


def test_a_longer_action_of_equal_value_makes_a_range() -> None:
    match = komi.match(DETOUR, "optimal", "optimal")
    assert match.expected_actions_range == pytest.approx((1.0, 2.0))


def test_two_players_who_wait_for_each_other_without_cost_play_for_ever() -> None:
    match = komi.match(DETOUR, "optimal", "optimal", leave=True)
    assert match.expected_actions_range == (pytest.approx(1.0), inf)


@pytest.mark.slow
def test_who_has_lost_for_sure_can_end_the_game_in_any_way(tmp_path: Path) -> None:
    path = tmp_path / "lost.py"
    path.write_text(LOST)
    assert komi.match(str(path), "optimal", "optimal").expected_actions_range == pytest.approx((1.0, 6.0))
    path.write_text(LOST.replace("else 0.0", "else 1.0"))  # the same for who has won
    assert komi.match(str(path), "optimal", "optimal").expected_actions_range == pytest.approx((1.0, 6.0))


@pytest.mark.parametrize("chance", [2.0**-30, 2.0**-80])
def test_who_still_has_a_chance_has_one_way_to_take_it(tmp_path: Path, chance: float) -> None:
    path = tmp_path / "lost.py"
    path.write_text(LOST)
    match = komi.match(str(path), "optimal", "optimal", chance=chance)
    assert match.expected_actions_range is None
    assert match.expected_actions == pytest.approx(6.0)


def test_the_range_covers_both_lengths_that_equal_actions_lead_to() -> None:
    match = komi.match("red-light", "optimal", "optimal", red=2, green=9, goal=25, komi=0)
    assert match.expected_actions_range is not None
    least, greatest = match.expected_actions_range
    assert least < 90.0957
    assert greatest > 90.0975
    assert least - 1e-9 <= match.expected_actions <= greatest + 1e-9


@pytest.mark.parametrize("name", ["piglet", "pig"])
def test_games_without_equal_actions_have_one_length(name: str) -> None:
    assert komi.match(name, "optimal", "optimal", goal=20).expected_actions_range is None


@pytest.mark.slow
def test_where_play_meets_no_tie_the_whole_game_has_no_range_from_there_either() -> None:
    ranges = 0
    for plan in range(20):
        try:
            solution = komi.solve(RANDOM_RACE, fresh=True, plan=plan, places=4)
        except SolveError:
            continue
        compiled, rules, start = solution.compiled, solution.rules, solution.read(None)
        states, counts = find_reachable(GameTransitions(compiled, rules), [start])
        values, choices = solution.optimal_play.values, solution.optimal_play.choices
        backup = LengthRangeBackup(RationalSolver(compiled, rules, states), values, choices, counts)
        solve_components(GameTransitions(compiled, rules), states, counts, [start], backup)
        whole = backup.range_from(states.index_of(start))
        assert length_ranges(compiled, rules, states, counts, [start], values, choices) == [whole]
        ranges += whole is not None
    assert ranges


def test_other_policies_than_optimal_play_have_no_range() -> None:
    assert komi.match("piglet", "hold-at:2", "hold-at:2").expected_actions_range is None


def test_fair_reports_the_range(run: Any) -> None:
    rows = run("fair", "red-light", "--max-komi", 0, "--json", "--set", "red=2", "--set", "green=9", "--set", "goal=25")
    least, greatest = rows.solution["table"][0]["expected_actions_range"]
    assert least < 90.0957 < 90.0975 < greatest
    printed = run("fair", "red-light", "--max-komi", 0, "--set", "red=2", "--set", "green=9", "--set", "goal=25").out
    assert "90.096 (90.096 to 90.100)" in printed
