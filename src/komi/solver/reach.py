"""The states that play can reach, found by a survey that checks the rules on the way."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from komi.compile.compiled import CompiledGame
from komi.compile.packing import Layout
from komi.errors import GameError, SolveError
from komi.game import Game
from komi.progress import Progress, silent
from komi.solver import survey
from komi.solver.states import StateSet
from komi.solver.surveyor import Surveyor

MOST_STATES = 200_000_000
MOST_BITS = 36  # of a packed state: the set of all states found is a bit array of this many bits
FEWEST_STEPS, MOST_STEPS = 1 << 13, 1 << 19  # states that a thread visits between two looks at the keyboard


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
    side_by_side: bool = True,
) -> tuple[StateSet, Counts]:
    """The set of states that play can reach, and the known ones.

    Args:
        compiled, rules: the game.
        roots: where play begins.
        known: states not to be visited again.
        progress: is told how many are found.
        side_by_side: whether to use two threads; where other work keeps the other cores busy, one is better.

    Returns:
        the states, and what was counted of the new ones.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large.
    """
    _check_roots(compiled.game, rules, roots)
    fields = len(compiled.game.module.State._fields)
    layout = known.layout if known else Layout.of([0] * fields, [1] * fields)
    for root in roots:
        layout = layout.widened(root)
    states = known.relaid(layout) if known else StateSet.empty(layout)
    crew = [Surveyor(compiled, rules, states) for _ in range(1 + side_by_side)]
    crew[0].take(_added(states, roots))
    visited = 0
    try:
        with ThreadPoolExecutor(1) as pool:
            while any(surveyor.height for surveyor in crew):
                steps = min(max(visited // 8, FEWEST_STEPS), MOST_STEPS)
                _visit(crew, steps, pool)
                visited = sum(int(surveyor.totals[0]) for surveyor in crew)
                progress("finding states", visited, 0)
                states = _with_room(compiled, rules, states, crew)
                if visited > MOST_STATES:
                    raise _too_many(compiled, rules, max(crew, key=lambda surveyor: surveyor.height).next_state())
    except GameError:
        if not side_by_side:
            raise
        return survey_states(compiled, rules, roots, known, progress, side_by_side=False)  # always names one state
    totals = np.array([surveyor.totals for surveyor in crew])
    counts = (*totals[:, :3].sum(axis=0), *totals[:, 3:].max(axis=0))
    return StateSet.of(states.layout, states.bits), Counts(*map(int, counts))


def possible_states(compiled: CompiledGame, rules: Any, layout: Layout) -> StateSet:
    """All states of a layout that the game calls possible, those where it is over left out."""
    states = StateSet.empty(layout)
    compiled.kernels[survey.list_possible](rules, layout, states.bits)
    return StateSet.of(layout, states.bits)


def _check_roots(game: Game, rules: Any, roots: Sequence[Any]) -> None:
    for root in roots:
        if game.part("over")(rules, root):
            raise GameError(f"{game.name} is over before it begins: {game.write(rules, root)}.")
        if not game.possible(rules, root):
            raise GameError(
                f"{game.name} begins in a state that its own rules do not allow: {game.write(rules, root)}."
            )


def _added(states: StateSet, roots: Sequence[Any]) -> NDArray[np.int64]:
    """The words of those that are new to the set, which they are added to."""
    new = []
    for word in {states.word(root) for root in roots}:
        block, bit = word >> 6, np.uint64(1 << (word & 63))
        if not states.bits[block] & bit:
            states.bits[block] |= bit
            new.append(word)
    return np.array(new, np.int64)


def _visit(crew: Sequence[Surveyor], steps: int, pool: ThreadPoolExecutor) -> None:
    """Let everyone visit so many states; who has none gets half of another's first."""
    first, *others = sorted(crew, key=lambda surveyor: -surveyor.height)
    for other in others:
        other.take(first.give((first.height - other.height) // 2))
    pending = [pool.submit(other.visit, steps) for other in others if other.height]
    first.visit(steps)
    for one in pending:
        one.result()


def _with_room(compiled: CompiledGame, rules: Any, states: StateSet, crew: Sequence[Surveyor]) -> StateSet:
    """The set in a layout into which all that was found fits.

    Raises:
        GameError: if what was found breaks the rules.
        SolveError: if the layout gets too large.
    """
    layout = states.layout
    for surveyor in crew:
        if surveyor.reason == survey.OUTSIDE:
            state = compiled.game.module.State(*map(int, surveyor.witness[:-1]))
            if not compiled.game.possible(rules, state):
                raise _broken(compiled, rules, survey.IMPOSSIBLE, surveyor.witness)
            layout = layout.widened(state)
        elif surveyor.reason not in (survey.DONE, survey.PAUSED, survey.CROWDED):
            raise _broken(compiled, rules, surveyor.reason, surveyor.witness)
    if layout == states.layout:
        return states
    _check_size(compiled, layout)
    wider = states.relaid(layout)
    for surveyor in crew:
        surveyor.move(wider)
    return wider


def _check_size(compiled: CompiledGame, layout: Layout) -> None:
    if sum(layout.bits) > MOST_BITS:
        widest = max(range(len(layout.bits)), key=lambda i: layout.bits[i])
        name = compiled.game.module.State._fields[widest]
        low, high = layout.lows[widest], layout.lows[widest] + layout.masks[widest]
        raise SolveError(
            f"{compiled.game.name} has too many states to store: do all fields have an end? "
            f"{name!r} goes beyond {low if low < 0 else high // 2}."
        )


def _too_many(compiled: CompiledGame, rules: Any, fields: tuple[int, ...]) -> SolveError:
    game = compiled.game
    return SolveError(
        f"{game.name} has more than {MOST_STATES:,} states: does a field grow without end, "
        f"as in {game.write(rules, game.module.State(*fields))}?"
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
