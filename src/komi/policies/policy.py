"""The interface of policies: a policy chooses an action in every state.

A new kind of policy (a network, a table of thresholds, a search) is one class with three methods: the action in each
state of a set (`tabulate`), the call from compiled code (`question`), and the action in one state, interpreted
(`choose`). Evaluation, simulation and play use only these methods, never the class itself.

Policies are called only where a player chooses, never at chance nodes. They receive the observation of the player to
move: where a game has hidden information, that is `view(rules, state)`. A policy may randomize with `luck`, a uniform
random number in [0, 1) that it is given. A table of actions can represent only one randomized policy, the one that
picks any legal action with equal probability; others refuse to be tabulated.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from komi.errors import SolveError
from komi.game import CHANCE, Game
from komi.graph.state_sets import StateSet
from komi.rules.compiled import CompiledGame

UNKNOWN = -4
"""Returned in place of an action: the policy does not cover the state."""


@dataclass(frozen=True, eq=False)
class Question:
    """The compiled call of a policy.

    Attributes:
        template: a function (rules, state, luck, carried) -> action, or UNKNOWN, in the language of game files. It can
            call the functions of `rules.interface`, which are replaced by the game's, and those in `functions`.
        carried: the data for the call: a tuple of numbers, arrays (such as weights), and tuples of these.
        functions: functions in the language of game files, by the names that the template uses for them.
    """

    template: Callable[..., int]
    carried: tuple[Any, ...] = ()
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


class Sent(Protocol):
    """A policy that is serialized for another process."""

    def arrived(self) -> "Policy":
        """Return the policy, in the process that received it."""


class Policy(ABC):
    """A mapping from states to actions.

    Equal policies at a table share one compiled call, so a class with arrays compares by identity (`eq=False`).

    Attributes:
        name: the name of the policy.
    """

    name: str
    is_mixed: ClassVar[bool] = False
    """True if only `shares_in` can represent the policy, not a table of actions."""

    def tabulate(self, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:  # noqa: ARG002
        """Return int16[states], the action in each state; UNIFORM where any is picked, CHANCE at chance nodes.

        Raises:
            GameError: if the policy fails in a state: the message names the state.
            SolveError: if a table cannot represent the policy.
        """
        raise SolveError(f"policy {self.name} chooses at random: it can only be simulated.")

    def sent(self) -> "Sent | None":
        """Serialize the policy for another process. Return None if its name is enough."""
        return None

    def shares_in(self, states: StateSet) -> NDArray[np.float64] | None:  # noqa: ARG002
        """Return float64[states, actions], the probability of each legal action, in the order of the rules.

        Return None if the policy is not mixed: `tabulate` represents it.

        Raises:
            SolveError: if it does not cover all states.
        """
        return None

    @abstractmethod
    def question(self) -> Question | None:
        """Return the compiled call of the policy. Return None if it picks any legal action at random.

        Raises:
            SolveError: if compiled code cannot call it.
        """

    @abstractmethod
    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """Return the action in a state, as the player to move observes it; the caller checks that it is legal.

        Args:
            game: the game.
            rules: its rules.
            state: a state in which a player chooses.
            luck: a uniform random number in [0, 1), for policies that randomize.

        Raises:
            GameError: if the policy fails, or does not cover the state.
        """


def legal_actions(game: Game, rules: Any, state: Any) -> list[int]:
    """Return the legal actions of the player to move."""
    return [int(action) for action in game.part("legal")(rules, state) if action != CHANCE]


def fallen_on(choices: list[int], luck: float) -> int:
    """Sample one of several equally likely choices, given a uniform random number in [0, 1)."""
    return choices[int(luck * len(choices))]
