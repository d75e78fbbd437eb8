"""Pareto fronts of strategies: the loss, or the games won, by the number of numbers to remember."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from matplotlib.transforms import Bbox

from komi.files import write_atomically
from komi.game import Game
from komi.plotting.formats import DARK, GREY, PALETTE
from komi.plotting.image_plots import STYLE, save
from komi.rules import vocabulary
from komi.rules.kind import Kind, kind_of
from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult
from komi.teaching.teach import TeachingResult

MIN_LOSS = 1e-5  # smaller losses are drawn at this value, times the greatest if that is more than 1


def draw_front(result: TeachingResult, file: Path) -> None:
    """Draw the Pareto front of exact losses as png or svg."""
    _save_front(result.game, "loss", lambda axes: show_front(axes, result), file)


def draw_simulated_front(result: SimulatedTeachingResult, file: Path) -> None:
    """Draw the Pareto front of simulated win rates as png or svg."""
    _save_front(result.game, "games won", lambda axes: show_simulated_front(axes, result), file)


def show_front(axes: Axes, result: TeachingResult) -> None:
    """Draw the front as a step function, each point labelled with its loss."""
    numbers = [point.numbers for point in result.front]
    kind = kind_of(result.game, result.rules)
    unit, scale = ("", 1.0) if kind.rewards else (" %", 100.0)
    least = scale * MIN_LOSS * max(1.0, result.front[0].loss)
    losses = [max(scale * point.loss, least) for point in result.front]
    _draw_steps(axes, numbers, losses, [f"{loss:.3g}" if kind.rewards else f"{loss:.2f} %" for loss in losses], (6, 7))
    axes.scatter(numbers, losses, s=46, color=PALETTE[0], zorder=3)
    axes.set_yscale("log")
    axes.set_ylim(min(losses) / 1.6, max(losses) * 1.8)
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}{unit}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel(loss_label(result.strength.objective, kind))
    _thin_out(axes)


def show_simulated_front(axes: Axes, result: SimulatedTeachingResult) -> None:
    """Draw the front as a step function with standard errors."""
    numbers = [point.numbers for point in result.front]
    wins = [100 * point.average.mean for point in result.front]
    errors = [100 * point.average.stderr for point in result.front]
    _draw_steps(axes, numbers, wins, [f"{won:.1f} %" for won in wins], (6, -14))
    axes.errorbar(numbers, wins, errors, fmt="o", ms=6.5, color=PALETTE[0], capsize=3, zorder=3)
    spread = max(wins) - min(wins) or 1.0
    axes.set_ylim(min(wins) - 0.35 * spread, max(wins) + 0.25 * spread)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %" if value >= 0.0 else ""))
    axes.set_ylabel("games won")
    _thin_out(axes)


def _thin_out(axes: Axes) -> None:
    """Remove the label of each point that would overlap that of a better one."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    kept: list[Bbox] = []
    for text in reversed(list(axes.texts)):
        box = text.get_window_extent(renderer)
        if any(box.overlaps(other) for other in kept):
            text.remove()
        else:
            kept.append(box)


def loss_label(objective: str, kind: Kind) -> str:
    """Name the quantity that losses are measured in."""
    return f"loss in {objective}" if kind.seats == 1 else "loss in probability of winning"


def _save_front(game: Game, what: str, show: Callable[[Any], None], file: Path) -> None:
    """Write a front to a file of its own."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.0, 4.8), layout="constrained")
        axes = figure.add_subplot()
        show(axes)
        axes.set_title(f"{vocabulary.title(game)}: {what} by number of numbers to remember")
    write_atomically(file, lambda draft: save(figure, draft))


def _draw_steps(
    axes: Axes, numbers: Sequence[int], values: Sequence[float], labels: Sequence[str], offset: tuple[int, int]
) -> None:
    """Draw a front as a step function with a label at each point."""
    axes.step([*numbers, numbers[-1] + 0.5], [*values, values[-1]], where="post", color=PALETTE[0], lw=1.6)
    for number, value, label in zip(numbers, values, labels, strict=True):
        axes.annotate(label, (number, value), xytext=offset, textcoords="offset points", color=DARK, fontsize=9)
    axes.set_xlim(numbers[0] - 0.5, numbers[-1] + 0.7)
    axes.set_xticks(range(numbers[0], numbers[-1] + 1))
    axes.grid(axis="y", color=GREY, lw=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("numbers to remember")
