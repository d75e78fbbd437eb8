"""`komi table`: a policy as a readable table."""

from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, StateOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, plain_table, print_json, warn
from komi.presentation.fields import select
from komi.tables import table_files
from komi.tables.policy_table import PolicyTable
from komi.tables.policy_table import table as make_table

MAX_ROWS, MAX_COLUMNS = 25, 12  # fit into a terminal of 80 columns


@command("table")
def table(
    game: GameArgument,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the complete table: csv or html.")
    ] = None,
    settings: SetOption = None,
    state: StateOption = "",
    x: Annotated[str, typer.Option("--x", metavar="FIELD", help="The field of the columns.")] = "",
    y: Annotated[
        str, typer.Option("--y", metavar="FIELD", help="The field of the rows; --state sets all others.")
    ] = "",
    over: Annotated[
        str,
        typer.Option(
            "--over", metavar="FIELD", help="Show in each cell the values of this field at which the action changes."
        ),
    ] = "",
    policy: Annotated[str, typer.Option("--policy", help="The policy to show.")] = "optimal",
    as_json: JsonOption = False,
) -> None:
    """Show a policy as a table: the action in each state, or the turn total at which to hold."""
    found, rules = chosen(game, settings)
    if output:
        table_files.check_file(output)
    with bars() as progress:
        policy_table = make_table(
            found, x=x, y=y, over=over, state=state, policy=policy, progress=progress, notice=warn, **rules
        )
    if output:
        table_files.write(policy_table, output)
    if as_json:
        print_json(
            {
                "game": found,
                **select(policy_table, "rules", "policy", "columns", "rows"),
                "x": policy_table.x or None,
                "y": policy_table.y or None,
                "over": policy_table.over or None,
                "state": found.shown(policy_table.rules, policy_table.state),
            }
        )
    elif output:
        console().print(f"Written: {output}")
    else:
        _show(policy_table)


def _show(policy_table: PolicyTable) -> None:
    out = console()
    shown = policy_table.thinned(MAX_ROWS, MAX_COLUMNS)
    out.print(policy_table.heading, style="bold")
    for note in policy_table.notes:
        out.print(note)
    heading = (
        [f"{shown.y} \\ {shown.x}", *(shown.value_text(shown.x, x) for x in shown.xs)]
        if shown.x and shown.y
        else shown.columns
    )
    grid = plain_table(*heading)
    for y in shown.ys:
        grid.add_row(shown.value_text(shown.y, y) if shown.y else "", *(shown.brief(y, x) for x in shown.xs))
    out.print(grid)
    if any(shown.brief(y, x) != shown.cell(y, x) for y in shown.ys for x in shown.xs):
        out.print(f"* The action changes again as {shown.over} grows; use --output FILE.csv to see where.")
    if len(shown.xs) < len(policy_table.xs) or len(shown.ys) < len(policy_table.ys):
        out.print("Some rows and columns are omitted; use --output FILE.csv to write all of them.")
