"""Pictures of `komi measure`: the course of games over the fan of all games, the tension by turn, and the ladder."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from komi.measures.ladder import Ladder
from komi.measures.measure import Measures
from komi.measures.profile import LEVELS, TurnProfile
from komi.plotting import image_plots
from komi.plotting.formats import PALETTE

GAMES = 20  # sampled games to draw


def draw_measures(measures: Measures, profile: TurnProfile, ladder: Ladder | None, path: Path) -> None:
    """Draw the course and the tension of games, and the ladder if there is one.

    Raises:
        StorageError: if the file cannot be written.
    """
    image_plots.write(figure(measures, profile, ladder), path)


def figure(measures: Measures, profile: TurnProfile, ladder: Ladder | None) -> Figure:
    """Create the figure of `draw_measures`."""
    drawn = Figure(figsize=(16 if ladder else 10, 8), layout="constrained")
    grid = drawn.add_gridspec(2, 2 if ladder else 1, height_ratios=(3, 1))
    course = drawn.add_subplot(grid[0, 0])
    tension = drawn.add_subplot(grid[1, 0], sharex=course)
    _draw_course(course, profile)
    _draw_tension(tension, profile)
    names = " against ".join(measures.policies)
    drawn.suptitle(
        f"{measures.game.name}, {names}: suspense {measures['suspense']:.2f}, "
        f"{measures['lead_changes']:.1f} lead changes, comebacks in {100 * measures['comeback']:.1f} % of the games"
    )
    if ladder:
        _draw_ladder(drawn.add_subplot(grid[:, 1]), ladder)
    return drawn


def _draw_course(axes: Axes, profile: TurnProfile) -> None:
    turns = np.arange(len(profile.quantiles))
    for low, high, shade, label in ((0, 4, 0.15, "9 games of 10"), (1, 3, 0.3, "half of the games")):
        axes.fill_between(
            turns,
            100 * profile.quantiles[:, low],
            100 * profile.quantiles[:, high],
            color=PALETTE[0],
            alpha=shade,
            linewidth=0,
            label=label,
        )
    axes.plot(turns, 100 * profile.quantiles[:, LEVELS.index(0.5)], color=PALETTE[0], linewidth=2, label="median")
    for number, course in enumerate(profile.games):
        axes.plot(
            turns,
            100 * course,
            color="black",
            alpha=0.35,
            linewidth=0.7,
            label=f"{len(profile.games)} sampled games" if number == 0 else None,
        )
    axes.axhline(50, color="black", linewidth=0.5, linestyle=":")
    axes.set_ylim(0, 100)
    axes.set_ylabel("first player's chance of winning (%)")
    axes.legend(loc="upper right", frameon=True, fontsize=9)


def _draw_tension(axes: Axes, profile: TurnProfile) -> None:
    turns = np.arange(len(profile.suspense)) + 0.5
    axes.bar(turns, profile.suspense, width=1.0, color=PALETTE[1], label="of all games")
    running = profile.running[: len(turns)]
    axes.plot(turns, profile.suspense / running, color=PALETTE[5], linewidth=1.5, label="of games that are not over")
    axes.set_xlabel("turns of both players")
    axes.set_ylabel("suspense in the turn")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", frameon=False, fontsize=9)


def _draw_ladder(axes: Axes, ladder: Ladder) -> None:
    rates, count = 100 * ladder.win_rates, len(ladder.names)
    axes.imshow(rates, cmap="RdBu", vmin=0, vmax=100)
    axes.set_xticks(range(count), ladder.names, rotation=45, ha="right")
    axes.set_yticks(range(count), ladder.names)
    axes.set_xlabel("against")
    axes.set_title(f"wins of the row (%): skill depth {ladder.skill_depth}")
    for row in range(count):
        for column in range(count):
            is_dark = abs(rates[row, column] - 50) > 30
            axes.text(
                column,
                row,
                f"{rates[row, column]:.1f}",
                ha="center",
                va="center",
                color="white" if is_dark else "black",
            )
