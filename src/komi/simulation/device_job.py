"""The job of a simulation on a graphics processor: many blocks of deals in one launch."""

import time
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.gpu.card import compiling, cuda, enough_memory, on_card
from komi.gpu.compiler import DeviceSpecializer
from komi.simulation import device_playout
from komi.simulation.counting import BlockStatistics, Histogram
from komi.simulation.device_playout import COUNTS, PRODUCTS, SQUARES
from komi.simulation.device_playouts import DevicePlayouts
from komi.simulation.job import SimulationJob
from komi.simulation.playout import Deals

FIRST_LAUNCH = 1 << 16  # deals
MAX_SUMS = 1 << 27  # sums of deals that a launch leaves on the card: 1 GB
LAUNCH = 0.2  # seconds that a launch may take before the next is twice as large: Ctrl-C waits for it


class DeviceJob:
    """Plays blocks of deals on the card.

    Args:
        job: the same job for the processor, which checks the rules, and repeats a block that fails to say why.

    Raises:
        InputError: if a policy cannot run on it.
    """

    def __init__(self, job: SimulationJob) -> None:
        self._job, players = job, job.calls.players
        self._playouts = DevicePlayouts(job.game, job.rules, job.calls, job.keys[:2])
        self._add = DeviceSpecializer({}, lambda module: False).kernel(device_playout.add_blocks)
        with enough_memory():
            self._players: Any = on_card((players.policies, players.data))
        self._deals = FIRST_LAUNCH

    def __call__(self, first: int, size: int, blocks: int | None = None) -> tuple[int, BlockStatistics]:
        """Play a number of blocks.

        Args:
            first: the first deal.
            size: the deals of a block.
            blocks: the number of blocks; as many as fit a launch by default.

        Returns:
            (one past the last deal, the statistics of the blocks).

        Raises:
            GameError: if a game cannot be played.
            InputError: if the card has too little memory.
        """
        plan = self._job.plan
        most = min(self._deals, MAX_SUMS // self._playouts.columns, plan.most_games // plan.per_deal)
        end = first + size * (blocks or max(most // size, 1))
        end = end if plan.deals is None else min(end, plan.deals)
        begin = time.perf_counter()
        with enough_memory():
            block, failed = self._launch(first, end, size)
        if failed < end:
            at = first + (failed - first) // size * size
            self._job((at, min(at + size, end)))  # raises the error that says why
            raise self._playouts.error()
        if time.perf_counter() - begin < LAUNCH:
            self._deals *= 2
        return end, block

    def _launch(self, first: int, end: int, size: int) -> tuple[BlockStatistics, int]:
        """Play a range of deals; return their statistics, and the first deal that failed."""
        columns, threads = self._playouts.columns, self._playouts.threads
        blocks = -(-(end - first) // size)
        policies, data = self._players
        record = self._playouts(policies, data, Deals(first, end, self._job.plan.per_deal))
        of_deals: Any = record.sums
        sums = [cuda().device_array((blocks, columns)) for _ in range(2)]
        with compiling():
            self._add[-(-blocks * columns // threads), threads](of_deals, end - first, size, *sums)
        stored = of_deals.copy_to_host().T if self._job.plan.stores_deals else np.zeros((0, columns))
        totals, squares = (each.copy_to_host() for each in sums)
        turns, moves, extremes, failed = (each.copy_to_host() for each in record[1:])
        return BlockStatistics(totals, squares, stored, _histogram(turns[0]), _histogram(moves[0]), extremes[0]), int(failed[0])


def _histogram(rows: I64) -> Histogram:
    return Histogram(rows[COUNTS], rows[SQUARES].astype(np.float64), rows[PRODUCTS].astype(np.float64))
