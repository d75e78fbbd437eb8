"""Cheat sheet of a strategy that was measured by simulation, and a plot of its Pareto front."""

from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from komi.files import write_atomically
from komi.plotting.formats import DARK, GREY, PALETTE
from komi.plotting.image_plots import STYLE, save
from komi.plotting.sheet_layout import (
    LEFT,
    PAPER,
    RIGHT,
    SHEET_STYLE,
    begin_sheet,
    heading,
    save_sheet,
    write_facts,
    write_foot,
    write_legend,
    write_sentences,
)
from komi.rules import vocabulary
from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult

FAIR = "a fair share"
OWN = "this sheet"


def draw_simulated_cheat_sheet(result: SimulatedTeachingResult, file: Path) -> None:
    """Write the cheat sheet of a result as png, pdf or html."""
    with matplotlib.rc_context(SHEET_STYLE):
        figure = _sheet(result)
    save_sheet(figure, result.game, file)


def draw_simulated_front(result: SimulatedTeachingResult, file: Path) -> None:
    """Draw the Pareto front of a result as png or svg."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.0, 4.8), layout="constrained")
        axes = figure.add_subplot()
        _show_front(axes, result)
        axes.set_title(f"{vocabulary.title(result.game)}: games won by number of numbers to remember")
    write_atomically(file, lambda draft: save(figure, draft))


def _sheet(result: SimulatedTeachingResult) -> Figure:
    figure = begin_sheet(result.game, result.rules, result.numbers)
    words = set(" ".join(result.strategy).replace(",", " ").split())
    fields = [field for field in result.game.fields(result.rules) if field in words]
    top = write_sentences(figure, result.strategy, 0.868)
    top = write_legend(figure, result.game, fields, top - 0.014)
    _show_strength(figure, result, top - 0.04)
    write_foot(
        figure, f"Measured by komi in {result.deals:,} deals, each played against every rival and in every seat."
    )
    return figure


def _show_strength(figure: Figure, result: SimulatedTeachingResult, top: float) -> None:
    """Draw win rates on the left, the Pareto front below them, and the value of the strategy on the right."""
    heading(figure, "Strength", top)
    middle, bottom = 0.585, 0.09
    height = (top - 0.05 - bottom - 0.09) / 2
    width = middle - LEFT - 0.085
    bars = figure.add_axes((LEFT + 0.09, bottom + height + 0.09, width - 0.035, height))
    _show_rivals(bars, result)
    front = figure.add_axes((LEFT + 0.055, bottom, width, height))
    _show_front(front, result)
    front.set_title("games won by number of numbers to remember", fontsize=9.5, color=DARK)
    facts = [(f"{100 * result.average.mean:.1f} %", f"of games won; {FAIR} is {100 / len(result.wins):.1f} %")]
    facts += [
        (f"{100 * won.mean:.1f} %", f"of games won against {name}")
        for name, won in zip(result.rivals, result.against, strict=True)
    ]
    write_facts(figure, facts, min(middle + 0.03, RIGHT), top - 0.045)


def _show_rivals(axes: Any, result: SimulatedTeachingResult) -> None:
    """Draw the win rates of the strategy and of each rival in its place."""
    names = [OWN, *result.rivals]
    wins = [100 * each.mean for each in (result.average, *result.in_its_place)]
    axes.barh(names, wins, color=[PALETTE[0], *[GREY] * len(result.rivals)], height=0.62)
    for place, won in enumerate(wins):
        text = axes.annotate(f"{won:.1f} %", (won, place), xytext=(5, 0), textcoords="offset points", va="center")
        text.set(fontsize=9, bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.5})
    axes.axvline(100 / len(result.wins), color=DARK, lw=0.9, ls=":", zorder=0)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.25 * max(wins))
    axes.set_xticks([])
    axes.tick_params(left=False)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"games won in its place (dotted: {FAIR})", fontsize=9.5, color=DARK)


def _show_front(axes: Any, result: SimulatedTeachingResult) -> None:
    """Draw the Pareto front as a step function with standard errors."""
    numbers = [point.numbers for point in result.front]
    wins = [100 * point.average.mean for point in result.front]
    errors = [100 * point.average.stderr for point in result.front]
    axes.step([*numbers, numbers[-1] + 0.5], [*wins, wins[-1]], where="post", color=PALETTE[0], lw=1.6)
    axes.errorbar(numbers, wins, errors, fmt="o", ms=6.5, color=PALETTE[0], capsize=3, zorder=3)
    for number, won in zip(numbers, wins, strict=True):
        axes.annotate(
            f"{won:.1f} %", (number, won), xytext=(6, -14), textcoords="offset points", color=DARK, fontsize=9
        )
    spread = max(wins) - min(wins) or 1.0
    axes.set_ylim(min(wins) - 0.35 * spread, max(wins) + 0.25 * spread)
    axes.set_xlim(numbers[0] - 0.5, numbers[-1] + 0.7)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %" if value >= 0.0 else ""))
    axes.grid(axis="y", color=GREY, lw=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("numbers to remember")
    axes.set_ylabel("games won")
