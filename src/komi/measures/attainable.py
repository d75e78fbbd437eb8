"""The best results that players can still attain, whatever the players do and chance brings."""

import numpy as np

from komi.arrays import F64, I64
from komi.bellman import ActionCode
from komi.compiling.compiled import CompiledGame
from komi.errors import SolveError
from komi.evaluation.play_search import order_play
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, index_of, locate, state_at
from komi.graph.state_sets import StateSet
from komi.rules.interface import legal, outcomes, over, reward, seat_payoff
from komi.typing import Rules

MAX_PASSES = 10_000  # over all states


def find_attainable(compiled: CompiledGame, rules: Rules, states: StateSet, sign: float = 1.0) -> F64:
    """Return float64[states, seats], the best result of each seat, counted from the player to move, from a state on.

    A result is the payoff with future rewards, times the sign.

    Args:
        compiled, rules: the game.
        states: the states that play can reach.
        sign: -1.0 if rewards are minimized.

    Raises:
        SolveError: if rewards can be collected without end.
    """
    best = np.full((states.size, compiled.game.players(rules)), -np.inf)
    handles = order_play(compiled, rules, states, np.full((1, states.size), ActionCode.FREE, np.int16)).handles
    for _ in range(MAX_PASSES):
        if not GraphKernels(compiled)[improve_attainable](rules, states, handles, sign, best):
            return best
    raise SolveError(f"there is no limit to what a game of {compiled.game.name} can bring.")


def improve_attainable(rules: Rules, states: StateIndex, handles: I64, sign: float, best: F64) -> bool:
    """Raise the best results to those of the states that follow, from the last state on; return whether any changes.

    Args:
        rules: the rules.
        states: the set of states.
        handles: int64[states], the handles of the states, in topological order except for cycles.
        sign: as in `find_attainable`.
        best: float64[states, seats], modified in place.
    """
    seats, is_changed = best.shape[1], False
    for row in range(len(handles) - 1, -1, -1):
        state, index = state_at(states, handles[row]), index_of(states, handles[row])
        for action in legal(rules, state):
            for probability, after, passes in outcomes(rules, state, action):
                if probability <= 0.0:
                    continue
                gain, is_over = sign * reward(rules, state, action, after), over(rules, after)
                target = -1 if is_over else index_of(states, locate(states, after))
                for seat in range(seats):
                    turned = (seat + seats - passes) % seats
                    result = sign * seat_payoff(rules, after, turned) if is_over else best[target, turned]
                    if gain + result > best[index, seat]:
                        best[index, seat], is_changed = gain + result, True
    return is_changed
