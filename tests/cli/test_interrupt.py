"""Ctrl-C in the middle of solving leaves nothing half-written."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

import komi
from komi.__main__ import main
from komi.cli.interrupt import insisting

import rulefiles

SOLVE = [sys.executable, "-c", "from komi.cli import main; main()", "solve", "fowl-play", "--set", "goal=60", "--fresh"]


def test_interrupted_solve_says_so_and_keeps_nothing(tmp_path: Path, cache_folder: Path) -> None:
    komi.solve("fowl-play", goal=4)  # so that it is compiled
    (tmp_path / "compiled").symlink_to(cache_folder / "compiled")
    solving = subprocess.Popen(
        SOLVE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"KOMI_CACHE_DIR": str(tmp_path)},
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "solutions").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(1)
    solving.send_signal(signal.SIGINT)
    out, err = solving.communicate(timeout=60)
    assert solving.returncode == 130, err
    assert err.splitlines()[-1] == "komi: stopped; results that were kept before are unchanged."
    assert out == ""
    assert list((tmp_path / "solutions").iterdir()) == []


class Interrupted(ModuleType):
    def __getattr__(self, name: str) -> None:
        raise KeyboardInterrupt


def test_ctrl_c_during_imports_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "komi.cli", Interrupted("komi.cli"))
    with pytest.raises(SystemExit) as exited:
        main()
    assert exited.value.code == 130


@pytest.mark.slow
def test_compiled_rules_that_loop_for_ever_are_ended(tmp_path: Path) -> None:
    """They loop too far from the start for the rules to be seen to, as they stand, before they are compiled."""
    path = rulefiles.write(
        tmp_path,
        ("= 5", "= 200"),
        (
            "    score, rival, turn = state\n",
            "    score, rival, turn = state\n    while score + rival > 250:\n        pass\n",
        ),
    )
    solving = subprocess.Popen(
        [*SOLVE[:3], "solve", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(30)
    assert solving.poll() is None
    solving.send_signal(signal.SIGINT)
    _, err = solving.communicate(timeout=30)
    assert solving.returncode == 130
    assert err.endswith("komi: stopped; results that were kept before are unchanged.\n")
    assert "Traceback" not in err


def test_ctrl_c_in_a_callback_of_the_compiler_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    ignored: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: ignored.append(raised.exc_value))

    @ctypes.CFUNCTYPE(None, ctypes.c_int)
    def callback(number: int) -> None:
        raise (KeyboardInterrupt if number else ValueError)("while compiling")

    with insisting():
        callback(1)
        assert ignored == []
        callback(0)
    callback(1)
    assert [type(error) for error in ignored] == [ValueError, KeyboardInterrupt]
