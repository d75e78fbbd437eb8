"""Policies that search in each state: `mcts:N` and `expectimax:DEPTH`; see `docs/search.md`.

A searcher's random numbers derive from the one that each call of a policy receives, and from the state. So the same
seed gives the same game whatever the number of workers, unless time limits the search.
"""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from komi.arrays import F64, I16
from komi.compiling.compiled import CompiledGame, compiled_game
from komi.errors import InputError, SolveError
from komi.graph.state_sets import StateSet
from komi.jit.kernels import Kernels
from komi.policies.calls import PolicyCalls
from komi.policies.policy import Policy, PolicyCode, SerializedPolicy, UniformPolicy
from komi.policies.table import TablePolicy
from komi.policies.tabulate import illegal_action_error, tabulate_calls
from komi.rules.game import Game
from komi.rules.interface import call_policy
from komi.rules.kind import kind_of
from komi.search import expectimax, mcts
from komi.search.expectimax import SearchLimits
from komi.search.mcts import Budget
from komi.search.playouts import PolicyStatus
from komi.search.specification import Effort, Specification
from komi.typing import PolicyData, Rules, State

MAX_TABULATED = 10**9  # playouts of all states together: about an hour
PLAYOUTS_PER_SECOND = 10**5  # an estimate
MAX_KEPT = 16  # searchers whose kernels stay loaded
MAX_DEPTH = 1000
LEAF_PLAYOUTS, MAX_LEAF_PLAYOUTS = 8, 10**6  # of each state at the depth of expectimax
EXPLORATION = 1.0
FindPolicy = Callable[[str], Policy]


@dataclass(frozen=True)
class ActionEstimate:
    """The estimate of one action by a search.

    Attributes:
        action: the action.
        tried: how often the search took it in the state.
        value: the mean result for the mover: a share of the win from 0 to 1, or points.
        stderr: the standard error of the mean, as if its results were independent; None if it was tried only once.
    """

    action: int
    tried: int
    value: float
    stderr: float | None


@dataclass(frozen=True)
class Searcher(Policy):
    """A policy that searches in each state.

    Attributes:
        name: its specification.
        leaf: the policy of the playouts.
        seats: the number of players.
        sign: -1.0 if the only player minimizes, otherwise 1.0.
    """

    name: str
    leaf: Policy
    seats: int
    sign: float

    is_searched = True
    search: ClassVar[Callable[..., int]]
    """The compiled search: (rules, state, uniform, (limits, data of the leaf policy), estimates) -> action."""
    search_if_free: ClassVar[Callable[..., int]]
    """The same without estimates, where more than one action is legal."""

    @property
    @abstractmethod
    def playouts(self) -> float:
        """About how many playouts it needs for one action."""

    @abstractmethod
    def _limits(self) -> tuple[Any, ...]:
        """Return the first part of the data of its code."""

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
        """Return the action that it finds in each state; where it has searched before, the one that it found then.

        Raises:
            SolveError: if it takes too long.
        """
        found = self._found.get((compiled, rules))
        if found and np.all(found.states.indices_of(states) >= 0):
            return found.tabulate(compiled, rules, states)
        if self.playouts * states.size > MAX_TABULATED:
            raise SolveError(
                f"policy {self.name} would search in each of {states.size:,} states, which takes too long: 'komi "
                "simulate' measures it."
            )
        actions = tabulate_calls(self, compiled, rules, states)
        self._found[compiled, rules] = TablePolicy(self.name, states, actions)
        return actions

    @cached_property
    def _found(self) -> dict[tuple[CompiledGame, Rules], TablePolicy]:
        """Its actions in the last states of each game for which it was tabulated."""
        return {}

    def code(self) -> PolicyCode:
        """Return the code that searches."""
        return self._code_of(type(self).search_if_free, self._data())

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Return the action that it finds.

        Raises:
            GameError: if no playout reached an end of the game.
        """
        return self.estimate(game, rules, state, uniform)[0]

    def estimate(self, game: Game, rules: Rules, state: State, uniform: float) -> tuple[int, list[ActionEstimate]]:
        """Search in a state, and return the best action and what was found out about each.

        Args:
            game: the game.
            rules: its rules.
            state: a state in which a player chooses.
            uniform: a uniform random number in [0, 1), which determines the search.

        Raises:
            GameError: if no playout reached an end of the game.
        """
        estimates = np.zeros((len(game.labels(rules, state)), 4))
        kernel = _kernels(self, compiled_game(game))[_search_once]
        action = kernel(rules, state, (_Estimating(self, estimates).code().data,), uniform)
        if action < 0:
            raise illegal_action_error(self, action, game, rules, state)
        return int(action), [_estimate(row, self.sign) for row in estimates if row[1] > 0]

    def serialize(self) -> SerializedPolicy | None:
        """Serialize the policy for another process. Return None if its name is enough."""
        leaf = self.leaf.serialize()
        return None if leaf is None else _SerializedSearcher(replace(self, leaf=UniformPolicy()), leaf)

    def _data(self) -> tuple[Any, ...]:
        leaf = self.leaf.code()
        return self._limits(), () if leaf is None else leaf.data

    def _code_of(self, function: Callable[..., int], data: tuple[Any, ...]) -> PolicyCode:
        leaf = self.leaf.code()
        return PolicyCode(function, data, {} if leaf is None else {"leaf_action": leaf})


@dataclass(frozen=True)
class MctsPolicy(Searcher):
    """Monte Carlo tree search.

    Attributes:
        effort: its playouts, or its time.
        exploration: the constant of the upper confidence bound.
    """

    effort: Effort
    exploration: float
    search = staticmethod(mcts.search)
    search_if_free = staticmethod(mcts.choose_by_mcts)

    @property
    def playouts(self) -> float:
        """About how many playouts it needs for one action."""
        return self.effort.playouts if self.effort.seconds == 0.0 else self.effort.seconds * PLAYOUTS_PER_SECOND

    def _limits(self) -> Budget:
        return Budget(*self.effort, self.exploration, self.seats, self.sign)


@dataclass(frozen=True)
class ExpectimaxPolicy(Searcher):
    """Expectimax to a fixed depth.

    Attributes:
        depth: actions to look ahead, with those of chance.
        leaf_playouts: playouts of each state at that depth.
    """

    depth: int
    leaf_playouts: int
    search = staticmethod(expectimax.search)
    search_if_free = staticmethod(expectimax.choose_by_expectimax)

    @property
    def playouts(self) -> float:
        """About how many playouts it needs for one action, with two actions and outcomes a state."""
        return self.leaf_playouts * 2.0 ** min(self.depth, 64)

    def _limits(self) -> SearchLimits:
        return SearchLimits(self.depth, self.leaf_playouts, self.seats, self.sign)


@dataclass(frozen=True, eq=False)
class _Estimating(Policy):
    """A searcher whose compiled call writes its estimates into a buffer."""

    searcher: Searcher
    estimates: F64
    name = "estimating"

    def code(self) -> PolicyCode:
        """Return the code that searches and writes the estimates."""
        searcher = self.searcher
        code = searcher._code_of(_search_and_write, (searcher._data(), self.estimates))
        search = PolicyCode(type(searcher).search, replacements=code.replacements)
        return PolicyCode(code.function, code.data, {"search_of_kind": search})

    def choose(self, game: Game, rules: Rules, state: State, uniform: float) -> int:
        """Return the searcher's action."""
        return self.searcher.choose(game, rules, state, uniform)


@dataclass(frozen=True)
class _SerializedSearcher:
    """A searcher for another process.

    Attributes:
        searcher: the searcher without its leaf policy.
        leaf: the serialized leaf policy.
    """

    searcher: Searcher
    leaf: SerializedPolicy

    def restore(self) -> Policy:
        """Return the searcher."""
        return replace(self.searcher, leaf=self.leaf.restore())


def search_of_kind(rules: Rules, state: State, uniform: float, data: PolicyData, estimates: F64) -> int:  # noqa: ARG001
    """Search from a state: the search of a searcher replaces this function."""
    return PolicyStatus.ENDLESS


def _search_and_write(rules: Rules, state: State, uniform: float, data: PolicyData) -> int:
    inner, estimates = data
    return search_of_kind(rules, state, uniform, inner, estimates)


def _search_once(rules: Rules, state: State, data: PolicyData, uniform: float) -> int:
    return call_policy(rules, state, 1, data, uniform)


@lru_cache(MAX_KEPT)
def _kernels(searcher: Searcher, compiled: CompiledGame) -> Kernels:
    """Return the kernels that search and write estimates."""
    return PolicyCalls.of([_Estimating(searcher, np.zeros((0, 4)))]).kernels(compiled)


def _estimate(row: F64, sign: float) -> ActionEstimate:
    """Create the estimate from a row that a search has written."""
    action, tried, total, squares = row.tolist()
    mean = total / tried
    variance = max(squares - tried * mean * mean, 0.0) / (tried - 1) if tried > 1 else 0.0
    return ActionEstimate(int(action), int(tried), sign * mean, math.sqrt(variance / tried) if tried > 1 else None)


def common_fields(spec: Specification, game: Game, rules: Rules, find_leaf: FindPolicy) -> dict[str, Any]:
    """Return the fields that all searchers have.

    Raises:
        InputError: for an unknown leaf policy, or one that compiled code cannot call.
    """
    leaf = spec.options.get("leaf", UniformPolicy.name)
    try:
        policy = find_leaf(leaf)
        policy.code()
    except SolveError as error:
        raise InputError(f"the leaf policy {leaf} of {spec.name} cannot be used: {error}") from None
    sign = -1.0 if game.aim(rules) == "least" else 1.0
    return {"name": spec.text, "leaf": policy, "seats": game.players(rules), "sign": sign}


def check_all_is_seen(spec: Specification, game: Game, rules: Rules) -> None:
    """Check that the players see everything.

    Raises:
        InputError: if they do not.
    """
    reason = kind_of(game, rules).reason_to_mix
    if reason:
        raise InputError(
            f"policy {spec.name} takes what a player sees for the whole state, but in {game.name} {reason}: use "
            "ismcts:N."
        )


def _mcts(spec: Specification, game: Game, rules: Rules, find_leaf: FindPolicy) -> Searcher:
    check_all_is_seen(spec, game, rules)
    common = common_fields(spec, game, rules, find_leaf)
    return MctsPolicy(**common, effort=spec.effort(), exploration=spec.number("exploration", EXPLORATION))


def _expectimax(spec: Specification, game: Game, rules: Rules, find_leaf: FindPolicy) -> Searcher:
    check_all_is_seen(spec, game, rules)
    common = common_fields(spec, game, rules, find_leaf)
    playouts = spec.whole("playouts", LEAF_PLAYOUTS, 1, MAX_LEAF_PLAYOUTS)
    return ExpectimaxPolicy(**common, depth=spec.depth(MAX_DEPTH), leaf_playouts=playouts)


@dataclass(frozen=True)
class SearcherKind:
    """A kind of searcher.

    Attributes:
        form: its specification as lists of policies show it.
        options: the names of its options.
        create: creates the searcher from a specification, the game, its rules and a function that finds leaf policies.
    """

    form: str
    options: tuple[str, ...]
    create: Callable[[Specification, Game, Rules, FindPolicy], Searcher]


OPEN_SEARCHERS = {
    "mcts": SearcherKind("mcts:N", ("exploration", "leaf"), _mcts),
    "expectimax": SearcherKind("expectimax:DEPTH", ("playouts", "leaf"), _expectimax),
}
"""The kinds of searchers for games in which everything is seen, by name."""
