"""`komi moves`: the legal actions in a state."""

from komi.cli.app import GameArgument, JsonOption, SetOption, StateOption, chosen
from komi.cli.commands import command
from komi.cli.output import console, print_json
from komi.game import CHANCE


@command("moves")
def moves(game: GameArgument, state: StateOption = "", settings: SetOption = None, as_json: JsonOption = False) -> None:
    """List the legal actions in a state: none before a chance event or when the game is over."""
    found, chosen_rules = chosen(game, settings)
    rules = found.rules(chosen_rules)
    read = found.read(rules, state)
    over = found.part("over")(rules, read)
    labels = {} if over else found.labels(rules, read)
    listed = [label for label, action in labels.items() if action != CHANCE]
    if as_json:
        print_json({"game": found.name, "rules": rules._asdict(), "state": found.write(rules, read), "moves": listed})
        return
    out = console()
    out.print(found.write(rules, read), style="bold")
    for label in listed:
        out.print(label)
    if not listed:
        out.print("The game is over." if over else "A chance event comes next.")
