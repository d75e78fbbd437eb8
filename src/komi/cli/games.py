"""`komi games`: the built-in games."""

from rich.table import Table
from rich.text import Text

from komi import catalog
from komi.cli.app import JsonOption, app
from komi.cli.output import console, print_json


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the built-in games with their rules."""
    known = [catalog.find(name) for name in catalog.names()]
    if as_json:
        listed = [
            {
                "name": game.name,
                "summary": game.summary,
                "players": game.players(game.default_rules),
                "rules": game.default_rules._asdict(),
            }
            for game in known
        ]
        print_json({"games": listed})
        return
    table = Table("game", "what it is", "rules", box=None, padding=(0, 2, 0, 0))
    for game in known:
        rules = " ".join(f"{name}={value}" for name, value in game.default_rules._asdict().items())
        table.add_row(Text(game.name, "bold"), game.summary, rules)
    out = console()
    out.print(table)
    out.print("\nNext: komi solve red-light")
