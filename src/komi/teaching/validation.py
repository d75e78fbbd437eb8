"""Validation of the arguments of a search for strategies before long work begins, and the solution that it needs."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from komi.errors import InputError, SolveError
from komi.evaluation.requirements import strategy_refusal
from komi.evaluation.strength import check_measurable
from komi.files import check_replaceable
from komi.game import CHANCE
from komi.jit.kernels import Notice
from komi.progress import Progress
from komi.rules import catalog, enumeration
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.rules.kind import Kind, check_choices, kind_of
from komi.solvers.solution import Solution
from komi.solvers.solve import solve_all_states
from komi.teaching.field_roles import SAMPLED_STATES
from komi.teaching.loss_evaluation import later_actions_refusal
from komi.teaching.strategy_rendering import count_actions
from komi.typing import GameLike, Rules

MAX_ACTIONS = 64  # the regrets take 4 bytes for each action of each state
MAX_NUMBERS = 12  # a person remembers no more, and the search takes longer with each


def check_numbers(numbers: int, least: int = 0) -> None:
    """Check the greatest number of numbers to remember.

    Raises:
        InputError: if it is out of range.
    """
    if not least <= numbers <= MAX_NUMBERS:
        raise InputError(f"a strategy can have {least} to {MAX_NUMBERS} numbers to remember, not {numbers}.")


def check_seconds(seconds: float, work: str) -> None:
    """Check a time limit.

    Raises:
        InputError: if it is not positive and finite.
    """
    if not 0 < seconds < float("inf"):
        raise InputError(f"{work} takes a positive number of seconds, not {seconds:g}.")


def check_file(file: Path, what: str, name: str) -> None:
    """Check that a policy with this name can be written to a file.

    Raises:
        InputError: if the file's name does not end in .py, or komi did not write the file that exists.
        StorageError: if it cannot be written.
    """
    if file.suffix != ".py":
        raise InputError(f"{what} is written as Python, to a file whose name ends in .py: {file.name!r} does not.")
    check_replaceable(file, f"\ndef {name}(")


def solve_for_teaching(
    game: GameLike,
    progress: Progress,
    notice: Notice,
    rules: Mapping[str, object],
    refusal_of: Callable[[Kind, bool], str | None] = strategy_refusal,
) -> Solution[Any]:
    """Solve a game in which strategies can be searched and evaluated.

    Args:
        game: the game.
        progress, notice: callbacks.
        rules: the rules to change, by name.
        refusal_of: returns the sentence that refuses a kind of game, given whether its values are win, draw or loss.

    Raises:
        InputError: for an unknown game or rule.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, `refusal_of` refuses its kind, its equilibrium for three or more
            players mixes actions, or it has too many actions, or actions that are not legal at the start (detected in
            the first states of play).
    """
    found = catalog.find(game)
    settings = found.rules(rules)
    found = found.under(settings)
    check_choices(found, settings, "there is no strategy to find")
    kind = kind_of(found, settings)
    if refusal := refusal_of(kind, False):
        raise SolveError(refusal)
    check_actions(found, settings)
    solution = solve_all_states(found, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]
    if refusal := refusal_of(solution.kind, solution.has_plies):
        raise SolveError(refusal)
    check_measurable(solution)
    return solution


def check_actions(game: Game, rules: Rules) -> None:
    """Check that the first decision of a game has all actions of the next ones, and that these are few.

    Raises:
        SolveError: if not.
    """
    actions = count_actions(game, rules)
    if actions > MAX_ACTIONS:
        raise SolveError(f"komi teaches strategies for games of up to {MAX_ACTIONS} actions: {game.name} has more.")
    if max(_sampled_actions(game, rules), default=0) >= actions:
        raise SolveError(later_actions_refusal(game.name, game.players(rules)))


def _sampled_actions(game: Game, rules: Rules) -> set[int]:
    """Return the actions of the first states of play."""
    state_moves, _ = enumeration.explore(Interpreter(game, rules), SAMPLED_STATES)
    return {int(move.action) for moves in state_moves.values() for move in moves if move.action != CHANCE}
