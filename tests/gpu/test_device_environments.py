"""Environments on a graphics processor play the games of the processor, to the last bit.

Kernels run in numba's simulator, as Python; tests marked `gpu` run on a card, and others compile for one.
"""

from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba.cuda.cudadrv.driver import CudaAPIError
from test_device_simulation import EXAMPLES, NO_CARD, compiled, run_on_card
from test_returns import EARLY_GAIN, FIRST_MAY_BUST

from komi import environments
from komi.errors import GameError, InputError
from komi.gpu import card, compiler, game
from komi.gpu.arrays import DeviceArray
from komi.gymnasium import VectorEnv

from slowly import slowly

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")

FILES = {"early_gain.py": EARLY_GAIN, "first_may_bust.py": FIRST_MAY_BUST}


def check_same_games(here: Any, there: Any, steps: int, seed: int = 5, legal: bool = True) -> int:
    """Take the same random actions in two environments; return how many games ended."""
    random, ended = np.random.default_rng(seed), 0
    (seen, info), (seen_there, info_there) = here.reset(seed=seed), there.reset(seed=seed)
    for _ in range(steps):
        check_equal({**seen, **info}, {**seen_there, **info_there})
        masks = seen["action_mask"] if legal else np.ones_like(seen["action_mask"])
        actions = (masks * random.random(masks.shape)).argmax(axis=1)
        seen, *results, info = here.step(actions)
        seen_there, *results_there, info_there = there.step(actions)
        check_equal(dict(enumerate(results)), dict(enumerate(results_there)))
        ended += results[1].sum()
    return int(ended)


def check_equal(here: dict[Any, Any], there: dict[Any, Any]) -> None:
    assert here.keys() == there.keys()
    for name, array in here.items():
        assert isinstance(there[name], DeviceArray)
        assert (array.shape, array.dtype) == (there[name].shape, there[name].dtype)
        np.testing.assert_array_equal(array, np.asarray(there[name]), str(name))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("pig", {"opponent": "hold-at:8", "goal": 20}),
        ("pig", {"seat": "all", "goal": 10}),
        ("piglet", {"players": 4, "seat": None, "goal": 3}),
        ("piglet", {"opponent": "optimal", "seat": 1, "goal": 5}),
        ("pig", {"opponent": "hold-at:8", "goal": 10, "illegal": "random"}),
        ("pig-solitaire", {"objective": "turns", "goal": 10}),
        ("red7", {"players": 3, "hand": 3, "seat": None, "num_envs": 2}),
        ("kuhn_poker.py", {"seat": "all", "observation": "planes"}),
        ("early_gain.py", {}),
        ("first_may_bust.py", {"seat": 1}),
        ("first_may_bust.py", {"seat": None, "gain": 2}),
        ("stag_hunt.py", {"seat": "all"}),
        ("kuhn_poker.py", {"opponent": "optimal", "seat": None}),
        *slowly(
            ("red7", {"seat": "all", "num_envs": 3}),
            ("leduc_poker.py", {"seat": "all"}),
            ("goofspiel.py", {"cards": 3, "seat": None, "observation": "planes"}),
            ("hooligan", {"num_envs": 2, "observation": "planes", "illegal": "random"}),
        ),
    ],
)
def test_games_are_those_of_the_processor(name: str, settings: dict[str, Any], tmp_path: Path) -> None:
    found: Any = EXAMPLES / name if name.endswith(".py") else name
    if name in FILES:
        found = tmp_path / name
        found.write_text(FILES[name])
    settings = {"num_envs": 8} | settings
    here, there = (VectorEnv(found, device=device, **settings) for device in ("cpu", "gpu"))
    assert check_same_games(here, there, 20, legal=settings.get("illegal") != "random") > 0


def test_arrays_are_shared_and_change_with_the_next_step() -> None:
    games = environments.reset("pig", 5, seed=1, device="gpu")
    seen, masks = np.from_dlpack(games.observations), np.from_dlpack(games.action_masks)
    assert seen.shape == (5, 3)
    assert seen.strides == (8, 40)  # neighbouring threads read neighbouring numbers
    environments.step(games, [0] * 5)
    np.testing.assert_array_equal(seen, np.asarray(games.observations))
    assert seen.any()
    assert not np.shares_memory(np.asarray(games.observations), seen)
    assert masks.dtype == np.int8
    assert games.observations.__dlpack_device__() == (1, 0)  # the simulator's


def test_plain_functions_play_the_same_games_on_both_devices() -> None:
    here, there = (environments.reset("piglet", 6, seat="all", seed=2, device=name, goal=4) for name in ("cpu", "gpu"))
    for step in range(30):
        for games in (here, there):
            masks = np.array(games.action_masks)
            environments.step(games, masks.argmax(axis=1) if step % 3 else masks[:, 1])
        for field in ("states", "observations", "action_masks", "seats", "rewards", "all_rewards", "over"):
            np.testing.assert_array_equal(getattr(here, field), np.asarray(getattr(there, field)))
    assert here.batch.episodes.next_games.max() > 6


def test_an_illegal_action_is_reported_by_the_next_step_and_changes_nothing() -> None:
    games = environments.reset("red-light", 3, seat="all", seed=1, device="gpu")
    masks = np.from_dlpack(games.action_masks)
    legal = masks.argmax(axis=1)
    illegal = legal.copy()
    illegal[1] = int(np.flatnonzero(masks[1] == 0)[0])
    before = np.asarray(games.states)
    environments.step(games, illegal)
    np.testing.assert_array_equal(before, np.asarray(games.states))
    with pytest.raises(InputError, match=rf"action {illegal[1]} is not legal now; legal are "):
        environments.step(games, legal)
    np.testing.assert_array_equal(before, np.asarray(games.states))
    environments.step(games, legal)
    assert (before != np.asarray(games.states)).any(axis=1).all()


def test_error_is_raised_before_an_environment_is_closed() -> None:
    env = VectorEnv("pig", 2, device="gpu")
    env.reset(seed=1)
    env.step([7, 0])
    with pytest.raises(InputError, match="action 7 is not legal now"):
        env.close()


def test_opponent_that_breaks_the_rules_is_reported_as_on_the_processor(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("def wrong(rules, state):\n    return 7 * (state.score > 0) + (state.turn > 1)\n")
    messages = []
    for device in ("cpu", "gpu"):
        with pytest.raises(GameError) as raised:
            games = environments.reset("piglet", 4, f"{file}:wrong", seed=1, device=device, goal=4)
            while True:
                environments.step(games, np.array(games.action_masks)[:, 1])
        messages.append(str(raised.value))
    assert messages[0] == messages[1]
    assert "takes action 7" in messages[0]


def test_errors_are_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    def begin(name: str = "pig", device: str = "gpu", **settings: Any) -> Any:
        return environments.reset(name, 4, device=device, **settings)

    with pytest.raises(InputError, match="the device is 'cpu' or 'gpu', not 'tpu'"):
        begin(device="tpu")
    with pytest.raises(InputError, match="policy mcts:5 cannot play on a GPU: choose the device 'cpu'"):
        begin(opponent="mcts:5")
    with pytest.raises(InputError, match="one action for each of 4 games is needed"):
        environments.step(begin(), [0])
    absent = SimpleNamespace(is_available=lambda: False, gpus=[], CudaSupportError=OSError)
    with monkeypatch.context() as without_card, pytest.raises(InputError, match="no GPU can be used here: the driver"):
        without_card.setattr(card, "cuda", lambda: absent)
        begin()
    monkeypatch.setattr(card, "version", lambda name: _missing())
    with pytest.raises(InputError, match=r"pip install 'komi\[gpu\]'"):
        begin()


def test_short_memory_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise CudaAPIError(2, "Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")

    monkeypatch.setattr("komi.environments.device_batch._by_columns", fail)
    with pytest.raises(
        InputError, match="the GPU has too little free memory for this game and its policies: play fewer"
    ):
        environments.reset("pig", 4, device="gpu")


def test_actions_on_the_card_have_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tensor:
        __cuda_array_interface__: Any = None

        def __init__(self, array: Any) -> None:
            self.array = array

    monkeypatch.setattr(compiler.cuda, "as_cuda_array", lambda tensor: card.on_card(tensor.array), raising=False)
    games = environments.reset("pig", 3, device="gpu")
    for dtype in (np.int64, np.int32):
        environments.step(games, Tensor(np.zeros(3, dtype)))
    assert np.asarray(games.states).any()
    with pytest.raises(InputError, match="actions on a GPU must be int64 or int32, and contiguous, not float32"):
        environments.step(games, Tensor(np.zeros(3, np.float32)))


def test_tuples_of_arguments_are_converted_once() -> None:
    class Kernel:
        calls = 0

        def _prepare_args(self, kind: Any, value: Any, stream: Any, after: list[Any], converted: list[Any]) -> None:
            self.calls += 1
            converted.extend(value if isinstance(value, tuple) else [value])

    kernel, pair = Kernel(), (1, 2)
    game._remember_tuples(kernel, {})
    for number in range(3):
        converted: list[Any] = []
        for value in (pair, number):
            kernel._prepare_args(None, value, None, [], converted)
        assert converted == [1, 2, number]
    assert kernel.calls == 4


def _missing() -> None:
    raise PackageNotFoundError


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("pig", "hold-at:20"), ("piglet", "optimal"), ("red7",), (EXAMPLES / "leduc_poker.py",)]
)
def test_steps_compile_for_a_card_and_round_every_product(arguments: tuple[object, ...]) -> None:
    assert compiled("steps", *arguments).split() == ["fused", "0", "constant", "0"]


@pytest.mark.gpu
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("pig", {"opponent": "hold-at:20"}),
        ("pig", {"seat": "all", "illegal": "random"}),
        ("red7", {"players": 3, "seat": None}),
        ("piglet", {"opponent": "optimal", "goal": 8}),
        (str(EXAMPLES / "leduc_poker.py"), {"seat": None}),
    ],
)
def test_steps_on_a_card_are_those_of_the_processor(name: str, settings: dict[str, Any]) -> None:
    run_on_card(f"""
import sys
from komi.gpu.card import has_card
from komi.gymnasium import VectorEnv
from test_device_environments import check_same_games
if not has_card():
    sys.exit({NO_CARD})
here, there = (VectorEnv({name!r}, 100_000, device=device, **{settings!r}) for device in ("cpu", "gpu"))
assert check_same_games(here, there, 200) > 0
""")


@pytest.mark.gpu
@pytest.mark.slow
def test_pytorch_reads_and_acts_without_a_copy() -> None:
    pytest.importorskip("torch")
    run_on_card(f"""
import sys
import numpy as np
import torch
from komi import environments
from komi.gpu.card import has_card
if not has_card():
    sys.exit({NO_CARD})
games = environments.reset("pig", 1000, seed=1, device="gpu")
for array in (games.observations, games.action_masks, games.rewards, games.over):
    for tensor in (torch.from_dlpack(array), torch.as_tensor(array, device="cuda")):
        assert tensor.data_ptr() == array.__cuda_array_interface__["data"][0]
seen, masks = torch.from_dlpack(games.observations), torch.from_dlpack(games.action_masks)
for _ in range(50):
    environments.step(games, ((seen[:, 2] >= 20).long() * masks[:, 1]))
    np.testing.assert_array_equal(seen.cpu().numpy(), np.asarray(games.observations))
games.batch.check()
""")
