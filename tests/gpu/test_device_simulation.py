"""Simulations on a graphics processor are those of the processor, to the last bit.

Kernels run in numba's simulator, as Python; tests marked `gpu` run on a card, and others compile for one.
"""

import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.cuda.cudadrv.driver import CudaAPIError

import komi
from komi.errors import GameError, InputError
from komi.gpu import card
from komi.simulation.device_job import DeviceJob
from komi.simulation.tally import HistogramTails, Tally

from slowly import slowly

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")

EXAMPLES = Path(__file__).parents[2] / "examples"
COMPILING = Path(__file__).with_name("compiling.py")
NO_CARD = 77  # exit status


def check_equal(one: Tally, other: Tally) -> None:
    for field in fields(Tally):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, HistogramTails):
            for part in fields(HistogramTails):
                np.testing.assert_array_equal(getattr(mine, part.name), getattr(theirs, part.name))
        else:
            np.testing.assert_array_equal(mine, theirs, field.name)


def play(game: Any, device: Any, **settings: Any) -> Tally:
    if not {"deals", "until_stderr"} & settings.keys():
        settings = {"games": 150} | settings
    return komi.simulate(game, device=device, seed=3, **settings).tally


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("piglet", {"goal": 3}),
        ("piglet", {"goal": 3, "players": 4}),
        ("piglet", {"goal": 5, "policies": ["optimal", "random"]}),
        ("pig", {"goal": 20, "policies": ["hold-at:8", "random"]}),
        ("pig-solitaire", {"goal": 10}),
        ("red7", {"games": 20}),
        *slowly(("kuhn_poker.py", {"policies": "optimal"}), ("stag_hunt.py", {}), ("skunk", {"goal": 6, "games": 40})),
        ("forest.py", {"games": 5}),
        ("game_2048.py", {"target": 4, "games": 10}),
        ("piglet", {"goal": 2, "deals": 12, "per_deal": 5, "games": None}),
        ("red7", {"deals": 5, "per_deal": 3, "games": None}),
        ("piglet", {"goal": 1, "until_stderr": 0.04, "games": None}),
    ],
)
def test_games_are_those_of_the_processor(game: str, settings: dict[str, Any]) -> None:
    found: Any = EXAMPLES / game if game.endswith(".py") else game
    check_equal(play(found, "cpu", **settings), play(found, "gpu", **settings))


def test_simulation_continues_on_another_device(tmp_path: Path) -> None:
    kept = tmp_path / "kept.npz"
    play("piglet", "cpu", games=100, goal=2, keep=kept)
    continued = play("piglet", "gpu", games=250, goal=2, keep=kept)
    assert continued.games == 250
    assert continued.sums.sum() == play("piglet", "cpu", games=250, goal=2).sums.sum()


def test_error_is_that_of_the_processor(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("def wrong(rules, state):\n    return 1 - (state.mine < 2)\n")
    messages = []
    for device in ("cpu", "gpu"):
        with pytest.raises(GameError) as raised:
            play("piglet", device, goal=4, policies=[f"{file}:wrong", "random"])
        messages.append(str(raised.value))
    assert messages[0] == messages[1]


def test_what_cannot_play_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="policy mcts:5 cannot play on a GPU"):
        play("piglet", "gpu", policies="mcts:5")
    with pytest.raises(InputError, match="leave out the number of workers"):
        play("piglet", "gpu", workers=2)
    with pytest.raises(InputError, match="the device is 'cpu', 'gpu' or 'auto', not 'tpu'"):
        play("piglet", "tpu")
    monkeypatch.setattr(card, "version", lambda name: 1 / 0 if name != "numba-cuda" else _missing())
    with pytest.raises(InputError, match=r"pip install 'komi\[gpu\]'"):
        play("piglet", "gpu")
    check_equal(play("piglet", "cpu", goal=2), play("piglet", "auto", goal=2))


def test_short_memory_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise CudaAPIError(2, "Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")

    monkeypatch.setattr(DeviceJob, "_launch", fail)
    with pytest.raises(InputError, match="the GPU has too little free memory for this game"):
        play("piglet", "gpu", goal=2)


def _missing() -> None:
    raise card.PackageNotFoundError


def compiled(*arguments: object) -> str:
    command = [sys.executable, str(COMPILING), *map(str, arguments)]
    result = subprocess.run(command, env=_without_simulator(), capture_output=True, text=True, check=False)
    if any(missing in result.stderr for missing in ("DynamicLibNotFoundError", "NvvmSupportError")):
        pytest.skip("this test needs the libraries of CUDA: pip install 'komi[gpu]'.")
    assert result.returncode == 0, result.stderr
    return result.stdout


def _without_simulator() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "NUMBA_ENABLE_CUDASIM"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["playouts", "steps"])
def test_rule_with_a_list_is_refused_with_its_line(kind: str) -> None:
    file = EXAMPLES / "hypergammon.py"
    line = next(number for number, text in enumerate(file.read_text().splitlines(), 1) if "return [" in text)
    said = compiled(kind, file)
    assert said.startswith(f"hypergammon.py, line {line}:")
    assert "a GPU cannot run this" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [("pig", "hold-at:20"), ("piglet", "optimal"), ("red7",), ("yahtzee",), (EXAMPLES / "kuhn_poker.py", "optimal")],
)
def test_kernels_compile_for_a_card_and_round_every_product(arguments: tuple[object, ...]) -> None:
    assert compiled("playouts", *arguments).split() == ["fused", "0", "constant", "0"]


@pytest.mark.gpu
@pytest.mark.slow
@pytest.mark.parametrize("game", ["pig", "red7", "piglet", "yahtzee", str(EXAMPLES / "leduc_poker.py")])
def test_million_games_on_a_card_are_those_of_the_processor(game: str) -> None:
    script = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
import komi
from komi.gpu.card import has_card
from test_device_simulation import check_equal
if not has_card():
    sys.exit({NO_CARD})
check_equal(*(komi.simulate({game!r}, 1_000_000, device=device).tally for device in ("cpu", "gpu")))
"""
    run_on_card(script)


def run_on_card(script: str) -> None:
    """Run a script that exits with NO_CARD where there is none."""
    path = os.pathsep.join(sys.path)  # of the other modules for tests
    done = subprocess.run([sys.executable, "-c", script], env=_without_simulator() | {"PYTHONPATH": path}, check=False)
    if done.returncode == NO_CARD:
        pytest.skip("this test needs a GPU.")
    assert done.returncode == 0
