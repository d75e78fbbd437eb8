"""A position in the terminal: the board or the cards, else the game's own text or the fields; and the dice."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from rich import box
from rich.color import Color, ColorParseError
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from komi.game import CHANCE
from komi.play.table import HIDDEN, Table
from komi.rules.table_items import Item, item_of_action, items, table_lines
from komi.rules.vocabulary import field_label
from komi.typing import State

COLOURS = {"orange": "dark_orange"}  # colours that have another name in a terminal
PIECES = {"white": "○", "black": "●"}
PIPS = "◌⚀⚁⚂⚃⚄⚅"  # of a die, by its face


def draw(table: Table, state: State, names: Sequence[str]) -> RenderableType:
    """Draw a state as a player may see it."""
    game, rules = table.game, table.rules
    parts: list[RenderableType] = []
    if game.has("board"):
        parts.append(_board(table, state))
    elif game.has("card"):
        parts.append(_card(table, names))
    elif game.has("table"):
        parts.append(_items(table, state, names))
    elif game.has("write"):
        parts.append(game.write(rules, state))
    else:
        parts.append(_fields(table, state))
    if game.has("beside"):
        mover = table.mover or 0
        for colour, name in (("white", names[mover]), ("black", names[1 - mover])):
            groups = [group for group in game.part("beside")(rules, state) if group[1] == colour]
            pieces = ", ".join(f"{number} {doing}" for doing, _, number in groups)
            parts.append(f"{name} {PIECES[colour]}: {pieces}")
    if game.has("throw") and (thrown := game.part("throw")(rules, state)):
        parts.append(f"Throw: {thrown[0]} of {thrown[1]}")
    if game.has("faces"):
        parts.append("Dice: " + "  ".join(f"{PIPS[face]} {face or '-'}" for face in game.part("faces")(rules, state)))
    return Group(*parts)


def on_table(table: Table, label: str) -> bool:
    """Return whether an action is named on the table: on a square of the board, or beside an item."""
    if table.game.has("board") or not table.game.has("table"):
        return table.square(label) is not None
    return item_of_action(table.game, table.rules, table.state, table.actions[label]) is not None


def kept_by(table: Table) -> dict[str, tuple[int, ...]]:
    """Return the labels of the actions that keep or set aside dice, with the faces of these dice."""
    if not table.game.has("keeps"):
        return {}
    keeps = table.game.part("keeps")
    kept = {label: keeps(table.rules, table.state, action) for label, action in table.actions.items()}
    return {label: faces for label, faces in kept.items() if faces is not None}


def _fields(table: Table, state: State) -> RenderableType:
    """List the fields of a state, without those that the dice show."""
    shown = table.game.shown(table.rules, state)
    grid = Grid.grid(padding=(0, 2))
    for name in table.game.names(table.rules):
        if name in ("score", "rival", "turn") or not table.game.has("faces"):
            grid.add_row(f"{field_label(table.game, name)}:", str(shown[name]))
    return grid


def _items(table: Table, state: State, names: Sequence[str]) -> str:
    """List what lies on the table, and what the last chance event and the cards of the turn have put there."""
    mover = table.observer
    names = [*names[mover:], *names[:mover]]
    labels = {action: label for label, action in table.actions.items()}
    laid: list[Item] = []
    log = table.observed_log(mover)
    for entry in takewhile(lambda entry: entry.seat == log[-1].seat, reversed(log)):
        if entry.kind == "event" and entry.label != HIDDEN:
            found = items(table.game, table.rules, "laid", entry.label)
            laid[:0] = [item for item in found if not laid or item.kind == "card"]
    return "\n".join(table_lines([*items(table.game, table.rules, "table", state), *laid], names, labels))


def _board(table: Table, state: State) -> RenderableType:
    """Draw the squares of the board, their pieces, and the label of the move on each square."""
    moves = {table.square(label): label for label in table.actions}
    squares = {
        (int(row), int(column)): _square(str(shows), bool(tint), moves.get((row, column), ""))
        for row, column, shows, tint in table.game.part("board")(table.rules, state)
    }
    rows, columns = (range(min(axis), max(axis) + 1) for axis in zip(*squares, strict=True))
    lines = [[squares.get((row, column), Text()) for column in columns] for row in rows]
    if table.game.has("beside"):  # a path is drawn horizontally, with the mover's side below
        lines = [list(line) for line in reversed(list(zip(*lines, strict=True)))]
    grid = Grid(box=box.ROUNDED, show_header=False, show_lines=True, padding=(0, 1))
    for line in lines:
        grid.add_row(*line)
    return grid


def _square(shows: str, tint: bool, move: str) -> Text:
    """Draw a square: a colour as its initial on that colour, text as is; brackets mark a tint."""
    text = Text("[" if tint else " ")
    try:
        colour = Color.parse(COLOURS.get(shows, shows)).name if shows not in PIECES else ""
    except ColorParseError:
        colour = ""
    if colour:
        text.append(shows[0].upper(), f"bold black on {colour}")
    else:
        text.append(PIECES.get(shows, shows) or "·")
    return text.append("] " if tint else "  ").append(move, "dim")


def _card(table: Table, names: Sequence[str]) -> RenderableType:
    """Draw the scores of all players by box, and what each open box would score now."""
    rows = list(table.game.part("card")(table.rules))
    written = [_written(table, seat) for seat in range(table.players)]
    scores = table.game.part("scores")
    now: dict[int, str] = {}
    for action in table.actions.values():
        if action != CHANCE and (gained := list(scores(table.rules, table.state, action))):
            now[int(gained[0][0])] = " + ".join(str(points) for _, points in gained)
    grid = Grid("", *names, "now", box=box.SIMPLE_HEAD)
    for column in grid.columns[1:]:
        column.justify = "right"
    for part in dict.fromkeys(part for _, part in rows):
        members = [row for row, (_, its_part) in enumerate(rows) if its_part == part]
        for row in members:
            grid.add_row(rows[row][0], *(str(each[row]) if row in each else "" for each in written), now.get(row, ""))
        sums = [str(sum(each[row] for row in members)) for each in written]
        grid.add_row(f"{part}: sum", *sums, style="bold", end_section=True)
    grid.add_row("total", *(str(each.total()) for each in written), style="bold")
    return grid


def _written(table: Table, seat: int) -> Counter[int]:
    """Return the points that a seat has written in each row of its card."""
    written: Counter[int] = Counter()
    again = Table(table.game, table.rules, initial_state=table.initial_state)
    for entry in table.log:
        if entry.kind == "action" and entry.seat == seat:
            for row, points in table.game.part("scores")(table.rules, again.state, again.actions[entry.label]):
                written[int(row)] += int(points)
        again.enter(entry.label)
    return written
