"""The job of a simulation on a GPU: many blocks of deals in one launch."""

import time
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.gpu.card import compiling, cuda, enough_memory, on_card
from komi.gpu.compiler import DeviceSpecializer
from komi.simulation import device_playout
from komi.simulation.counting import MOVES, TURNS, BlockStatistics, Histogram
from komi.simulation.device_playout import COUNTS, PRODUCTS, SQUARES
from komi.simulation.device_playouts import DevicePlayouts
from komi.simulation.job import SimulationJob
from komi.simulation.plan import MAX_GAMES
from komi.simulation.playout import Deals

FIRST_LAUNCH = 1 << 16  # deals
MAX_SUMS = 1 << 27  # sums that a launch leaves in GPU memory: 1 GB,
HISTOGRAMS = 3 * (TURNS + MOVES)  # and those of each rule set that are not of deals
LAUNCH = 0.2  # seconds that a launch may take before the next is twice as large: Ctrl-C waits for it


@dataclass
class LaunchSize:
    """The most deals of a launch, for all jobs with the same kernel."""

    deals: int = FIRST_LAUNCH


class DeviceJob:
    """A callable that plays blocks of deals on the GPU.

    Args:
        job: the same job for the CPU, which checks the rules, and replays a block that fails to explain the error.

    Raises:
        InputError: if a policy cannot run on it.
    """

    def __init__(self, job: SimulationJob) -> None:
        self._job = job
        self._playouts = DevicePlayouts(job.game, job.rules, job.calls, job.keys[:2])
        self._add = DeviceSpecializer({}, lambda module: False).kernel(device_playout.add_blocks)
        self._players = _players_on_card(job)
        self._size = LaunchSize()

    def plays_like(self, job: SimulationJob) -> bool:
        """Return whether another job, also under other rules, can use the same kernel."""
        mine = self._job
        is_same_game = job.game.module is mine.game.module and len(job.policies) == len(mine.policies)
        return is_same_game and job.calls.is_compiled_as(mine.calls)

    def under(self, job: SimulationJob) -> "DeviceJob":
        """Return a job that plays like this one on the GPU, with the same kernel."""
        other = copy(self)
        other._job, other._players = job, _players_on_card(job)
        other._playouts = self._playouts.under([job.rules], MAX_GAMES)
        return other

    def has_room(self, jobs: Sequence[SimulationJob], job: SimulationJob) -> bool:
        """Return whether one launch can play all deals of jobs and of another that plays like them."""
        plan, first = job.plan, jobs[0]
        if plan.deals is None or not (self.plays_like(job) and job.calls.has_data_of(first.calls)):
            return False
        deals = (len(jobs) + 1) * plan.deals
        sums = deals * self._playouts.columns + (len(jobs) + 1) * HISTOGRAMS
        return deals <= self._size.deals and sums <= MAX_SUMS

    def play_together(self, jobs: Sequence[SimulationJob], size: int) -> list[BlockStatistics] | None:
        """Play all deals of jobs that fit into one launch.

        Args:
            jobs: the jobs for the CPU.
            size: the deals of a block.

        Returns:
            the statistics of each; None if a game of one of them cannot be played.

        Raises:
            InputError: if the GPU has too little memory.
        """
        deals = jobs[0].plan.deals
        assert deals is not None
        other = self.under(jobs[0])
        other._playouts = self._playouts.under([job.rules for job in jobs], deals)
        end = len(jobs) * deals
        blocks, failed = other._timed_launch(0, end, deals, size)
        return blocks if failed >= end else None

    def __call__(self, first: int, size: int, blocks: int | None = None) -> tuple[int, BlockStatistics]:
        """Play a number of blocks.

        Args:
            first: the first deal.
            size: the deals of a block.
            blocks: the number of blocks; as many as fit into a launch by default.

        Returns:
            (one past the last deal, the statistics of the blocks).

        Raises:
            GameError: if a game cannot be played.
            InputError: if the GPU has too little memory.
        """
        plan = self._job.plan
        most = min(self._size.deals, MAX_SUMS // self._playouts.columns, plan.most_games // plan.per_deal)
        end = first + size * (blocks or max(most // size, 1))
        end = end if plan.deals is None else min(end, plan.deals)
        [block], failed = self._timed_launch(first, end, end - first, size)
        if failed < end:
            at = first + (failed - first) // size * size
            self._job((at, min(at + size, end)))  # raises the error that says why
            raise self._playouts.error()
        return end, block

    def _timed_launch(self, first: int, end: int, deals: int, size: int) -> tuple[list[BlockStatistics], int]:
        """Launch, and let the next launch be larger if this one was as large as it could be, and short."""
        begin = time.perf_counter()
        with enough_memory():
            result = self._launch(first, end, deals, size)
        if 2 * (end - first) > self._size.deals and time.perf_counter() - begin < LAUNCH:
            self._size.deals *= 2
        return result

    def _launch(self, first: int, end: int, deals: int, size: int) -> tuple[list[BlockStatistics], int]:
        """Play a range of deals, so many under each rule set.

        Returns:
            (the statistics of each rule set, the first deal that failed).
        """
        columns, threads = self._playouts.columns, self._playouts.threads
        rows, blocks = (end - first) // deals, -(-deals // size)
        policies, data = self._players
        record = self._playouts(policies, data, Deals(first, end, self._job.plan.per_deal))
        of_deals: Any = record.sums
        sums = [cuda().device_array((rows * blocks, columns)) for _ in range(2)]
        with compiling():
            self._add[-(-rows * blocks * columns // threads), threads](of_deals, deals, size, *sums)
        totals, squares = (each.copy_to_host().reshape(rows, blocks, columns) for each in sums)
        stored = of_deals.copy_to_host().T if self._job.plan.stores_deals else np.zeros((0, columns))
        turns, moves, extremes, failed = (each.copy_to_host() for each in record[1:])
        parts = zip(
            totals,
            squares,
            stored.reshape(rows, len(stored) // rows, columns),
            map(_histogram, turns),
            map(_histogram, moves),
            extremes,
            strict=True,
        )
        return [BlockStatistics(*part) for part in parts], int(failed[0])


def _players_on_card(job: SimulationJob) -> Any:
    """Copy the policies of the seats, and their data, to GPU memory."""
    players = job.calls.players
    with enough_memory():
        return on_card((players.policies, players.data))


def _histogram(rows: I64) -> Histogram:
    return Histogram(rows[COUNTS], rows[SQUARES].astype(np.float64), rows[PRODUCTS].astype(np.float64))
