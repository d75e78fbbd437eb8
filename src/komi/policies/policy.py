"""What a policy is: a way to choose an action in every state.

A new kind of policy (a network, a table of thresholds, a searcher) is one class that says three things of itself: which
action it takes in each state of a set (`tabulate`), how compiled code asks it (`question`), and which action it takes
in one state, interpreted (`choose`). Whoever evaluates, simulates or plays asks for no more, and never for the class.

Policies are asked only where a player chooses, never where chance moves. They see what the player to move may see:
where a game hides something, they are given `view(rules, state)`. A policy may leave its choice to luck, a number from
0 to 1 that it is given: it then chooses each action as often as it means to if luck is drawn evenly. A table of actions
has room for one such policy, the one that picks any legal action with equal chances; others refuse to be tabulated.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.errors import SolveError
from komi.game import CHANCE, Game
from komi.model.states import StateSet

UNKNOWN = -4
"""In place of an action: the policy does not know the state."""


@dataclass(frozen=True, eq=False)
class Question:
    """How compiled code asks a policy.

    Attributes:
        template: a function (rules, state, luck, carried) -> action, or UNKNOWN, in the language of game files. It may
            call the functions of `compile.rulebook`, which stand for the game's, and those below.
        carried: what it is given: a tuple of numbers, arrays (of weights, say), and tuples of these.
        functions: functions in the language of game files, by the names by which the template calls them.
    """

    template: Callable[..., int]
    carried: tuple[Any, ...] = ()
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


class Sent(Protocol):
    """A policy on its way to another process."""

    def arrived(self) -> "Policy":
        """The policy, wherever this has arrived."""


class Policy(ABC):
    """A way to choose an action in every state.

    Equal policies at a table are asked as one, so a class that carries arrays compares by identity (`eq=False`).

    Attributes:
        name: what it is called.
    """

    name: str
    is_mixed: ClassVar[bool] = False
    """Whether `shares_in` says what it does, and no table of actions can."""

    def tabulate(self, compiled: CompiledGame, rules: Any, states: StateSet) -> NDArray[np.int16]:  # noqa: ARG002
        """int16[states], the action that it takes in each; UNIFORM where it picks any, CHANCE where chance moves.

        Raises:
            GameError: if it fails in a state: the sentence names the state.
            SolveError: if no such table says what it does.
        """
        raise SolveError(f"policy {self.name} chooses at random: it can only be simulated.")

    def sent(self) -> "Sent | None":
        """What another process makes the policy of; None if it finds the policy by its name."""
        return None

    def shares_in(self, states: StateSet) -> NDArray[np.float64] | None:  # noqa: ARG002
        """float64[states, actions], how often it takes each legal action, in their order; None where a table says it.

        Raises:
            SolveError: if it does not know all states.
        """
        return None

    @abstractmethod
    def question(self) -> Question | None:
        """How compiled code asks it; None if it picks any legal action, which needs nobody to be asked.

        Raises:
            SolveError: if it can only be asked interpreted.
        """

    @abstractmethod
    def choose(self, game: Game, rules: Any, state: Any, luck: float) -> int:
        """The action that it takes in a state, as the player to move sees it; the caller looks whether it is legal.

        Args:
            game: the game.
            rules: its rules.
            state: one in which a player chooses.
            luck: from 0 to 1, and never 1; decides where the policy leaves it to chance.

        Raises:
            GameError: if it fails, or does not know the state.
        """


def legal_actions(game: Game, rules: Any, state: Any) -> list[int]:
    """The actions that the player to move can take."""
    return [int(action) for action in game.part("legal")(rules, state) if action != CHANCE]


def fallen_on(choices: list[int], luck: float) -> int:
    """The one of equal choices that luck, from 0 to 1, falls on."""
    return choices[int(luck * len(choices))]
