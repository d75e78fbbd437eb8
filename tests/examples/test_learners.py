"""The examples learn: their exact loss falls in a small run."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("torch", reason="the examples need PyTorch: make examples.")
pytest.importorskip("gymnasium")
EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_dqn_learns_by_self_play(tmp_path: Path) -> None:
    lines: list[str] = []
    picture = tmp_path / "curve.png"
    curve = example("dqn").main(["--steps", "96000", "--seed", "1", "--plot", str(picture)], lines.append)
    assert curve[0].loss > 0.1
    assert curve[-1].loss < 0.05  # 0.01 when this was written; floating-point sums differ between machines
    assert [point.steps for point in curve] == sorted({point.steps for point in curve})
    assert len(lines) == len(curve) + 1
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_seed_determines_what_dqn_learns() -> None:
    train = example("dqn").train
    first, again, other = ([point.loss for point in train(20, 6400, seed, checkpoints=4)] for seed in (5, 5, 6))
    assert first == again != other


def test_dqn_learns_against_an_opponent() -> None:
    curve = list(example("dqn").train(20, 20_000, 0, "random", checkpoints=2))
    assert curve[-1].loss < 0.1


def test_maskable_ppo_learns_the_best_response(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="this needs sb3-contrib: make examples.")
    lines: list[str] = []
    picture = tmp_path / "curve.png"
    curve = example("maskable_ppo").main(["--steps", "30000", "--plot", str(picture)], lines.append)
    assert curve[0].response_loss > 0.1
    assert curve[-1].response_loss < 0.08
    assert curve[-1].wins > curve[0].wins
    assert "The best response wins 59.66%" in lines[-2]
    assert "which wins 56.84%" in lines[-1]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_ppo_learns_by_self_play() -> None:
    lines: list[str] = []
    curve = example("ppo").main(["pig", "goal=30", "--steps", "100000", "--games", "64"], lines.append)
    assert curve[0].loss > 0.1 > 0.03 > curve[-1].loss
    assert len(lines) == len(curve) + 1


def test_ppo_approaches_an_equilibrium_where_cards_are_hidden() -> None:
    game = str(EXAMPLES / "kuhn_poker.py")
    first, again = (list(example("ppo").train(game, 100_000, games=64, checkpoints=2)) for _ in range(2))
    assert [point.loss for point in first] == [point.loss for point in again]
    assert first[-1].loss < 0.05 < 0.15 < first[0].loss  # of 0.1667 at random, in chips


def test_bad_arguments_are_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        example("dqn").main(["--goal", "0"])
    assert "goal of pig must be" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        example("ppo").main(["pig", "goal"])
    assert "a rule is changed as goal=50, not goal" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["dqn", "maskable_ppo", "ppo"])
def test_ctrl_c_ends_quietly(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    if name == "maskable_ppo":
        pytest.importorskip("sb3_contrib", reason="this needs sb3-contrib: make examples.")
    with pytest.raises(SystemExit) as ended:
        example(name).main(["pig"] * (name == "ppo"), interrupt)
    assert (ended.value.code, capsys.readouterr().err) == (130, "stopped.\n")
