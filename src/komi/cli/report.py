"""`komi report`: a page with the results for a game."""

from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, print_json, warn
from komi.reporting.game_report import report as report_game


@command("report")
def report(
    game: GameArgument,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The HTML file to write; by default GAME.html."),
    ] = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write an HTML report about a game: rules, fairness, length, choices, skill and luck, with plots."""
    found, rules = chosen(game, settings)
    with bars() as progress:
        file = report_game(found, output, progress=progress, notice=warn, **rules)
    if as_json:
        print_json({"game": found.name, "rules": found.rules(rules)._asdict(), "file": str(file)})
    else:
        console().print(f"Written: {file}")
