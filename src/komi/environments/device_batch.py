"""A batch of games on a GPU, whose arrays stay in GPU memory."""

from collections.abc import Callable
from typing import Any

import numpy as np

from komi.environments import device_stepping
from komi.environments.batch import GameBatch
from komi.environments.device_stepping import NO_FAILURE, Note
from komi.environments.rows import check_shape, whole_numbers
from komi.errors import InputError
from komi.gpu.arrays import DeviceArray
from komi.gpu.card import enough_memory, is_simulated, on_card
from komi.gpu.compiler import cuda
from komi.gpu.game import DeviceGame
from komi.simulation.device_playouts import check_policies

THREADS = 128  # per block
FEWER = "play fewer games at once, or choose the device 'cpu'"
ACTION_TYPES = (np.dtype(np.int64), np.dtype(np.int32))


class DeviceBatch(GameBatch):
    """The games of a `GameBatch` on a GPU, with the same results.

    Arrays are stored in column-major order, so that neighboring threads access neighboring memory. Steps are
    asynchronous: a later call raises the error of a step, and the steps in between change nothing.

    Raises:
        InputError: if there is no GPU, its memory is too small, or it cannot run the rules or a policy.
    """

    def _build(self, games: int) -> None:
        check_policies(self.policies)
        super()._build(games)
        game = DeviceGame(self.game, {})
        kernels = self._calls.kernels(game)
        self._kernels: tuple[Any, Any] = kernels[device_stepping.refuse], kernels[device_stepping.step]
        self._launchers: dict[np.dtype[Any], tuple[Callable[..., None], Callable[..., None]]] = {}
        self._rules = game.in_numbers(self.rules)
        with enough_memory(FEWER):
            self._common = on_card(self._common)
            self.episodes = type(self.episodes)(*map(_by_columns, self.episodes))
            self._observations = type(self._observations)(*map(_by_columns, self._observations))
            self._actions, self._no_flags = on_card((np.zeros(games, np.int64), np.zeros(games, np.bool_)))
            self._note = Note(on_card(np.array([NO_FAILURE])), cuda.mapped_array(1, np.int64))
        self._note.is_written[0] = 0

    def step(self, actions: Any) -> None:
        """Take one action in each game; a game that is over begins anew.

        Args:
            actions: int64[games] or int32[games] in GPU memory, or array-like.

        Raises:
            InputError: if an action of an earlier step is not legal: that step and all since have changed nothing.
            GameError: if the rules are broken, or an opponent has taken an action that is not legal.
        """
        if self._note.is_written[0]:
            self.check()
        actions = self._there(actions)
        rows = actions, self.episodes, self._observations, self._note
        if actions.dtype not in self._launchers:
            self._launchers[actions.dtype] = self._prepared(rows)
        refuse, step = self._launchers[actions.dtype]
        with enough_memory(FEWER):
            if not self._replaces:
                refuse(self._arrangement, *rows)
            step(self._rules, self._arrangement, *rows)

    def check(self) -> None:
        """Wait for the GPU, and raise the error of an earlier step, if any.

        Raises:
            InputError: if an action is not legal.
            GameError: if a game has failed.
        """
        cuda.synchronize()
        if self._note.is_written[0]:
            row = int(self._note.row[0])
            self._copy(np.array([NO_FAILURE]), self._note.row)
            self._note.is_written[0] = 0
            raise self._error(row)

    def shared(self, array: Any) -> DeviceArray:
        """Return an array of the batch for other libraries, without a copy: the next step overwrites it."""
        return DeviceArray(array)

    result = shared

    @property
    def truncated(self) -> Any:
        """False for each game, bool[games]: no game is truncated."""
        return self._no_flags

    def _there(self, actions: Any) -> Any:
        """Return the actions in GPU memory."""
        if hasattr(actions, "__cuda_array_interface__"):
            actions = cuda.as_cuda_array(actions)
            if actions.dtype not in ACTION_TYPES or not actions.is_c_contiguous():
                raise InputError(
                    "actions on a GPU must be int64 or int32, and contiguous, not "
                    f"{actions.dtype} with the strides {tuple(actions.strides)}."
                )
            check_shape(actions.shape, len(self))
            return actions
        self._copy(whole_numbers(actions, len(self)), self._actions)
        return self._actions

    def _prepared(self, rows: tuple[Any, ...]) -> tuple[Callable[..., None], Callable[..., None]]:
        """Compile the kernels that check and take actions, for actions of this type."""
        threads = 1 if is_simulated() else THREADS
        groups, (refuse, step) = -(-len(self) // threads), self._kernels
        with enough_memory(FEWER):
            return (
                refuse.prepared(groups, threads, self._arrangement, *rows),
                step.prepared(groups, threads, self._rules, self._arrangement, *rows),
            )

    @staticmethod
    def _copy(values: Any, array: Any) -> None:
        array.copy_to_device(values)


def _by_columns(array: Any) -> Any:
    return cuda.to_device(np.asfortranarray(array))
