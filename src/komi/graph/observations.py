"""The observation of the player to move in each state of a set."""

from contextlib import suppress

import numpy as np

from komi.arrays import I64, Flags
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.graph.listed_rules import listing_of
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.rules.interface import view
from komi.typing import Rules


def observations(compiled: CompiledGame, rules: Rules, states: StateSet, first: int = 0, end: int | None = None) -> I64:
    """Return int64[rows, fields], the observation of the player to move: the state itself in games without `view`.

    Args:
        compiled, rules: the game.
        states: the set of states.
        first, end: the range of the indices of the states, `end` exclusive; all by default.
    """
    game, fields = compiled.game, states.fields_between(first, states.size if end is None else end)
    if not game.has("view"):
        return fields
    if listing_of(compiled, rules, for_play=True):
        look = game.part("view")
        with suppress(Exception):  # of the rules: compiled code says what is wrong
            return np.array([look(rules, game.module.State(*row)) for row in fields.tolist()], np.int64)
    compiled.kernels[_observe](rules, states, first, fields)
    return fields


def observed_states(compiled: CompiledGame, rules: Rules, states: StateSet, choosing: Flags) -> StateSet:
    """Return what players see who choose.

    Args:
        compiled, rules: the game.
        states: states.
        choosing: bool[states], those in which a player chooses.
    """
    fields = observations(compiled, rules, states)[choosing]
    return StateSet.of_fields(Layout.around(fields, compiled.game.steps), fields)


def _observe(rules: Rules, states: StateIndex, first: int, observed: I64) -> None:
    """Fill in int64[rows, fields], the observations of the states from index `first` on."""
    for index, handle in members(states.keys):
        if first <= index < first + len(observed):
            seen = view(rules, state_at(states, handle))
            for field in range(len(seen)):
                observed[index - first, field] = seen[field]
