"""Play by compiled code: kernels that play games, with the arguments that every one of them begins with."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FunctionType
from typing import Any, Protocol, cast

import numpy as np

from komi.arrays import I16, I64
from komi.bellman import ActionCode
from komi.compiling.compiled import CompiledGame, compiled_game
from komi.errors import GameError, SolveError
from komi.graph.expanded_rules import PLAY, expanded_game
from komi.graph.listed_rules import Listing, listing_of
from komi.graph.lookup import StateIndex, index_of, locate
from komi.graph.state_sets import StateSet
from komi.jit.intrinsics import HALF_BITS
from komi.jit.kernels import Kernels, engine_kernels
from komi.policies.calls import Players, PolicyCalls
from komi.policies.policy import Policy
from komi.policies.tabulate import find_illegal
from komi.rules.interface import pick
from komi.typing import Rules, State


class Playing(Protocol):
    """Kernels that play games: functions of (rules, start, players, ...)."""

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the compiled form of a function."""

    def unpacked(self, witness: I64) -> I64:
        """Return a witness of a failed playout with the fields of its state."""
        ...


class CompiledPlaying:
    """Play by rules and policies that are compiled into the kernels."""

    def __init__(self, compiled: CompiledGame, rules: Rules, calls: PolicyCalls) -> None:
        self.compiled, self._rules, self._calls = compiled, rules, calls
        self._kernels, self._start = compiled_kernels(compiled, rules, calls), compiled.start(rules)

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the compiled form of a function."""
        return self._kernels[function](self._rules, self._start, self._calls.players, *arguments)

    def unpacked(self, witness: I64) -> I64:
        """Return the witness as it is."""
        return witness


def compiled_kernels(compiled: CompiledGame, rules: Rules, calls: PolicyCalls) -> Kernels:
    """Return the kernels with the rules of a game and the policies at a table in them."""
    game, notice = compiled.game, compiled.kernels.notice
    return calls.kernels(compiled_game(game, notice, fields=game.fields(rules)))


class ListedPlaying:
    """Play by listed rules and tables: nothing is compiled for the game.

    Args:
        compiled, rules: the game.
        listing: what play reaches.
        policies: the policies of the seats.

    Raises:
        GameError: if a policy fails in a state, which its own play may never reach.
        SolveError: if there is no table of it.
    """

    def __init__(self, compiled: CompiledGame, rules: Rules, listing: Listing, policies: Sequence[Policy]) -> None:
        self._compiled, self._rules, self._states = compiled, rules, listing.states()
        distinct = [policy for policy in dict.fromkeys(policies) if policy.code() is not None]
        tables = [_table(policy, compiled, rules, self._states) for policy in distinct]
        numbers = [distinct.index(policy) + 1 if policy in distinct else 0 for policy in policies]
        actions = np.array(tables, np.int16).reshape(len(tables), self._states.size)
        self._players = Players(np.array(numbers, np.int64), (self._states.in_memory(), actions), np.zeros(1, np.int64))
        packed = self._states.layout.pack(compiled.game.part("start")(rules))
        self._start = np.array([[packed >> HALF_BITS, packed & (1 << HALF_BITS) - 1]])

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the form of a function that is compiled for all games."""
        layout = self._states.layout
        game, *_kept = expanded_game(self._compiled, self._rules, layout, layout.halves)  # one for each thread
        kernels = engine_kernels(PLAY, call_policy=cast(FunctionType, call_policy))
        kernels.notice = self._compiled.kernels.notice
        return kernels[function](game, self._start, self._players, *arguments)

    def unpacked(self, witness: I64) -> I64:
        """Return a witness of a failed playout with the fields of its state."""
        high, low = map(int, witness[:2])
        return np.array([*self._states.layout.unpack(high << HALF_BITS | low), witness[2], witness[-1]])


def _table(policy: Policy, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
    table = policy.quick_table(compiled, rules, states)
    if table is None or find_illegal(compiled, rules, states, table) >= 0:
        raise SolveError(f"there is no table of policy {policy.name}.")
    return table


def call_policy(rules: Rules, state: State, policy: int, data: tuple[StateIndex, I16], uniform: float) -> int:
    """Return the action in the table of a policy."""
    states, actions = data
    action = int(actions[policy - 1, index_of(states, locate(states, state))])
    return pick(rules, state, uniform)[1] if action == ActionCode.UNIFORM else action


def playing_of(compiled: CompiledGame, rules: Rules, calls: PolicyCalls, games: float) -> Playing:
    """Return how the policies at a table play so many games: from tables if the game is small, otherwise compiled."""
    if games <= MAX_LISTED_GAMES and not any(map(compiled.game.has, OWN_PLAY)):
        listing = listing_of(compiled, rules, for_play=True)
        if listing:
            with suppress(GameError, SolveError):
                return ListedPlaying(compiled, rules, listing, calls.policies)
    return CompiledPlaying(compiled, rules, calls)


MAX_LISTED_GAMES = 1_000_000
"""The most games for which compilation, which plays twice as fast, is not worth its seconds."""
OWN_PLAY = ("pick", "sample", "deal", "view", "leader")
"""Parts of the protocol that play calls, and that are not listed."""
