"""Equilibrium policies of two-player games with hidden information, and their values, as arrays over states."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import InputError
from komi.game import CHANCE
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.rules.interpreter import Move
from komi.solvers.hidden.equilibrium import (
    SetValues,
    behavior_of,
    plan_of,
    set_values,
    solve_linear_program,
    value_bounds,
)
from komi.solvers.hidden.sequence_form import SequenceForm, sequence_form
from komi.solvers.stochastic.reward_check import check_chance
from komi.typing import Rules, State


@dataclass(frozen=True)
class HiddenValues:
    """Equilibrium play of a game with hidden information, in each of a set of states.

    Attributes:
        states: the states that play can reach, none of them terminal, and what the player to move observes of them.
        values: float64[states], the mover's expected share in equilibrium, given what it observes; at chance nodes
            that of the player to move, given the state.
        full_values: float64[states], the mover's expected share, given all of the state; of observations, their value.
        mixes: float64[states, actions], the probability of each legal action, in the order of the rules.
        action_values: float64[states, actions], the mover's expected share after each, given what it observes.
        reach: float64[states], the probability that equilibrium play leads to what the mover observes; 1 where chance
            moves.
        sets: the number of information sets of both players.
        reached: the number of states that play can reach.
        lower, upper: proved bounds on the first player's share.
    """

    states: StateSet
    values: NDArray[np.float64]
    full_values: NDArray[np.float64]
    mixes: NDArray[np.float64]
    action_values: NDArray[np.float64]
    reach: NDArray[np.float64]
    sets: int
    reached: int
    lower: float
    upper: float

    @property
    def error_bound(self) -> float:
        """The error bound of the value of the game."""
        return self.upper - self.lower


def find_hidden_values(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: HiddenValues | None = None,
    progress: Progress = silent,
) -> HiddenValues:
    """Compute an equilibrium from the initial state.

    Raises:
        GameError: if the rules are broken.
        InputError: if there is a solution already: play never leads to the states that it lacks.
        SolveError: if the game is too large, has imperfect recall, or cannot be solved.
    """
    game = compiled.game
    if known is not None:
        written = game.write(rules, roots[0])
        raise InputError(f"play of {game.name} never leads to {written}: with hidden information it has no value.")
    form = sequence_form(game, rules, roots[0], progress)
    progress("solving the linear program", 0, 0)
    plans = solve_linear_program(form, game.name)
    first, second = form.players
    behaviors = behavior_of(first, plans[0]), behavior_of(second, plans[1])
    unreached = [plan_of(each, plan)[each.parents] == 0.0 for each, plan in zip(form.players, behaviors, strict=True)]
    set_values(form, 0, behaviors, unreached[0])
    values_of_second = set_values(form, 1, behaviors, unreached[1])
    values = set_values(form, 0, behaviors, np.zeros_like(unreached[0])), values_of_second
    found = _tabulate(game, rules, form, behaviors, values)
    check_chance(compiled, rules, found.states)
    return found


def _tabulate(
    game: Game, rules: Rules, form: SequenceForm, behaviors: tuple[F64, F64], values: tuple[SetValues, SetValues]
) -> HiddenValues:
    """Return the policies and values of information sets as arrays over states and observations."""
    listed = [*form.moves_of, *(form.set_of.keys() - form.moves_of.keys())]
    fields = np.array(listed, np.int64)
    size, most = len(listed), max(map(len, form.moves_of.values()))
    lower, upper = value_bounds(form, behaviors)
    found = HiddenValues(
        StateSet.of_fields(Layout.around(fields, game.steps), fields),
        np.empty(size),
        np.empty(size),
        np.zeros((size, most)),
        np.zeros((size, most)),
        np.ones(size),
        len(form.set_of),
        len(form.moves_of),
        lower,
        upper,
    )
    full_values: dict[State, float] = {}  # of each state to the player to move, who knows all of it
    for state in reversed(listed):
        index, moves = found.states.index_of(state), form.moves_of.get(state, [])
        if moves and moves[0].action == CHANCE:
            found.mixes[index, 0] = 1.0
        else:
            seat, number = form.set_of[game.part("view")(rules, state) if moves else state]
            each = form.players[seat].sets[number]
            found.mixes[index, : len(each.actions)] = behaviors[seat][each.sequences]
        if moves:
            full_values[state] = sum(
                share * _full_value(game, rules, full_values, move)
                for share, move in zip(found.mixes[index].tolist(), moves, strict=False)
            )
        if moves and moves[0].action == CHANCE:
            found.values[index] = found.action_values[index, 0] = found.full_values[index] = full_values[state]
        else:
            found.values[index] = values[seat].value[number]
            found.full_values[index] = full_values.get(state, found.values[index])
            found.action_values[index, : len(each.actions)] = values[seat].action_value[each.sequences]
            found.reach[index] = values[seat].reach[number]
    return found


def _full_value(game: Game, rules: Rules, known: dict[State, float], move: Move) -> float:
    """Return the expected share of the player who makes a move, given the values of the states after it."""
    total = 0.0
    for probability, after, passes in move.outcomes:
        if probability > 0.0:
            value = known[after] if after in known else game.shares(rules, after)[0]
            total += probability * (1.0 - value if passes % 2 else value)
    return total
