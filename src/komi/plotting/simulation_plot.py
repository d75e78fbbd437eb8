"""Plots of a simulation: legal moves, lengths, wins, and win rates by deal if these were recorded."""

from collections.abc import Sequence
from html import escape
from math import ceil
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray

from komi.files import write_atomically
from komi.plotting import image_plots
from komi.plotting.formats import DARK, GREY, PALETTE
from komi.policies.policy import distinct_names
from komi.simulation.result import ShareEstimate, Simulation

BINS = 50  # maximum number of bins of win rates by deal


def figure(simulation: Simulation) -> Figure:
    """Draw all plots of a simulation in one figure."""
    panels = [_draw_moves, _draw_turns, _draw_wins]
    if len(simulation.deal_rates) and simulation.scale.is_chance:
        panels.append(_draw_deals)
    with matplotlib.rc_context(image_plots.STYLE):
        sheet = Figure(figsize=(11, 8.2 if len(panels) > 3 else 4.4), layout="constrained")
        sheet.suptitle(f"{simulation.game.summary}\n{simulation.games:,} games simulated", fontsize=11)
        rows = 2 if len(panels) > 3 else 1
        grid = sheet.subplots(rows, (len(panels) + rows - 1) // rows, squeeze=False)
        for draw, axes in zip(panels, grid.flat, strict=False):
            draw(axes, simulation)
            axes.grid(visible=True, color=GREY, lw=0.6)
            axes.set_axisbelow(True)
    return sheet


def save(simulation: Simulation, file: Path) -> None:
    """Write the figure to a file: png, svg, pdf, or html as a complete page.

    Raises:
        StorageError: if it cannot be written.
    """
    if file.suffix == ".html":
        title = escape(simulation.game.summary)
        drawing = image_plots.drawing(figure(simulation))
        page = f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>{drawing}</html>"
        write_atomically(file, lambda draft: draft.write_text(page, encoding="utf-8"))
    else:
        write_atomically(file, lambda draft: image_plots.save(figure(simulation), draft))


def _draw_moves(axes: Axes, simulation: Simulation) -> None:
    """Draw the fraction of decisions with at least each number of legal moves."""
    _draw_shares(axes, simulation.moves_at_least[1:], 1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("legal moves, at least")
    axes.set_ylabel("decisions")
    axes.set_title(f"Choices: {simulation.mean_moves:.1f} on average")


def _draw_turns(axes: Axes, simulation: Simulation) -> None:
    """Draw the fractions of games that end on each turn and that are still running."""
    turns = list(simulation.turns_histogram)
    ends = np.array(list(simulation.turns_histogram.values())) / simulation.games
    axes.bar(turns, ends, 0.8, color=PALETTE[4], label="end on this turn")
    _draw_shares(axes, simulation.still_running, 0, "still running")
    axes.set_xlabel("turns")
    axes.set_ylabel("games")
    axes.set_title(f"Length: {simulation.turns.mean:.1f} turns on average")
    axes.legend(frameon=False)


def _draw_shares(axes: Axes, shares: Sequence[ShareEstimate], first: int, label: str | None = None) -> None:
    thresholds = np.arange(first, first + len(shares))
    means = [share.mean for share in shares]
    lows, highs = np.array([share.interval for share in shares]).reshape(-1, 2).T
    axes.plot(thresholds, means, color=DARK, lw=1.4, label=label)
    axes.fill_between(thresholds, lows, highs, color=DARK, alpha=0.25, lw=0)
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))


def _draw_wins(axes: Axes, simulation: Simulation) -> None:
    """Draw the win rate of each seat, or its mean payoff in a game with a `payoff_range`."""
    scale = simulation.scale
    seats = np.arange(1, len(simulation.payoffs) + 1)
    means = np.array([seat.mean for seat in simulation.payoffs])
    intervals = np.array([seat.interval or (seat.mean, seat.mean) for seat in simulation.payoffs]).T
    colours = [PALETTE[seat % len(PALETTE)] for seat in range(len(seats))]
    axes.bar(seats, means, 0.7, yerr=np.abs(intervals - means), color=colours, ecolor=DARK, capsize=3)
    axes.axhline(scale.payoff(1 / len(seats)), color=DARK, lw=0.8, ls="--")
    names = [f"{seat}\n{name}" for seat, name in zip(seats, distinct_names(simulation.policies), strict=True)]
    axes.set_xticks(seats, names)
    axes.set_xlabel("seat, the first to move first")
    if scale.is_chance:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.set_title("Wins (dashed: a fair share)")
    else:
        axes.set_title(f"{scale.unit.capitalize()} (dashed: a fair game)")


def _edges(per_deal: int) -> NDArray[np.float64]:
    """Compute bin edges that no possible rate falls on: each bin holds an odd number of rates, one at its centre."""
    wide = 1 + 2 * ceil((per_deal / (BINS - 1) - 1) / 2)
    bins = ceil(per_deal / wide + 0.5)
    return wide * (np.arange(bins + 1) - 0.5) / per_deal


def _draw_deals(axes: Axes, simulation: Simulation) -> None:
    """Draw histograms of the win rate in a deal, by seat."""
    edges = _edges(simulation.tally.per_deal)
    for seat, rates in enumerate(simulation.deal_rates.T):
        counts = np.histogram(rates, edges)[0] / len(rates)
        axes.stairs(counts, edges, color=PALETTE[seat % len(PALETTE)], lw=1.4, label=f"seat {seat + 1}")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("win rate in a deal")
    axes.set_ylabel("deals")
    axes.set_title(f"{len(simulation.deal_rates):,} deals, {simulation.tally.per_deal:,} games of each")
    axes.legend(frameon=False)
