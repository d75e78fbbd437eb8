"""Optimal values of all reachable states in single-player and two-player games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.bellman.backup import ValueBackup
from komi.bellman.refusals import Unproved
from komi.graph import limits
from komi.graph.checkpoint import Checkpoint
from komi.graph.components import back_up_components
from komi.graph.reachability import survey_states
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.rules.compiled import CompiledGame
from komi.solvers.reward_check import check_chance
from komi.transient.roll_backup import ExpandedBackup
from komi.transient.staged import sweep_states
from komi.transient.verification import survey_verified


@dataclass(frozen=True)
class Values:
    """The values of a set of states to the player to move.

    Attributes:
        states: the states, without terminal ones.
        values: float64[states]: with two players the mover's probability of winning, a shared win counting half; with
            one player the objective.
        choices: int16[states], an optimal action in each; the policy of these actions guarantees the values.
        error_bound: the error bound of every value, by the proof in `certificate`.
        most_outcomes: the largest number of outcomes of an action.
        expanded: the number of enumerated transient states that are not stored; 0 if all states are stored.
        checked: the number of states in which the hints `roll` and `totals` were verified; 0 if the values do not rely
            on them.
    """

    states: StateSet
    values: NDArray[np.float64]
    choices: NDArray[np.int16]
    error_bound: float
    most_outcomes: int
    expanded: int = 0
    checked: int = 0


class Wanted(NamedTuple):
    """The objective of the values; see `rows.Objective`.

    Attributes:
        flips: whether the other player gets one minus the mover's value.
        sign: 1.0 to maximize, -1.0 to minimize.
        lowest, highest: the range of the values.
        views: of the rewards: 1 for two players, 2 for one player.
        expands: whether transient states are not stored, but enumerated on demand.
    """

    flips: bool
    sign: float
    lowest: float
    highest: float
    views: int
    expands: bool = False


CHANCE_OF_TWO = Wanted(flips=True, sign=1.0, lowest=0.0, highest=1.0, views=1)
"""Two players, each of whom maximizes the probability of winning."""


def find_values(
    compiled: CompiledGame,
    rules: Any,
    roots: Sequence[Any],
    known: Values | None = None,
    progress: Progress = silent,
    wanted: Wanted = CHANCE_OF_TWO,
) -> Values:
    """Compute optimal values of all states that are reachable from the roots, except those already known.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large, or a value cannot be proved.
    """
    sweepable = compiled.game.has("stage") and not known
    try:
        return _find_listed(compiled, rules, roots, known, progress, wanted, sweepable)
    except limits.ManyExpandedError as error:
        if not sweepable:
            raise
        limits.check_sweeping(compiled.game, error.states)
    return _find_swept(compiled, rules, roots, progress, wanted)


def _find_listed(
    compiled: CompiledGame,
    rules: Any,
    roots: Sequence[Any],
    known: Values | None,
    progress: Progress,
    wanted: Wanted,
    sweepable: bool,
) -> Values:
    """Compute the values from stored transitions, component by component."""
    rolls, checked, found = None, 0, known.states if known else None
    if wanted.expands:
        rolls, states, counts, checked = survey_verified(compiled, rules, roots, found, progress, sweepable)
    else:
        states, counts = survey_states(compiled, rules, roots, found, progress)
    check_chance(compiled, rules, states)
    most_outcomes = max(counts.most_outcomes, known.most_outcomes if known else 0)
    counts = counts._replace(most_outcomes=most_outcomes)
    if rolls is not None:
        rolls.check_expanded(counts.states)
    aims = (wanted.flips, wanted.sign, wanted.lowest, wanted.highest)
    unproved = Unproved(compiled, rules, states)
    if rolls is None:
        backup = ValueBackup(states.size, counts, unproved, *aims, progress=progress)
    else:
        rolls.settle(states.size)
        backup = ExpandedBackup(rolls, states.size, counts, unproved, *aims, progress=progress)
    findings = backup.findings
    old = None
    if known:
        old = states.indices_of(known.states)
        findings.value[old], findings.choice[old] = wanted.sign * known.values, known.choices
        findings.bound[old] = np.nextafter(np.float32(known.error_bound), np.float32(np.inf))
    places = findings.bound.view(np.int32) if wanted.flips else None  # bounds of probabilities are positive numbers
    back_up_components(
        compiled, rules, states, counts, roots, backup, old, wanted.views, progress, rolls=rolls, places=places
    )
    if wanted.sign < 0.0:
        np.negative(findings.value, out=findings.value)
    expanded = (known.expanded if known else 0) + (rolls.count_rows() if rolls else 0)
    bound = float(findings.bound.max(initial=0.0))
    return Values(states, findings.value, findings.choice, bound, most_outcomes, expanded, checked)


def _find_swept(compiled: CompiledGame, rules: Any, roots: Sequence[Any], progress: Progress, wanted: Wanted) -> Values:
    """Compute the values by staged value iteration."""
    aims = (wanted.flips, wanted.sign, wanted.lowest, wanted.highest)
    checkpoint = Checkpoint(compiled, rules, wanted, *roots)
    found = sweep_states(compiled, rules, roots, aims, checkpoint, progress)
    if wanted.sign < 0.0:
        np.negative(found.values, out=found.values)
    return Values(found.states, found.values, found.choices, found.bound, found.most_outcomes, found.rows)
