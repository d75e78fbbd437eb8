"""The policy that picks any legal action, uniformly at random."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.bellman.equations import UNIFORM
from komi.game import Game
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy, fallen_on, legal_actions
from komi.rules.compiled import CompiledGame


@dataclass(frozen=True)
class Uniform(Policy):
    """A policy that picks one of the legal actions uniformly at random."""

    name: str = "random"

    def tabulate(self, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:  # noqa: ARG002
        """Return UNIFORM for every state; at a chance node there is only one action to pick."""
        return np.full(states.size, UNIFORM, np.int16)

    def question(self) -> None:
        """Return None: the policy needs no call."""

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """Sample a legal action."""
        return fallen_on(legal_actions(game, rules, state), luck)
