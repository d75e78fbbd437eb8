"""Compiles the playouts of a game for a card that need not be there: prints the operations that round once, or why not.

python compiling.py GAME [POLICY]
"""

import sys
from types import SimpleNamespace

import numba.cuda.dispatcher
import numpy as np
from numba import cuda, typeof
from numba.core.errors import NumbaError
from numba.cuda.core.errors import NumbaError as CudaError

import komi
from komi.gpu.card import compiling
from komi.gpu.game import DeviceGame
from komi.simulation.counting import MOVES, PER_SEAT, PER_TABLE, TURNS
from komi.simulation.device_playout import DeviceRecord, play_deals
from komi.simulation.job import SimulationJob
from komi.simulation.plan import SimulationPlan
from komi.simulation.playout import Deals

CAPABILITY = (9, 0)


def main(name: str, policy: str = "random") -> None:
    numba.cuda.dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=CAPABILITY)
    found = komi.find(name)
    rules = found.rules({})
    seats = found.players(rules)
    job = SimulationJob(found, rules, (policy,) * seats, 0, SimulationPlan.of(1, None, None, 1))
    columns = seats * PER_SEAT + PER_TABLE
    game = DeviceGame(job.game, {"SEATS": seats, "COLUMNS": columns})
    none = np.zeros(1, np.int64)
    record = DeviceRecord(np.zeros((columns, 1)), np.zeros((3, TURNS), int), np.zeros((3, MOVES), int), none, none)
    players = job.calls.players
    arguments = (game.in_numbers(job.rules), game.start(job.rules), players.policies, players.data, job.keys[:2])
    kernel = job.calls.kernels(game)[play_deals]
    try:
        with compiling():
            signature = tuple(map(typeof, (*arguments, Deals(0, 1, 1), record)))
            code, _ = cuda.compile_ptx(kernel.dispatcher.py_func, signature, cc=CAPABILITY)
    except (NumbaError, CudaError) as error:
        print(kernel.refusal(error))
    else:
        print("fused", code.count("fma"))


if __name__ == "__main__":
    main(*sys.argv[1:])
