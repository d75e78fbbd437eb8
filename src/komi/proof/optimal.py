"""Claims about optimal play in games that hide nothing: the value, or win, draw or loss with plies.

They follow from a solution of komi: little remains to be done.
"""

from typing import Any

import numpy as np

from komi.arrays import I64
from komi.graph.explicit import OVER, ExplicitModel
from komi.progress import Progress
from komi.proof.certificate import Fields
from komi.proof.cuts import cut_cycles
from komi.proof.intervals import ValueLimits, find_intervals
from komi.rules.game import Game
from komi.solvers.alphabeta.alphabeta_solver import SearchedSolution
from komi.solvers.stochastic.optimal_values import objective_of
from komi.solvers.stochastic.stochastic_solver import ValueSolution
from komi.solvers.tablebase.tablebase import MAX_SCORE, Tablebase

MAX_OUTCOMES = 100_000_000  # two gigabytes
SEARCHED_BITS = 40  # of payoffs, which are rounded outwards
SCORE_BITS = 41  # a win in 0 plies is 2 ** 41, a draw half of it
DRAWN = 1 << SCORE_BITS - 1


def value_claim(solution: ValueSolution, progress: Progress) -> Fields:
    """Return the claim of an optimal value: intervals of the stored states."""
    play, objective = solution.optimal_play, objective_of(solution.kind)
    model = ExplicitModel.of(solution.compiled, solution.rules, play.states, MAX_OUTCOMES)
    start = play.states.index_of(solution.read(None))
    cut = cut_cycles(model, start)
    if objective.is_zero_sum:  # little is left to compute again between them
        cut.stored[model.target[model.passes & (model.target != OVER)]] = True
    limits = ValueLimits(objective.sign, objective.lowest, objective.highest)
    found = find_intervals(model, cut, play.values, limits, progress)
    return {
        **free_play(solution.kind.seats),
        "seats": [0] * int(cut.stored.sum()),
        "states": columns(solution.game, model.fields[cut.stored]),
        **found.fields(cut.stored, start, int(objective.sign)),
    }


def score_claim(solution: Tablebase, progress: Progress) -> Fields:  # noqa: ARG001
    """Return the claim of win, draw or loss with plies: the scores of the stored positions."""
    states, score = solution.data.states, int(_widen(np.array([solution.position_value().score]))[0])
    model = ExplicitModel.of(solution.compiled, solution.rules, states, MAX_OUTCOMES)
    stored = np.flatnonzero(cut_cycles(model, states.index_of(solution.read(None))).stored)
    return {
        **free_play(2),
        "step": 1,
        "bits": SCORE_BITS,
        "interval": [score, score],
        "seats": [0] * len(stored),
        "states": columns(solution.game, model.fields[stored]),
        "lower": _widen(solution.scores[stored]).tolist(),
        "gap": [0] * len(stored),
    }


def searched_claim(solution: SearchedSolution, progress: Progress) -> Fields:
    """Return the claim of a value that was searched for, without its interval.

    The positions at the edge of the proof tree are stored, with all values that are possible: the checker computes the
    others from them.
    """
    frontier = solution.frontier(progress)
    return {
        **free_play(2),
        "bits": SEARCHED_BITS,
        "seats": [0] * len(frontier),
        "states": columns(solution.game, np.array(frontier, np.int64)) if frontier else [[]],
        "lower": [0] * len(frontier),
        "gap": [1 << SEARCHED_BITS] * len(frontier),
    }


def free_play(seats: int) -> Fields:
    """Return the fields of a claim of what seat 0 gets if no seat has a policy."""
    return {"seat": 0, "play": [None] * seats, "endless": None, "step": 0}


def columns(game: Game, fields: I64) -> list[Any]:
    """Return the fields of states as the rule file has them, each a list of its values.

    Args:
        game: the game.
        fields: int64[states, fields], flat.
    """
    return list(zip(*(game.nested(game.module.State(*row)) for row in fields.tolist()), strict=True))


def _widen(scores: I64) -> I64:
    """Convert scores of a tablebase to those of certificates: from 0, a loss in 0 plies, to a win in 0 plies."""
    widened: I64 = DRAWN + scores + np.sign(scores) * (DRAWN - MAX_SCORE)
    return widened
