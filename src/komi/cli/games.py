"""`komi games`: the built-in games."""

import shutil
from textwrap import fill

from rich.text import Text

from komi.cli.app import JsonOption
from komi.cli.commands import command
from komi.cli.output import console, print_json
from komi.presentation.fields import select
from komi.rules import catalog

INDENT = " " * 4


@command("games")
def games(as_json: JsonOption = False) -> None:
    """List the built-in games with their rules."""
    known = [catalog.find(name) for name in catalog.names()]
    if as_json:
        listed = [
            {**select(game, "name", "summary", rules="default_rules"), "players": game.players(game.default_rules)}
            for game in known
        ]
        print_json({"games": listed})
        return
    out = console()
    width = shutil.get_terminal_size().columns
    for game in known:
        rules = " ".join(f"{name}={value}" for name, value in game.default_rules._asdict().items())
        out.print(Text(game.name, "bold"))
        for text, style in ((game.summary, ""), (rules, "dim")):
            out.print(Text(fill(text, width, initial_indent=INDENT, subsequent_indent=INDENT), style))
    out.print("\nNext: komi solve red-light")
