"""`komi export`: a policy as one file of Python, C or JavaScript."""

from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, app, chosen
from komi.cli.match import PolicyArgument
from komi.cli.output import bars, console, print_json, warn
from komi.exporting.export import export as export_policy


@app.command(short_help="Write a policy as a Python, C or JavaScript file.")
def export(
    game: GameArgument,
    policy: PolicyArgument,
    file: Annotated[
        Path,
        typer.Option("--to", metavar="FILE", help="The file to write: .py, .c, .js or, for networks, .onnx."),
    ],
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a policy as one self-contained Python, C or JavaScript file."""
    found, rules = chosen(game, settings)
    with bars() as progress:
        written = export_policy(found, policy, file, progress=progress, notice=warn, **rules)
    if as_json:
        print_json(
            {
                "game": found.name,
                "rules": found.rules(rules)._asdict(),
                "policy": policy,
                "file": str(written.file),
                "states": written.states,
                "bytes": written.size,
            }
        )
    else:
        console().print(f"Written: {file}, {written.size:,} bytes, for {written.states:,} states")
