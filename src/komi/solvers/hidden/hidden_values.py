"""Equilibrium policies of games with hidden information, and their values, as arrays over states."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I32, I64
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import InputError
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.progress import Progress, silent
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
from komi.solvers.hidden.play_graph import PlayArrays
from komi.solvers.hidden.sequence_form import SequenceForm
from komi.solvers.stochastic.reward_check import check_chance
from komi.typing import Rules

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
    form = sequence_form(compiled, rules, roots[0], progress)
    is_zero_sum = not kind_of(game, rules).has_seat_values
    if is_zero_sum and len(form.players[0].payoffs.values) <= MAX_ENTRIES:
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
    found = _tabulate(game.steps, form, behaviors, values, iterations, is_zero_sum)
    check_chance(compiled, rules, found.states)
    return found


def _tabulate(
    steps: Sequence[int],
    form: SequenceForm,
    behaviors: Sequence[F64],
    values: Sequence[SetValues],
    iterations: int,
    is_zero_sum: bool,
) -> HiddenValues:
    """Return the policies and values of information sets as arrays over states and observations."""
    graph, arrays, plans = form.graph, form.graph.arrays, plans_of(form, behaviors)
    reached, seats = len(form.order), len(form.players)
    seen = np.flatnonzero(form.set_of >= 0)
    fields = np.concatenate([graph.states.all_fields()[form.order], graph.observed.all_fields()[seen]])
    states = StateSet.of_fields(Layout.around(fields, steps), fields)
    places = states.indices_of_fields(fields)
    own, looks = places[:reached], np.full(len(form.set_of), -1)
    looks[seen] = places[reached:]
    size, most = states.size, int(np.diff(arrays.ends, prepend=0)[form.order].max())
    lower, upper = value_bounds(form, plans, is_zero_sum)
    found = HiddenValues(
        states,
        np.empty((size, seats)),
        np.full((size, seats), np.nan),
        np.zeros((size, most)),
        np.zeros((size, most)),
        np.ones(size),
        form.sets,
        reached,
        lower,
        upper,
        deviation_gains(form, plans),
        iterations,
    )
    full_values = np.zeros((graph.states.size, seats))
    engine_kernels()[_back_up](arrays, form.order, form.mixes(behaviors), full_values)
    found.full_values[own] = full_values[form.order]
    observed = graph.observation[form.order]
    chance = own[observed < 0]
    found.mixes[chance, 0] = 1.0
    found.seat_values[chance] = found.full_values[chance]
    found.action_values[chance, 0] = found.full_values[chance, 0]
    for seat, (player, behavior, known) in enumerate(zip(form.players, behaviors, values, strict=True)):
        mine = (observed >= 0) & (form.seat_of[observed] == seat)
        at = np.concatenate([own[mine], looks[player.observations]])
        number = np.concatenate([form.set_of[observed[mine]], np.arange(player.sets)])
        for values_of, table in ((behavior, found.mixes), (known.action_value, found.action_values)):
            engine_kernels()[_fill_rows](at, number, player.firsts, values_of, table)
        found.seat_values[at] = np.roll(known.value, -seat, axis=1)[number]
        found.reach[at] = known.reach[number]
    found.full_values[:] = np.where(np.isnan(found.full_values), found.seat_values, found.full_values)
    return found


def _fill_rows(places: I64, numbers: I64, firsts: I32, values: F64, table: F64) -> None:
    """Fill in float64[states, actions], the numbers of the sequences of the information set of each place."""
    for row in range(len(places)):
        first = firsts[numbers[row]]
        for sequence in range(first, firsts[numbers[row] + 1]):
            table[places[row], sequence - first] = values[sequence]


def _back_up(arrays: PlayArrays, order: I64, mixes: F64, values: F64) -> None:
    """Compute the expected share of each player in each state, given all of the state, the mover first.

    Args:
        arrays: the outcomes of all states.
        order: int64[reached], the states, each before those that it leads to.
        mixes: float64[actions], the probability of each action.
        values: float64[states, seats], zero before.
    """
    seats = values.shape[1]
    for place in range(len(order)):
        state = order[len(order) - 1 - place]
        for action in range(arrays.ends[state - 1] if state > 0 else 0, arrays.ends[state]):
            begin = arrays.outcome_ends[action - 1] if action > 0 else 0
            for outcome in range(begin, arrays.outcome_ends[action]):
                weight, target = mixes[action] * arrays.probability[outcome], arrays.target[outcome]
                for seat in range(seats):
                    there = (seat - arrays.passes[outcome]) % seats
                    share = values[target, there] if target >= 0 else arrays.shares[-1 - target, there]
                    values[state, seat] += weight * share
