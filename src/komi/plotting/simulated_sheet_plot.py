"""Cheat sheet of a strategy that was evaluated by simulation."""

from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from komi.plotting.formats import DARK, GREY, PALETTE
from komi.plotting.front_plot import SimulatedUnit, show_simulated_front
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
from komi.teaching.simulated.teach_by_simulation import SimulatedTeachingResult

FAIR_SHARE = "a fair share"
OWN_LABEL = "this sheet"


def draw_simulated_cheat_sheet(result: SimulatedTeachingResult, file: Path) -> None:
    """Write the cheat sheet of a result as png, pdf or html."""
    with matplotlib.rc_context(SHEET_STYLE):
        figure = _sheet(result)
    save_sheet(figure, result.game, file)


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
    show_simulated_front(front, result)
    unit = SimulatedUnit.of(result)
    front.set_title(f"{unit.name} by number of numbers to remember", fontsize=9.5, color=DARK)
    what = "of games won" if result.scale.is_chance else unit.name
    facts = [(unit.format(result.average.mean), f"{what}; {FAIR_SHARE} is {unit.format(result.fair_share)}")]
    facts += [
        (unit.format(won.mean), f"{what} against {name}")
        for name, won in zip(result.rivals, result.against, strict=True)
    ]
    write_facts(figure, facts, min(middle + 0.03, RIGHT), top - 0.045)


def _show_rivals(axes: Axes, result: SimulatedTeachingResult) -> None:
    """Draw the win rates of the strategy and of each rival in its place."""
    names = [OWN_LABEL, *result.rivals]
    unit = SimulatedUnit.of(result)
    means = [each.mean for each in (result.average, *result.in_its_place)]
    axes.barh(names, means, color=[PALETTE[0], *[GREY] * len(result.rivals)], height=0.62)
    for row, mean in enumerate(means):
        text = axes.annotate(
            unit.format(mean), (max(mean, 0.0), row), xytext=(5, 0), textcoords="offset points", va="center"
        )
        text.set(fontsize=9, bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.5})
    axes.axvline(result.fair_share, color=DARK, lw=0.9, ls=":", zorder=0)
    axes.invert_yaxis()
    lowest, highest = min(*means, 0.0), max(*means, result.fair_share)
    axes.set_xlim(lowest, highest + 0.25 * (highest - lowest))
    axes.set_xticks([])
    axes.tick_params(left=False)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"{unit.name} in its place (dotted: {FAIR_SHARE})", fontsize=9.5, color=DARK)
