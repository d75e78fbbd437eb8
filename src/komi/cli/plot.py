"""`komi plot`: pictures of what solving a game says."""

from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, StateOption, app, chosen
from komi.cli.output import bars, console, print_json, warn
from komi.errors import InputError
from komi.plot import figure, positions
from komi.solver.dispatch import solve
from komi.solver.solution import TOLERANCE
from komi.solver.tablebase import Tablebase

OutputOption = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where to: .png or .svg.")]


@app.command()
def plot(
    game: GameArgument,
    output: OutputOption,
    state: StateOption = "",
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a position of a board game with the value of each move on its square."""
    figure.check_kind(output)
    found, rules = chosen(game, settings)
    with bars() as progress:
        solution = solve(found, tolerance=TOLERANCE, fresh=False, progress=progress, notice=warn, **rules)
    if not isinstance(solution, Tablebase):
        raise InputError(f"{found.name} is a game of chance: komi draws board games without chance, so far.")
    read = found.read(solution.rules, state) if state else found.part("start")(solution.rules)
    figure.save(positions.draw(solution, read), output)
    if as_json:
        print_json({"file": str(output)})
    else:
        console().print(f"Drawn: {output}")
