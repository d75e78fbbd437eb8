"""Maps of optimal play as images: over two fields as coloured cells, over one field as points and a line.

The colour of an action is the paler, the less it matters: the less likely it is where play mixes, else the smaller the
margin to the second best action.
"""

from collections.abc import Callable, Sequence
from textwrap import fill

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, MaxNLocator

from komi.arrays import F64
from komi.plotting.formats import DARK, GREY, PALETTE, SEQUENTIAL
from komi.plotting.image_plots import STYLE
from komi.plotting.policy_map import CHANCE, NOWHERE, PolicyMap, action_title, value_title
from komi.solvers.mixed_solution import MixedSolution

MAX_TICKS = 8  # of an axis
AXIS_LETTERS = 50  # characters of all labels at a horizontal axis
LETTERS = 11  # characters of a heading in an inch
MIN_STRENGTH = 0.3  # of the colour of an action that matters least
WIDE = 4  # columns for each row from which two maps are above each other
DOT = 900.0  # the area of a dot that stands for an action is this, divided by the number of dots


def figure(policy_map: PolicyMap) -> Figure:
    """Draw actions and values side by side, or above each other if they are wide; values alone without choices."""
    wide = not policy_map.y or len(policy_map.xs) > WIDE * len(policy_map.ys)
    draws: list[Callable[[Figure, Axes, PolicyMap], None]] = [_draw_values]
    if list(policy_map.names) != [CHANCE]:
        draws.insert(0, _draw_actions)
    with matplotlib.rc_context(STYLE):
        sheet = Figure(figsize=(9.0, 3.0 * len(draws)) if wide else (6.0 * len(draws), 6.4), layout="constrained")
        fixed = fill(policy_map.fixed, int(LETTERS * sheet.get_figwidth()))
        sheet.suptitle(f"{policy_map.heading}\n{fixed}", fontsize=12)
        shape = (len(draws), 1) if wide else (1, len(draws))
        for draw, axes in zip(draws, sheet.subplots(*shape, squeeze=False).flat, strict=True):
            draw(sheet, axes, policy_map)
            _label(axes.xaxis, policy_map, policy_map.x, policy_map.xs)
            axes.set_xlabel(policy_map.field_label(policy_map.x))
            if policy_map.y:
                _label(axes.yaxis, policy_map, policy_map.y, policy_map.ys)
                axes.set_ylabel(policy_map.field_label(policy_map.y))
    return sheet


def _draw_actions(sheet: Figure, axes: Axes, policy_map: PolicyMap) -> None:
    names, numbers = policy_map.names, policy_map.numbers
    axes.set_title(action_title(policy_map.solution) + _shading(policy_map))
    if not policy_map.y:
        shown = np.flatnonzero(policy_map.actions[0] != NOWHERE)
        heights = np.asarray(numbers or range(len(names)))[policy_map.actions[0, shown]]
        colours = [PALETTE[0]] * len(shown) if numbers else _colours(policy_map)[0, shown]
        area = max(min(DOT / len(shown), 60.0), 6.0)
        axes.scatter(_edges(policy_map.xs)[shown] + 0.5 * _step(policy_map.xs), heights, s=area, c=colours)
        if numbers:
            axes.yaxis.set_major_locator(MaxNLocator(MAX_TICKS, integer=True))
            axes.set_ylabel(names[0].rstrip("0123456789 "))
        else:
            axes.set_yticks(range(len(names)), names)
            axes.set_ylim(-0.5, len(names) - 0.5)
        axes.grid(visible=True, color=GREY, lw=0.6)
        axes.set_axisbelow(True)
        return
    axes.set_facecolor(GREY)
    if numbers:
        colours = ListedColormap(matplotlib.colormaps[SEQUENTIAL](np.linspace(0.0, 1.0, len(names))))
        best = np.ma.masked_equal(policy_map.actions, NOWHERE)
        mesh = axes.pcolormesh(
            *_all_edges(policy_map), best, cmap=colours, vmin=-0.5, vmax=len(names) - 0.5, rasterized=True
        )
        bar = sheet.colorbar(mesh, ax=axes, shrink=0.8)
        ticks = range(0, len(names), -(-len(names) // MAX_TICKS))
        bar.set_ticks(list(ticks), labels=[names[index] for index in ticks])
        bar.minorticks_off()
        return
    axes.pcolormesh(*_all_edges(policy_map), _colours(policy_map), rasterized=True)
    patches = [
        Patch(facecolor=colour, edgecolor=DARK, lw=0.4, label=name)
        for name, colour in zip(names, PALETTE, strict=False)
    ]
    sheet.legend(handles=patches, loc="outside lower center", ncols=min(len(patches), 4), frameon=False)


def _draw_values(sheet: Figure, axes: Axes, policy_map: PolicyMap) -> None:
    axes.set_title(value_title(policy_map.solution))
    if not policy_map.y:
        middles = _edges(policy_map.xs)[:-1] + 0.5 * _step(policy_map.xs)
        shown = ~np.isnan(policy_map.values[0])
        axes.plot(middles[shown], policy_map.values[0, shown], color=PALETTE[0], marker="o", markersize=3.5, lw=1.0)
        axes.grid(visible=True, color=GREY, lw=0.6)
        return
    axes.set_facecolor(GREY)
    values = np.ma.masked_invalid(policy_map.values)
    mesh = axes.pcolormesh(*_all_edges(policy_map), values, cmap=SEQUENTIAL, rasterized=True)
    sheet.colorbar(mesh, ax=axes, shrink=0.8)


def _shading(policy_map: PolicyMap) -> str:
    """Say what pale colours mean, if there are any."""
    if policy_map.numbers or policy_map.strengths.min() == 1.0:
        return ""
    return " (paler: less likely)" if isinstance(policy_map.solution, MixedSolution) else " (paler: a smaller margin)"


def _colours(policy_map: PolicyMap) -> F64:
    """Return float64[y, x, 4], the colour of the action of each cell, transparent where no action is shown."""
    palette = np.array([to_rgb(colour) for colour in PALETTE[: len(policy_map.names)]])
    shown = policy_map.actions != NOWHERE
    strength = MIN_STRENGTH + (1.0 - MIN_STRENGTH) * policy_map.strengths
    colours = 1.0 - (1.0 - palette[policy_map.actions]) * strength[..., None]
    return np.dstack((colours, shown))


def _all_edges(policy_map: PolicyMap) -> tuple[F64, F64]:
    return _edges(policy_map.xs), _edges(policy_map.ys)


def _step(values: Sequence[int]) -> int:
    return values.step if isinstance(values, range) else 1


def _edges(values: Sequence[int]) -> F64:
    """Return the edges of cells: the centres are the values, or 0, 1, ... if only those that occur are shown."""
    low = values[0] if isinstance(values, range) else 0
    return np.array([low + (index - 0.5) * _step(values) for index in range(len(values) + 1)])


def _label(axis: Axis, policy_map: PolicyMap, field: str, values: Sequence[int]) -> None:
    if isinstance(values, range):
        axis.set_major_locator(MaxNLocator(MAX_TICKS, integer=True, min_n_ticks=1))
        if len(values) <= MAX_TICKS:
            axis.set_major_locator(FixedLocator(list(values)))
        return
    names = [policy_map.value_label(field, value) for value in values]
    most = 2 * MAX_TICKS if field == policy_map.y else max(AXIS_LETTERS // (max(map(len, names)) + 2), 2)
    ticks = range(0, len(values), -(-len(values) // most))
    axis.set_ticks(list(ticks), [names[index] for index in ticks])
