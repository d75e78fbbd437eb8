"""`komi.solve`: the entry point to all solvers; the first one that supports the kind of game solves it."""

import copyreg
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, overload

from komi.cache import has_entries
from komi.compiling.compiled import CompiledGame, compiled_game
from komi.errors import AuditError, SolveError, StorageError, TooLargeError
from komi.games._kinds import Duel, Race, RaceForMore, Solitaire
from komi.graph import checkpoint, limits, storage
from komi.jit.kernels import Kernels, Notice
from komi.progress import Progress, silent
from komi.proof.audit import MAX_OUTCOMES, MAX_STATES, list_play
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind, kind_of
from komi.solvers.alphabeta.alphabeta_solver import ALPHA_BETA
from komi.solvers.average.average_solver import AVERAGE
from komi.solvers.hidden.belief_solver import PARTIALLY_OBSERVABLE
from komi.solvers.hidden.hidden_solver import HIDDEN, HIDDEN_MULTIPLAYER
from komi.solvers.hidden.point_based_solver import POINT_BASED
from komi.solvers.multiplayer.nash_solver import MULTIPLAYER, MultiplayerSolution
from komi.solvers.simultaneous.mixed_solver import SIMULTANEOUS, SimultaneousSolution
from komi.solvers.solution import TOLERANCE, ImpreciseError, LazySolver, Seconds, Solution
from komi.solvers.solver import OtherKindError, Solver, check_initial_state
from komi.solvers.stochastic.stochastic_solver import (
    SINGLE_PLAYER,
    STOCHASTIC,
    SinglePlayerSolution,
    StochasticSolution,
)
from komi.solvers.tablebase.tablebase import RETROGRADE
from komi.typing import GameLike, Rules

SOLVERS = (
    RETROGRADE,
    ALPHA_BETA,
    STOCHASTIC,
    AVERAGE,
    MULTIPLAYER,
    HIDDEN_MULTIPLAYER,
    SIMULTANEOUS,
    HIDDEN,
    SINGLE_PLAYER,
    PARTIALLY_OBSERVABLE,
    POINT_BASED,
)
"""All solvers. The first one that supports a kind of game is used, and if there are too many states to list, the first
one that does not list them."""


@overload
def solve(game: Race, **options: Any) -> StochasticSolution: ...
@overload
def solve(game: RaceForMore, *, players: Literal[2] = 2, **options: Any) -> StochasticSolution: ...
@overload
def solve(game: RaceForMore, *, players: Literal[3, 4], **options: Any) -> MultiplayerSolution: ...
@overload
def solve(game: Solitaire, **options: Any) -> SinglePlayerSolution: ...
@overload
def solve(game: Duel, **options: Any) -> SimultaneousSolution: ...
@overload
def solve(
    game: GameLike,
    *,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    audit: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Solution[Any]: ...


def solve(
    game: GameLike,
    *,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    audit: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Solution[Any]:
    """Solve a game: compute optimal play with a proved error bound.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        tolerance: the largest error bound to accept, relative to the range of values; games without chance are solved
            without error.
        fresh: solve again, even if a solution is stored on disk.
        audit: audit the solution, whatever its size, and one that is stored; see `Solution.is_audited`.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before something that takes seconds and happens only once.
        rules: the rules to change, by name.

    Returns:
        the solution, of the class that fits this kind of game; see the examples. Values are those of the player to
        move.

    Raises:
        InputError: for an unknown game or rule, or a value out of its limits.
        GameError: if the rules are broken.
        EndlessPlayError: if the value depends on what an endless game counts: see `komi.endless_values`.
        SolveError: if the game cannot be solved, or the error bound exceeds the tolerance.
        AuditError: if an audit finds the solution wrong.
        StorageError: if the cache folder is not writable.

    Examples:
        Two players and chance, a `StochasticSolution`: the probability of winning, or the expected payoff.

        >>> import komi
        >>> piglet = komi.solve("piglet", goal=10)
        >>> round(piglet.value(), 4), piglet.best("score=4,rival=7,turn=2")
        (0.5225, 'hold')

        Without chance, a `Tablebase`: win, draw or loss, and the plies to the end. If there are too many positions to
        list, a `SearchedSolution`: the value of the start.

        >>> lights = komi.solve("traffic-lights")
        >>> lights.value(), lights.plies(), lights.best()
        ('win', 17, 'b2')
        >>> lights.position_value("r.......o")
        PositionValue(value='loss', plies=18)

        One player, a `SinglePlayerSolution`: the best total or probability; with `average`, an `AverageSolution`: the
        best average reward per action, also of two players.

        >>> solitaire = komi.solve("pig-solitaire", objective="turns")
        >>> solitaire.objective, round(solitaire.value(), 4)
        ('expected turns', 12.5452)
        >>> round(komi.solve("examples/recycling_robot.py").value(), 4)
        4.1667

        Three and more players, a `MultiplayerSolution`: the values of all seats in an equilibrium, and what each can
        gain by deviating.

        >>> three = komi.solve("piglet", players=3, goal=3)
        >>> [round(value, 3) for value in three.seat_values()], max(three.epsilon) < 1e-9
        ([0.379, 0.331, 0.29], True)

        Two players who choose at the same time, a `SimultaneousSolution`; with hidden information, a `HiddenSolution`
        (for three and more a `HiddenMultiplayerSolution`, for one a `PartiallyObservableSolution`): mixed strategies.

        >>> bids = komi.solve("examples/goofspiel.py").mixed("prize=3,left=11,hand=15,rival=15,lead=0,bid=0")
        >>> {bid: round(probability, 3) for bid, probability in bids.items()}
        {'1': 0.229, '2': 0.0, '3': 0.514, '4': 0.257}
        >>> poker = komi.solve("examples/kuhn_poker.py")
        >>> round(poker.value(), 4), poker.exploitability < 1e-9, poker.mixed("card=3,rival=0,said=0")
        (-0.0556, True, {'pass': 0.0, 'bet': 1.0})
    """
    found, checked, solve_with = _prepare(
        game, rules, tolerance=tolerance, fresh=fresh, audit=audit, progress=progress, notice=notice
    )
    searching = [solver for solver in find_solvers(found, checked) if not solver.lists_states]
    for solver in searching:
        is_searched = not fresh and _path_of(solver, compiled_game(found, notice), checked).is_dir()
        if is_searched and not is_stored(found, checked):
            return solve_with(solver)
    try:
        return _first_solution(found, checked, solve_with)
    except TooLargeError as too_large:
        for solver in searching:
            return _without_list(solver, solve_with, too_large)
        raise


def solve_with_policy(
    game: GameLike,
    *,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Solution[Any]:
    """Solve a game as `solve` does, but refuse one that has too many states to list, if no policy of it is found.

    Raises:
        KomiError: as `solve_all_states` does.
    """
    found, checked, _ = _prepare(game, rules)
    has_policy = any(solver.has_policy for solver in find_solvers(found, checked))
    solve_as: Callable[..., Solution[Any]] = solve if has_policy else solve_all_states
    return solve_as(found, tolerance=tolerance, fresh=fresh, progress=progress, notice=notice, **rules)


def solve_all_states(
    game: GameLike,
    *,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Solution[Any]:
    """Solve a game as `solve` does, and refuse one that has too many states to list.

    Raises:
        KomiError: as `solve` does.
        TooLargeError: if the game has too many states.
    """
    found, checked, solve_with = _prepare(
        game, rules, tolerance=tolerance, fresh=fresh, progress=progress, notice=notice
    )
    try:
        return _first_solution(found, checked, solve_with)
    except TooLargeError as error:
        if all(solver.lists_states for solver in find_solvers(found, checked)):
            raise
        raise TooLargeError(f"{error} 'komi solve' searches for the value of the start alone.") from None


def _prepare(
    game: GameLike, rules: dict[str, object], **options: Any
) -> tuple[Game, Rules, Callable[[Solver], Solution[Any]]]:
    """Return the game, its rules, and `solve_by` with these and the options."""
    found = catalog.find(game)
    checked = found.rules(rules)
    found = found.under(checked)
    return found, checked, partial(solve_by, game=found, rules=checked, **options)


def _first_solution(game: Game, rules: Rules, solve_with: Callable[[Solver], Solution[Any]]) -> Solution[Any]:
    """Return the solution of the first solver that lists the states and supports the game.

    Raises:
        SolveError: if there are none, with the last reason.
    """
    for solver in find_solvers(game, rules):
        if solver.lists_states:
            with suppress(OtherKindError):
                return solve_with(solver)
    raise SolveError(_last_refusal(kind_of(game, rules)))


def _without_list(
    solver: Solver, solve_with: Callable[[Solver], Solution[Any]], too_large: TooLargeError
) -> Solution[Any]:
    """Return the solution of a solver that does not list the states.

    Raises:
        TooLargeError: if it refuses the game, too: with both reasons.
        ImpreciseError: if its bounds are too far apart.
    """
    try:
        return solve_with(solver)
    except ImpreciseError:
        raise
    except (OtherKindError, SolveError) as error:
        reason = str(error).removesuffix(".")
        raise TooLargeError(f"{too_large} The value of the start alone was not found: {reason}.") from None


def solve_by(
    solver: Solver,
    game: Game,
    rules: Rules,
    *,
    tolerance: float = TOLERANCE,
    fresh: bool = False,
    audit: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
) -> Solution[Any]:
    """Return the solution of one solver, loaded from disk or computed, audited and stored now.

    Raises:
        OtherKindError: if the game is of a kind that the solver does not support.
        KomiError: as `solve` does.
    """
    begin = time.perf_counter()
    start = check_initial_state(game, rules)
    compiled = compiled_game(game, notice)
    path = _path_of(solver, compiled, rules)
    data: Any = None if fresh else storage.load(path, solver.data_type)
    options = {"tolerance": tolerance} if solver.is_anytime else {}
    if options and data is not None and not _solution_of(solver, compiled, rules, data, tolerance).is_precise:
        data = None
    is_loaded, compiling, solving = data is not None, 0.0, 0.0
    if not is_loaded:
        if fresh:
            checkpoint.clear(compiled, rules)
        solve_begin, compiled_before = time.perf_counter(), Kernels.total_seconds
        data = solver.solve(compiled, rules, [start], None, progress, **options)
        compiling = Kernels.total_seconds - compiled_before
        solving = time.perf_counter() - solve_begin - compiling
    solution = _solution_of(solver, compiled, rules, data, tolerance, is_loaded=is_loaded)
    if audit or not is_loaded:
        solution = replace(solution, is_audited=_passes_audit(solution, audit))
    if not is_loaded and (solution.is_precise or not options):
        try:
            storage.save(path, data)
            checkpoint.clear(compiled, rules)
        except StorageError as error:
            solution = replace(solution, storage_error=error)
    solution.check_bound()
    return replace(solution, seconds=Seconds(compiling, solving, time.perf_counter() - begin))


def solve_without_storing(compiled: CompiledGame, rules: Rules, progress: Progress = silent) -> Solution[Any]:
    """Solve a game without loading or storing the solution on disk.

    Raises:
        KomiError: as `solve` does.
    """

    def solve_with(solver: Solver) -> Solution[Any]:
        data = solver.solve(compiled, rules, [start], None, progress)
        solution = _solution_of(solver, compiled, rules, data)
        solution = replace(solution, is_audited=_passes_audit(solution))
        solution.check_bound()
        return solution

    start = check_initial_state(compiled.game, rules)
    return _first_solution(compiled.game, rules, solve_with)


def _passes_audit(solution: Solution[Any], has_no_limit: bool = False) -> bool:
    """Audit a solution if play is not too large; return whether that confirms it.

    Raises:
        GameError: if the rules are broken where only Python finds it.
        AuditError: if the solution is wrong.
    """
    if not solution.error_bound >= 0.0:
        raise AuditError(
            f"the error bound of {solution.game.name} is {solution.error_bound}: this is an error in komi."
        )
    max_states, max_outcomes = (sys.maxsize,) * 2 if has_no_limit else (MAX_STATES, MAX_OUTCOMES)
    if solution.listable_states > max_states:
        return False
    play = list_play(solution.game, solution.rules, max_states, max_outcomes)
    return play is not None and solution.audit(play)


def _solution_of(
    solver: Solver, compiled: CompiledGame, rules: Rules, data: Any, *more: Any, **named: Any
) -> Solution[Any]:
    """Create the solution with these data and `more` of its attributes."""
    lazy_solver = LazySolver(data, partial(solver.solve, compiled, rules))
    kind = kind_of(compiled.game, rules)
    if kind.hidden:
        kind = replace(kind, hides="choices" if solver is SIMULTANEOUS else "more")
    return solver.solution_type(compiled.game, rules, kind, compiled, lazy_solver, *more, **named)


def _restore(
    solver: str, game: Game, rules: dict[str, Any], data: Any, tolerance: float, seconds: Seconds
) -> Solution[Any]:
    """Create a solution again, from what `_reduce` has taken apart."""
    (found,) = (each for each in SOLVERS if each.name == solver)
    solution = _solution_of(found, compiled_game(game), game.rules(rules), data, tolerance, seconds, True)
    solution.check_bound()
    return solution


def _reduce(solution: Solution[Any]) -> tuple[Any, ...]:
    """Take a solution apart, to pickle or copy it: the game with its rule files, and the solution data."""
    (solver,) = (each.name for each in SOLVERS if each.solution_type is type(solution))
    parts = (solver, solution.game, solution.rules._asdict(), solution.data, solution.tolerance, solution.seconds)
    return _restore, parts


for _solver in SOLVERS:
    copyreg.pickle(_solver.solution_type, _reduce)


def find_solvers(game: Game, rules: Rules) -> list[Solver]:
    """List the solvers that support the game, in the order in which to try them.

    Raises:
        SolveError: if there are none, or the rules declare that optimal play has no value.
    """
    reason = game.part("no_value")(rules) if game.has("no_value") else ""
    if reason:
        raise SolveError(f"{game.name} has no value under these rules: {reason}.")
    return solvers_for(kind_of(game, rules))


def solvers_for(kind: Kind) -> list[Solver]:
    """List the solvers that support a kind of game, in the order in which to try them.

    Raises:
        SolveError: if there are none: with the reason.
    """
    if kind.alone:
        raise SolveError(
            f"under these rules the players of {kind.name} do not affect each other, so komi solves the game of a "
            f"single player: set {' and '.join(kind.alone)}."
        )
    supporting = [solver for solver in SOLVERS if kind.seats in solver.seats and solver.refusal(kind) is None]
    if not supporting:
        raise SolveError(_last_refusal(kind))
    return supporting


def _last_refusal(kind: Kind) -> str:
    """Return the sentence with which the last solver for so many players refuses a kind of game."""
    refusals = [solver.refusal(kind) for solver in SOLVERS if kind.seats in solver.seats]
    reasons = [refusal for refusal in refusals if refusal is not None]
    if reasons:
        return reasons[-1]
    return f"{kind.name} is for {kind.seats} player{'s' * (kind.seats != 1)}: no solver supports such games."


def is_solvable(game: Game, rules: Rules) -> bool:
    """Return whether any solver supports games of this kind."""
    try:
        solvers_for(kind_of(game, rules))
    except SolveError:
        return False
    return True


def is_stored(game: Game, rules: Rules) -> bool:
    """Return whether a solution of all states is stored on disk, by any of the solvers that support the kind."""
    if not has_entries(storage.KIND, f"{game.name}-"):
        return False
    compiled = compiled_game(game)
    solvers = solvers_for(kind_of(game, rules))
    return any(solver.lists_states and _path_of(solver, compiled, rules).is_dir() for solver in solvers)


def _path_of(solver: Solver, compiled: CompiledGame, rules: Rules) -> Path:
    """Return the folder of the solution; one of a game that is too large to list belongs to the limits on its size."""
    limit = "" if solver.lists_states else f"-{limits.max_states(growing=False)}-{limits.max_memory()}"
    return storage.path_of(compiled, rules, f"{solver.name}{limit}")
