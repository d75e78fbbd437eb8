"""The graph of all states that play can reach, for any number of players, with what the player to move observes."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from komi.arrays import F64, I8, I16, I32, I64, allocate
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import GameError
from komi.game import CHANCE
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, members, state_at
from komi.graph.observations import observations
from komi.graph.reachability import find_reachable
from komi.graph.reachability_kernel import two_sum_error
from komi.graph.sources import GameTransitions
from komi.graph.state_sets import StateSet
from komi.progress import Progress
from komi.rules.interface import legal, outcomes, over, seat_payoff
from komi.typing import Rules, State


class PlayArrays(NamedTuple):
    """The outcomes with positive probability of all actions of all states (compressed sparse rows).

    Attributes:
        ends: int64[states], one past the last action of each state.
        actions: int16[actions], their numbers; CHANCE at chance nodes.
        outcome_ends: int64[actions], one past the last outcome of each action.
        probability: float64[outcomes].
        target: int32[outcomes], the next state; if the game ends, -1 - the row of `shares`.
        passes: int8[outcomes], by how many seats the turn passes: from 0 to the number of seats.
        shares: float64[endings, seats], the payoffs, first that of the seat to move then.
        deficit: float64[states], the largest difference of an action's total probability from 1; 0 within rounding.
    """

    ends: I64
    actions: I16
    outcome_ends: I64
    probability: F64
    target: I32
    passes: I8
    shares: F64
    deficit: F64


@dataclass(frozen=True)
class PlayGraph:
    """The states that play can reach, their outcomes, and what the player to move observes.

    Attributes:
        states: the states, none of them terminal.
        arrays: their outcomes.
        observed: the observations of players who choose.
        observation: int32[states], the index of each in `observed`; -1 where chance moves.
    """

    states: StateSet
    arrays: PlayArrays
    observed: StateSet
    observation: I32


def list_play(compiled: CompiledGame, rules: Rules, start: State, progress: Progress) -> PlayGraph:
    """List all states that play can reach, and their outcomes.

    Raises:
        GameError: if the rules are broken, or `view` changes a view.
        SolveError: if there are too many states.
    """
    states, counts = find_reachable(GameTransitions(compiled, rules), [start], progress=progress)
    seats = compiled.game.players(rules)
    sizes = {"ends": states.size, "deficit": states.size, "actions": counts.actions, "outcome_ends": counts.actions}
    endings = np.empty((counts.outcomes, seats))  # takes memory only where it is used
    arrays = allocate(PlayArrays, lambda name: sizes.get(name, counts.outcomes), shares=endings)
    used, ended = GraphKernels(compiled)[fill_outcomes](rules, states, arrays)
    arrays = arrays._replace(
        probability=arrays.probability[:used],
        target=arrays.target[:used],
        passes=arrays.passes[:used],
        shares=endings[:ended].copy(),
    )
    observation = np.full(states.size, -1, np.int32)
    choosing = arrays.actions[np.append(0, arrays.ends[:-1])] != CHANCE
    fields = observations(compiled, rules, states)
    layout = Layout.around(fields, compiled.game.steps)
    observed = StateSet.of_fields(layout, fields[choosing])
    observation[choosing] = observed.indices_of_fields(fields[choosing])
    _check_views(compiled, rules, observed)
    return PlayGraph(states, arrays, observed, observation)


def fill_outcomes(rules: Rules, states: StateIndex, arrays: PlayArrays) -> Any:
    """Fill in the arrays; return the numbers of outcomes with positive probability and of those that end the game."""
    entry, count, ended, seats = 0, 0, 0, arrays.shares.shape[1]
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        arrays.deficit[index] = 0.0
        for action in legal(rules, state):
            total, rest, first = 0.0, 0.0, count
            for probability, after, passes in outcomes(rules, state, action):
                if probability == 0.0:
                    continue
                rest += two_sum_error(total, probability)
                total += probability
                if over(rules, after):
                    for seat in range(seats):
                        arrays.shares[ended, seat] = seat_payoff(rules, after, seat)
                    ended += 1
                    arrays.target[count] = -ended
                else:
                    arrays.target[count] = index_of(states, locate(states, after))
                arrays.probability[count] = probability
                arrays.passes[count] = (passes - 1) % seats + 1 if passes > 0 else 0
                count += 1
            difference = abs(total - 1.0 + rest)
            if difference > (count - first + 4) * 2.0**-52:
                arrays.deficit[index] = max(arrays.deficit[index], difference)
            arrays.actions[entry], arrays.outcome_ends[entry] = action, count
            entry += 1
        arrays.ends[index] = entry
    return np.int64(count), np.int64(ended)


def _check_views(compiled: CompiledGame, rules: Rules, observed: StateSet) -> None:
    """Check that an observation is what is seen of it, since policies are looked up by that.

    Raises:
        GameError: if it is not.
    """
    fields = observed.all_fields()
    changed = (observations(compiled, rules, observed) != fields).any(axis=1)
    if changed.any():
        game = compiled.game
        written = game.write(rules, game.module.State(*fields[changed.argmax()].tolist()))
        raise GameError(f"{game.file.name}: 'view' changes a state that is already a view, {written}.", written)
