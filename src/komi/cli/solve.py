"""`komi solve` and `komi value`: exact optimal play."""

from typing import Any

from komi.cli.app import (
    FreshOption,
    GameArgument,
    JsonOption,
    SetOption,
    StateOption,
    ToleranceOption,
    app,
    chosen,
)
from komi.cli.output import bars, print_json, show, suggest, warn
from komi.errors import EndlessPlayError
from komi.presentation.solution_json import solution_json, state_json
from komi.presentation.solution_text import solution_text, state_text
from komi.solvers.solution import TOLERANCE, Solution
from komi.solvers.solve import solve as solve_game


@app.command(short_help="Compute optimal play exactly, with a proved error bound.")
def solve(
    game: GameArgument,
    settings: SetOption = None,
    as_json: JsonOption = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Compute optimal play exactly, with a proved bound on the error."""
    solution = _solved(game, settings, fresh, tolerance)
    if as_json:
        print_json(solution_json(solution))
    else:
        text = solution_text(solution)
        show(text)
        if text.next_state is not None:
            suggest("value", game, settings, "--state", text.next_state)
    if solution.storage_error:
        raise solution.storage_error


@app.command(short_help="Show the value of a state and of each action in it.")
def value(
    game: GameArgument,
    state: StateOption = "",
    settings: SetOption = None,
    as_json: JsonOption = False,
    fresh: FreshOption = False,
    tolerance: ToleranceOption = TOLERANCE,
) -> None:
    """Show the value of a state, and of each action in it, to the player to move."""
    solution = _solved(game, settings, fresh, tolerance)
    read = solution.read(state)
    if as_json:
        print_json(state_json(solution, read))
    else:
        show(state_text(solution, read))
    if solution.storage_error:
        raise solution.storage_error


def _solved(name: str, settings: list[str] | None, fresh: bool, tolerance: float) -> Solution[Any]:
    game, rules = chosen(name, settings)
    try:
        with bars() as progress:
            return solve_game(game, tolerance=tolerance, fresh=fresh, progress=progress, notice=warn, **rules)
    except EndlessPlayError as error:
        if game.has("view"):
            raise
        raise EndlessPlayError(f"{str(error).removesuffix('.')}; `komi prove` proves both values.") from None
