"""The solver is compiled in another process while a game is explored: only if it must be, and for the right types."""

from queue import Queue
from types import SimpleNamespace
from typing import Any

import pytest

import komi
from komi.bellman import backup
from komi.bellman.batch import solve_batch
from komi.jit.kernels import engine_kernels


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> "Queue[list[str]]":
    """Record the commands in place of starting processes."""
    commands: Queue[list[str]] = Queue()
    monkeypatch.setattr("subprocess.run", lambda command, **streams: commands.put(command))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    return commands


@pytest.mark.parametrize(("game", "gain_columns"), [("piglet", 1), ("pig-solitaire", 2)])
def test_what_is_compiled_ahead_is_what_a_solve_calls(game: str, gain_columns: int) -> None:
    komi.solve(game, fresh=True, goal=4)
    kernel: Any = engine_kernels()[solve_batch]
    assert tuple(map(kernel.dispatcher.typeof_pyval, backup._no_batch(gain_columns))) in kernel.dispatcher.overloads


def test_nothing_is_compiled_ahead_twice(started: "Queue[list[str]]") -> None:
    backup.compile_now(1)
    backup.compile_ahead(1)
    assert started.empty()


def test_another_process_compiles_what_is_missing(started: "Queue[list[str]]", monkeypatch: pytest.MonkeyPatch) -> None:
    missing = SimpleNamespace(is_compiled=lambda *arguments: False)
    monkeypatch.setattr(backup, "engine_kernels", lambda: {solve_batch: missing})
    backup.compile_ahead(1)
    program = started.get(timeout=60)[-1]
    monkeypatch.undo()
    exec(program)
    assert program.endswith("compile_now(1)")
