"""What optimal play says of a solved game: its value, its length, what makes it fair, what strategies are worth."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from komi.compile.kernels import Notice
from komi.design.fair import KOMI, Fair, fair
from komi.errors import InputError, KomiError, SolveError
from komi.evaluation.duels import is_duel
from komi.evaluation.match import Match, match
from komi.evaluation.turns import Turns, is_press_your_luck, read_turns
from komi.game import Game
from komi.methods.answer import Answer
from komi.methods.solve import solve
from komi.policies import named
from komi.policies.policy import Policy
from komi.progress import Progress, silent

HOLDS = (3, 4, 5, 6, 8, 10, 15, 20, 25, 30)  # tried against optimal play, as far as they are within the goal
MANY = 5_000_000  # states, with which a match takes too long to try them all
USUAL = 20  # held at then


@dataclass(frozen=True)
class Optimal:
    """A game, solved.

    Attributes:
        solution: optimal play.
        matches: (policy, its opponent): what becomes of them; none where a match may never end.
        holds: the points to hold at that were tried, the best of which is among the policies.
        fair: what each komi makes of the game; None if it has no komi.
        turns: when optimal play holds; None if a turn cannot be held.
        left_out: why what could not be found is missing, a sentence each.
    """

    solution: Answer[Any]
    matches: dict[tuple[str, str], Match]
    holds: tuple[int, ...]
    fair: Fair | None
    turns: Turns | None
    left_out: tuple[str, ...] = ()


def find(game: Game, settings: dict[str, Any], progress: Progress = silent, notice: Notice = print) -> Optimal | None:
    """Optimal play and what follows from it; None if the game is of a kind that is not solved."""
    try:
        solution = solve(game, progress=progress, notice=notice, **settings)
    except SolveError:
        return None
    if solution.counts_plies or not is_duel(solution.kind):
        return Optimal(solution, {}, (), None, None)
    holds = _holds(solution)
    names = ("optimal", "max-score", "keep-pace", *_best_hold(solution, holds, progress), "random")
    policies = {name: policy for name in names if (policy := _fitting(name, solution))}
    matches = {}
    for one, other in combinations_with_replacement(policies, 2):
        if found := _match(solution, policies[one], policies[other], progress):
            matches[one, other] = found
    others = {name: value for name, value in settings.items() if name != KOMI}
    left_out: list[str] = []
    komi = turns = None
    try:
        if KOMI in game.default_rules._fields:
            komi = fair(game, progress=progress, notice=notice, **others)
    except KomiError as error:
        left_out.append(f"Fairness is left out: {error}")
    try:
        if is_press_your_luck(game) and named.is_race(game, solution.rules):
            ((turns,),) = read_turns(solution, ["optimal"], [""], progress)
    except KomiError as error:
        left_out.append(f"The picture of when to hold is left out: {error}")
    return Optimal(solution, matches, holds, komi, turns, tuple(left_out))


def _holds(solution: Answer[Any]) -> tuple[int, ...]:
    """The points that it is worth trying to hold at."""
    if not named.is_race(solution.game, solution.rules):
        return ()
    return (USUAL,) if solution.states > MANY else tuple(points for points in HOLDS if points <= solution.rules.goal)


def _best_hold(solution: Answer[Any], holds: tuple[int, ...], progress: Progress) -> list[str]:
    """`hold-at:N` with the N of these that does best against optimal play; nothing where none fits."""
    names = [f"hold-at:{points}" for points in holds]
    if len(names) < 2:
        return names
    optimal = named.find("optimal", solution)
    wins = {}
    for name in names:
        if found := _match(solution, named.find(name, solution), optimal, progress):
            wins[name] = found.average
    return [max(wins, key=lambda name: wins[name])] if wins else []


def _match(solution: Answer[Any], one: Policy, other: Policy, progress: Progress) -> Match | None:
    """The match of the two; None if they may play on for ever."""
    try:
        return match(solution, one, other, progress=progress)
    except SolveError:
        return None


def _fitting(name: str, solution: Answer[Any]) -> Any:
    try:
        return named.find(name, solution)
    except InputError:
        return None
