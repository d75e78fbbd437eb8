"""What optimal play says of a solved game: its value, its length, what makes it fair, what strategies are worth."""

from dataclasses import dataclass
from typing import Any

from komi.agents import named
from komi.balance.fair import KOMI, Fair, fair
from komi.compile.kernels import Notice
from komi.errors import InputError, SolveError
from komi.evaluation.match import Match, match
from komi.evaluation.turns import Turns, read_turns
from komi.game import Game
from komi.progress import Progress, silent
from komi.solver.dispatch import solve
from komi.solver.solution import Solution
from komi.solver.tablebase import Tablebase

POLICIES = ("optimal", "max-score", "random")  # as far as they fit the game


@dataclass(frozen=True)
class Race:
    """A game of chance, solved.

    Attributes:
        solution: optimal play.
        matches: (policy, its opponent): what becomes of them.
        fair: what each komi makes of the game; None if it has no komi.
        turns: when optimal play holds; None if a turn cannot be held.
    """

    solution: Solution
    matches: dict[tuple[str, str], Match]
    fair: Fair | None
    turns: Turns | None


Exact = Race | Tablebase
"""A game of chance, or one without, solved."""


def find(game: Game, settings: dict[str, Any], progress: Progress = silent, notice: Notice = print) -> Exact | None:
    """Optimal play and what follows from it; None if the game is of a kind that is not solved."""
    try:
        solution = solve(game, progress=progress, notice=notice, **settings)
    except SolveError:
        return None
    if isinstance(solution, Tablebase):
        return solution
    policies = {name: policy for name in POLICIES if (policy := _fitting(name, solution))}
    pairs = [(one, other) for one in policies for other in policies if POLICIES.index(one) <= POLICIES.index(other)]
    matches = {}
    for one, other in pairs:
        try:
            matches[one, other] = match(solution, policies[one], policies[other], progress=progress)
        except SolveError:  # the two may play on for ever
            continue
    others = {name: value for name, value in settings.items() if name != KOMI}
    komi = fair(game, progress=progress, notice=notice, **others) if KOMI in game.default_rules._fields else None
    return Race(solution, matches, komi, _turns(solution, progress))


def _fitting(name: str, solution: Solution) -> Any:
    try:
        return named.find(name, solution)
    except InputError:
        return None


def _turns(solution: Solution, progress: Progress) -> Turns | None:
    try:
        ((turns,),) = read_turns(solution, ["optimal"], [""], progress)
    except InputError:
        return None
    return turns
