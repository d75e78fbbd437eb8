"""Drawings of dice, score cards, and pieces beside a board in the terminal."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence

from rich import box
from rich.columns import Columns
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from komi.game import CHANCE
from komi.play.table import Table
from komi.typing import State

PIPS = "◌⚀⚁⚂⚃⚄⚅"  # of a die, by its face
MARKED, UNMARKED = "▲", "△"  # two-sided dice
PIECES = {"white": "○", "black": "●"}


def dice(table: Table, state: State) -> Text:
    """Draw the dice on the table, each as a picture and its number."""
    faces = list(table.game.part("faces")(table.rules, state))
    text = Text("  ".join(f"{PIPS[face]} {face or ' '}".rstrip() for face in faces), "bold")
    hidden = faces.count(0)
    return text if hidden in (0, len(faces)) else text.append("   (◌: no matter, or to be rolled)", "dim")


def cards(table: Table, state: State, names: Sequence[str]) -> Iterator[RenderableType]:
    """Yield the score card, or the cards of all players, each under the player's name."""
    if table.players == 1:
        yield _card(table, 0, set(table.game.part("filled")(table.rules, state)))
        return
    for seat, name in enumerate(names):
        yield Text(f"{name}, to move" if seat == table.mover else name, "bold")
        yield _card(table, seat, {scores[0][0] for scores in _scored(table, seat)})


def _card(table: Table, seat: int, filled: Container[int]) -> RenderableType:
    """Draw the parts of a card side by side: the scores written, and for the mover those of each open box."""
    rows = list(table.game.part("card")(table.rules))
    written: Counter[int] = Counter()
    for scores in _scored(table, seat):
        for row, points in scores:
            written[row] += points
    is_mover = table.players == 1 or seat == table.mover
    open_boxes = _would_score(table) if is_mover else {}
    parts = list(dict.fromkeys(part for _, part in rows))
    grids = []
    for part in parts:
        grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1))
        grid.add_column(part)
        grid.add_column("scored", justify="right")
        if is_mover:
            grid.add_column("now", justify="right", style="dim")
        for row, (name, its_part) in enumerate(rows):
            if its_part == part:
                now = "" if row in filled else open_boxes.get(row, "")
                grid.add_row(name, str(written[row]) if row in written else "", *[now] * is_mover)
        if len(parts) > 1:
            its_sum = sum(points for row, points in written.items() if rows[row][1] == part)
            grid.add_row("sum", str(its_sum), style="bold")
        grids.append(grid)
    return Columns([*grids, Text(f"\ntotal {sum(written.values())}", "bold")])


def beside(table: Table, state: State, names: Sequence[str]) -> Text:
    """Draw the pieces beside the board, and the dice that were thrown."""
    mover = table.mover or 0
    text = Text()
    for colour, name in (("white", names[mover]), ("black", names[1 - mover])):
        groups = [group for group in table.game.part("beside")(table.rules, state) if group[1] == colour]
        text.append(f"{name} {PIECES[colour]}: ", "bold")
        text.append(", ".join(f"{number} {doing}" for doing, _, number in groups) + "\n")
    thrown = table.game.part("throw")(table.rules, state) if table.game.has("throw") else None
    if thrown is not None:
        marked, number = thrown
        text.append(f"Throw: {MARKED * marked}{UNMARKED * (number - marked)}\n")
    text.rstrip()
    return text


def kept_by(table: Table) -> dict[str, tuple[int, ...]]:
    """Return the labels of the actions that keep or set aside dice, with the faces of these dice."""
    if not table.game.has("keeps"):
        return {}
    keeps = table.game.part("keeps")
    kept = {label: keeps(table.rules, table.state, action) for label, action in table.actions.items()}
    return {label: faces for label, faces in kept.items() if faces is not None}


def _scored(table: Table, seat: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the (row, points) pairs that each scoring action of a seat has written, in order."""
    again = Table(table.game, table.rules, initial_state=table.initial_state)
    for entry in table.log:
        if entry.kind == "action" and entry.seat == seat:
            scores = table.game.part("scores")(table.rules, again.state, again.actions[entry.label])
            if written := [(int(row), int(points)) for row, points in scores]:
                yield written
        again.enter(entry.label)


def _would_score(table: Table) -> dict[int, str]:
    """Return the score that each open box would get now, bonuses included, by row of the card."""
    points: dict[int, str] = {}
    for action in table.actions.values():
        if action == CHANCE:
            continue
        scores = list(table.game.part("scores")(table.rules, table.state, action))
        if scores:
            points[int(scores[0][0])] = " + ".join(str(each) for _, each in scores)
    return points
