"""The policy that picks any legal action, with equal chances."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.game import Game
from komi.methods.backup.rows import UNIFORM
from komi.model.states import StateSet
from komi.policies.policy import Policy, fallen_on, legal_actions


@dataclass(frozen=True)
class Uniform(Policy):
    """A policy that picks among the legal actions with equal chances."""

    name: str = "random"

    def tabulate(self, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:  # noqa: ARG002
        """UNIFORM everywhere: where chance moves there is but one to pick."""
        return np.full(states.size, UNIFORM, np.int16)

    def question(self) -> None:
        """Nobody need be asked."""

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """The legal action that luck falls on."""
        return fallen_on(legal_actions(game, rules, state), luck)
