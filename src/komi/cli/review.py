"""`komi review`: analyze a recorded game."""

from pathlib import Path
from typing import Annotated, Any

import typer

from komi.cli.app import JsonOption
from komi.cli.commands import command
from komi.cli.output import bars, console, print_json, warn
from komi.cli.review_text import show_result, show_review
from komi.errors import InputError
from komi.play import opponent_players, record
from komi.play.review import Review, review
from komi.play.table import Table
from komi.presentation.fields import select
from komi.quoting import quoted
from komi.rules import catalog

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A record saved by komi play or by the web app.")]
SeatOption = Annotated[
    int | None, typer.Option("--seat", metavar="N", min=1, help="Seat to review; by default the record's own.")
]


@command("review")
def review_record(file: FileArgument, seat: SeatOption = None, as_json: JsonOption = False) -> None:
    """Review a recorded game: the loss of each decision, and the shares of luck and skill."""
    kept = _read(file)
    try:
        game = catalog.find(kept.game)
    except InputError as error:
        reason = str(error).rstrip(".")
        raise InputError(f"{file}: {reason}; correct the line {quoted(f'game: {kept.game}')} of the record.") from None
    table = kept.table(game)
    own = kept.seat if seat is None else seat - 1
    if own >= table.players:
        raise InputError(f"--seat {seat}: {game.name} has {table.players} seats here.")
    with bars() as progress:
        solution = opponent_players.solve_if_solvable(game, table.rules, progress=progress, notice=warn)
    if solution is None:
        raise InputError(f"komi does not solve {game.name}, so there is no review.")
    found = review(solution, table, own)
    if as_json:
        print_json(_review_json(table, found))
        return
    steps = f"{len(table.log)} step{'s' * (len(table.log) != 1)}"
    console().print(f"{game.summary}\n{steps}, as seat {own + 1} saw them.")
    names = (
        [*map(quoted, kept.players)]
        if len(kept.players) == table.players
        else [f"Seat {n + 1}" for n in range(table.players)]
    )
    if table.is_over:
        show_result(table, own, ["You" if seat == own else name for seat, name in enumerate(names)])
    show_review(found, table, is_chance=solution.kind.is_chance)


def _read(file: str) -> record.GameRecord:
    try:
        return record.parse(Path(file).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise InputError(f"{file} is not a text file.") from None
    except OSError as error:
        raise InputError(f"cannot read {file} ({error.strerror or error}).") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _review_json(table: Table, found: Review) -> dict[str, Any]:
    return {
        **select(table, "game", "rules", "payoffs"),
        **select(found, "start", "accuracy", "luck", "skill", "mistakes", "gifts"),
        "seat": found.seat + 1,
        "moves": [
            vars(each) | {"seat": each.seat + 1, "state": table.game.write(table.rules, each.state)}
            for each in found.decisions
        ],
    }
