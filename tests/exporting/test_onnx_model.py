"""A network as an ONNX model does what its policy does."""

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.errors import InputError
from komi.exporting.export import export
from komi.policies.named import find
from komi.policies.tabulate import tabulate

FOWL_PLAY = {"goal": 8, "wolves": 2, "chickens": 7}


def made(folder: Path, game: str, rules: dict[str, Any]) -> str:
    file = folder / "net.py"
    komi.approximate(game, file, weights=60, seconds=0.3, **rules)
    return f"{file}:network"


@pytest.mark.parametrize(
    ("game", "rules"), [pytest.param("fowl-play", FOWL_PLAY, marks=pytest.mark.slow), ("piglet", {"goal": 6})]
)
def test_a_model_decides_as_its_policy_does_in_every_state(tmp_path: Path, game: str, rules: dict[str, Any]) -> None:
    policy = made(tmp_path, game, rules)
    written = export(game, policy, tmp_path / "net.onnx", **rules)
    assert written.size == (tmp_path / "net.onnx").stat().st_size
    solution = komi.solve(game, **rules)
    states = solution.optimal_play.states
    expected = tabulate(find(policy, solution), CompiledGame(solution.game), solution.rules, states)
    fields = np.array([states.fields(index) for index in range(states.size)], np.int64)
    logits, chosen = onnxruntime.InferenceSession(written.file).run(None, {"state": fields})
    assert logits.shape == (states.size, 2)
    legal, state_class = solution.game.part("legal"), solution.game.module.State
    for each, action, found in zip(fields, chosen, expected, strict=True):
        allowed = list(legal(solution.rules, state_class(*each)))
        assert (action if action in allowed else allowed[0]) == found


def test_only_networks_are_exported_as_models(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="only networks of 'komi approximate' can be exported to ONNX: hold-at:3 is not one"
    ):
        export("piglet", "hold-at:3", tmp_path / "net.onnx", goal=6)
    assert not (tmp_path / "net.onnx").exists()


def test_a_file_whose_expressions_are_not_known_is_refused(tmp_path: Path) -> None:
    policy = made(tmp_path, "piglet", {"goal": 6})
    file = tmp_path / "net.py"
    file.write_text(file.read_text().replace("state.score", "min(state.score, 3)", 1))
    with pytest.raises(
        InputError, match=r"the file of the network cannot be read: 'min\(state.score, 3\)' is not supported"
    ):
        export("piglet", policy, tmp_path / "net.onnx", goal=6)
