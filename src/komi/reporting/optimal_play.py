"""Results of optimal play for a report: value, length, fair komi, and the values of strategies."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from komi.design.fair import KOMI, Fair, fair
from komi.errors import InputError, KomiError, SolveError
from komi.evaluation.match import evaluate_match
from komi.evaluation.match_result import Match
from komi.evaluation.mixed import match_mixed
from komi.evaluation.multiplayer import MultiplayerMatch
from komi.evaluation.requirements import is_two_player_zero_sum
from komi.evaluation.scores import ScoreDistribution, score_distribution
from komi.evaluation.single_player import SinglePlayerEvaluation, evaluate_single_player
from komi.evaluation.turn_decisions import TurnDecisions, find_turn_decisions, is_press_your_luck
from komi.evaluation.two_player import match_two_player
from komi.jit.kernels import Notice
from komi.measures.measure import Measures, measure_solution
from komi.policies import named
from komi.policies.policy import Policy
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.solvers.solution import Solution
from komi.solvers.solve import solve_all_states

HOLD_VALUES = (3, 4, 5, 6, 8, 10, 15, 20, 25, 30)  # hold values tried against optimal play, up to the goal
MANY_STATES = 5_000_000  # with more, matches take too long to try all hold values
USUAL_HOLD_VALUE = 20  # the only one tried in larger games


@dataclass(frozen=True)
class OptimalPlayResults:
    """The exact results for a solved game.

    Attributes:
        solution: optimal play.
        matches: the match of each (policy, opponent); absent where play may never end.
        holds: the hold values tried, the best of which is among the policies.
        fair: the openings for each komi; None if the game has no komi.
        turns: the hold decisions of optimal play; None if players cannot hold.
        omissions: reasons for missing results, one sentence each.
        alone: the results of policies in a single-player game.
        scores: the final scores of optimal play in a single-player game; None without rewards.
        seated: the results of policies in a multiplayer game.
        measures: how exciting optimal play is; None where the game has no measures.
    """

    solution: Solution[Any]
    matches: dict[tuple[str, str], Match]
    holds: tuple[int, ...]
    fair: Fair | None
    turns: TurnDecisions | None
    omissions: tuple[str, ...] = ()
    alone: tuple[SinglePlayerEvaluation, ...] = ()
    scores: ScoreDistribution | None = None
    seated: tuple[MultiplayerMatch, ...] = ()
    measures: Measures | None = None


def compute_optimal_play(
    game: Game, settings: dict[str, Any], progress: Progress = silent, notice: Notice = print
) -> OptimalPlayResults | None:
    """Solve the game and compute the results that follow; None if games of its kind cannot be solved."""
    try:
        solution = solve_all_states(game, progress=progress, notice=notice, **settings)
    except SolveError:
        return None
    if solution.has_plies:
        return OptimalPlayResults(solution, {}, (), None, None)
    if solution.kind.seats == 1:
        return _single_player(solution, progress)
    if solution.kind.has_seat_values:
        return _multiplayer(solution, progress)
    holds = _hold_values(solution)
    names = ("optimal", "max-score", "keep-pace", *_best_hold(solution, holds, progress), "random")
    policies = {name: policy for name in names if (policy := _find_policy(name, solution))}
    matches = {}
    for one, other in combinations_with_replacement(policies, 2):
        if found := _match_policies(solution, policies[one], policies[other], progress):
            matches[one, other] = found
    others = {name: value for name, value in settings.items() if name != KOMI}
    omissions: list[str] = []
    komi = turns = None
    try:
        if KOMI in game.default_rules._fields and is_two_player_zero_sum(solution.kind):
            komi = fair(game, progress=progress, notice=notice, **others)
    except KomiError as error:
        omissions.append(f"The fairness table is omitted: {error}")
    try:
        if (
            is_press_your_luck(game)
            and is_two_player_zero_sum(solution.kind)
            and named.is_race_to_goal(game, solution.rules)
        ):
            ((turns,),) = find_turn_decisions(solution, ["optimal"], [""], progress)
    except KomiError as error:
        omissions.append(f"The plot of hold values is omitted: {error}")
    measures = _measure(solution, omissions, progress)
    return OptimalPlayResults(solution, matches, holds, komi, turns, tuple(omissions), measures=measures)


def _measure(solution: Solution[Any], omissions: list[str], progress: Progress) -> Measures | None:
    """Measure optimal play; add the reason to the omissions and return None if it has no measures."""
    try:
        return measure_solution(solution, progress=progress)
    except KomiError as error:
        omissions.append(f"Suspense and the other measures of optimal play are omitted: {error}")
        return None


def _single_player(solution: Solution[Any], progress: Progress) -> OptimalPlayResults:
    """Compute the results of policies in a single-player game, and the scores of optimal play."""
    holds = HOLD_VALUES if _find_policy("hold-at:1", solution) and solution.states <= MANY_STATES else ()
    names = ("optimal", *(f"hold-at:{points}" for points in holds), "random")
    alone = {name: found for name in names if (found := _single_player_result(name, solution, progress))}
    tried = [name for name in alone if name.startswith("hold-at")]
    best = min(tried, key=lambda name: alone[name].loss, default="")
    kept = tuple(found for name, found in alone.items() if name == best or name not in tried)
    omissions: list[str] = []
    scores = None
    try:
        if solution.kind.rewards:
            scores = score_distribution(solution, named.find("optimal", solution), progress)
    except KomiError as error:
        omissions.append(f"The final scores are omitted: {error}")
    measures = _measure(solution, omissions, progress)
    return OptimalPlayResults(solution, {}, holds, None, None, tuple(omissions), kept, scores, measures=measures)


def _single_player_result(name: str, solution: Solution[Any], progress: Progress) -> SinglePlayerEvaluation | None:
    """Compute the result of a policy in a single-player game; None if play may never end, or it does not fit."""
    policy = _find_policy(name, solution)
    try:
        return evaluate_single_player(solution, policy, progress=progress) if policy else None
    except SolveError:
        return None


def _multiplayer(solution: Solution[Any], progress: Progress) -> OptimalPlayResults:
    """Compute multiplayer results: all seats random, and optimal play in one seat among random players."""
    seats = solution.kind.seats
    seated: list[MultiplayerMatch] = []
    omissions: list[str] = []
    measures = None
    if solution.states > MANY_STATES:
        omissions.append(
            f"Matches and measures of {seats} players are omitted: the game has {solution.states:,} states."
        )
    else:
        optimal, random = (named.find(name, solution) for name in ("optimal", "random"))
        for table in ([random] * seats, [optimal, *[random] * (seats - 1)]):
            try:
                result = evaluate_match(solution, table, progress=progress)
            except SolveError as error:
                omissions.append(f"A match is omitted: {error}")
            else:
                assert isinstance(result, MultiplayerMatch)
                seated.append(result)
        measures = _measure(solution, omissions, progress)
    return OptimalPlayResults(solution, {}, (), None, None, tuple(omissions), seated=tuple(seated), measures=measures)


def _hold_values(solution: Solution[Any]) -> tuple[int, ...]:
    """Return the hold values to try."""
    if not named.is_race_to_goal(solution.game, solution.rules):
        return ()
    return (
        (USUAL_HOLD_VALUE,)
        if solution.states > MANY_STATES
        else tuple(points for points in HOLD_VALUES if points <= solution.rules.goal)
    )


def _best_hold(solution: Solution[Any], holds: tuple[int, ...], progress: Progress) -> list[str]:
    """Return `hold-at:N` with the best of these N against optimal play; an empty list if none fits."""
    names = [f"hold-at:{points}" for points in holds]
    if len(names) < 2:
        return names
    optimal = named.find("optimal", solution)
    wins = {}
    for name in names:
        if found := _match_policies(solution, named.find(name, solution), optimal, progress):
            wins[name] = found.average
    return [max(wins, key=lambda name: wins[name])] if wins else []


def _match_policies(solution: Solution[Any], one: Policy, other: Policy, progress: Progress) -> Match | None:
    """Compute the match of two policies; None if play may never end."""
    play = match_mixed if solution.kind.hidden else match_two_player
    try:
        return play(solution, one, other, progress=progress)
    except SolveError:
        return None


def _find_policy(name: str, solution: Solution[Any]) -> Any:
    try:
        return named.find(name, solution)
    except InputError:
        return None
