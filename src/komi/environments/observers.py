"""Observers for OpenSpiel: observations and information states as tensors."""

from typing import Any

import numpy as np

from komi.arrays import F32
from komi.compiling.planes import Planes


class KomiObserver:
    """An observer that writes observations into a tensor: the fields of the state, and the seat to move.

    Args:
        game: the `komi.openspiel.KomiGame`.
        perfect_recall: True if the text is the information state rather than the observation.

    Attributes:
        tensor: float32[fields + seats].
        dict: the parts of the tensor, `fields` and `mover`.
    """

    def __init__(self, game: Any, perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self._fields = game.game.fields(game.rules)
        self.tensor: F32 = np.zeros(len(self._fields) + game.kind.seats, np.float32)
        self.dict = {"fields": self.tensor[: len(self._fields)], "mover": self.tensor[len(self._fields) :]}

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with the observation of a player; zeros if the player observes nothing."""
        self.tensor[:] = 0.0
        seen = state.observed(player)
        if seen is not None:
            self.dict["fields"][:] = [getattr(seen, name) for name in self._fields]
        if state.current_player() >= 0:
            self.dict["mover"][state.current_player()] = 1.0

    def string_from(self, state: Any, player: int) -> str:
        """Return the observation of a player as text; with perfect recall the information state."""
        write = state.information_state_string if self._perfect_recall else state.observation_string
        return str(write(player))


class MemoryObserver:
    """An observer that writes information states into a tensor: observations and own actions, as planes from 0 to 1.

    Args:
        game: the `komi.openspiel.KomiGame`, with hidden information.

    Attributes:
        tensor: float32[planes + seats + memory * (planes + actions)].
        dict: the parts of the tensor: `planes`, zeros where the player observes nothing or chance moves; `mover`; and
            `memory`, the observation and the action of each of the player's decisions so far, padded with zeros.
    """

    def __init__(self, game: Any) -> None:
        self._game, self._planes = game, Planes(game.game, game.rules)
        width, seats, actions = len(self._planes), game.kind.seats, len(game.actions)
        self.tensor: F32 = np.zeros(width + seats + game.memory * (width + actions), np.float32)
        seen, mover, memory = np.split(self.tensor, [width, width + seats])
        self.dict = {"planes": seen, "mover": mover, "memory": memory.reshape(game.memory, width + actions)}
        self._encoded: dict[Any, F32] = {}

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with the information state of a player."""
        self.tensor[:] = 0.0
        seen, width = state.observed(player), len(self._planes)
        if seen is not None and not state.is_chance_node():
            self.dict["planes"][:] = self._encode(seen)
        if state.current_player() >= 0:
            self.dict["mover"][state.current_player()] = 1.0
        past = state.seen_and_done[player]
        for row, then, action in zip(self.dict["memory"], past[::2], past[1::2], strict=False):
            row[:width] = self._encode(then)
            row[width + self._game.actions.index(action)] = 1.0

    def string_from(self, state: Any, player: int) -> str:
        """Return the information state of a player as text."""
        return str(state.information_state_string(player))

    def _encode(self, seen: Any) -> F32:
        if seen not in self._encoded:
            fields = [getattr(seen, name) for name in self._game.game.fields(self._game.rules)]
            self._encoded[seen] = self._planes.encoded(np.array([fields], np.int64))[0]
        return self._encoded[seen]
