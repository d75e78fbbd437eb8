"""Policies as functions in the language of game files: one that names the action, or one that rates each action."""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.game import Game
from komi.graph.state_sets import StateSet
from komi.policies.interpret import interpreted
from komi.policies.policy import Policy, Question, fallen_on, legal_actions
from komi.policies.tabulate import ask_everywhere
from komi.rules import catalog
from komi.rules.bundle import SerializedModule
from komi.rules.compiled import CompiledGame
from komi.rules.interface import decide, legal, like


@dataclass(frozen=True)
class _Function(Policy):
    """The common part of policies that are functions."""

    name: str
    function: Callable[..., Any]
    parameters: tuple[int, ...] = ()

    def sent(self) -> "_Sent | None":
        """Serialize the function's name and its file for another process. Return None if the file is part of komi."""
        module = sys.modules[self.function.__module__]
        if not module.__name__.startswith(catalog.FROM_FILE):
            return None
        return _Sent(type(self), self.name, self.function.__name__, self.parameters, SerializedModule.of(module))


@dataclass(frozen=True)
class _Sent:
    """A serialized policy, with the file that defines its function."""

    kind: type[_Function]
    name: str
    function: str
    parameters: tuple[int, ...]
    file: SerializedModule

    def arrived(self) -> Policy:
        """Return the policy with the function of the file."""
        return self.kind(self.name, getattr(self.file.module(), self.function), self.parameters)


class Rule(_Function):
    """A policy as a function (rules, state, *parameters) -> action."""

    def tabulate(self, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:
        """Return the function's action in each state."""
        return ask_everywhere(self, compiled, rules, states)

    def question(self) -> Question:
        """Return the compiled call of the function."""
        return Question(_decide, self.parameters, {"decide": self.function})

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:  # noqa: ARG002
        """Return the function's action."""
        return int(interpreted(self.function, game)(rules, state, *self.parameters))


class Preference(_Function):
    """A policy as a function (rules, state, action, *parameters) -> preference for the action.

    It takes an action with the greatest preference; ties are broken uniformly at random.
    """

    def question(self) -> Question:
        """Return the compiled call, which evaluates the function for every legal action."""
        return Question(_choose_most_liked, self.parameters, {"like": self.function})

    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """Sample one of the actions with the greatest preference."""
        function = interpreted(self.function, game)
        liking = {
            action: function(rules, state, action, *self.parameters) for action in legal_actions(game, rules, state)
        }
        best = max(liking.values())
        return fallen_on([action for action in liking if liking[action] == best], luck)


def _decide(rules: Any, state: Any, luck: float, parameters: Any) -> int:  # noqa: ARG001
    return decide(rules, state, *parameters)


def _choose_most_liked(rules: Any, state: Any, luck: float, parameters: Any) -> int:
    """Sample one of the legal actions with the greatest preference."""
    best = -math.inf
    ties = 0
    for action in legal(rules, state):
        liking = like(rules, state, action, *parameters)
        if liking > best:
            best, ties = liking, 0
        ties += liking == best
    skip = int(luck * ties)
    chosen = 0
    for action in legal(rules, state):
        if like(rules, state, action, *parameters) == best:
            chosen = action
            if skip == 0:
                break
            skip -= 1
    return chosen
