"""`komi solve` and `komi value`: exact optimal play."""

from typing import Any

from komi.cli.app import (
    AuditOption,
    FreshOption,
    GameArgument,
    JsonOption,
    SetOption,
    StateOption,
    ToleranceOption,
    chosen,
)
from komi.cli.commands import command
from komi.cli.output import bars, print_json, show, suggest, warn
from komi.errors import EndlessPlayError, SolveError
from komi.presentation.endless_report import (
    endless_solution_json,
    endless_solution_text,
    endless_state_json,
    endless_state_text,
)
from komi.presentation.formatting import TextReport
from komi.presentation.solution_report import solution_report
from komi.proof.endless import EndlessValues, endless_values, has_both_values
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.solve import solve as solve_game


@command("solve")
def solve(
    game: GameArgument,
    settings: SetOption = None,
    as_json: JsonOption = False,
    fresh: FreshOption = False,
    audit: AuditOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Compute optimal play exactly, with a proved bound on the error.

    If the value depends on what an endless game counts, compute both values.
    """
    try:
        solution = _solved(game, settings, fresh, tolerance, audit)
    except EndlessPlayError as error:
        values, reason = _both_values(error, game, settings, "", tolerance)
        _print(endless_solution_json(values, reason) if as_json else endless_solution_text(values, reason))
        return
    report = solution_report(solution)
    if as_json:
        print_json(report.json())
    else:
        text = report.text()
        show(text)
        if audit:
            show(report.audit_text())
        if text.next_state is not None:
            suggest("value", game, settings, "--state", text.next_state)
    if solution.storage_error:
        raise solution.storage_error


@command("value")
def value(
    game: GameArgument,
    state: StateOption = "",
    settings: SetOption = None,
    as_json: JsonOption = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Show the value of a state, and of each action in it, to the player to move."""
    try:
        solution = _solved(game, settings, fresh, tolerance)
        read = solution.read(state)
        report = solution_report(solution)
        _print(report.state_json(read) if as_json else report.state_text(read))
    except EndlessPlayError as error:
        values, reason = _both_values(error, game, settings, state, tolerance)
        _print(endless_state_json(values, reason) if as_json else endless_state_text(values, reason))
        return
    if solution.storage_error:
        raise solution.storage_error


def _solved(name: str, settings: list[str] | None, fresh: bool, tolerance: float, audit: bool = False) -> Solution[Any]:
    game, rules = chosen(name, settings)
    with bars() as progress:
        return solve_game(game, tolerance=tolerance, fresh=fresh, audit=audit, progress=progress, notice=warn, **rules)


def _both_values(
    error: EndlessPlayError, name: str, settings: list[str] | None, state: str, tolerance: float
) -> tuple[EndlessValues, str]:
    """Compute both values of a game that has no single one; return them and the reason.

    Raises:
        SolveError: if that is impossible: with the reason why the game has no single value.
    """
    game, rules = chosen(name, settings)
    if not has_both_values(game, game.rules(rules)):
        raise error
    try:
        with bars() as progress:
            values = endless_values(game, state or None, tolerance=tolerance, progress=progress, notice=warn, **rules)
    except SolveError as failed:
        raise SolveError(f"{str(error).removesuffix('.')}; {failed}") from None
    return values, str(error)


def _print(report: dict[str, Any] | TextReport) -> None:
    """Print a report as JSON or as text."""
    if isinstance(report, TextReport):
        show(report)
    else:
        print_json(report)
