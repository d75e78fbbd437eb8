"""Rules and policies in files travel to where these files are not."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import komi
from komi.compiling.compiled import CompiledGame
from komi.design.openings import OpeningsJob
from komi.policies.policy import UniformPolicy
from komi.progress import silent
from komi.rules.catalog import SerializedModule
from komi.simulation.job import SimulationJob
from komi.simulation.plan import SimulationPlan

import rulefiles


def elsewhere(sent: bytes, said: str) -> str:
    """Return what another process prints about an object that it has received pickled."""
    command = [sys.executable, "-c", f"import pickle, sys; arrived = pickle.load(sys.stdin.buffer); print({said})"]
    ended = subprocess.run(command, input=sent, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout.decode().strip()


def written(folder: Path) -> Path:
    (folder / "dice.py").write_text("def share():\n    return 1 / 3\n")
    return rulefiles.write(
        folder,
        ("players = 2", "import dice\n\nplayers = 2"),
        ("yield 1 / 3, State(rival", "yield dice.share(), State(rival"),
    )


def remove(folder: Path) -> None:
    for file in folder.glob("*.py"):
        file.unlink()


def test_game_in_a_folder_keeps_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "long_sprint"
    folder.mkdir()
    rulefiles.write(folder).rename(folder / "rules.py")
    game = SerializedModule.of(komi.find(str(folder)).module)
    (folder / "rules.py").unlink()
    assert elsewhere(pickle.dumps(game), "arrived.game().name") == "long-sprint"
    assert SerializedModule.of(komi.find("red7").module).game() is komi.find("red7")


def test_game_in_several_files_arrives_whole(tmp_path: Path) -> None:
    game = SerializedModule.of(komi.find(str(written(tmp_path))).module)
    assert [name for name, _ in game.files] == ["dice.py", "sprint.py"]
    remove(tmp_path)
    assert elsewhere(pickle.dumps(game), "arrived.game().name") == "sprint"
    assert elsewhere(pickle.dumps(game), "arrived.game().module.dice.share()") == repr(1 / 3)


def test_built_in_game_arrives_by_its_name() -> None:
    sent = SerializedModule.of(komi.find("red-light").module)
    assert sent.files == ()
    assert sent.game().name == "red-light"


def test_file_that_has_changed_does_not_travel(tmp_path: Path) -> None:
    game = komi.find(str(written(tmp_path)))
    (tmp_path / "dice.py").write_text("def share():\n    return 1 / 4\n")
    with pytest.raises(komi.GameError, match=r"sprint\.py has changed since it was loaded"):
        SerializedModule.of(game.module)


def test_simulation_with_policies_in_files_plays_the_same_elsewhere(tmp_path: Path) -> None:
    game = komi.find(str(written(tmp_path)))
    (tmp_path / "mine.py").write_text(
        "def bold(rules, state):\n    return 1 if state.turn > 2 or state.score + state.turn >= rules.goal else 0\n"
    )
    seated = (f"{tmp_path}/mine.py:bold", UniformPolicy())
    work = SimulationJob(game, game.default_rules, seated, 1, SimulationPlan.of(100, None, None, 1))
    block = work((0, 20))
    sent = pickle.dumps(work)
    assert block is not None
    here = repr([[row.tolist() for row in part] for part in block])
    remove(tmp_path)
    assert elsewhere(sent, "[[row.tolist() for row in part] for part in arrived((0, 20))]") == here


@pytest.mark.slow
def test_openings_are_the_same_elsewhere(tmp_path: Path) -> None:
    game = komi.find(str(written(tmp_path)))
    job = OpeningsJob(CompiledGame(game))
    rules = (tuple(game.default_rules),)
    here = job(rules, silent)
    sent = pickle.dumps(job)
    remove(tmp_path)
    said = f"arrived({rules!r}, __import__('komi.progress').progress.silent)"
    assert elsewhere(sent, said) == repr(here)
