"""`komi measure`: how exciting a game is, how much players can choose, and how long it takes."""

from typing import Annotated

import typer

from komi.cli.app import FreshOption, GameArgument, JsonOption, SetOption, app, chosen
from komi.cli.output import bars, print_json, show, warn
from komi.measures.measure import COMEBACK_AT, DECIDED_AT, PACE, measure_solution
from komi.policies.named import NAMES
from komi.presentation.measures_report import measures_json, measures_text
from komi.solvers.solution import TOLERANCE
from komi.solvers.solve import solve as solve_game


@app.command(short_help="Measure how exciting a game is.")
def measure(
    game: GameArgument,
    policies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[POLICY [POLICY]]",
            help=f"The first player's and the second's; by default optimal: {', '.join(NAMES)}.",
        ),
    ] = None,
    settings: SetOption = None,
    comeback_at: Annotated[
        float, typer.Option("--comeback-at", metavar="P", help="The winner was nearly lost at this chance or below.")
    ] = COMEBACK_AT,
    decided_at: Annotated[
        float, typer.Option("--decided-at", metavar="P", help="A game is decided at this chance of winning.")
    ] = DECIDED_AT,
    pace: Annotated[float, typer.Option("--pace", metavar="SECONDS", help="The time for an action.")] = PACE,
    fresh: FreshOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure suspense, surprise, changes of the lead, drama, comebacks, choices, luck and length, exactly."""
    found, rules = chosen(game, settings)
    with bars() as progress:
        solution = solve_game(found, tolerance=TOLERANCE, fresh=fresh, progress=progress, notice=warn, **rules)
        measures = measure_solution(solution, tuple(policies or ()), comeback_at, decided_at, pace, progress)
    if as_json:
        print_json(measures_json(measures))
    else:
        show(measures_text(measures))
