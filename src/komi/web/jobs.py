"""The work that is done apart: each a function of plain arguments that answers with plain words and numbers."""

import math
from typing import Any

from komi import catalog
from komi.evaluation.turns import read_turns
from komi.progress import Progress
from komi.solver.dispatch import solve as solve_game
from komi.solver.solution import Solution


def solve(game: str, rules: dict[str, Any], progress: Progress) -> bool:
    """Solve a game, and leave the solution in the cache.

    Returns:
        whether it could be kept there.
    """
    solution = solve_game(game, progress=progress, notice=lambda sentence: progress(sentence, 0, 0), **rules)
    return solution.unkept is None


def surface(game: str, rules: dict[str, Any], deck: dict[str, int], progress: Progress) -> list[list[float | None]]:
    """The hold values of optimal play with this deck, by own score, then by rival's score."""
    solution = solve_game(game, progress=progress, **rules)
    assert isinstance(solution, Solution)
    ((turns,),) = read_turns(solution, ["optimal"], [deck], progress)
    return [[None if math.isnan(least) else least for least in row] for row in turns.hold_values.tolist()]
