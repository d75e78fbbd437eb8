"""Plot of a position of a board game, with the value of each move on its square."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from komi.errors import InputError
from komi.plotting import formats
from komi.plotting.formats import DARK
from komi.solvers.mixed_solution import MixedSolution
from komi.solvers.solution import ActionValue, Solution
from komi.typing import State

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = {"red": "#d7301f", "orange": "#fd9a2b", "green": "#31a354"}
TINTS = ("#efece6", "#d5dee8")  # ordinary squares, and squares of a distinguished part of the board
INK = {"win": "#0b4f9c", "draw": "#555555", "loss": "#86205f"}
BEST, OTHER = INK["win"], INK["draw"]  # where values are no wins and losses
INCHES = 1.1  # side length of a square
LINE = 0.17  # height of a line of text in inches
MAX_WALK = 400  # states of a game that is drawn on one board
MIN_WIDTH = 3.3  # of a figure in inches, so that its heading fits

Square = tuple[int, int]


def save(solution: Solution[Any], state: State, file: Path) -> None:
    """Draw the position into a png, svg, pdf or html file.

    Raises:
        InputError: for another file type, or if the game does not define `board`.
        StorageError: if the file cannot be written.
    """
    formats.format_of(file)
    from komi.plotting import image_plots

    image_plots.write(draw(solution, state), file)


def draw(solution: Solution[Any], state: State) -> "Figure":
    """Draw the position with the value of the best move on each square; list moves without a square below it.

    A value is a win, draw or loss and the plies to the end; in games of chance a number, in games in which optimal play
    mixes moves the probability of the move.

    Raises:
        InputError: if the game does not define `board`.
    """
    game, rules = solution.game, solution.rules
    if not game.has("board"):
        raise InputError(f"{game.name} does not define 'board': there is no board to draw.")
    squares = list(game.part("board")(rules, state))
    values = _move_values(solution, state)
    on_squares: dict[Square, str] = {}
    others = []
    for label in values:  # best first
        square = game.part("square")(rules, state, game.labels(rules, state)[label]) if game.has("square") else None
        if square is None:
            others.append(label)
        else:
            on_squares.setdefault(square, label)
    groups = groupby(others, key=lambda label: values[label][0])
    listed = "\n".join(f"{value}: {', '.join(labels)}" for value, labels in groups)
    figure = draw_board(squares, _heading(solution, state), listed)
    for row, column, piece, _ in squares:
        if (row, column) in on_squares:
            below = 0.0 if piece in ("", *COLOURS) else 0.32  # a text
            _draw_value(figure.axes[0], row + below, column, *values[on_squares[row, column]])
    return figure


def draw_walk(solution: Solution[Any]) -> "Figure | None":
    """Draw a board on which one token walks, with the best action and the value on each square.

    Return None for another game: if states differ in more than one square, or if several have the token on one.
    """
    game, rules, states = solution.game, solution.rules, solution.all_states
    if not 1 < states.size <= MAX_WALK:
        return None
    choices = [game.module.State(*states.fields(index)) for index in range(states.size)]
    boards = [{square[:2]: square for square in game.part("board")(rules, state)} for state in choices]
    common = {place: Counter(board.get(place) for board in boards).most_common(1)[0][0] for place in boards[0]}
    moved = [[place for place in common if board.get(place) != common[place]] for board in boards]
    tokens = {places[0]: state for places, state in zip(moved, choices, strict=True) if len(places) == 1}
    if len(tokens) < len(choices) or isinstance(solution, MixedSolution):
        return None
    figure = draw_board([square for square in common.values() if square], _heading(solution, solution.read(None)), "")
    for (row, column), state in tokens.items():
        best = next(iter(_move_values(solution, state).items()), None)
        if best:
            _draw_value(figure.axes[0], row, column, f"{best[0]}\n{best[1][0]}", BEST)
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
    lines = above.count("\n") + 2 + (below.count("\n") + 2 if below else 0)
    size = (max(INCHES * width, MIN_WIDTH), INCHES * height + LINE * lines)
    figure = Figure(figsize=size, layout="constrained")
    draw_squares(figure.add_subplot(), squares)
    figure.suptitle(above, fontsize=11, color=DARK)
    if below:
        figure.supxlabel(below, fontsize=9, color=DARK)
    return figure


def draw_squares(axes: "Axes", squares: Sequence[tuple[int, int, str, int]]) -> None:
    """Draw the squares of a board, each (row, column, content, tint)."""
    rows, columns = [square[0] for square in squares], [square[1] for square in squares]
    axes.set(xlim=(min(columns), max(columns) + 1), ylim=(max(rows) + 1, min(rows)), aspect="equal")
    axes.axis("off")
    for row, column, piece, tint in squares:
        _draw_square(axes, row, column, piece, tint)


def _move_values(solution: Solution[Any], state: State) -> dict[str, tuple[str, str]]:
    """Return the value of each move as text, and its colour, best first."""
    if solution.game.part("over")(solution.rules, state):
        return {}
    if isinstance(solution, MixedSolution):
        mixed = sorted(solution.mixed(state).items(), key=lambda pair: -pair[1])
        return {label: (f"{100 * share:.0f} %", BEST if share == mixed[0][1] else OTHER) for label, share in mixed}
    moves = solution.action_values(state)
    return {
        move.label: (_short(solution, move), INK[move.result] if move.result else BEST if move == moves[0] else OTHER)
        for move in moves
    }


def _short(solution: Solution[Any], move: ActionValue) -> str:
    if move.result:
        return move.result if move.plies is None else f"{move.result} {move.plies}"
    return f"{100 * move.value:.1f} %" if solution.kind.is_chance else f"{move.value:.3g}"


def _draw_square(axes: "Axes", row: int, column: int, piece: str, tint: int) -> None:
    from matplotlib.patches import Circle, Rectangle

    axes.add_patch(Rectangle((column + 0.02, row + 0.02), 0.96, 0.96, color=TINTS[tint % len(TINTS)], linewidth=0))
    if piece in COLOURS:
        axes.add_patch(Circle((column + 0.5, row + 0.5), 0.4, color=COLOURS[piece], linewidth=0))
    elif piece:
        size = 24 if len(piece) < 4 else 72 / len(piece)
        axes.text(column + 0.5, row + 0.5, piece, ha="center", va="center", fontsize=size)


def _draw_value(axes: "Axes", row: float, column: int, text: str, ink: str) -> None:
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    plate = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": ink, "linewidth": 1.2}
    weight = "bold" if ink == BEST else "normal"
    axes.text(column + 0.5, row + 0.5, text, fontsize=10, fontweight=weight, color=ink, bbox=plate, **middle)


def _heading(solution: Solution[Any], state: State) -> str:
    written = solution.game.write(solution.rules, state)
    if solution.game.part("over")(solution.rules, state):
        return f"{written}\nthe game is over"
    moves = solution.action_values(state)
    if not moves or not moves[0].result:
        value = solution.expected_value(state)
        shown = f"{100 * value:.2f} %" if solution.kind.is_chance else f"{value:.4g}"
        return f"{written}\n{solution.objective}: {shown}"
    best = moves[0]
    ending = "draws" if best.plies is None else f"{'wins' if best.result == 'win' else 'loses'} in {best.plies}"
    return f"{written}\nthe player to move {ending}"
