"""Compiled code is kept, shared between processes, and never trusted when damaged."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import komi

import rulefiles

KOMI = [sys.executable, "-c", "from komi.cli import main; main()"]


LIKINGS = (("first", "-"), ("last", "+"))
LIKING = """
def {name}(rules, state, action):
    liking = 0.0
    for seen in range(2 + state.turn):  # too much to be put into what calls it
        if (seen * state.score + state.rival) % 7 < 3:
            liking += 0.001 * seen
        for again in range(seen):
            liking = abs(liking - 0.01 * ((again * liking) % 3))
    return liking {sign} action
"""


def solving(path: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*KOMI, "solve", str(path), "--fresh", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def compiled_folders(cache: Path, path: Path) -> list[Path]:
    """Made when compiling begins."""
    return list((cache / "compiled").glob(f"{path.stem}-*"))


def test_rule_file_is_compiled_once_and_loaded_by_the_next_process(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, name="once.py")
    komi.solve(str(path))
    out, err = solving(path).communicate(timeout=100)
    assert '"value"' in out
    assert err == ""  # no line about compiling


def test_two_processes_compile_the_same_at_once(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, name="twice.py")
    both = [solving(path), solving(path)]
    answers = [process.communicate(timeout=200) for process in both]
    assert [process.returncode for process in both] == [0, 0], answers
    assert any("compiling twice" in err for _, err in answers)  # each kernel by one, the other waits for it


def test_process_killed_while_compiling_leaves_nothing_that_harms(tmp_path: Path, cache_folder: Path) -> None:
    path = rulefiles.write(tmp_path, name="killed.py")
    killed = solving(path)
    deadline = time.monotonic() + 60
    while not compiled_folders(cache_folder, path) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.5)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    (folder,) = compiled_folders(cache_folder, path)
    (folder / "draft.nbc.tmp.1234").write_text("half")  # as if it had been writing
    assert komi.solve(str(path)).value() > 0.5
    assert not list(folder.rglob("*.tmp.*"))


@pytest.mark.parametrize("damage", ["code", pytest.param("index", marks=pytest.mark.slow)])
def test_damaged_compiled_code_is_compiled_again(tmp_path: Path, cache_folder: Path, damage: str) -> None:
    path = rulefiles.write(tmp_path, name=f"damaged_{damage}.py")
    out, _ = solving(path).communicate(timeout=100)
    (folder,) = (cache_folder / "compiled").glob(f"damaged-{damage}-*")
    for file in folder.rglob("*.nbi" if damage == "index" else "*.nbc"):
        os.truncate(file, file.stat().st_size // 2)
    again, err = solving(path).communicate(timeout=100)
    assert '"value"' in out
    assert '"value"' in again, err


def test_compiled_code_of_other_rules_is_another(tmp_path: Path, cache_folder: Path) -> None:
    path = rulefiles.write(tmp_path, name="edited.py")
    first = komi.solve(str(path)).value()
    rulefiles.write(tmp_path, ("(2, 3)", "(3, 2)"), ("return 0.0", "return 0.25"), name="edited.py")
    assert komi.solve(str(path)).value() != first
    assert len(compiled_folders(cache_folder, path)) == 2


def test_code_that_other_processes_have_kept_is_not_taken_for_other_code(tmp_path: Path) -> None:
    """Two policies at the same table, compiled in processes of the same course: a third one loads both."""
    game = rulefiles.write(tmp_path, name="kept_apart.py")
    (tmp_path / "likings.py").write_text("".join(LIKING.format(name=name, sign=sign) for name, sign in LIKINGS))
    policies = [f"{tmp_path}/likings.py:{name}" for name, _ in LIKINGS]
    play = (
        "import komi, sys\n"
        "for policy in sys.argv[2:]:\n"
        "    print(komi.simulate(sys.argv[1], 500, policies=[policy, 'random'], seed=1).wins[0].mean)"
    )

    def wins(*policies: str) -> list[str]:
        command = [sys.executable, "-c", play, str(game), *policies]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    apart = [*wins(policies[0]), *wins(policies[1])]
    assert apart[0] != apart[1]
    assert wins(*policies) == apart
