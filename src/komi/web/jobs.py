"""The work that is done apart: each a function of plain arguments that answers with plain words and numbers."""

import math
from dataclasses import asdict
from datetime import date
from typing import Any

import numpy as np

from komi import catalog
from komi.errors import SolveError
from komi.evaluation.turns import read_turns
from komi.game import Game
from komi.methods.solve import solve as solve_game
from komi.play import opponents
from komi.play.puzzles import puzzle_of
from komi.play.strengths import rank
from komi.play.strengths import strengths as strengths_of
from komi.progress import Progress

MOST = {"finding states": 40_000_000, "finding positions": 100_000_000}  # so many take a minute and a few GB
TOO_LARGE = "this game is too large to be solved here: choose smaller numbers."


def solve(game: str, rules: dict[str, Any], progress: Progress) -> bool:
    """Solve a game, and leave in the cache the solution and all code that its opponents are seated by.

    Returns:
        true.

    Raises:
        KomiError: if it cannot be solved or kept, or is too large.
    """

    def bounded(stage: str, done: int, total: int, note: str = "") -> None:
        if done > MOST.get(stage, done):
            raise SolveError(TOO_LARGE)
        progress(stage, done, total, note)

    found = catalog.find(game)
    solution = solve_game(found, progress=bounded, notice=lambda sentence: progress(sentence, 0, 0), **rules)
    if solution.unkept is not None:
        raise solution.unkept
    progress("preparing the opponents", 0, 0)
    rank(found, solution.rules, solution, progress)
    for opponent in opponents.offered(found, solution.rules):
        opponents.player(opponent, found, solution.rules, solution)
    return True


def seat(game: str, rules: dict[str, Any], opponent: str, file: str, progress: Progress) -> bool:
    """Write down, in a file of NumPy's, what one opponent does in each state.

    Returns:
        true.
    """
    found, chosen = _read(game, rules)
    solution = opponents.solved(found, chosen, progress=progress)
    assert solution is not None
    progress("working out what the opponent does", 0, 0)
    np.save(file, opponents.tabulated(opponents.find(opponent, found, chosen), chosen, solution))
    return True


def strengths(game: str, rules: dict[str, Any], progress: Progress) -> list[dict[str, Any]]:
    """How strong the opponents are, each against each."""
    found, chosen = _read(game, rules)
    solution = opponents.played_by(found, chosen, progress=progress)
    rank(found, chosen, solution, progress)
    offered = opponents.offered(found, chosen)
    return [asdict(strength) for strength in strengths_of(found, chosen, solution, offered, progress)]


def surface(game: str, rules: dict[str, Any], deck: dict[str, int], progress: Progress) -> list[list[float | None]]:
    """The hold values of optimal play with this deck, by own score, then by rival's score."""
    solution = solve_game(game, progress=progress, **rules)
    ((turns,),) = read_turns(solution, ["optimal"], [deck], progress)
    return [[None if math.isnan(least) else least for least in row] for row in turns.hold_values.tolist()]


def puzzle(game: str, day: str, progress: Progress) -> dict[str, Any] | None:
    """The puzzle of a day of a game under its usual rules; none if it has none."""
    solution = solve_game(game, progress=progress)
    found = puzzle_of(solution, date.fromisoformat(day))
    return None if found is None else asdict(found)


def _read(game: str, rules: dict[str, Any]) -> tuple[Game, Any]:
    found = catalog.find(game)
    return found, found.rules(rules)
