"""Plot of a position of a board game, with the value of each move on its square."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from komi.errors import InputError
from komi.files import write_atomically
from komi.plotting import formats
from komi.solvers.tablebase.tablebase import PositionValue, Tablebase
from komi.typing import State

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = {"red": "#d7301f", "orange": "#fd9a2b", "green": "#31a354"}
TINTS = ("#efece6", "#d5dee8")  # ordinary squares, and squares of a distinguished part of the board
INK = {"win": "#0b4f9c", "draw": "#555555", "loss": "#86205f"}
INCHES = 1.1  # side length of a square

Square = tuple[int, int]


def save(tablebase: Tablebase, state: State, file: Path) -> None:
    """Draw the position into a png or svg file.

    Raises:
        InputError: for another file type, or if the game does not define `board`.
        StorageError: if the file cannot be written.
    """
    if formats.format_of(file) not in formats.IMAGES:
        raise InputError(f"boards are drawn as {' or '.join(formats.IMAGES)}: {file.name!r} is neither.")
    metadata: dict[str, Any] = {"Date": None} if file.suffix == ".svg" else {}
    figure = draw(tablebase, state)
    write_atomically(file, lambda draft: figure.savefig(draft, dpi=150, bbox_inches="tight", metadata=metadata))


def draw(tablebase: Tablebase, state: State) -> "Figure":
    """Draw the position with the value and plies of the best move on each square; list moves without a square below it.

    Raises:
        InputError: if the game does not define `board`.
    """
    game, rules = tablebase.game, tablebase.rules
    if not game.has("board"):
        raise InputError(f"{game.name} does not define 'board': there is no board to draw.")
    squares = list(game.part("board")(rules, state))
    values, others = _by_square(tablebase, state)
    figure = draw_board(squares, _heading(tablebase, state), _listed(others))
    for row, column, *_ in squares:
        if (row, column) in values:
            _draw_value(figure.axes[0], row, column, values[row, column])
    return figure


def draw_board(squares: Sequence[tuple[int, int, str, int]], above: str, below: str) -> "Figure":
    """Draw the squares of a board, with a text above and one below.

    Args:
        squares: (row, column, content, tint) of each square.
        above, below: the texts.
    """
    from matplotlib.figure import Figure

    rows, columns = [square[0] for square in squares], [square[1] for square in squares]
    height, width = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
    figure = Figure(figsize=(INCHES * width, INCHES * height))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    draw_squares(axes, squares)
    middle = (min(columns) + max(columns) + 1) / 2
    axes.text(middle, min(rows) - 0.12, above, ha="center", va="bottom", fontsize=11)
    axes.text(middle, max(rows) + 1.12, below, ha="center", va="top", fontsize=9)
    return figure


def draw_squares(axes: "Axes", squares: Sequence[tuple[int, int, str, int]]) -> None:
    """Draw the squares of a board, each (row, column, content, tint)."""
    rows, columns = [square[0] for square in squares], [square[1] for square in squares]
    axes.set(xlim=(min(columns), max(columns) + 1), ylim=(max(rows) + 1, min(rows)), aspect="equal")
    axes.axis("off")
    for row, column, piece, tint in squares:
        _draw_square(axes, row, column, piece, tint)


def _by_square(tablebase: Tablebase, state: State) -> tuple[dict[Square, PositionValue], dict[str, PositionValue]]:
    """Return the value of the best action on each square, and by label the values of actions without a square."""
    game, rules = tablebase.game, tablebase.rules
    values: dict[Square, PositionValue] = {}
    others: dict[str, PositionValue] = {}
    for label, value in tablebase.actions(state).items():  # best first
        action = game.labels(rules, state)[label]
        square = game.part("square")(rules, state, action) if game.has("square") else None
        if square is None:
            others[label] = value
        else:
            values.setdefault(square, value)
    return values, others


def _draw_square(axes: "Axes", row: int, column: int, piece: str, tint: int) -> None:
    from matplotlib.patches import Circle, Rectangle

    axes.add_patch(Rectangle((column + 0.02, row + 0.02), 0.96, 0.96, color=TINTS[tint % len(TINTS)], linewidth=0))
    if piece in COLOURS:
        axes.add_patch(Circle((column + 0.5, row + 0.5), 0.4, color=COLOURS[piece], linewidth=0))
    elif piece:
        axes.text(column + 0.5, row + 0.5, piece, ha="center", va="center", fontsize=24)


def _draw_value(axes: "Axes", row: int, column: int, value: PositionValue) -> None:
    plate = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": INK[value.value], "linewidth": 1.2}
    axes.text(
        column + 0.5,
        row + 0.5,
        _short(value),
        ha="center",
        va="center",
        fontsize=10,
        fontweight="bold" if value.value == "win" else "normal",
        color=INK[value.value],
        bbox=plate,
    )


def _short(value: PositionValue) -> str:
    return value.value if value.plies is None else f"{value.value} {value.plies}"


def _heading(tablebase: Tablebase, state: State) -> str:
    written = tablebase.game.write(tablebase.rules, state)
    if tablebase.game.part("over")(tablebase.rules, state):
        return f"{written}\nthe game is over"
    value = tablebase.position_value(state)
    ending = "draws" if value.plies is None else f"{'wins' if value.value == 'win' else 'loses'} in {value.plies}"
    return f"{written}\nthe player to move {ending}"


def _listed(actions: dict[str, PositionValue]) -> str:
    groups = groupby(actions, key=lambda label: _short(actions[label]))
    return "\n".join(f"{value}: {', '.join(labels)}" for value, labels in groups)
