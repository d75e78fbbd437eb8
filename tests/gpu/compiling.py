"""Compiles a game for a card that need not be there.

Prints the number of operations that round once, and that of arrays in the memory of constants, or why it cannot be.

python compiling.py playouts|steps GAME [POLICY]
"""

import sys
from types import SimpleNamespace
from typing import Any

import numba.cuda.dispatcher
import numpy as np
from numba import cuda, typeof
from numba.core.errors import NumbaError
from numba.cuda.core.errors import NumbaError as CudaError

import komi
from komi.environments import device_stepping
from komi.environments.batch import GameBatch
from komi.environments.device_stepping import Note
from komi.gpu.card import compiling
from komi.gpu.game import DeviceGame
from komi.simulation.counting import MOVES, PER_SEAT, PER_TABLE, TURNS
from komi.simulation.device_playout import DeviceRecord, RuleSets, play_deals
from komi.simulation.job import SimulationJob
from komi.simulation.plan import SimulationPlan
from komi.simulation.playout import Deals

CAPABILITY = (9, 0)


def playouts(name: str, policy: str) -> tuple[Any, tuple[Any, ...]]:
    """Return the kernel of a simulation, and its arguments."""
    found = komi.find(name)
    rules = found.rules({})
    seats = found.players(rules)
    job = SimulationJob(found, rules, (policy,) * seats, 0, SimulationPlan.of(1, None, None, 1))
    columns = seats * PER_SEAT + PER_TABLE
    game = DeviceGame(job.game, {"SEATS": seats, "COLUMNS": columns})
    histograms = (np.zeros((1, 3, bins), int) for bins in (TURNS, MOVES))
    record = DeviceRecord(np.zeros((columns, 1)), *histograms, np.zeros((1, 3), int), np.zeros(1, int))
    sets = RuleSets(*(values.reshape(1, -1) for values in game.values_of(job.rules)), game.start(job.rules), 1)
    players = job.calls.players
    arguments = (sets, players.policies, players.data, job.keys[:2], Deals(0, 1, 1), record)
    return job.calls.kernels(game)[play_deals], arguments


def steps(name: str, policy: str) -> tuple[Any, tuple[Any, ...]]:
    """Return the kernel of the steps of environments, and its arguments."""
    is_alone = komi.find(name).players(komi.find(name).rules({})) == 1
    batch = GameBatch(name, 2, None if is_alone else policy, None, {})
    game = DeviceGame(batch.game, {})
    none = np.zeros(1, np.int64)
    rows = (type(rows)(*map(np.asfortranarray, rows)) for rows in (batch.episodes, batch._observations))
    arguments = (game.in_numbers(batch.rules), batch._arrangement, np.zeros(2, np.int64), *rows, Note(none, none))
    return batch._calls.kernels(game)[device_stepping.step], arguments


def main(kind: str, name: str, policy: str = "random") -> None:
    numba.cuda.dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=CAPABILITY)
    kernel, arguments = {"playouts": playouts, "steps": steps}[kind](name, policy)
    try:
        with compiling():
            code, _ = cuda.compile_ptx(kernel.dispatcher.py_func, tuple(map(typeof, arguments)), cc=CAPABILITY)
    except (NumbaError, CudaError) as error:
        print(kernel.refusal(error))
    else:
        assert kernel.dispatcher.targetoptions["lto"] is False  # it would compile again
        print("fused", code.count("fma"), "constant", code.count(".const "))


if __name__ == "__main__":
    main(*sys.argv[1:])
