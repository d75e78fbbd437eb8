"""Optimal values and mixed strategies of all reachable states in two-player games with simultaneous moves."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import I16, I64, Flags
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.graph.components import solve_components
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members, state_at
from komi.graph.observations import observations
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts
from komi.progress import Progress, silent
from komi.rules.interface import legal, outcomes, over
from komi.solvers.simultaneous.matrix_game_sweeps import ChoiceKind
from komi.solvers.simultaneous.mixed_backup import MixedBackup
from komi.solvers.solver import OtherKindError
from komi.solvers.stochastic.reward_check import check_chance
from komi.typing import Rules, State


@dataclass(frozen=True)
class MixedValues:
    """The value of each of a set of states for the player to move, and the optimal mixed strategies.

    Attributes:
        states: the states, none of them terminal.
        values: float64[states], the mover's probability of winning, a shared win counting half; in states that hide a
            choice, given what the mover observes.
        mixes: float64[states, actions], the probability of each legal action, in the order of the rules.
        kinds: int8[states]: OPEN where a choice is made that the other seat does not see, BLIND after it, else ALONE.
        before: int32[states], the index of the open state before a blind one; -1 elsewhere.
        error_bound: the error bound of all values.
        is_supremum: bool[states], whether the value is proved to be one that a seat cannot attain in play that ends;
            near-optimal strategies exist.
    """

    states: StateSet
    values: NDArray[np.float64]
    mixes: NDArray[np.float64]
    kinds: NDArray[np.int8]
    before: NDArray[np.int32]
    error_bound: float
    is_supremum: Flags


def find_mixed(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: MixedValues | None = None,
    progress: Progress = silent,
) -> MixedValues:
    """Compute the values and strategies of all states that are reachable from the roots, and of the known ones.

    Raises:
        GameError: if the rules are broken.
        OtherKindError: if the game hides more than simultaneous moves.
        SolveError: if the game is too large, or cannot be proved; if there is a solution already, and play from the
            roots hides more.
    """
    states, counts = find_reachable(GameTransitions(compiled, rules), roots, known.states if known else None, progress)
    if known is not None:  # a blind state needs the open one before it: solve everything again, which is rare
        earlier = [compiled.game.module.State(*known.states.fields(index)) for index in range(known.states.size)]
        states, counts = find_reachable(GameTransitions(compiled, rules), [*roots, *earlier], None, progress)
        roots = [*roots, *earlier]
    check_chance(compiled, rules, states)
    try:
        kinds, before = _kinds(compiled, rules, states, counts)
    except OtherKindError as error:
        if known is None:
            raise
        written = compiled.game.write(rules, roots[0])
        raise SolveError(f"{written} has no value, because together with play from there {error}") from None
    backup = MixedBackup(compiled, rules, states, counts, kinds, before)
    solve_components(GameTransitions(compiled, rules), states, counts, roots, backup, progress=progress)
    found = backup.results
    bound = float(found.bound.max(initial=0.0))
    return MixedValues(states, found.value, found.mix, kinds, before, bound, backup.is_supremum)


HIDES_MORE, SHOWS_ACTIONS, OTHER_WAY, LOOKS_KNOWN = range(4)
WHY = (
    "hides more than a choice that both players make at the same time, in {}.",
    "hides a choice in {}, where other actions are legal than in what the player to move sees of it.",
    "hides a choice in {}, to which play also comes in another way.",
    "hides a choice in {}, of which the player to move sees what play also shows without this choice.",
)


def _kinds(
    compiled: CompiledGame, rules: Rules, states: StateSet, counts: GraphCounts
) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """Determine the kind of each state, and find the open state before each blind one.

    Raises:
        OtherKindError: if an observation hides anything but a simultaneous move.
    """
    kinds = np.full(states.size, ChoiceKind.ALONE, np.int8)
    before = np.full(states.size, -1, np.int32)
    seen, start = observations(compiled, rules, states), states.index_of(compiled.game.part("start")(rules))
    hides = np.any(seen != states.all_fields(), axis=1)
    index, why = GraphKernels(compiled)[mark_choices](rules, states, seen, hides, kinds, before)
    blind, known = before >= 0, states.indices_of_fields(seen)
    if index < 0:
        index, why = _first(_shows_actions(compiled, rules, states, counts, seen, blind)), SHOWS_ACTIONS
    if index < 0:
        index, why = _first((kinds != ChoiceKind.BLIND) & hides), HIDES_MORE
    if index < 0 <= start and kinds[start] == ChoiceKind.BLIND:
        index, why = start, OTHER_WAY
    if index < 0:
        index, why = _first(blind & (known >= 0) & (before[known] != before)), LOOKS_KNOWN
    if index >= 0:
        state = compiled.game.write(rules, compiled.game.module.State(*states.fields(index)))
        raise OtherKindError(f"{compiled.game.name} {WHY[why].format(state)}")
    choices = np.unique(before[blind], return_index=True)[1]  # all that follow one look alike
    if len(np.unique(seen[blind][choices], axis=0)) < len(choices):
        raise OtherKindError(f"{compiled.game.name} hides from a player which of two states a choice was made in.")
    return kinds, before


def _first(flags: Flags) -> int:
    """Return the index of the first true flag, or -1."""
    return int(np.argmax(flags)) if flags.any() else -1


def _shows_actions(
    compiled: CompiledGame, rules: Rules, states: StateSet, counts: GraphCounts, seen: I64, blind: Flags
) -> Flags:
    """Return bool[states], True in blind states in which what is seen has other legal actions, or another order."""
    most, none = counts.max_actions, -2  # chance is -1
    actions = legal_actions(compiled, rules, states, most + 1, none)
    observed, number = np.unique(seen[blind], axis=0, return_inverse=True)
    shown = np.full((len(observed), most + 1), none, np.int16)
    for row, fields in enumerate(observed.tolist()):
        with suppress(Exception):  # of rules, in a state that play does not reach
            legal_there = compiled.game.part("legal")(rules, compiled.game.module.State(*fields))
            first = list(islice(legal_there, most + 1))
            shown[row, : len(first)] = first
    shows = np.zeros(states.size, np.bool_)
    shows[blind] = np.any(actions[blind] != shown[number.ravel()], axis=1)
    return shows


def legal_actions(compiled: CompiledGame, rules: Rules, states: StateSet, most: int, none: int) -> I16:
    """Return int16[states, most], the legal actions in the order of the rules, -1 for chance; `none` after the last."""
    actions = np.full((states.size, most), none, np.int16)
    GraphKernels(compiled)[_fill_legal_actions](rules, states, actions)
    return actions


def _fill_legal_actions(rules: Rules, states: StateIndex, actions: I16) -> None:
    for index, handle in members(states.keys):
        for rank, action in enumerate(legal(rules, state_at(states, handle))):
            actions[index, rank] = action


def mark_choices(rules: Rules, states: StateIndex, seen: I64, hides: Flags, kinds: Any, before: Any) -> tuple[int, int]:
    """Find the open and the blind states.

    Args:
        rules: the rules.
        states: the `StateSet`.
        seen: int64[states, fields], the observation of each.
        hides: bool[states], whether it is not the state itself.
        kinds: int8[states], filled in.
        before: int32[states], -1; filled in, in blind states, with the index of the open one before.

    Returns:
        (the index of a state that violates the conditions on hidden choices, or -1, the violation: HIDES_MORE or
        OTHER_WAY)
    """
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        if not _is_open(rules, states, state, seen, hides):
            continue
        kinds[index] = ChoiceKind.OPEN
        for action in legal(rules, state):
            for _, after, _ in outcomes(rules, state, action):
                blind = index_of(states, locate(states, after))
                if before[blind] >= 0 and before[blind] != index:
                    return blind, OTHER_WAY
                before[blind] = index
                kinds[blind] = ChoiceKind.BLIND
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        if kinds[index] == ChoiceKind.BLIND and _is_open(rules, states, state, seen, hides):
            return index, HIDES_MORE
        if kinds[index] == ChoiceKind.OPEN:
            continue
        for action in legal(rules, state):
            for _, after, _ in outcomes(rules, state, action):
                if not over(rules, after):
                    follower = index_of(states, locate(states, after))
                    if kinds[follower] == ChoiceKind.BLIND:
                        return follower, OTHER_WAY
    return -1, OTHER_WAY


def _is_open(rules: Rules, states: StateIndex, state: State, seen: I64, hides: Flags) -> bool:
    """Return whether the mover makes a choice here that the next player does not observe."""
    is_hidden = False
    first: Any = np.int64(-1)
    for action in legal(rules, state):
        ways = 0
        for probability, after, passes in outcomes(rules, state, action):
            ways += 1
            if action < 0 or probability != 1.0 or passes & 1 == 0 or over(rules, after):
                return False
            follower = index_of(states, locate(states, after))
            if first < 0:
                first = follower
            is_hidden = is_hidden or hides[follower]
            for field in range(seen.shape[1]):
                if seen[follower, field] != seen[first, field]:
                    return False
        if ways != 1:
            return False
    return is_hidden
