"""What `komi solve` and `komi value` say of games without chance."""

from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich.table import Table

from komi.cli.output import console, suggest
from komi.errors import InputError
from komi.methods.win_draw_loss.tablebase import Tablebase, Worth


def solve_answer(tablebase: Tablebase) -> dict[str, Any]:
    """The JSON object of `komi solve`; plies count every action, a first move itself included."""
    worth, seconds = tablebase.worth(), tablebase.seconds
    return {
        "game": tablebase.game.name,
        "rules": tablebase.rules._asdict(),
        "states": tablebase.states,
        **asdict(worth),
        "error_bound": 0.0,
        "counts": asdict(tablebase.counts),
        "first_moves": {label: asdict(worth) for label, worth in tablebase.actions().items()},
        "line": tablebase.line(),
        "seconds": {"compile": seconds.compile, "solve": seconds.solve, "total": seconds.total},
    }


def value_answer(tablebase: Tablebase, state: str) -> dict[str, Any]:
    """The JSON object of `komi value`.

    Raises:
        InputError: if the game is over there.
    """
    read = _going_on(tablebase, state)
    actions = tablebase.actions(read)
    return {
        "game": tablebase.game.name,
        "rules": tablebase.rules._asdict(),
        "state": tablebase.game.shown(tablebase.rules, read),
        "notation": tablebase.game.write(tablebase.rules, read),
        **asdict(tablebase.worth(read)),
        "error_bound": 0.0,
        "actions": {label: asdict(worth) for label, worth in actions.items()},
        "best": next(iter(actions)),
    }


def show_solution(tablebase: Tablebase, named: str, settings: list[str] | None) -> None:
    """Print for people what solving says of the game that they named so."""
    game, counts, seconds = tablebase.game, tablebase.counts, tablebase.seconds
    out = console()
    out.print(f"[bold]{game.summary}[/bold]")
    rules = ", ".join(f"{name} {value}" for name, value in tablebase.rules._asdict().items())
    out.print(f"Rules: {rules}.\n")
    out.print(f"With best play on both sides [bold]{_result(tablebase.worth())}[/bold]. Proved, without error.\n")
    out.print(_table(tablebase.actions(), "first move"))
    out.print(f"\nA line of best play: {' '.join(tablebase.line())}")
    took = "found solved before" if tablebase.kept else f"solved in {seconds.solve:.2f} s"
    if seconds.compile >= 1:
        took += f", after {seconds.compile:.0f} s of compiling, once only"
    positions = f"{tablebase.states:,} position{'s' * (tablebase.states != 1)}"
    out.print(
        f"{positions}: the player to move wins {counts.win:,}, loses {counts.loss:,} and draws "
        f"{counts.draw:,};\nthe game is over in {counts.terminal:,} more. All {took}.\n"
    )
    following = tablebase.after(None, next(iter(tablebase.actions())))
    suggest("value", named, settings, "--state", game.write(tablebase.rules, following))


def show_value(tablebase: Tablebase, state: str) -> None:
    """Print for people what a position is worth.

    Raises:
        InputError: if the game is over there.
    """
    read = _going_on(tablebase, state)
    worth = tablebase.worth(read)
    ending = "can force a draw, no more" if worth.plies is None else f"{_verb(worth)} in {_plies(worth)}"
    out = console()
    out.print(f"[bold]{tablebase.game.write(tablebase.rules, read)}[/bold]")
    out.print(f"The player to move {ending} with best play.")
    out.print(_table(tablebase.actions(read), "action"))
    out.print(f"A line of best play: {' '.join(tablebase.line(read))}")


def _going_on(tablebase: Tablebase, state: str) -> Any:
    game, rules = tablebase.game, tablebase.rules
    read = game.read(rules, state)
    if game.part("over")(rules, read):
        payoff = game.payoffs(rules, read)[0]
        result = {0.0: "the opponent of the player to move has won", 1.0: "the player to move has won"}
        raise InputError(f"{game.write(rules, read)} is over: {result.get(payoff, 'it is a draw')}.")
    return read


def _table(actions: dict[str, Worth], heading: str) -> Table:
    """The actions by what they lead to, best first."""
    table = Table("result", heading, box=None, padding=(0, 2, 0, 0))
    for worth, labels in groupby(actions, key=lambda label: actions[label]):
        result = worth.value if worth.plies is None else f"{worth.value} in {worth.plies}"
        table.add_row(result, ", ".join(labels))
    return table


def _result(worth: Worth) -> str:
    if worth.plies is None:
        return "neither player can force a win: it is a draw"
    return f"the {'first' if worth.value == 'win' else 'second'} player wins in {_plies(worth)}"


def _verb(worth: Worth) -> str:
    return "wins" if worth.value == "win" else "loses"


def _plies(worth: Worth) -> str:
    return f"{worth.plies} {'ply' if worth.plies == 1 else 'plies'}"
