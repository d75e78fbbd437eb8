"""Launches of playouts on a GPU."""

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from komi.arrays import I64, U64
from komi.errors import GameError, InputError
from komi.gpu.card import cuda, enough_memory, is_simulated, on_card
from komi.gpu.game import DeviceGame
from komi.policies.calls import PolicyCalls
from komi.policies.policy import Policy
from komi.rules.game import Game
from komi.simulation import device_playout
from komi.simulation.counting import MOVES, PER_SEAT, PER_TABLE, TURNS
from komi.simulation.device_playout import DeviceRecord, RuleSets
from komi.simulation.plan import MAX_GAMES
from komi.simulation.playout import Deals
from komi.typing import Rules

THREADS = 128  # per block of the grid
GROUPS = 8  # blocks of the grid for each multiprocessor


def check_policies(policies: Sequence[Policy]) -> None:
    """Check that policies can play on the GPU.

    Raises:
        InputError: if one of them cannot.
    """
    for policy in policies:
        code = policy.code_from_start()
        if policy.is_searched or (code and code.remembers):
            raise InputError(f"policy {policy.name} cannot play on a GPU: choose the device 'cpu'.")


class DevicePlayouts:
    """Playouts of a game on the GPU, by policies with the same compiled calls.

    Args:
        game: the game, with the lengths of tuples under these rules.
        rules: its rules.
        calls: the policies.
        keys: uint64[2], those of chance and of choices, as in `playout.play`.

    Attributes:
        columns: the number of sums of each deal.
        threads: the number of threads in a block of the grid.

    Raises:
        InputError: if a policy cannot run there, or the GPU has too little memory.
    """

    def __init__(self, game: Game, rules: Rules, calls: PolicyCalls, keys: U64) -> None:
        check_policies(calls.policies)
        self._name = game.name
        seats = game.players(rules)
        self.columns = seats * PER_SEAT + PER_TABLE
        self._compiled = DeviceGame(game, {"SEATS": seats, "COLUMNS": self.columns})
        self._kernel: Any = calls.kernels(self._compiled)[device_playout.play_deals]
        with enough_memory():
            self._keys = on_card(keys)
        self._sets = self._on_card([rules], MAX_GAMES)
        self._groups = 1 if is_simulated() else GROUPS * cuda().get_current_device().MULTIPROCESSOR_COUNT
        self.threads = 1 if is_simulated() else THREADS

    def under(self, rules: Sequence[Rules], deals: int) -> "DevicePlayouts":
        """Return the playouts under other rules of the game, without compiling them again.

        Args:
            rules: the rule sets, for as many players.
            deals: the number of deals under each.

        Raises:
            InputError: if the GPU has too little memory.
        """
        other = copy(self)
        other._sets = self._on_card(rules, deals)
        return other

    def _on_card(self, rules: Sequence[Rules], deals: int) -> RuleSets:
        integers, floats = map(np.array, zip(*map(self._compiled.values_of, rules), strict=True))
        starts = np.concatenate([self._compiled.start(each) for each in rules])
        with enough_memory():
            found: RuleSets = on_card(RuleSets(integers, floats, starts, deals))
        return found

    def __call__(self, policies: I64, data: Any, deals: Deals) -> DeviceRecord:
        """Play deals.

        Args:
            policies: int64[seats], the number of the policy in each seat.
            data: the data of each policy, which can be in GPU memory.
            deals: the deals.

        Returns:
            the results, in GPU memory.

        Raises:
            InputError: if the rules cannot be compiled for the GPU, or it has too little memory.
        """
        to_card, none, rows = cuda().to_device, np.iinfo(np.int64).max, len(self._sets.starts)
        with enough_memory():
            record = DeviceRecord(
                cuda().device_array((self.columns, deals.end - deals.first)),
                to_card(np.zeros((rows, 3, TURNS), np.int64)),
                to_card(np.zeros((rows, 3, MOVES), np.int64)),
                to_card(np.array([[none, 0, 0]] * rows)),
                to_card(np.array([none])),
            )
            players = on_card((policies, data))
            self._kernel.launch(self._groups, self.threads, self._sets, *players, self._keys, deals, record)
        return record

    def error(self) -> GameError:
        """Return the error for a game that fails only on the GPU."""
        return GameError(f"a game of {self._name} fails on this GPU, and not elsewhere: choose the device 'cpu'.")
