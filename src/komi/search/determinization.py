"""Determinization: a search guesses what its player does not see, by drawing states that agree with its observation.

A searcher receives the observation of its player, never the state. It draws states by the `deal` of the game file;
where a small game has none, from the table of its information sets (`rules.information_sets`).
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I64
from komi.compiling.packing import Layout
from komi.graph.lookup import StateIndex, index_of, is_member, locate
from komi.graph.state_sets import StateSet
from komi.rules.game import Game
from komi.rules.information_sets import InformationSets, information_sets
from komi.rules.interface import deal, state_from, view
from komi.rules.kind import kind_of
from komi.search.tree import hash_state
from komi.streams import Stream, next_number
from komi.typing import Rules, State

_SEAT = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)


class HiddenStates(NamedTuple):
    """The states with each observation, and their probabilities.

    Attributes:
        observations: the set of observations.
        firsts: int64[observations + 1], the first state with each observation.
        states: int64[states, fields], the states.
        limits: float64[states], the sums of the conditional probabilities of the states up to each.
    """

    observations: StateIndex
    firsts: I64
    states: I64
    limits: F64


class Determinization(NamedTuple):
    """The way in which a search draws hidden information.

    Attributes:
        depth: the number of decisions from the root in whose nodes a player knows only what it observes; deeper nodes
            are states, in which all is known.
        worlds: the number of states drawn before the search begins; 0 to draw one in each iteration.
        uniforms: how many random numbers `deal` takes.
        hidden: the states with each observation; None if `deal` draws them.
    """

    depth: int
    worlds: int
    uniforms: int
    hidden: HiddenStates | None


@lru_cache(16)
def hidden_states(game: Game, rules: Rules) -> HiddenStates | None:
    """Tabulate the states with each observation; return None if `deal` draws them, or nothing is hidden.

    Raises:
        SolveError: if the game has no `deal`, and is too large to do without.
    """
    if game.has("deal") or not kind_of(game, rules).hidden:
        return None
    return tabulate_states(game, information_sets(game, rules))


def tabulate_states(game: Game, sets: InformationSets) -> HiddenStates:
    """Return the states with each observation as arrays."""
    fields = np.array(list(sets), np.int64)
    observations = StateSet.of_fields(Layout.around(fields, game.steps), fields)
    ordered = sorted(sets, key=observations.index_of)
    sizes = [len(sets[observation]) for observation in ordered]
    return HiddenStates(
        observations.in_memory(),
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        np.array([state for observation in ordered for state in sets[observation]], np.int64),
        np.concatenate([np.cumsum(list(sets[observation].values())) for observation in ordered]),
    )


def is_known(observation: State, determinization: Determinization) -> bool:
    """Return whether states with an observation can be drawn."""
    return _is_in(observation, determinization.hidden)


def _is_in(observation: State, hidden: HiddenStates | None) -> bool:
    if hidden is None:
        return True
    return bool(is_member(hidden.observations, locate(hidden.observations, observation)))


def is_blind(determinization: Determinization) -> bool:
    """Return whether no player knows more than it observes, however deep the search goes."""
    return determinization.worlds == 0


def draw_worlds(rules: Rules, observation: State, determinization: Determinization, stream: Stream) -> I64:
    """Return int64[worlds, fields], the states drawn before a search."""
    worlds = np.empty((determinization.worlds, len(observation)), np.int64)
    for number in range(len(worlds)):
        drawn = draw_state(rules, observation, determinization, stream)
        for i in range(len(observation)):
            worlds[number, i] = drawn[i]
    return worlds


def next_state(
    rules: Rules, observation: State, number: int, worlds: I64, determinization: Determinization, stream: Stream
) -> Any:
    """Return the state from which an iteration of a search begins: one of the worlds in turn, or a new one.

    Args:
        rules: the rules.
        observation: what the player to move observes.
        number: the number of the iteration.
        worlds: int64[worlds, fields], the states drawn before the search.
        determinization: how to draw what is hidden.
        stream: the source of random numbers.
    """
    if len(worlds) > 0:
        return state_from(worlds, number % len(worlds))
    return draw_state(rules, observation, determinization, stream)


def draw_state(rules: Rules, observation: State, determinization: Determinization, stream: Stream) -> Any:
    """Draw a state with an observation."""
    uniforms = np.empty(determinization.uniforms)
    for i in range(len(uniforms)):
        uniforms[i] = next_number(stream)
    return _drawn(rules, observation, determinization.hidden, uniforms)


def _drawn(rules: Rules, observation: State, hidden: HiddenStates | None, uniforms: F64) -> Any:
    if hidden is None:
        return deal(rules, observation, uniforms)
    index = index_of(hidden.observations, locate(hidden.observations, observation))
    row, last = hidden.firsts[index], hidden.firsts[index + 1] - 1
    while row < last and uniforms[0] >= hidden.limits[row]:
        row += 1
    return state_from(hidden.states, row)


def node_key(rules: Rules, state: State, seat: int, decisions: int, determinization: Determinization) -> Any:
    """Return the hash of a node: of the state, or of what the player to move observes and its seat."""
    if decisions < determinization.depth:
        return hash_state(view(rules, state)) ^ (np.uint64(seat + 1) * _SEAT) | _ONE
    return hash_state(state)
