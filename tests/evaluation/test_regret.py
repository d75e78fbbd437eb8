"""The regret and the best response of policies from anywhere are those that matches compute."""

import importlib
from typing import Any

import numpy as np
import pytest

import komi
from komi.evaluation.policy_evaluator import PolicyEvaluator
from komi.evaluation.two_player import best_response as response_in_match
from komi.policies.named import find

HOLD = 1


def hold_at_3(observation: Any, action_mask: Any) -> Any:
    """Hold with three points, or where nothing else is legal, in one state or in many."""
    return np.where((observation[..., 2] >= 3) | (action_mask[..., 0] == 0), HOLD, 0)


def test_a_function_has_the_regret_of_the_policy_that_it_is() -> None:
    match = komi.match("piglet", "hold-at:3", "optimal")
    solution = komi.solve("piglet")
    for policy, vectorized in (("hold-at:3", False), (hold_at_3, False), (hold_at_3, True)):
        measured = komi.regret("piglet", policy, vectorized=vectorized)
        assert measured.average == pytest.approx(0.5 - match.average, abs=1e-9)
        assert measured.losses[0] == pytest.approx(solution.value() - match.first.wins, abs=1e-9)
        assert measured.error_bound < 1e-9


def test_a_best_response_wins_what_it_is_said_to_win() -> None:
    solution = komi.solve("piglet")
    response = komi.best_response("piglet", hold_at_3, vectorized=True)
    expected = response_in_match(solution, find("hold-at:3", solution))
    assert response.wins == pytest.approx((expected.first.wins, expected.second.wins), abs=1e-9)
    assert response.exploitability > 0.0
    evaluator = PolicyEvaluator.of(solution)
    tables = [evaluator.tabulate(response.policy), evaluator.tabulate(find("hold-at:3", solution))]
    values = evaluator.evaluate(tables, measures=0).value
    row = 2 * evaluator.start
    assert (values[row], 1.0 - values[row + 1]) == pytest.approx(response.wins, abs=1e-9)


def test_regret_against_an_opponent_is_the_difference_to_its_best_response() -> None:
    best = komi.best_response("piglet", "hold-at:5")
    match = komi.match("piglet", "hold-at:3", "hold-at:5")
    for policy, vectorized in (("hold-at:3", False), (hold_at_3, True)):
        measured = komi.regret("piglet", policy, opponent="hold-at:5", vectorized=vectorized)
        assert measured.losses == pytest.approx(
            (best.wins[0] - match.first.wins, best.wins[1] - match.second.wins), abs=1e-9
        )
    assert komi.regret("piglet", best.policy, opponent="hold-at:5").average == pytest.approx(0.0, abs=1e-9)
    usual = komi.regret("piglet", "hold-at:3", opponent="optimal")
    assert usual.losses == pytest.approx(komi.regret("piglet", "hold-at:3").losses, abs=1e-9)


def test_optimal_play_has_no_regret_and_is_not_exploited() -> None:
    assert komi.regret("piglet", "optimal").average == pytest.approx(0.0, abs=1e-9)
    assert komi.best_response("piglet", "optimal").exploitability == pytest.approx(0.0, abs=1e-9)


def test_one_player_loses_in_the_objective() -> None:
    loss = komi.match("pig-solitaire", "hold-at:10", goal=20).loss
    measured = komi.regret("pig-solitaire", "hold-at:10", goal=20)
    assert measured.losses == pytest.approx((loss,), abs=1e-9)


def test_a_function_sees_what_an_environment_shows() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    seen: list[Any] = []

    def first_legal(observation: Any, action_mask: Any) -> int:
        seen.append((observation, action_mask))
        return int(action_mask.argmax())

    komi.regret("piglet", first_legal)
    importlib.import_module("komi.gymnasium")  # registers the environments
    observation, info = gymnasium.make("komi/Piglet-v0").reset(seed=1)
    assert {shown.shape for shown, _ in seen} == {observation["observation"].shape}
    assert any(
        np.array_equal(shown, observation["observation"]) and np.array_equal(mask, info["action_mask"])
        for shown, mask in seen
    )


@pytest.mark.parametrize(
    ("policy", "vectorized", "reason"),
    [
        (lambda observation, mask: 2, False, "takes action 2 in .* where only flip, hold can be taken"),
        (lambda observation, mask: 0.5, False, "must return the number of an action, not 0.5"),
        (lambda observation, mask: 1, True, r"must return the numbers of 650 actions, int\[650\], not int64\[\]"),
        (lambda observation, mask: mask[:, 0] * 0.5, True, r"int\[650\], not float64\[650\]"),
        (lambda observation, mask: mask[:, 0] * -9, True, "takes action -9 in"),
        ("hold-at:much", False, "hold-at needs a whole number"),
    ],
)
def test_an_invalid_action_is_refused(policy: Any, vectorized: bool, reason: str) -> None:
    with pytest.raises(komi.KomiError, match=reason):
        komi.regret("piglet", policy, vectorized=vectorized)


def test_games_of_other_kinds_are_refused() -> None:
    with pytest.raises(komi.SolveError, match="for 1 player"):
        komi.best_response("pig-solitaire", "hold-at:10", goal=20)
    with pytest.raises(komi.SolveError, match="for 1 player"):
        komi.regret("pig-solitaire", "hold-at:10", opponent="random", goal=20)
    with pytest.raises(komi.SolveError, match="hides something"):
        komi.regret("red7", "random")
