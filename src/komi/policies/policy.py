"""What a policy is: a way to choose an action in every state.

There are four kinds. A *rule* is a plain function in the language of game files, compiled like them; a
*preference* is one that says how much it likes each action, and picks by chance among those liked most; a
*table* lists the action of every state, as a solution does; *uniform* chooses among the legal actions
with equal chances. Policies see what the player to move may see: where a game hides something, they are
given `view(rules, state)`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.model.states import StateSet


@dataclass(frozen=True)
class Rule:
    """A policy as a function (rules, state, *parameters) -> action."""

    name: str
    function: Callable[..., int]
    parameters: tuple[int, ...] = ()

    def choose(self, rules: Any, state: Any) -> int:
        """The action that it takes; the caller sees to it that it is legal."""
        return int(self.function(rules, state, *self.parameters))


@dataclass(frozen=True)
class Preference:
    """A policy as a function (rules, state, action, *parameters) -> how much it likes the action."""

    name: str
    function: Callable[..., float]
    parameters: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """A policy as a list.

    Attributes:
        states: the states it knows.
        actions: int16[states], the action in each.
    """

    name: str
    states: StateSet
    actions: NDArray[np.int16]


@dataclass(frozen=True)
class Uniform:
    """A policy that picks among the legal actions with equal chances."""

    name: str = "random"


Policy = Rule | Preference | Table | Uniform
