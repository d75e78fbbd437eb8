"""Equilibrium policies of games with hidden information, and their values, as arrays over states."""

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
from komi.rules.kind import kind_of
from komi.solvers.hidden.counterfactual_regret import minimize_regret
from komi.solvers.hidden.equilibrium import (
    SetValues,
    behavior_of,
    deviation_gains,
    plans_of,
    set_values,
    solve_linear_program,
    value_bounds,
)
from komi.solvers.hidden.history_listing import sequence_form
from komi.solvers.hidden.sequence_form import SequenceForm
from komi.solvers.stochastic.reward_check import check_chance
from komi.typing import Rules, State

MAX_ENTRIES = 200_000  # pairs of sequences with payoffs: a linear program of half as many can take half a minute


@dataclass(frozen=True)
class HiddenValues:
    """Equilibrium play of a game with hidden information, in each of a set of states.

    Attributes:
        states: the states that play can reach, none of them terminal, and what the player to move observes of them.
        seat_values: float64[states, seats], the expected share of each player in equilibrium, the mover first, given
            what the mover observes; at chance nodes given the state.
        full_values: float64[states, seats], the same, given all of the state; of observations, their value.
        mixes: float64[states, actions], the probability of each legal action, in the order of the rules.
        action_values: float64[states, actions], the mover's expected share after each, given what it observes.
        reach: float64[states], the probability that equilibrium play leads to what the mover observes; 1 where chance
            moves.
        sets: the number of information sets of all players.
        reached: the number of states that play can reach.
        lower, upper: proved bounds on the first player's share: in equilibrium if two players have opposed interests,
            else if all play these policies.
        gains: a proved upper bound on the share that each seat gains by deviating alone.
        iterations: those of regret minimization; 0 if a linear program was solved.
    """

    states: StateSet
    seat_values: NDArray[np.float64]
    full_values: NDArray[np.float64]
    mixes: NDArray[np.float64]
    action_values: NDArray[np.float64]
    reach: NDArray[np.float64]
    sets: int
    reached: int
    lower: float
    upper: float
    gains: list[float]
    iterations: int

    @property
    def values(self) -> F64:
        """float64[states], the mover's expected share in equilibrium, given what it observes."""
        return self.seat_values[:, 0]

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
    is_zero_sum = not kind_of(game, rules).has_seat_values
    if is_zero_sum and len(form.players[0].payoffs.rows) <= MAX_ENTRIES:
        progress("solving the linear program", 0, 0)
        plans, iterations = list(solve_linear_program(form, game.name)), 0
    else:
        plans, iterations = minimize_regret(form, progress)
    behaviors = list(map(behavior_of, form.players, plans))
    plans = plans_of(form, behaviors)
    unreached = [plan[each.parents] == 0.0 for each, plan in zip(form.players, plans, strict=True)]
    for seat, free in enumerate(unreached):
        set_values(form, seat, behaviors, free)
    values = [set_values(form, seat, behaviors, np.zeros_like(free)) for seat, free in enumerate(unreached)]
    found = _tabulate(game, rules, form, behaviors, values, iterations, is_zero_sum)
    check_chance(compiled, rules, found.states)
    return found


def _tabulate(
    game: Game,
    rules: Rules,
    form: SequenceForm,
    behaviors: Sequence[F64],
    values: Sequence[SetValues],
    iterations: int,
    is_zero_sum: bool,
) -> HiddenValues:
    """Return the policies and values of information sets as arrays over states and observations."""
    listed = [*form.moves_of, *(form.set_of.keys() - form.moves_of.keys())]
    fields = np.array(listed, np.int64)
    size, most, seats = len(listed), max(map(len, form.moves_of.values())), len(form.players)
    plans = plans_of(form, behaviors)
    lower, upper = value_bounds(form, plans, is_zero_sum)
    found = HiddenValues(
        StateSet.of_fields(Layout.around(fields, game.steps), fields),
        np.empty((size, seats)),
        np.empty((size, seats)),
        np.zeros((size, most)),
        np.zeros((size, most)),
        np.ones(size),
        len(form.set_of),
        len(form.moves_of),
        lower,
        upper,
        deviation_gains(form, plans),
        iterations,
    )
    full_values: dict[State, F64] = {}  # of each state to all players, who know all of it, the mover first
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
                (
                    share * _full_values(game, rules, full_values, move)
                    for share, move in zip(found.mixes[index].tolist(), moves, strict=False)
                ),
                np.zeros(seats),
            )
        if moves and moves[0].action == CHANCE:
            found.seat_values[index] = found.full_values[index] = full_values[state]
            found.action_values[index, 0] = full_values[state][0]
        else:
            found.seat_values[index] = np.roll(values[seat].value[number], -seat)
            found.full_values[index] = full_values.get(state, found.seat_values[index])
            found.action_values[index, : len(each.actions)] = values[seat].action_value[each.sequences]
            found.reach[index] = values[seat].reach[number]
    return found


def _full_values(game: Game, rules: Rules, known: dict[State, F64], move: Move) -> F64:
    """Return the expected share of each player if the mover, who is first, makes a move, given the values after it."""
    total = np.zeros(game.players(rules))
    for probability, after, passes in move.outcomes:
        if probability > 0.0:
            values = known[after] if after in known else np.array(game.shares(rules, after), np.float64)
            total += probability * np.roll(values, passes)
    return total
