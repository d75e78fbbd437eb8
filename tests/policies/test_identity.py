"""A policy is itself and not its name: policies with one name stay apart, wherever they are evaluated."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.errors import GameError
from komi.evaluation.two_player import match_two_player
from komi.policies.callables import CallablePolicy
from komi.policies.from_files import from_file
from komi.policies.functions import FunctionPolicy
from komi.policies.named import find
from komi.policies.policy import UniformPolicy, distinct_names
from komi.simulation.run import _digests
from komi.solvers.solve import solve

import rulefiles

DETOUR = str(Path(__file__).parents[1] / "games" / "detour.py")

TWO = """
def until(points):
    def policy(rules, state):
        return 0 if state.turn < points and state.score + state.turn < rules.goal else 1

    return policy


soon, late = until(1), until(9)
first, second = lambda rules, state: 1, lambda rules, state: 0 if state.score + state.turn < rules.goal else 1
"""


def until(points: int) -> Any:
    return lambda observation, mask: 0 if mask[0] and observation[2] < points else 1


def named(name: str, points: int) -> Any:
    function = until(points)
    function.__name__ = name
    return function


def test_two_lambdas_of_three_players_are_two_policies() -> None:
    soon, late = until(1), until(9)
    same = komi.match("piglet", soon, late, late, players=3, goal=3)
    apart = komi.match("piglet", named("soon", 1), named("late", 9), late, players=3, goal=3)
    assert same.values == apart.values
    assert same.values != komi.match("piglet", late, players=3, goal=3).values
    assert same.seatings[0].policies == ("<lambda>", "<lambda> (2)", "<lambda> (2)")


def test_helpers_of_a_policy_are_not_the_functions_of_the_game_with_their_names(tmp_path: Path) -> None:
    path, names = tmp_path / "beside.py", ("over", "possible", "legal", "turned")
    helpers = "".join(f"def {name}(rules, state):\n    return state.turn >= 2\n\n\n" for name in names)
    path.write_text(
        helpers + "def beside(rules, state):\n"
        f"    late = {' and '.join(f'{name}(rules, state)' for name in names)}\n"
        "    return 1 if late or state.score + state.turn >= rules.goal else 0\n\n\n"
        "def alone(rules, state):\n"
        "    return 1 if state.turn >= 2 or state.score + state.turn >= rules.goal else 0\n"
    )
    beside, alone = (komi.match("piglet", f"{path}:{name}", "random", goal=4) for name in ("beside", "alone"))
    assert beside.first.wins == alone.first.wins


def test_a_certificate_is_about_the_policies_that_were_given(tmp_path: Path) -> None:
    soon, late = until(1), until(9)
    claim = komi.prove("piglet", tmp_path / "two.cert", soon, late, goal=4).claims[0]
    assert claim.play == ("<lambda>", "<lambda> (2)")
    assert claim.lower <= komi.match("piglet", soon, late, goal=4).first.wins <= claim.upper  # type: ignore[operator]
    assert komi.verify(tmp_path / "two.cert").claims[0].play == claim.play


def test_functions_of_a_file_are_compiled_apart_whatever_they_are_called(tmp_path: Path) -> None:
    path = tmp_path / "two.py"
    path.write_text(TWO)
    wins = {
        name: komi.match("piglet", f"{path}:{name}", "random", goal=3).average
        for name in ("soon", "late", "first", "second")
    }
    assert wins["late"] == pytest.approx(wins["second"], abs=1e-9)  # neither holds before the goal
    assert len({round(each, 9) for each in wins.values()}) == 3


def test_a_function_of_a_file_is_sent_under_the_name_that_it_has_there(tmp_path: Path) -> None:
    path = tmp_path / "two.py"
    path.write_text(TWO)
    for name in ("late", "second"):
        policy = from_file(f"{path}:{name}")
        assert policy.serialize().restore().function.__code__ == policy.function.__code__  # type: ignore[union-attr]


def test_a_policy_is_not_optimal_because_it_is_called_so() -> None:
    solution = solve(DETOUR)
    fake, real = CallablePolicy("optimal", lambda observation, mask: int(np.argmax(mask))), find("optimal", solution)
    assert match_two_player(solution, real, real).expected_actions_range is not None
    assert match_two_player(solution, fake, fake).expected_actions_range is None


def test_names_are_made_distinct_in_the_order_of_the_seats() -> None:
    one, two, three = (FunctionPolicy("a", until(points)) for points in range(3))
    taken = FunctionPolicy("a (2)", until(9))
    assert distinct_names([one, two, one, taken, three]) == ["a", "a (2)", "a", "a (2) (2)", "a (3)"]
    assert distinct_names([UniformPolicy(), UniformPolicy()]) == ["random", "random"]


def test_what_a_simulation_keeps_depends_on_the_actions_of_a_table() -> None:
    solution = solve("piglet", goal=3)
    data = find("optimal", solution).code().data  # type: ignore[union-attr]
    assert _digests(data) == _digests(data)
    assert _digests(data) != _digests((data[0], 1 - data[1]))


def test_two_policies_of_a_game_with_one_name_are_refused(tmp_path: Path) -> None:
    policies = "always = lambda rules, state: 0\npolicies = (always, lambda rules, state: 1)\n"
    path = rulefiles.write(tmp_path, ("def over(", f"{policies}\n\ndef over("))
    with pytest.raises(GameError, match="'policies' must be a tuple of functions with different names"):
        komi.find(str(path))
