"""Claims about play with policies in games of one or two players that hide nothing, from compiled transitions.

A node of play is a state with a seat to move: number seat * states + state. Where the seat follows a policy there is a
single lottery; where it is free there is one for each action.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.graph.explicit import OVER, ExplicitModel
from komi.graph.state_sets import StateSet
from komi.jit.kernels import engine_kernels
from komi.progress import Progress
from komi.proof.certificate import Fields
from komi.proof.cuts import cut_cycles
from komi.proof.intervals import MAX_SWEEPS, ValueLimits, converge, find_intervals
from komi.proof.optimal import MAX_OUTCOMES, columns
from komi.solvers.solution import Solution
from komi.solvers.stochastic.optimal_values import objective_of


def policy_claim(
    solution: Solution[Any],
    states: StateSet,
    weights: Sequence[I64],
    seat: int,
    play: Sequence[int | None],
    progress: Progress,
) -> Fields:
    """Return the claim of what a seat gets, with its proof.

    Args:
        solution: the solution of the game.
        states: the states that play can reach.
        weights: for each policy int64[states, actions], the weights of the legal actions.
        seat: the seat.
        play: for each seat the number of its policy; None if it is free to play its best.
        progress: called during long work.

    Raises:
        SolveError: if there are too many outcomes, or no proof is found.
    """
    objective = objective_of(solution.kind)
    told_apart = play if play[0] != play[-1] else play[:1]  # as the checker has it
    chosen = [None if number is None else weights[number] for number in told_apart]
    game_model = ExplicitModel.of(solution.compiled, solution.rules, states, MAX_OUTCOMES)
    model, start = follow_policies(game_model, chosen), states.index_of(solution.read(None))
    cut, values = cut_cycles(model, start), np.zeros(len(model.ends))
    engine_kernels()[converge](model, cut, values, MAX_SWEEPS)
    limits = ValueLimits(objective.sign, objective.lowest, objective.highest)
    found = find_intervals(model, cut, values, limits, progress)
    stored = np.flatnonzero(cut.stored)
    return {
        "seat": seat,
        "play": list(play),
        "endless": None,
        "step": 0,
        "seats": (stored // states.size).tolist(),
        "states": columns(solution.game, game_model.fields[stored % states.size]),
        **found.fields(cut.stored, start, int(objective.sign), is_opposite=seat == 1),
    }


def follow_policies(model: ExplicitModel, weights: Sequence[I64 | None]) -> ExplicitModel:
    """Return the model of play, in which some seats follow policies.

    Args:
        model: the game, with all its actions.
        weights: for each seat int64[states, actions], the weights of the legal actions; None if it is free.
    """
    parts = [model if each is None else _follow(model, each) for each in weights]
    actions = np.cumsum([0, *(len(part.outcome_ends) for part in parts)])
    outcomes = np.cumsum([0, *(len(part.target) for part in parts)])
    states = len(model.ends)
    targets = [
        np.where(part.target == OVER, OVER, part.target + states * ((seat + part.passes) % len(parts)))
        for seat, part in enumerate(parts)
    ]
    return ExplicitModel(
        model.fields,
        np.concatenate([part.ends + before for part, before in zip(parts, actions, strict=False)]),
        np.concatenate([part.actions for part in parts]),
        np.concatenate([part.outcome_ends + before for part, before in zip(parts, outcomes, strict=False)]),
        np.concatenate([part.probability for part in parts]),
        np.concatenate(targets).astype(np.int32),
        np.concatenate([part.passes for part in parts]),
        np.concatenate([part.gain for part in parts]),
    )


def _follow(model: ExplicitModel, weights: I64) -> ExplicitModel:
    """Return the model with one lottery for each state, of the outcomes of the actions that a policy takes there."""
    numbers = np.diff(model.ends, prepend=0)
    state = np.repeat(np.arange(len(numbers)), numbers)
    shares = weights[state, np.arange(len(state)) - (model.ends - numbers)[state]] / weights.sum(axis=1)[state]
    probability = model.probability * np.repeat(shares, np.diff(model.outcome_ends, prepend=0))
    kept = probability > 0.0
    return ExplicitModel(
        model.fields,
        np.arange(1, len(numbers) + 1),
        np.zeros(len(numbers), np.int16),
        np.cumsum(kept)[model.outcome_ends[model.ends - 1] - 1],
        probability[kept],
        model.target[kept],
        model.passes[kept],
        model.gain[kept],
    )
