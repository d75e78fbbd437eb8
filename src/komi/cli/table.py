"""`komi table`: a policy as a readable table."""

from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, StateOption, app, chosen
from komi.cli.output import bars, console, plain_table, print_json, warn
from komi.tables import writing
from komi.tables.policy_table import PolicyTable
from komi.tables.policy_table import table as make_table

ROWS, COLUMNS = 25, 12  # printed at most


@app.command(short_help="Show a policy as a table.")
def table(
    game: GameArgument,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write all of it: csv or html.")
    ] = None,
    settings: SetOption = None,
    state: StateOption = "",
    x: Annotated[str, typer.Option("--x", metavar="FIELD", help="The field across.")] = "",
    y: Annotated[str, typer.Option("--y", metavar="FIELD", help="The field down; --state fixes all others.")] = "",
    over: Annotated[
        str, typer.Option("--over", metavar="FIELD", help="Say in a cell at which values of this field actions change.")
    ] = "",
    policy: Annotated[str, typer.Option("--policy", help="The policy to show.")] = "optimal",
    as_json: JsonOption = False,
) -> None:
    """Show a policy as a table: what to do by state, or from which turn total on to hold."""
    found, rules = chosen(game, settings)
    if output:
        writing.check_file(output)
    with bars() as progress:
        solution = make_table(
            found, x=x, y=y, over=over, state=state, policy=policy, progress=progress, notice=warn, **rules
        )
    if output:
        writing.write(solution, output)
    if as_json:
        print_json(
            {
                "game": found.name,
                "rules": solution.rules._asdict(),
                "policy": solution.policy,
                "x": solution.x or None,
                "y": solution.y or None,
                "over": solution.over or None,
                "state": found.shown(solution.rules, solution.state),
                "columns": solution.columns,
                "rows": solution.rows,
            }
        )
    elif output:
        console().print(f"Written: {output}")
    else:
        _show(solution)


def _show(solution: PolicyTable) -> None:
    out = console()
    shown = solution.thinned(ROWS, COLUMNS)
    out.print(solution.heading, style="bold")
    for note in solution.notes:
        out.print(note)
    heading = [f"{shown.y} \\ {shown.x}", *map(str, shown.xs)] if shown.x and shown.y else shown.columns
    grid = plain_table(*heading)
    for y in shown.ys:
        grid.add_row(str(y) if shown.y else "", *(shown.brief(y, x) for x in shown.xs))
    out.print(grid)
    if any(shown.brief(y, x) != shown.cell(y, x) for y in shown.ys for x in shown.xs):
        out.print(f"* It changes again as {shown.over} grows: --output FILE.csv says where.")
    if len(shown.xs) < len(solution.xs) or len(shown.ys) < len(solution.ys):
        out.print("Some rows and columns are left out: --output FILE.csv writes them all.")
