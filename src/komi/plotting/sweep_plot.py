"""Plot of a parameter sweep: the fairness of each rule set against the expected length of its games."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from komi.design.sweep import Sweep, SweepRow
from komi.plotting import image_plots
from komi.plotting.formats import PALETTE

LABELS = 6  # maximum number of labelled rows of the front: the fairest
FAIREST = 1e-7  # lower limit of the unfairness drawn, because the scale is logarithmic
GROUPS = tuple(zip(PALETTE, "os^DvPX*", strict=True))  # (colour, marker)


def draw_sweep(sweep: Sweep, path: Path) -> None:
    """Draw each row as a point, and the Pareto front as a line from the shortest to the fairest.

    Raises:
        StorageError: if the file cannot be written.
    """
    figure = Figure(figsize=(10, 6), layout="constrained")
    axes = figure.add_subplot()
    is_single_player = sweep.objective is not None
    axes.set_yscale("linear" if is_single_player else "log")
    _draw_target(axes, sweep)
    _draw_rows(axes, sweep)
    _draw_front(axes, sweep)
    axes.set_title(
        f"{sweep.game.name}: {'value' if is_single_player else 'fairness'} and length of {len(sweep.rows):,} rule sets"
    )
    axes.set_xlabel("expected actions in a game" if is_single_player else "expected actions of all players in a game")
    unfairness = f"|first player's {sweep.unit}|" if sweep.unit else "|first player's probability of winning - ½|"
    if sweep.seats:
        unfairness = "largest |probability of winning - equal share| of a player"
    axes.set_ylabel(sweep.objective or f"unfairness\n{unfairness}")
    axes.grid(alpha=0.25, linewidth=0.6)
    figure.legend(loc="outside right upper", frameon=False)
    image_plots.write(figure, path)


def _draw_target(axes: Axes, sweep: Sweep) -> None:
    if sweep.target:
        axes.axvspan(*sweep.target, color="0.93", zorder=0, label="target length")


def _draw_rows(axes: Axes, sweep: Sweep) -> None:
    """Draw rows in one colour and marker for each value of the varied rule with the fewest values."""
    name = _grouping_rule(sweep)
    values = sorted({getattr(row.rules, name) for row in sweep.rows})
    size = 26 if len(sweep.rows) <= 500 else 11
    if len(values) > len(GROUPS):
        _draw_points(axes, sweep, sweep.rows, GROUPS[0], size, "rule set")
        return
    for value, group in zip(values, GROUPS, strict=False):
        rows = [row for row in sweep.rows if getattr(row.rules, name) == value]
        _draw_points(axes, sweep, rows, group, size, f"{name} {value}")


def _grouping_rule(sweep: Sweep) -> str:
    def count(name: str) -> int:
        return len({getattr(row.rules, name) for row in sweep.rows})

    return min(sweep.varied, key=lambda name: (count(name) == 1, count(name)))


def _draw_points(
    axes: Axes, sweep: Sweep, rows: Sequence[SweepRow], group: tuple[str, str], size: float, label: str
) -> None:
    colour, marker = group
    actions, unfairness = _coordinates(sweep, rows)
    axes.scatter(actions, unfairness, s=size, c=colour, marker=marker, alpha=0.65, linewidths=0, label=label)


def _coordinates(sweep: Sweep, rows: Sequence[SweepRow]) -> tuple[Any, Any]:
    """Return the expected lengths and the unfairness of rows, or their values for a game with one player."""
    actions = np.array([row.opening.expected_actions for row in rows])
    if sweep.objective is not None:
        return actions, np.array([row.opening.first for row in rows])
    return actions, np.maximum([row.opening.unfairness for row in rows], FAIREST)


def _draw_front(axes: Axes, sweep: Sweep) -> None:
    """Draw the front as a line; number its fairest rows below it, where there are no rows, and list them beside."""
    front = sweep.front()
    actions, unfairness = _coordinates(sweep, front)
    axes.plot(
        actions,
        unfairness,
        color="black",
        linewidth=1.1,
        drawstyle="steps-post",
        marker="o",
        markersize=6,
        markerfacecolor="none",
        label=f"Pareto front: no rule set\nis both {'better' if sweep.objective else 'fairer'} and shorter",
    )
    named = range(max(len(front) - LABELS, 0), len(front))
    for number, i in enumerate(reversed(named), 1):
        axes.annotate(str(number), (actions[i], unfairness[i]), (-11, -11), textcoords="offset points", fontsize=9)
        rules = ", ".join(f"{name} {getattr(front[i].rules, name)}" for name in sweep.varied)
        axes.plot([], [], " ", label=f"{number}: {rules}")
