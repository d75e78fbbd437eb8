"""The jobs that run in processes of their own. Arguments and results are plain JSON values."""

import math
from dataclasses import asdict
from datetime import date
from random import Random
from typing import Any

import numpy as np

from komi.evaluation.turn_decisions import find_turn_decisions
from komi.game import CHANCE
from komi.measures.courses import figure_distributions, sample_figures
from komi.play import opponent_players, opponents, searching
from komi.play.puzzles import daily_puzzle
from komi.play.strengths import ladder, rank
from komi.play.strengths import strengths as strengths_of
from komi.play.table import Table
from komi.policies.named import find_or_solve
from komi.progress import Progress
from komi.rules import catalog
from komi.rules.declarations import keywords
from komi.rules.game import Game
from komi.solvers.solve import solve_all_states

TOO_LARGE = "this game is too large to be solved here: choose smaller numbers."


def solve(game: str, rules: dict[str, Any], progress: Progress) -> bool:
    """Solve a game, and store in the cache the solution and the compiled code of its opponents.

    Returns:
        True.

    Raises:
        KomiError: if the game cannot be solved or cached, or is too large.
    """
    found, bounded = catalog.find(game), opponent_players.bounded(progress, TOO_LARGE)
    solution = solve_all_states(
        found, progress=bounded, notice=lambda sentence: progress(sentence, 0, 0), **keywords(rules)
    )
    if solution.storage_error is not None:
        raise solution.storage_error
    found = solution.game
    progress("preparing the opponents", 0, 0)
    rank(found, solution.rules, solution, progress)
    for opponent in opponents.available(found, solution.rules):
        opponent_players.create_player(opponent, found, solution.rules, solution)
    return True


def tabulate(game: str, rules: dict[str, Any], opponent: str, file: str, progress: Progress) -> bool:
    """Write the action of an opponent in each state to a NumPy file.

    Returns:
        True.
    """
    found, chosen = _read(game, rules)
    solution = opponent_players.solve_if_solvable(found, chosen, progress=progress)
    assert solution is not None
    progress("computing the opponent's actions", 0, 0)
    np.save(file, opponent_players.tabulate_actions(opponents.find(opponent, found, chosen), chosen, solution))
    return True


def search(game: str, rules: dict[str, Any], policy: str, state: list[int], uniform: float, progress: Progress) -> int:
    """Return the action that a searching policy chooses in a state, as the player to move observes it."""
    found, chosen = _read(game, rules)
    progress("searching", 0, 0)
    return find_or_solve(policy, found, rules).choose(found, chosen, found.module.State(*state), uniform)


def compile_search(game: str, rules: dict[str, Any], policy: str, progress: Progress) -> bool:
    """Compile a searching policy, by a search in the first state of a game in which a player chooses."""
    found, chosen = _read(game, rules)
    progress("searching", 0, 0)
    state, generator = found.part("start")(chosen), Random(0)
    while not found.part("over")(chosen, state):
        if not found.is_chance(chosen, state):
            observation = found.observed(chosen, state)
            find_or_solve(policy, found, rules).choose(found, chosen, observation, 0.0)
            break
        outcomes = list(found.outcomes(chosen, state, CHANCE))
        state = generator.choices(outcomes, [probability for probability, _, _ in outcomes])[0][1]
    return True


def estimate(game: str, rules: dict[str, Any], state: list[int], progress: Progress) -> list[dict[str, Any]]:
    """Estimate the value of each action by a search in a state, as the player to move observes it."""
    found, chosen = _read(game, rules)
    progress("searching", 0, 0)
    estimates = searching.hint(found, chosen, found.module.State(*state), searching.HINT_PLAYOUTS)
    assert estimates is not None, "the server asks only where a search is possible"
    return [{"label": label, "worth": one.value, "stderr": one.stderr} for label, one in estimates.items()]


def costliest(
    game: str, rules: dict[str, Any], start: list[int], labels: list[str], seat: int, progress: Progress
) -> dict[str, Any] | None:
    """Replay a finished game, and return the decision of a seat that a search finds the costliest, if it finds one."""
    found, chosen = _read(game, rules)
    table = Table(found, chosen, initial_state=found.module.State(*start))
    for label in labels:
        table.enter(label)
    progress("searching", 0, 0)
    worst = searching.costliest(table, seat, searching.REVIEW_PLAYOUTS)
    return (
        None
        if worst is None
        else {
            "number": worst.number,
            "chosen": worst.chosen,
            "best": worst.best,
            "loss": worst.loss,
            "stderr": worst.stderr,
        }
    )


def strengths(game: str, rules: dict[str, Any], progress: Progress) -> list[dict[str, Any]]:
    """Compute how strong the opponents are against each other."""
    found, chosen = _read(game, rules)
    solution = opponent_players.solve_for_opponents(found, chosen, progress=progress)
    rank(found, chosen, solution, progress)
    offered = opponents.available(found, chosen)
    return [asdict(strength) for strength in strengths_of(found, chosen, solution, offered, progress)]


def rungs(game: str, rules: dict[str, Any], progress: Progress) -> list[dict[str, Any]]:
    """Measure what the policies on the ladder of a game give away."""
    found, chosen = _read(game, rules)
    solution = opponent_players.solve_for_opponents(found, chosen, progress=progress)
    return [] if solution is None else [asdict(rung) for rung in ladder(found, chosen, solution, progress)]


def surface(game: str, rules: dict[str, Any], deck: dict[str, int], progress: Progress) -> list[list[float | None]]:
    """Compute the hold values of optimal play with this deck, by own score and rival's score."""
    solution = solve_all_states(game, progress=progress, **keywords(rules))
    ((turns,),) = find_turn_decisions(solution, ["optimal"], [deck], progress)
    return [[None if math.isnan(least) else least for least in row] for row in turns.hold_values.tolist()]


def excitement(game: str, rules: dict[str, Any], policies: list[str], progress: Progress) -> dict[str, list[float]]:
    """Sample games between the policies of the seats, and return the distribution of each figure."""
    found, chosen = _read(game, rules)
    solution = solve_all_states(found, progress=progress, **keywords(rules))
    first, second = (
        opponent_players.create_player(opponents.find(name, found, chosen), found, chosen, solution).policy
        for name in policies
    )
    progress("playing other games", 0, 0)
    distributions = figure_distributions(sample_figures(solution, first, second))
    return {name: list(distribution.levels) for name, distribution in distributions.items()}


def puzzle(game: str, day: str, progress: Progress) -> dict[str, Any] | None:
    """Choose a game's puzzle of the day, under its default rules. Return None if it has none."""
    solution = solve_all_states(game, progress=progress)
    found = daily_puzzle(solution, date.fromisoformat(day))
    return None if found is None else asdict(found)


def _read(game: str, rules: dict[str, Any]) -> tuple[Game, Any]:
    found = catalog.find(game)
    checked = found.rules(rules)
    return found.under(checked), checked
