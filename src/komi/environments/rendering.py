"""Games of a batch as text and as pictures."""

from typing import Any

import numpy as np

from komi.arrays import U8
from komi.environments.batch import GameBatch
from komi.environments.rows import ALL_SEATS
from komi.errors import InputError
from komi.rules.table_items import Item, items_or_fields, table_lines

INCHES, DPI = 4.0, 80  # side of a picture: 320 pixels


RENDER_MODES = ("ansi", "rgb_array", "human")


def check_render_mode(mode: str | None) -> None:
    """Check that a render mode is one of `RENDER_MODES`, or None.

    Raises:
        InputError: if it is not.
    """
    if mode not in (None, *RENDER_MODES):
        raise InputError(f"the render mode must be ansi, rgb_array or human, not {mode!r}.")


def render(batch: GameBatch, mode: str | None) -> str | U8 | None:
    """Render the first game: as a picture in the mode "rgb_array", otherwise as text, which "human" prints."""
    if mode == "rgb_array":
        return picture(batch, 0)
    if mode == "human":
        print(text(batch, 0))
        return None
    return text(batch, 0)


def text(batch: GameBatch, row: int) -> str:
    """Return the observation and the legal actions as text: one line, or a line for each part of the table."""
    shown = dict(zip(batch.fields, batch.observations[row].tolist(), strict=True))
    if batch.game.has("table"):
        words = "\n".join(table_lines(*_on_table(batch, row), batch.labels(row)))
    else:
        words = batch.game.write(batch.rules, batch.seen(row)) if batch.game.has("write") else _listed(shown)
    if batch.episodes.over[row]:
        payoffs = ", ".join(f"{reward:g}" for reward in batch.rewards[row])
        return f"{words} | over: {payoffs}"
    mover = f"seat {batch.episodes.movers[row]} | " if batch.seat == ALL_SEATS else ""
    return f"{words} | {mover}{', '.join(batch.labels(row).values())}"


def picture(batch: GameBatch, row: int) -> U8:
    """Draw the observation as uint8[height, width, 3]: the board, or else the table or the fields of the state.

    Raises:
        InputError: if matplotlib is missing.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("pictures need matplotlib: pip install 'komi[plot]'.") from None
    from komi.plotting.positions import draw_squares
    from komi.plotting.table_plot import draw_items

    figure = Figure(figsize=(INCHES, INCHES), dpi=DPI)
    game = batch.game
    if game.has("board"):
        draw_squares(figure.add_axes((0.05, 0.12, 0.9, 0.85)), list(game.part("board")(batch.rules, batch.seen(row))))
        figure.text(0.5, 0.05, text(batch, row), ha="center", va="center", fontsize=9, wrap=True)
    else:
        draw_items(figure, (0.05, 0.05, 0.9, 0.9), *_on_table(batch, row))
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def _on_table(batch: GameBatch, row: int) -> tuple[list[Item], list[str]]:
    """Return the items on the table that the agent observes, or all if the game is over, and the names of the seats."""
    state = batch.state(row) if batch.episodes.over[row] else batch.seen(row)
    names = [f"seat {(batch.episodes.movers[row] + seats) % batch.seats}" for seats in range(batch.seats)]
    return items_or_fields(batch.game, batch.rules, state), names


def _listed(shown: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in shown.items())
