"""Drawings of a position in the terminal: score bars for a race, a board with its squares, or the fields as text."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.color import Color, ColorParseError
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from komi.cli import tray
from komi.play.table import Table
from komi.policies.named import is_race_to_goal
from komi.rules.vocabulary import field_label
from komi.typing import State

BAR = 40  # width of a full bar, in characters
COLOURS = {"orange": "dark_orange"}  # colours that have another name in a terminal


def draw(table: Table, state: State, names: Sequence[str]) -> RenderableType:
    """Draw a state as a player may see it."""
    if table.game.has("beside"):
        return Group(_board(table, state), tray.beside(table, state, names))
    if table.game.has("faces"):
        return Group(*_with_dice(table, state, names))
    if table.game.has("board"):
        return _board(table, state)
    if is_race_to_goal(table.game, table.rules):
        return _race(table, state, names)
    if table.game.has("write"):
        return Text(table.game.write(table.rules, state))
    return Text("\n".join(_fields(table, state, table.game.names(table.rules))))


def _with_dice(table: Table, state: State, names: Sequence[str]) -> Iterator[RenderableType]:
    """Yield the dice, preceded by the score card or the points of the players."""
    if table.game.has("card"):
        yield from tray.cards(table, state, names)
    elif hasattr(table.rules, "goal") and {"score", "rival", "turn"} <= set(state._fields):
        yield _race(table, state, names)
    yield tray.dice(table, state)


def _race(table: Table, state: State, names: Sequence[str]) -> RenderableType:
    """Draw a bar for each player, with points at risk in another shade, followed by the remaining fields."""
    goal, mover = table.rules.goal, table.mover or 0
    width = max(map(len, names))
    lines = Text()
    for seat, name in enumerate(names):
        points, risk = (state.score, state.turn) if seat == mover else (state.rival, 0)
        sure = min(round(BAR * points / goal), BAR)
        more = min(round(BAR * (points + risk) / goal), BAR) - sure
        lines.append(f"{name:{width}} ", "bold" if seat == mover else "")
        lines.append("█" * sure, "green").append("▒" * more, "yellow").append("·" * (BAR - sure - more), "dim")
        lines.append(f" {points}" + (f" + {risk} at risk" if risk else "") + "\n")
    others = [field for field in table.game.names(table.rules) if field not in ("score", "rival", "turn")]
    if table.game.has("faces"):
        others = []  # the dice show them
    lines.append("".join(f"{line}\n" for line in _fields(table, state, others)), "dim")
    lines.rstrip()
    return lines


def _fields(table: Table, state: State, fields: Sequence[str]) -> list[str]:
    shown = table.game.shown(table.rules, state)
    return [f"{field_label(table.game, field)}: {shown[field]}" for field in fields]


def _board(table: Table, state: State) -> RenderableType:
    """Draw the squares of the board, their pieces, and the label of the move on each square."""
    moves = {place: label for label in table.actions if (place := table.square(label)) is not None}
    squares = {
        (int(row), int(column)): (str(shows), int(tint))
        for row, column, shows, tint in table.game.part("board")(table.rules, state)
    }
    rows, columns = ([place[axis] for place in squares] for axis in (0, 1))
    grid = Grid(box=box.ROUNDED, show_header=False, show_lines=True, padding=(0, 1))
    across, down = range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)
    if table.game.has("beside"):  # a path is drawn horizontally, with the mover's side below
        lines = [[(row, column) for row in down] for column in reversed(across)]
    else:
        lines = [[(row, column) for column in across] for row in down]
    for line in lines:
        grid.add_row(*(_square(squares.get(place), moves.get(place, "")) for place in line))
    return grid


def _square(square: tuple[str, int] | None, move: str) -> Text:
    """Draw a square: a colour as its initial on that colour, text as is; brackets mark a nonzero tint."""
    if square is None:
        return Text("")
    shows, tint = square
    colour = _colour(shows)
    text = Text("[" if tint else " ")
    shows = tray.PIECES.get(shows, shows)
    text.append(shows[:1].upper() if colour else shows or "·", f"bold black on {colour}" if colour else "")
    return text.append("] " if tint else "  ").append(move, "dim")


def _colour(name: str) -> str | None:
    """Return the terminal's name of a colour, or None if it is not a colour."""
    try:
        return Color.parse(COLOURS.get(name, name)).name if name else None
    except ColorParseError:
        return None
