"""Optimal values of all reachable states in single-player and two-player games."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.bellman import WIN_PROBABILITY, Objective, RationalSolver, ValueBackup, compile_ahead
from komi.compiling.compiled import CompiledGame
from komi.graph import limits
from komi.graph.checkpoint import Checkpoint
from komi.graph.components import solve_components
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions, TransitionSource
from komi.graph.state_sets import StateSet
from komi.graph.transitions import GraphCounts
from komi.progress import Progress, silent
from komi.rules.kind import Kind, kind_of
from komi.solvers.stochastic.reward_check import check_chance
from komi.transient import RollBackup, Rolls, explore_verified, solve_staged
from komi.typing import Rules


@dataclass(frozen=True)
class Values:
    """The values of a set of states to the player to move.

    Attributes:
        states: the states, without terminal ones.
        values: float64[states]: with two players the mover's probability of winning, a shared win counting half; with
            one player the objective.
        choices: int16[states], an optimal action in each; the policy of these actions guarantees the values.
        error_bound: the error bound of every value, by the proof in `certificate`.
        max_outcomes: the largest number of outcomes of an action.
        expanded: the number of enumerated transient states that are not stored; 0 if all states are stored.
        checked: the number of states in which the hints `roll` and `totals` were verified; 0 if the values do not rely
            on them.
    """

    states: StateSet
    values: NDArray[np.float64]
    choices: NDArray[np.int16]
    error_bound: float
    max_outcomes: int
    expanded: int = 0
    checked: int = 0


def objective_of(kind: Kind) -> Objective:
    """Return the objective of a game of one or two players: its sign and its range."""
    if kind.seats == 2:
        return WIN_PROBABILITY
    sign = -1.0 if kind.aim == "least" else 1.0
    lowest, highest = (-math.inf, math.inf) if kind.rewards else (0.0, 1.0)
    if sign < 0.0:
        lowest, highest = -highest, -lowest
    return Objective(is_zero_sum=False, sign=sign, lowest=lowest, highest=highest)


def find_values(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: Values | None = None,
    progress: Progress = silent,
    has_rolls: bool = True,
) -> Values:
    """Compute optimal values of all states that are reachable from the roots, except those already known.

    Args:
        compiled, rules: the game.
        roots: states.
        known: the values of states that are solved already.
        progress: called during long work.
        has_rolls: True if transient states are enumerated on demand instead of stored.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large, or a value cannot be proved.
    """
    kind = kind_of(compiled.game, rules)
    objective, can_stage = objective_of(kind), compiled.game.has("stage") and not known
    known_states = known.states if known else None
    compile_ahead(objective.gain_columns)
    try:
        if has_rolls and kind.transient:
            graph = _explore_rolls(compiled, rules, roots, known_states, progress, can_stage)
        else:
            transitions = GameTransitions(compiled, rules)
            graph = _Graph(transitions, *find_reachable(transitions, roots, known_states, progress))
            check_chance(compiled, rules, graph.states)
    except limits.TooManyRollsError as error:
        if not can_stage:
            raise
        limits.check_staged_memory(compiled.game, error.states)
        values = _find_staged(compiled, rules, roots, progress, objective)
    else:
        values = _back_up(graph, roots, known, RationalSolver(compiled, rules, graph.states), progress, objective)
    if objective.sign < 0.0:
        np.negative(values.values, out=values.values)
    return values


class _Graph(NamedTuple):
    """The states to solve, and the source of their transitions."""

    transitions: TransitionSource
    states: StateSet
    counts: GraphCounts
    rolls: Rolls | None = None  # the source again, if transient states are enumerated on demand
    checked: int = 0  # as in `Values`


def _explore_rolls(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: StateSet | None,
    progress: Progress,
    can_stage: bool,
) -> _Graph:
    """Enumerate the states before a roll, and verify the hints.

    Raises:
        TooManyRollsError: if there are too many to store their transitions.
    """
    rolls, states, counts, checked = explore_verified(compiled, rules, roots, known, progress, can_stage)
    check_chance(compiled, rules, states)
    rolls.check_roll_count(counts.states)
    return _Graph(rolls, states, counts, rolls, checked)


def _back_up(
    graph: _Graph,
    roots: Sequence[Any],
    known: Values | None,
    fallback: RationalSolver,
    progress: Progress,
    objective: Objective,
) -> Values:
    """Compute the values, times the objective's sign, component after component."""
    transitions, states, counts, rolls, checked = graph
    max_outcomes = max(counts.max_outcomes, known.max_outcomes if known else 0)
    counts = counts._replace(max_outcomes=max_outcomes)
    if rolls is None:
        backup = ValueBackup(states.size, counts, fallback, objective, progress=progress)
    else:
        backup = RollBackup(rolls, states.size, counts, fallback, objective, progress=progress)
    results, old = backup.results, None
    if known:
        old = states.indices_of(known.states)
        results.value[old], results.choice[old] = objective.sign * known.values, known.choices
        results.bound[old] = np.nextafter(np.float32(known.error_bound), np.float32(np.inf))
    solve_components(
        transitions,
        states,
        counts,
        roots,
        backup,
        known=old,
        gain_columns=objective.gain_columns,
        progress=progress,
        bounds=results.bound if objective.is_zero_sum else None,  # bounds of probabilities are positive numbers
    )
    expanded = (known.expanded if known else 0) + (rolls.count_nodes() if rolls else 0)
    bound = float(results.bound.max(initial=0.0))
    return Values(states, results.value, results.choice, bound, max_outcomes, expanded, checked)


def _find_staged(
    compiled: CompiledGame, rules: Rules, roots: Sequence[Any], progress: Progress, objective: Objective
) -> Values:
    """Compute the values, times the objective's sign, by staged value iteration."""
    found = solve_staged(compiled, rules, roots, objective, Checkpoint(compiled, rules, objective, *roots), progress)
    return Values(found.states, found.values, found.choices, found.bound, found.max_outcomes, found.transient_states)
