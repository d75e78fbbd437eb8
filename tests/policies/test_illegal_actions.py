"""No number that a policy returns stands for anything but the action with this number."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi.errors import GameError, InputError
from komi.policies.learned import load_policy, save_policy
from komi.policies.named import find
from komi.search.playouts import PolicyStatus
from komi.solvers.solve import solve

from slowly import slowly

WRONG = (-2, -3, -7, 65536, 65537, -(1 << 40))


@pytest.mark.parametrize(
    "number", [WRONG[0], PolicyStatus.UNKNOWN, *slowly(*WRONG[1:], PolicyStatus.ENDLESS, PolicyStatus.UNREACHABLE)]
)
def test_a_function_of_a_file_that_returns_no_action_is_refused(tmp_path: Path, number: int) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(f"def policy(rules, state):\n    return {number}\n")
    expected = max(number, PolicyStatus.UNKNOWN + 1)
    refused = rf"policy .* takes action {expected} in score=0,rival=0,turn=0, where only flip, hold can be taken"
    with pytest.raises(GameError, match=refused):
        komi.match("piglet", str(path), "optimal", goal=3)
    if number == WRONG[0]:
        with pytest.raises(GameError, match=refused):
            komi.simulate("piglet", 10, policies=[str(path), "random"], goal=3)


@pytest.mark.parametrize("is_vectorized", [False, True])
@pytest.mark.parametrize("number", WRONG)
def test_a_python_function_that_returns_no_action_is_refused(number: int, is_vectorized: bool) -> None:
    def policy(observation: Any, mask: Any) -> Any:
        return np.full(len(mask), number) if is_vectorized else number

    with pytest.raises(GameError, match=rf"policy policy takes action {number} in .*, where only"):
        komi.match("piglet", policy, "optimal", goal=3, vectorized=is_vectorized)


def test_a_number_beyond_any_word_is_refused() -> None:
    with pytest.raises(InputError, match=r"must return the number of an action, not 36893488147419103232"):
        komi.match("piglet", lambda observation, mask: 1 << 65, "optimal", goal=3)


def test_an_action_that_is_not_legal_in_a_state_is_refused_there() -> None:
    with pytest.raises(GameError, match=r"takes action 0 in score=0,rival=0,turn=3, where only hold"):
        komi.match("piglet", lambda observation, mask: 0, "optimal", goal=3)


def test_a_saved_policy_with_wider_numbers_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "piglet.npz"
    solution = solve("piglet", goal=3)
    save_policy(file, solution, find("max-score", solution), "max-score")  # type: ignore[arg-type]
    load_policy("learned", file, solution)
    with np.load(file) as stored:
        arrays = dict(stored)
    np.savez(file, **{**arrays, "actions": arrays["actions"].astype(np.int64) + 65536})
    with pytest.raises(InputError, match="is not a learned policy"):
        load_policy("learned", file, solution)
