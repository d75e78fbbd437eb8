"""The job of a simulation on a graphics processor: many blocks of deals in one launch."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.errors import GameError, InputError
from komi.gpu.card import compiling, cuda, enough_memory, is_simulated, on_card
from komi.gpu.compiler import DeviceSpecializer
from komi.gpu.game import DeviceGame
from komi.policies.policy import Policy
from komi.simulation import device_playout
from komi.simulation.counting import MOVES, PER_SEAT, PER_TABLE, TURNS, BlockStatistics, Histogram
from komi.simulation.device_playout import COUNTS, PRODUCTS, SQUARES, DeviceRecord
from komi.simulation.job import SimulationJob
from komi.simulation.playout import Deals

THREADS = 128  # of a group that shares a multiprocessor
GROUPS = 8  # for each multiprocessor
FIRST_LAUNCH = 1 << 16  # deals
MAX_SUMS = 1 << 27  # sums of deals that a launch leaves on the card: 1 GB
LAUNCH = 0.2  # seconds that a launch may take before the next is twice as large: Ctrl-C waits for it


def check_policies(policies: Sequence[Policy]) -> None:
    """Check that policies can play on the card.

    Raises:
        InputError: if one of them cannot.
    """
    for policy in policies:
        code = policy.code_from_start()
        if policy.is_searched or (code and code.remembers):
            raise InputError(f"policy {policy.name} cannot play on a GPU: choose the device 'cpu'.")


class DeviceJob:
    """Plays blocks of deals on the card.

    Args:
        job: the same job for the processor, which checks the rules, and repeats a block that fails to say why.

    Raises:
        InputError: if a policy cannot run on it.
    """

    def __init__(self, job: SimulationJob) -> None:
        check_policies(job.policies)
        self._job, self._columns = job, len(job.policies) * PER_SEAT + PER_TABLE
        seats = {"SEATS": len(job.policies), "COLUMNS": self._columns}
        game = DeviceGame(job.game, seats)
        self._play: Any = job.calls.kernels(game)[device_playout.play_deals]
        self._add = DeviceSpecializer({}, lambda module: False).kernel(device_playout.add_blocks)
        rules, players = game.in_numbers(job.rules), job.calls.players
        with enough_memory():
            self._arguments = on_card((rules, game.start(job.rules), players.policies, players.data, job.keys[:2]))
        self._groups = 1 if is_simulated() else GROUPS * cuda().get_current_device().MULTIPROCESSOR_COUNT
        self._threads = 1 if is_simulated() else THREADS
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
        most = min(self._deals, MAX_SUMS // self._columns, plan.most_games // plan.per_deal)
        end = first + size * (blocks or max(most // size, 1))
        end = end if plan.deals is None else min(end, plan.deals)
        begin = time.perf_counter()
        with enough_memory():
            block, failed = self._launch(first, end, size)
        if failed < end:
            at = first + (failed - first) // size * size
            self._job((at, min(at + size, end)))  # raises the error that says why
            raise GameError(f"a game of {self._job.game.name} fails on this GPU, and not elsewhere: use --device cpu.")
        if time.perf_counter() - begin < LAUNCH:
            self._deals *= 2
        return end, block

    def _launch(self, first: int, end: int, size: int) -> tuple[BlockStatistics, int]:
        """Play a range of deals; return their statistics, and the first deal that failed."""
        to_card, none = cuda().to_device, np.iinfo(np.int64).max
        blocks = -(-(end - first) // size)
        of_deals = cuda().device_array((self._columns, end - first))
        record = DeviceRecord(
            of_deals,
            to_card(np.zeros((3, TURNS), np.int64)),
            to_card(np.zeros((3, MOVES), np.int64)),
            to_card(np.array([none, 0, 0])),
            to_card(np.array([none])),
        )
        deals = Deals(first, end, self._job.plan.per_deal)
        self._play.launch(self._groups, self._threads, *self._arguments, deals, record)
        sums = [cuda().device_array((blocks, self._columns)) for _ in range(2)]
        tasks = blocks * self._columns
        with compiling():
            self._add[-(-tasks // self._threads), self._threads](of_deals, size, *sums)
        stored = of_deals.copy_to_host().T if self._job.plan.stores_deals else np.zeros((0, self._columns))
        totals, squares = (each.copy_to_host() for each in sums)
        turns, moves, extremes, failed = (each.copy_to_host() for each in record[1:])
        return BlockStatistics(totals, squares, stored, _histogram(turns), _histogram(moves), extremes), int(failed[0])


def _histogram(rows: I64) -> Histogram:
    return Histogram(rows[COUNTS], rows[SQUARES].astype(np.float64), rows[PRODUCTS].astype(np.float64))
