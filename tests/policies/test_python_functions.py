"""A Python function is a policy in two forms: (rules, state), as in rule files, and (observation, action_mask)."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import numpy as np
import pytest

import komi
from komi.environments.batch import GameBatch
from komi.errors import GameError, InputError, SolveError
from komi.policies.python_functions import in_file, takes_rules

POINTS = 2


def reaches(rules: Any, state: Any) -> bool:
    return bool(state.score + state.turn >= rules.goal)


def hold_at_2(rules: Any, state: Any) -> int:
    """Hold with two points, or at the goal."""
    return 0 if state.turn < POINTS and not reaches(rules, state) else 1


def hold_at(points: int) -> Callable[..., int]:
    """Return a function that shares its name and its line with others."""

    def hold(rules: Any, state: Any) -> int:
        return 0 if state.turn < points and not reaches(rules, state) else 1

    return hold


def registered(function: Callable[..., int]) -> Callable[..., int]:
    return function


@registered
def decorated(
    rules: Any,
    state: Any,
) -> int:
    return hold_at_2(rules, state)


def test_a_function_of_rules_and_state_is_matched_as_its_name_is() -> None:
    named = komi.match("piglet", "hold-at:2", "optimal", goal=4)
    for function in (hold_at_2, hold_at(2), decorated):
        assert komi.match("piglet", function, "optimal", goal=4).first == named.first


def test_functions_of_one_name_are_told_apart_by_what_they_enclose() -> None:
    named = komi.match("piglet", "hold-at:1", "hold-at:3", goal=4)
    assert komi.match("piglet", hold_at(1), hold_at(3), goal=4).first == named.first


def test_lambdas_of_one_line_are_told_apart() -> None:
    always, never = (lambda rules, state: 1), (lambda rules, state: 0 if not reaches(rules, state) else 1)
    state = komi.find("piglet").module.State(0, 0, 1)
    rules = komi.find("piglet").rules({})
    assert [in_file(each)(rules, state) for each in (always, never)] == [1, 0]
    nested: Callable[..., int] = lambda rules, state: max(map(lambda points: points - state.turn, (1, 2)))  # noqa: C417, E731
    assert in_file(nested)(rules, state) == 1


def test_every_function_that_takes_policies_takes_one_of_rules_and_state(tmp_path: Any) -> None:
    goal = {"goal": 3}
    assert komi.regret("piglet", hold_at_2, **goal).average == komi.regret("piglet", "hold-at:2", **goal).average
    agreement, expected = (komi.compare("piglet", each, **goal) for each in (hold_at_2, "hold-at:2"))
    assert agreement.states == expected.states
    assert komi.measure("piglet", hold_at_2, **goal).policies == ("hold_at_2", "hold_at_2")
    written = [
        komi.export("piglet", each, tmp_path / f"{number}.py", **goal)
        for number, each in enumerate((hold_at_2, "hold-at:2"))
    ]
    assert len({each.states for each in written}) == 1
    models = [
        komi.export_model("piglet", tmp_path / f"{number}.drn", fix={1: each}, **goal)
        for number, each in enumerate((hold_at_2, "hold-at:2"))
    ]
    assert len({each.states for each in models}) == 1


def test_a_function_of_rules_and_state_is_simulated() -> None:
    seen, expected = (komi.simulate("piglet", 500, policies=each, seed=3, goal=3) for each in (hold_at_2, "hold-at:2"))
    assert seen.wins == expected.wins
    assert [policy.name for policy in seen.policies] == ["hold_at_2", "hold_at_2"]


def test_a_function_of_rules_and_state_is_an_opponent() -> None:
    assert [each.name for each in GameBatch("piglet", 1, hold_at_2, 0, {"goal": 3}).policies] == ["hold_at_2"]


class Player:
    def __call__(self, rules: Any, state: Any) -> int:
        return hold_at_2(rules, state)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda state: 1, r"policy <lambda> takes \(state\): "),
        (lambda rules, state, action, seat: 1, r"policy <lambda> takes \(rules, state, action, seat\): "),
        (lambda rules, state, points=2: 1, r"policy <lambda> takes \(rules, state, points=2\): "),
        (Player(), r"policy Player is an object that takes \(rules, state\): "),
        (partial(hold_at_2, None), r"policy partial is an object that takes \(state"),
        (
            lambda r, s: 1 if s.turn > 2 else 0,
            "policy <lambda> takes arrays, and 'numpy.ndarray' object has no attribute 'turn': ",
        ),
    ],
)
def test_a_function_of_the_wrong_form_is_refused_with_both_forms(wrong: Any, says: str) -> None:
    with pytest.raises(InputError, match=says) as refused:
        komi.match("piglet", wrong, "optimal", goal=3)
    assert "(rules, state), as in rule files, or (observation, action_mask)" in str(refused.value)


def test_what_is_no_policy_is_refused() -> None:
    with pytest.raises(InputError, match="a policy is a name, a Policy or a function, not 5"):
        komi.match("piglet", 5, goal=3)  # type: ignore[arg-type]


def test_learners_take_arrays_whatever_their_parameters_are_called() -> None:
    @wraps(hold_at_2)
    def counted(*arguments: Any) -> int:
        return int(np.argmax(arguments[1]))

    for learner in (lambda state, mask: 1, lambda obs, legal: 1, counted, max):
        assert not takes_rules(learner)


def test_simulations_refuse_functions_of_arrays_and_name_the_other_form() -> None:
    with pytest.raises(SolveError, match=r"write it as \(rules, state\), in the language of rule files"):
        komi.simulate("piglet", 10, policies=lambda observation, action_mask: 1)


def test_a_function_that_uses_more_than_rule_files_can_is_refused() -> None:
    table = np.zeros(3)
    with pytest.raises(GameError, match="policy <lambda> uses 'table' from outside, a ndarray"):
        komi.match("piglet", lambda rules, state: int(table[0]), goal=3)
    source: dict[str, Any] = {}
    exec("def unseen(rules, state):\n    return 1", source)
    with pytest.raises(GameError, match="policy unseen: komi finds no source of this function"):
        komi.match("piglet", source["unseen"], goal=3)
