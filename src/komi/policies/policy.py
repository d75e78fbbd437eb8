"""The interface of policies: a policy chooses an action in every state.

A new kind of policy (a network, a table of thresholds, a search) is one class with three methods: the action in each
state of a set (`tabulate`), the code with which compiled code calls it (`code`), and the action in one state,
interpreted (`choose`). Evaluation, simulation and play use only these methods, never the class itself.

Policies are called only where a player chooses, never at chance nodes. They receive the observation of the player to
move: where a game has hidden information, that is `view(rules, state)`. Each call receives a uniform random number in
[0, 1), `uniform`, with which the policy may randomize. A table of actions can represent only one randomized policy, the
one that picks any legal action with equal probability; others refuse to be tabulated.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from types import FunctionType
from typing import Any, ClassVar, Protocol, cast

import numpy as np

from komi.arrays import F64, I16
from komi.bellman import ActionCode
from komi.compiling.compiled import CallCode, CompiledGame
from komi.errors import GameError, SolveError
from komi.game import CHANCE
from komi.graph.state_sets import StateSet
from komi.rules.game import Game
from komi.typing import Rules, State


@dataclass(frozen=True, eq=False)
class PolicyCode:
    """The function and data by which compiled code calls a policy.

    Attributes:
        function: a function (rules, state, uniform, data) -> action, or `PolicyStatus.UNKNOWN`, in the language of game
            files. It can call the functions of `rules.interface`, which are replaced by the game's, and those in
            `replacements`.
        data: the data for the call: a tuple of numbers, arrays (such as weights), and tuples of these.
        replacements: functions in the language of game files, or the code of other policies, by the names that they
            replace in `function`.
        remembers: True if `data` gets one more entry for each thread: int64[1], 0 where a game begins.
    """

    function: Callable[..., int]
    data: tuple[Any, ...] = ()
    replacements: "Mapping[str, Callable[..., Any] | PolicyCode]" = field(default_factory=dict)
    remembers: bool = False

    @property
    def call(self) -> CallCode:
        """The functions, for `CompiledGame.kernels_with_policies`."""
        functions = {
            name: function.call if isinstance(function, PolicyCode) else function
            for name, function in self.replacements.items()
        }
        return cast(FunctionType, self.function), functions


class SerializedPolicy(Protocol):
    """A policy in a form that can be sent to another process."""

    def restore(self) -> "Policy":
        """Create the policy in the process that received it."""


class Policy(ABC):
    """A mapping from states to actions.

    Equal policies at a table share one compiled call, so a class with arrays compares by identity (`eq=False`).

    Attributes:
        name: the name of the policy.
    """

    name: str
    is_mixed: ClassVar[bool] = False
    """True if only `probabilities_in` can represent the policy, not a table of actions."""
    is_searched: ClassVar[bool] = False
    """True if random numbers direct a search for the action: the table of one search in each state stands for it."""

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:  # noqa: ARG002
        """Return int16[states], the action in each state; UNIFORM where any is picked, CHANCE at chance nodes.

        Raises:
            GameError: if the policy fails in a state: the message names the state.
            SolveError: if a table cannot represent the policy.
        """
        if self.is_mixed:
            raise SolveError(
                f"policy {self.name} mixes actions: 'komi simulate' measures it, and with two players 'komi match'."
            )
        raise SolveError(f"policy {self.name} chooses at random: it can only be simulated.")

    def quick_table(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16 | None:  # noqa: ARG002
        """Return what `tabulate` does, where that takes neither a search nor a compiler; otherwise None."""
        return None

    def serialize(self) -> "SerializedPolicy | None":
        """Serialize the policy for another process. Return None if its name is enough."""
        return None

    def probabilities_in(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> F64 | None:  # noqa: ARG002
        """Return float64[states, actions], the probability of each legal action, in the order of the rules.

        Return None if the policy is not mixed: `tabulate` represents it.

        Raises:
            GameError: if the policy fails in a state: the message names the state.
            SolveError: if it does not cover all states.
        """
        return None

    @abstractmethod
    def code(self) -> PolicyCode | None:
        """Return the policy's code for compiled callers. Return None if it picks any legal action at random.

        Raises:
            SolveError: if compiled code cannot call it.
        """

    def code_from_start(self) -> PolicyCode | None:
        """Return the code for callers that play all of each game; it can remember what the player has seen."""
        return self.code()

    @abstractmethod
    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Return the action in a state, as the player to move observes it; the caller checks that it is legal.

        Args:
            game: the game.
            rules: its rules.
            state: a state in which a player chooses.
            uniform: a uniform random number in [0, 1), for policies that randomize.

        Raises:
            GameError: if the policy fails, or does not cover the state.
        """


def distinct_names(policies: Sequence[Policy]) -> list[str]:
    """Return a name for each policy; different policies have different ones: "a", and "a (2)" for the next one."""
    names: dict[Policy, str] = {}
    for policy in policies:
        if policy not in names:
            candidates = chain([policy.name], (f"{policy.name} ({number})" for number in count(2)))
            names[policy] = next(name for name in candidates if name not in names.values())
    return [names[policy] for policy in policies]


def legal_actions(game: Game, rules: Rules, state: State) -> list[int]:
    """Return the legal actions of the player to move.

    Raises:
        GameError: if there are none, since the rules take what a player sees for a chance node.
    """
    actions = [int(action) for action in game.part("legal")(rules, state) if action != CHANCE]
    if not actions:
        raise misleading_view(game, rules, state)
    return actions


def misleading_view(game: Game, rules: Rules, state: State) -> GameError:
    """Create the error for what a player sees who chooses, if chance moves in that state by the rules."""
    written = game.write(rules, state)
    return GameError(
        f"{game.file.name}: a player who sees {written} chooses, but by 'legal' chance moves in that state: let 'view' "
        "hide fields behind values that leave the legal actions as they are.",
        written,
    )


def sample_uniformly(choices: list[int], uniform: float) -> int:
    """Sample one of several equally likely choices, given a uniform random number in [0, 1)."""
    return choices[int(uniform * len(choices))]


@dataclass(frozen=True)
class UniformPolicy(Policy):
    """A policy that picks one of the legal actions uniformly at random."""

    name: str = "random"

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:  # noqa: ARG002
        """Return UNIFORM for every state; at a chance node there is only one action to pick."""
        return np.full(states.size, ActionCode.UNIFORM, np.int16)

    quick_table = tabulate

    def code(self) -> None:
        """Return None: compiled callers pick an action without a call."""

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Sample a legal action."""
        return sample_uniformly(legal_actions(game, rules, state), uniform)
