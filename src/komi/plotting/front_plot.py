"""Pareto front of strategies: the count of numbers to remember against the loss."""

from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from komi.files import write_atomically
from komi.plotting.formats import DARK, GREY, PALETTE
from komi.plotting.image_plots import STYLE, save
from komi.rules import vocabulary
from komi.teaching.teach import TeachingResult

LEAST = 0.001  # per cent; smaller losses are drawn at this value


def draw_front(result: TeachingResult, file: Path) -> None:
    """Draw the Pareto front of a result as png or svg."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.0, 4.8), layout="constrained")
        axes = figure.add_subplot()
        show_front(axes, result)
        axes.set_title(f"{vocabulary.title(result.game)}: loss by number of numbers to remember")
    write_atomically(file, lambda draft: save(figure, draft))


def show_front(axes: Any, result: TeachingResult) -> None:
    """Draw the Pareto front as a step function, each point labelled with its loss."""
    numbers = [point.numbers for point in result.front]
    losses = [max(100 * point.loss, LEAST) for point in result.front]
    axes.step([*numbers, numbers[-1] + 0.5], [*losses, losses[-1]], where="post", color=PALETTE[0], lw=1.6)
    axes.scatter(numbers, losses, s=46, color=PALETTE[0], zorder=3)
    for number, loss in zip(numbers, losses, strict=True):
        axes.annotate(
            f"{loss:.2f} %", (number, loss), xytext=(6, 7), textcoords="offset points", color=DARK, fontsize=9
        )
    axes.set_yscale("log")
    axes.set_ylim(min(losses) / 1.6, max(losses) * 1.8)
    axes.set_xlim(numbers[0] - 0.5, numbers[-1] + 0.7)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="y", color=GREY, lw=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("numbers to remember")
    axes.set_ylabel("loss in probability of winning")
