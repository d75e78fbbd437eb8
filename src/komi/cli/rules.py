"""`komi rules`: explain how a game is played."""

from rich.text import Text

from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import console, print_json, suggest
from komi.errors import InputError
from komi.rules.vocabulary import title


@command("rules")
def rules(game: GameArgument, settings: SetOption = None, as_json: JsonOption = False) -> None:
    """Explain how a game is played."""
    found, changes = chosen(game, settings)
    selected = found.rules(changes)
    paragraphs = found.how_to_play(selected)
    if as_json:
        print_json({"game": found.name, "rules": selected._asdict(), "how_to_play": list(paragraphs)})
        return
    if not paragraphs:
        raise InputError(f"{found.file.name} does not explain {found.name}: it has no 'how_to_play'.")
    out = console()
    out.print(Text(title(found), "bold"))
    for paragraph in paragraphs:
        out.print()
        out.print(Text(paragraph))
    out.print()
    suggest("play", game, settings)
