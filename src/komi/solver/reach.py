"""The states that play can reach, found by a survey that checks the rules on the way."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.compile.packing import Layout
from komi.errors import GameError, SolveError
from komi.progress import Progress, silent
from komi.solver import survey
from komi.solver.states import StateSet

MOST_STATES = 200_000_000
MOST_ACTIONS = 1 << 62  # where their labels are not listed
MOST_BITS = 36  # of a packed state: the set of all states found is a bit array of this many bits
SURVEY_STEPS = 1 << 19  # states between two looks at the clock and the keyboard


class Counts(NamedTuple):
    """What a survey has counted."""

    states: int
    actions: int
    outcomes: int
    most_outcomes: int  # of one action
    most_actions: int  # in one state


def survey_states(
    compiled: CompiledGame,
    rules: Any,
    roots: Sequence[Any],
    known: StateSet | None = None,
    progress: Progress = silent,
) -> tuple[StateSet, Counts]:
    """The set of states that play can reach, and the known ones.

    Returns:
        the states, and what was counted of the new ones.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large.
    """
    game = compiled.game
    for root in roots:
        if game.part("over")(rules, root):
            raise GameError(f"{game.name} is over before it begins: {game.write(rules, root)}.")
        if not game.possible(rules, root):
            raise GameError(
                f"{game.name} begins in a state that its own rules do not allow: {game.write(rules, root)}."
            )
    fields = len(game.module.State._fields)
    layout = known.layout if known else Layout.of([0] * fields, [1] * fields)
    for root in roots:
        layout = layout.widened(root)
    while True:
        _check_size(compiled, layout)
        states = known.relaid(layout) if known else StateSet.empty(layout)
        outside, totals = _survey(compiled, rules, states, roots, progress)
        if outside is None:
            return StateSet.of(layout, states.bits), Counts(*map(int, totals))
        if not game.possible(rules, outside):
            raise _broken(compiled, rules, survey.IMPOSSIBLE, np.array([*outside, -1]))
        layout = layout.widened(outside)


def possible_states(compiled: CompiledGame, rules: Any, layout: Layout) -> StateSet:
    """All states of a layout that the game calls possible, those where it is over left out."""
    states = StateSet.empty(layout)
    compiled.kernels[survey.list_possible](rules, layout, states.bits)
    return StateSet.of(layout, states.bits)


def _survey(
    compiled: CompiledGame, rules: Any, states: StateSet, roots: Sequence[Any], progress: Progress
) -> tuple[Any, NDArray[np.int64]]:
    """Add to the set what can be reached. Returns a state that does not fit its layout, if there is one."""
    kernel = compiled.kernels[survey.survey]
    known = MOST_ACTIONS if compiled.game.has("label") else len(compiled.game.module.actions)
    bits = states.bits
    stack = np.empty(max(1 << 16, 2 * len(roots)), np.int64)
    height = 0
    for word in {states.word(root) for root in roots}:
        if not int(bits[word >> 6]) >> (word & 63) & 1:
            bits[word >> 6] |= np.uint64(1 << (word & 63))
            stack[height] = word
            height += 1
    totals = np.zeros(len(Counts._fields), np.int64)
    witness = np.zeros(len(states.layout.lows) + 1, np.int64)
    while True:
        reason, height = kernel(rules, known, states.layout, bits, stack, height, SURVEY_STEPS, totals, witness)
        progress("finding states", int(totals[0]), 0)
        if reason == survey.DONE:
            return None, totals
        if reason == survey.CROWDED:
            stack = np.concatenate((stack, np.empty_like(stack)))
        elif reason == survey.OUTSIDE:
            return compiled.game.module.State(*map(int, witness[:-1])), totals
        elif reason != survey.PAUSED:
            raise _broken(compiled, rules, reason, witness)
        if totals[0] > MOST_STATES:
            state = compiled.game.module.State(*states.layout.fields(int(stack[height - 1])))
            raise SolveError(
                f"{compiled.game.name} has more than {MOST_STATES:,} states: does a field grow without end, "
                f"as in {compiled.game.write(rules, state)}?"
            )


def _check_size(compiled: CompiledGame, layout: Layout) -> None:
    if sum(layout.bits) > MOST_BITS:
        widest = max(range(len(layout.bits)), key=lambda i: layout.bits[i])
        name = compiled.game.module.State._fields[widest]
        low, high = layout.lows[widest], layout.lows[widest] + layout.masks[widest]
        raise SolveError(
            f"{compiled.game.name} has too many states to store: do all fields have an end? "
            f"{name!r} goes beyond {low if low < 0 else high // 2}."
        )


def _broken(compiled: CompiledGame, rules: Any, reason: int, witness: NDArray[np.int64]) -> GameError:
    """What the survey has found wrong with the rules."""
    game = compiled.game
    state = game.module.State(*map(int, witness[:-1]))
    action = int(witness[-1])
    if reason == survey.ACTION:
        written = game.write(rules, state)
        return GameError(f"{game.file.name}: 'legal' yields {action} in {written}, which is no action.", written)
    name = game.label(rules, state, action) if action >= 0 else ""
    what = {
        survey.IMPOSSIBLE: "play reaches a state that 'possible' rules out",
        survey.DEAD_END: "there is no legal action, and the game is not over",
        survey.PROBABILITY: f"the probabilities of {name!r} do not sum to 1",
        survey.PAYOFF: "the payoff is not from 0 to 1",
        survey.PASSES: f"{name!r} passes the turn on by a negative number of seats",
    }[reason]
    written = game.write(rules, state)
    return GameError(f"{game.file.name}: {what} in {written}.", written)
