"""What is asked for when a strategy is wanted, checked before long work begins; and the solution it is measured by."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from komi import catalog, walk
from komi.compile.kernels import Notice
from komi.errors import InputError, SolveError
from komi.evaluation.duels import check_duel
from komi.files import check_own
from komi.game import CHANCE, Game
from komi.interpreted import Interpreter
from komi.methods.answer import Answer
from komi.methods.solve import solve
from komi.progress import Progress
from komi.teaching.features import LOOKED_AT
from komi.teaching.games import LATER
from komi.teaching.wording import actions_of

MOST_ACTIONS = 64
MOST_NUMBERS = 12


def check_numbers(numbers: int) -> None:
    """See that a strategy can have so many numbers to remember.

    Raises:
        InputError: if not.
    """
    if not 1 <= numbers <= MOST_NUMBERS:
        raise InputError(f"a strategy can have 1 to {MOST_NUMBERS} numbers to remember, not {numbers}.")


def check_seconds(seconds: float, work: str) -> None:
    """See that this is a time that some work can take.

    Raises:
        InputError: if not.
    """
    if not 0 < seconds < float("inf"):
        raise InputError(f"{work} takes a positive number of seconds, not {seconds:g}.")


def check_file(file: Path, what: str, name: str) -> None:
    """See that something can be written to this file as a policy of this name.

    Raises:
        InputError: if its name is not one of Python, or somebody else's file is there.
        StorageError: if it cannot be written.
    """
    if file.suffix != ".py":
        raise InputError(f"{what} is written as Python, to a file whose name ends in .py: {file.name!r} does not.")
    check_own(file, f"\ndef {name}(")


def solved(game: str | Game, progress: Progress, notice: Notice, rules: Mapping[str, object]) -> Answer[Any]:
    """The solution of a game of which strategies can be found and measured.

    Raises:
        InputError: for an unknown game or rule.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, is no game of two players who win or lose, or has no chance, too many
            actions, or, as far as the first states tell, actions that are not there at first.
    """
    found = catalog.find(game) if isinstance(game, str) else game
    check_actions(found, found.rules(rules))
    solution = solve(found, progress=progress, notice=notice, **rules)  # type: ignore[arg-type]
    check_duel(solution)
    if solution.counts_plies:
        raise SolveError(f"strategies are taught for games of chance: {found.name} has none.")
    return solution


def check_actions(game: Game, rules: Any) -> None:
    """See that the first decision of a game has all actions of the next ones, and that these are few.

    Raises:
        SolveError: if not.
    """
    actions = actions_of(game, rules)
    if actions > MOST_ACTIONS:
        raise SolveError(f"strategies are taught for games of up to {MOST_ACTIONS} actions: {game.name} has more.")
    if max(_actions_met(game, rules), default=0) >= actions:
        raise SolveError(LATER.format(game=game.name))


def _actions_met(game: Game, rules: Any) -> set[int]:
    """The actions of the first states of play."""
    walked, _ = walk.explore(Interpreter(game, rules), LOOKED_AT)
    return {int(move.action) for moves in walked.values() for move in moves if move.action != CHANCE}
