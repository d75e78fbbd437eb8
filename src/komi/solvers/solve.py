"""`komi.solve`: the entry point to all methods; the first method that supports the kind of game solves it."""

import time
from collections.abc import Callable
from typing import Any

from komi.errors import SolveError, StorageError
from komi.game import Game
from komi.graph import checkpoint, storage
from komi.jit.cache_keys import has_entries
from komi.jit.kernels import Kernels, Notice
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.compiled import CompiledGame, compiled_game
from komi.rules.kind import Kind, kind_of
from komi.solvers.method import Method, OtherKindError, check_initial_state
from komi.solvers.multiplayer.method import Several
from komi.solvers.simultaneous.method import SimultaneousChoice
from komi.solvers.single_player.method import OneSeat
from komi.solvers.solution import TOLERANCE, Seconds, Solution
from komi.solvers.stochastic.method import Race
from komi.solvers.tablebase.method import WinDrawLoss

SOLVERS: tuple[Method, ...] = (WinDrawLoss(), Race(), SimultaneousChoice(), OneSeat(), Several())
"""All methods; the first one that supports a kind is used."""


def solve(
    game: str | Game,
    *,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Solution[Any]:
    """Solve a game: compute optimal play with a proved error bound.

    Args:
        game: a built-in game's name, the path of a rule file, or a Game.
        tolerance: the largest error bound to accept; games without chance are solved without error.
        fresh: solve again, even if a solution is stored on disk.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before something that takes seconds and happens only once.
        rules: the rules to change, by name.

    Returns:
        the solution of the method that supports this kind of game, see `komi.Solution`: for two players and chance a
        `Solution` (probabilities of winning), without chance a `Tablebase` (win, draw or loss, and plies), and so on.

    Raises:
        InputError: for an unknown game or rule, or a value out of its limits.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or the error bound exceeds the tolerance.
        StorageError: if the cache folder is not writable.

    Examples:
        >>> import komi
        >>> lights = komi.solve("traffic-lights")
        >>> lights.value(), lights.plies(), lights.best()
        ('win', 17, 'b2')
        >>> lights.position_value("r.......o")
        PositionValue(value='loss', plies=18)
    """
    if isinstance(game, str):
        game = catalog.find(game)
    found, chosen = game, game.rules(rules)

    def attempt(method: Method) -> Solution[Any]:
        return solve_by(method, found, chosen, tolerance=tolerance, fresh=fresh, progress=progress, notice=notice)

    return _by_first_method(game, chosen, attempt)


def solve_by(
    method: Method,
    game: Game,
    rules: Any,
    *,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
) -> Solution[Any]:
    """Return the solution of one method, loaded from disk or computed and stored now.

    Raises:
        OtherKindError: if the game is of a kind that the method does not support.
        KomiError: as `solve` does.
    """
    begin = time.perf_counter()
    start = check_initial_state(game, rules)
    compiled = compiled_game(game, notice)
    path = storage.path_of(compiled, rules, method.name)
    record = None if fresh else storage.load(path, method.record)
    is_loaded = record is not None
    storage_error: StorageError | None = None
    compiling = solving = 0.0
    if record is None:
        if fresh:
            checkpoint.clear(compiled, rules)
        solve_begin = time.perf_counter()
        compiled_before = Kernels.total_seconds
        record = method.find(compiled, rules, [start], None, progress)
        compiling = Kernels.total_seconds - compiled_before
        solving = time.perf_counter() - solve_begin - compiling
        try:
            storage.save(path, record)
            checkpoint.clear(compiled, rules)
        except StorageError as error:
            storage_error = error
    seconds = Seconds(compiling, solving, time.perf_counter() - begin)
    solution = method.solution(
        game, rules, kind_of(game, rules), seconds, is_loaded, storage_error, compiled, tolerance, record
    )
    solution.check_bound()
    return solution


def solve_without_storing(compiled: CompiledGame, rules: Any, progress: Progress = silent) -> Solution[Any]:
    """Solve a game without loading or storing the solution on disk.

    Raises:
        KomiError: as `solve` does.
    """
    game = compiled.game
    kind = kind_of(game, rules)

    def attempt(method: Method) -> Solution[Any]:
        record = method.find(compiled, rules, [check_initial_state(game, rules)], None, progress)
        seconds = Seconds(0.0, 0.0, 0.0)
        solution = method.solution(game, rules, kind, seconds, False, None, compiled, TOLERANCE, record)
        solution.check_bound()
        return solution

    return _by_first_method(game, rules, attempt)


def _by_first_method(game: Game, rules: Any, attempt: Callable[[Method], Solution[Any]]) -> Solution[Any]:
    """Return the solution of the first method that supports the kind of the game."""
    for method in find_solvers(game, rules):
        try:
            return attempt(method)
        except OtherKindError:
            continue
    raise SolveError(f"no method solves games such as {game.name}.")


def find_solvers(game: Game, rules: Any) -> list[Method]:
    """List the methods that support the game, in the order in which to try them.

    Raises:
        SolveError: if there are none, or the rules declare that optimal play has no value.
    """
    reason = game.part("no_value")(rules) if game.has("no_value") else ""
    if reason:
        raise SolveError(f"{game.name} has no value under these rules: {reason}.")
    return solvers_for(kind_of(game, rules))


def solvers_for(kind: Kind) -> list[Method]:
    """List the methods that support a kind of game, in the order in which to try them.

    Raises:
        SolveError: if there are none: with the reason.
    """
    if kind.alone:
        settings = " ".join(f"--set {setting}" for setting in kind.alone)
        raise SolveError(
            f"under these rules the players of {kind.name} do not affect each other, so komi solves the game of a "
            f"single player: use {settings}."
        )
    refusals = {method: method.refuses(kind) for method in SOLVERS if method.seats(kind.seats)}
    taking = [method for method, refusal in refusals.items() if refusal is None]
    if taking:
        return taking
    reasons = [refusal for refusal in refusals.values() if refusal is not None]
    if reasons:
        raise SolveError(reasons[-1])
    raise SolveError(f"{kind.name} is for {kind.seats} player{'s' * (kind.seats != 1)}: no method solves such games.")


def is_solvable(game: Game, rules: Any) -> bool:
    """Return whether any method supports games of this kind."""
    try:
        solvers_for(kind_of(game, rules))
    except SolveError:
        return False
    return True


def is_kept(game: Game, rules: Any) -> bool:
    """Return whether a solution of these rules is stored on disk, by any of the methods that support the kind."""
    if not has_entries(storage.KIND, f"{game.name}-"):
        return False
    compiled = compiled_game(game)
    methods = solvers_for(kind_of(game, rules))
    return any(storage.path_of(compiled, rules, method.name).is_dir() for method in methods)
