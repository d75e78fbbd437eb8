"""Policies as functions in the language of game files: one that names the action, or one that rates each action."""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import Any, cast

from komi.arrays import I16
from komi.compiling.compiled import CompiledGame
from komi.compiling.explanations import no_number
from komi.errors import GameError
from komi.graph.listed_rules import listing_of
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy, PolicyCode, legal_actions, sample_uniformly
from komi.policies.tabulate import interpret_calls, tabulate_calls
from komi.rules import interface, loading
from komi.rules.catalog import SerializedModule
from komi.rules.game import Game
from komi.rules.interface import decide, legal, like
from komi.search.playouts import MIN_ANSWER
from komi.typing import PolicyData, Rules, State


@dataclass(frozen=True)
class CompiledPolicy(Policy):
    """The common part of policies that are functions."""

    name: str
    function: Callable[..., Any]
    parameters: tuple[int, ...] = ()

    def serialize(self) -> "_SerializedFunction | None":
        """Serialize the function's name in its file, and the file, for another process.

        Return None if the file is part of komi, or defines the function only in its list of policies.
        """
        module = sys.modules[self.function.__module__]
        name = next((name for name, value in vars(module).items() if value is self.function), "")
        if not (name and module.__name__.startswith(loading.FROM_FILE)):
            return None
        return _SerializedFunction(type(self), self.name, name, self.parameters, SerializedModule.of(module))


@dataclass(frozen=True)
class _SerializedFunction:
    """A serialized policy, with the file that defines its function."""

    kind: type[CompiledPolicy]
    name: str
    function: str
    parameters: tuple[int, ...]
    file: SerializedModule

    def restore(self) -> Policy:
        """Return the policy with the function of the file."""
        return self.kind(self.name, getattr(self.file.module(), self.function), self.parameters)


class FunctionPolicy(CompiledPolicy):
    """A policy as a function (rules, state, *parameters) -> action."""

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
        """Return the function's action in each state."""
        table = self.quick_table(compiled, rules, states) if listing_of(compiled, rules, for_play=True) else None
        return tabulate_calls(self, compiled, rules, states) if table is None else table

    def quick_table(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16 | None:
        """Return the function's action in each state, interpreted; None if it fails in one, or takes seconds."""
        return interpret_calls(self, compiled, rules, states)

    def code(self) -> PolicyCode:
        """Return the code that calls the function."""
        return PolicyCode(_decide, self.parameters, {"decide": self.function})

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:  # noqa: ARG002
        """Return the function's action."""
        action = interpreted(self.function, game)(rules, game.nested(state), *self.parameters)
        if not isinstance(action, int):
            written = game.write(rules, state)
            raise GameError(f"{no_number(self.function, action)} in {written}.", written)
        return int(action)


class PreferencePolicy(CompiledPolicy):
    """A policy as a function (rules, state, action, *parameters) -> preference for the action.

    It takes an action with the greatest preference; ties are broken uniformly at random.
    """

    def code(self) -> PolicyCode:
        """Return the code that evaluates the function for every legal action."""
        return PolicyCode(_choose_preferred, self.parameters, {"like": self.function})

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Sample one of the actions with the greatest preference."""
        function, nested = interpreted(self.function, game), game.nested(state)
        preferences = {
            action: function(rules, nested, action, *self.parameters) for action in legal_actions(game, rules, state)
        }
        best = max(preferences.values())
        return sample_uniformly([action for action in preferences if preferences[action] == best], uniform)


@lru_cache(256)
def interpreted(function: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """Return a copy of a policy's function that calls the game's rules in place of the functions of `rules.interface`.

    Functions of `rules.interface` that the game does not define keep their default behavior.
    """
    return _copy(cast(FunctionType, function), game, {})


def _copy(function: FunctionType, game: Game, copies: dict[FunctionType, FunctionType]) -> FunctionType:
    if function not in copies:
        namespace = dict(function.__globals__)
        copy = FunctionType(
            function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        copies[function] = copy
        for name in set(function.__code__.co_names) & namespace.keys():
            if isinstance(namespace[name], FunctionType):
                namespace[name] = _replacement(namespace[name], game) or _copy(namespace[name], game, copies)
    return copies[function]


def _replacement(function: FunctionType, game: Game) -> FunctionType | None:
    """Return the game's version of a function of `rules.interface`.

    Return None if the function is not part of `rules.interface`, or the game does not define it.
    """
    if function.__module__ != interface.__name__:
        return None
    name = "payoff" if function is interface.seat_payoff and game.is_seated else function.__name__
    return cast(FunctionType, game.part(name)) if game.has(name) else None


def _decide(rules: Rules, state: State, uniform: float, parameters: PolicyData) -> int:  # noqa: ARG001
    return max(decide(rules, state, *parameters), MIN_ANSWER)


def _choose_preferred(rules: Rules, state: State, uniform: float, parameters: PolicyData) -> int:
    """Sample one of the legal actions with the greatest preference."""
    best = -math.inf
    ties = 0
    for action in legal(rules, state):
        preference = like(rules, state, action, *parameters)
        if preference > best:
            best, ties = preference, 0
        ties += preference == best
    skip = int(uniform * ties)
    chosen = 0
    for action in legal(rules, state):
        if like(rules, state, action, *parameters) == best:
            chosen = action
            if skip == 0:
                break
            skip -= 1
    return chosen
