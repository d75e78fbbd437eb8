"""Compiled code is kept, shared between processes, and never trusted when damaged."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

import komi
from komi.compiling.compiled import compiled_game
from komi.graph.state_sets import hash_table
from komi.jit import kernels
from komi.jit.kernels import engine_kernels
from komi.policies.playing import MAX_LISTED_GAMES
from komi.rules import catalog

import rulefiles

GAMES = MAX_LISTED_GAMES + 1  # so many that rules are compiled
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


def never_compiled(folder: Path, *replacements: tuple[str, str], name: str) -> Path:
    """Write a rule file that no earlier run can have compiled."""
    return rulefiles.write(folder, *replacements, ('"""Sprint', f'"""Sprint {uuid4()}'), name=name)


def simulating(path: Path) -> "subprocess.Popen[str]":
    """Start a process that compiles or loads one kernel: a simulation needs no more."""
    arguments = ["simulate", str(path), "--games", str(GAMES), "--seed", "1", "--json"]
    return subprocess.Popen([*KOMI, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def simulate(path: Path) -> float:
    return float(komi.simulate(str(path), GAMES, seed=1, workers=1).wins[0].mean)


def compiled_code(cache: Path, path: Path) -> list[Path]:
    """Return the files of the kernels of a game."""
    name = path.stem.replace("_", "-")
    return [file for file in (cache / "compiled" / name).glob("*") if file.suffix != ".lock"]


@pytest.mark.slow
def test_rule_file_is_compiled_once_and_loaded_by_the_next_process(tmp_path: Path) -> None:
    path = rulefiles.write(tmp_path, name="once.py")
    simulate(path)
    out, err = simulating(path).communicate(timeout=100)
    assert '"win_rate"' in out
    assert err == ""  # no line about compiling


def test_two_processes_compile_the_same_at_once(tmp_path: Path) -> None:
    path = never_compiled(tmp_path, name="twice.py")
    both = [simulating(path), simulating(path)]
    answers = [process.communicate(timeout=200) for process in both]
    assert [process.returncode for process in both] == [0, 0], answers
    assert any("compiling part of twice" in err for _, err in answers)  # each kernel by one, the other waits for it


@pytest.mark.slow
def test_process_killed_while_compiling_leaves_nothing_that_harms(tmp_path: Path, cache_folder: Path) -> None:
    path = rulefiles.write(tmp_path, name="killed.py")
    killed = simulating(path)
    deadline = time.monotonic() + 60
    while not (cache_folder / "compiled" / "killed").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.5)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert simulate(path) > 0.5


EVEN_AND_ODD = """

def even(n):
    return True if n <= 0 else odd(n - 1)


def odd(n):
    return False if n <= 0 else even(n - 1)
"""


@pytest.mark.slow
def test_rules_that_call_themselves_are_loaded_by_the_next_process(tmp_path: Path) -> None:
    rules = ("return 0.0", "return 0.0 if even(state.score) else 0.25" + EVEN_AND_ODD)
    path = never_compiled(tmp_path, rules, name="even_and_odd.py")
    first, again = (simulating(path).communicate(timeout=100) for _ in range(2))
    assert json.loads(first[0])["win_rate"] == json.loads(again[0])["win_rate"]
    assert (len(first[1].splitlines()), again[1]) == (1, "")


@pytest.mark.slow
def test_damaged_compiled_code_is_compiled_again(tmp_path: Path, cache_folder: Path) -> None:
    path = rulefiles.write(tmp_path, name="damaged.py")
    out, _ = simulating(path).communicate(timeout=100)
    for file in compiled_code(cache_folder, path):
        os.truncate(file, file.stat().st_size // 2)
    again, err = simulating(path).communicate(timeout=100)
    assert '"win_rate"' in out
    assert '"win_rate"' in again, err


@pytest.mark.slow
def test_a_flipped_bit_in_compiled_code_is_noticed_before_it_is_run(tmp_path: Path, cache_folder: Path) -> None:
    path = rulefiles.write(tmp_path, name="flipped.py")
    out, _ = simulating(path).communicate(timeout=100)
    chance = random.Random(1)
    for file in compiled_code(cache_folder, path):
        content = bytearray(file.read_bytes())
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        file.write_bytes(content)
    again, err = simulating(path).communicate(timeout=100)
    assert "compiling part of flipped" in err
    assert json.loads(again)["win_rate"] == json.loads(out)["win_rate"]
    assert simulating(path).communicate(timeout=100)[1] == ""  # what was compiled anew is kept


def test_no_flipped_bit_passes_the_checksum() -> None:
    content = random.Random(2).randbytes(5000)
    sound = kernels.checksum(content)
    for place in range(0, 8 * len(content), 37):
        flipped = bytearray(content)
        flipped[place >> 3] ^= 1 << (place & 7)
        assert kernels.checksum(bytes(flipped)) != sound


def test_a_kernel_called_with_other_types_is_compiled_for_them_and_kept() -> None:
    table = hash_table(np.arange(6).reshape(3, 2), 3)
    narrow = hash_table(np.arange(3).reshape(3, 1), 3)
    assert sorted(table[table >= 0]) == sorted(narrow[narrow >= 0]) == [0, 1, 2]
    before = engine_kernels().seconds
    keys = np.arange(3).reshape(3, 1)
    keys.setflags(write=False)  # another type to the compiler
    assert np.array_equal(hash_table(keys, 3), narrow)
    assert engine_kernels().seconds > before


@pytest.mark.slow
def test_compiled_code_of_other_rules_is_another(tmp_path: Path, cache_folder: Path) -> None:
    before = set(compiled_code(cache_folder, tmp_path / "edited.py"))
    path = never_compiled(tmp_path, name="edited.py")
    first = simulate(path)
    code = set(compiled_code(cache_folder, path))
    never_compiled(tmp_path, ("(2, 3)", "(3, 2)"), ("return 0.0", "return 0.25"), name="edited.py")
    assert simulate(path) != first
    assert len(set(compiled_code(cache_folder, path)) - code) == len(code - before) > 0


@pytest.mark.slow
def test_code_that_other_processes_have_kept_is_not_taken_for_other_code(tmp_path: Path) -> None:
    """Two policies at the same table, compiled in processes of the same course: a third one loads both."""
    game = rulefiles.write(tmp_path, name="kept_apart.py")
    (tmp_path / "likings.py").write_text("".join(LIKING.format(name=name, sign=sign) for name, sign in LIKINGS))
    policies = [f"{tmp_path}/likings.py:{name}" for name, _ in LIKINGS]
    play = (
        "import komi, sys\n"
        "for policy in sys.argv[2:]:\n"
        f"    print(komi.simulate(sys.argv[1], {GAMES}, policies=[policy, 'random'], seed=1).wins[0].mean)"
    )

    def wins(*policies: str) -> list[str]:
        command = [sys.executable, "-c", play, str(game), *policies]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    apart = [*wins(policies[0]), *wins(policies[1])]
    assert apart[0] != apart[1]
    assert wins(*policies) == apart


def test_a_game_is_compiled_once_for_each_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    once, again = compiled_game(catalog.find("pig")), compiled_game(catalog.find("pig"))
    assert once is again
    monkeypatch.setenv("KOMI_CACHE_DIR", str(tmp_path))
    assert compiled_game(catalog.find("pig")) is not once


def test_a_rule_file_that_has_changed_is_compiled_anew(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(catalog.find("pig").file.read_text())
    before = compiled_game(catalog.find(str(path)))
    path.write_text(path.read_text() + "\n\nMORE = 1\n")
    assert compiled_game(catalog.find(str(path))) is not before
