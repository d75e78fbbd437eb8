"""The maximum number of decisions of a player in one game: the length of a player's own history."""

from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any

from komi.compiling.planes import MAX_OUTCOMES, MAX_STATES
from komi.game import CHANCE
from komi.rules import enumeration
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.typing import Rules


@lru_cache(64)
def max_decisions(game: Game, rules: Rules) -> int | None:
    """Return the maximum number of decisions of one player; None if play has cycles, or too many states to list."""
    moves_of, is_complete = enumeration.explore(Interpreter(game, rules), MAX_STATES, MAX_OUTCOMES)
    if not is_complete:
        return None
    seats = game.players(rules)
    root: Any = (next(iter(moves_of)), 0)
    successors: dict[Any, set[Any]] = {}
    found = [root]
    for node in found:  # grows meanwhile
        if node not in successors:
            state, seat = node
            outcomes = [outcome for move in moves_of[state] for outcome in move.outcomes if outcome[0] > 0.0]
            successors[node] = {(after, (seat + passes) % seats) for _, after, passes in outcomes}
            found += successors[node]
    try:
        order = [*TopologicalSorter(successors).static_order()]  # the last states first
    except CycleError:
        return None
    decisions: dict[Any, list[int]] = {}
    for node in order:
        state, seat = node
        counts = [max((decisions[after][each] for after in successors[node]), default=0) for each in range(seats)]
        counts[seat] += bool(moves_of[state]) and moves_of[state][0].action != CHANCE
        decisions[node] = counts
    return max(decisions[root])
