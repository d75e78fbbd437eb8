"""Learning curves: the exact loss of several methods by updates and by seconds, and maps of the errors of values."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

from komi.files import write_atomically
from komi.learning.learn import Learned
from komi.plotting.formats import DARK, GREY, PALETTE, SEQUENTIAL
from komi.plotting.image_plots import STYLE, save
from komi.rules import vocabulary

MIN_LOSS = 1e-6  # smaller losses are drawn at this value
MIN_ERROR = 1e-6  # smaller errors are drawn in the colour of this one
SCORES = ("score", "rival")  # the fields of a map, if a game has them


def draw_learning(results: Sequence[Learned], file: Path) -> None:
    """Draw the learning curves of one or more methods in the same game, and the map of each, as png or svg."""
    fields = map_fields(results[0])
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10.0, 8.2 if fields else 4.6), layout="constrained")
        above, *below = figure.subfigures(2 if fields else 1, 1, squeeze=False)[:, 0].tolist()
        by_updates, by_seconds = above.subplots(1, 2, sharey=True)
        _draw_curves(by_updates, results, "updates")
        _draw_curves(by_seconds, results, "seconds")
        unit = results[0].game.payoff_scale(results[0].rules).unit
        lost = f"loss in {unit}" if unit else "loss in probability of winning"
        by_updates.set_ylabel(lost if results[0].worst_case is not None else "loss")
        by_seconds.legend(frameon=False)
        rules = vocabulary.format_rules(results[0].rules)
        above.suptitle(f"{vocabulary.title(results[0].game)}: loss of what is learned\n{rules}", fontsize=11)
        if fields:
            _draw_maps(below[0], results, fields)
    write_atomically(file, lambda draft: save(figure, draft))


def map_fields(learned: Learned) -> tuple[str, str] | None:
    """Return the two fields of the map of errors: the scores, or those with most values; None if there are no two."""
    layout, names = learned.policy.states.layout, learned.game.module.State._fields
    if set(SCORES) <= set(names):
        return SCORES
    widest = sorted(range(len(names)), key=lambda i: -layout.masks[i])[:2]
    if layout.halves > 1 or len(widest) < 2 or layout.masks[widest[1]] < 2:
        return None
    first, second = (names[i] for i in sorted(widest))
    return first, second


def error_map(learned: Learned, fields: tuple[str, str]) -> NDArray[np.float64]:
    """Return float64[values of the second field, of the first]: the mean absolute error of the values of states.

    It is NaN where there is no state.
    """
    states, names = learned.policy.states, learned.game.module.State._fields
    layout = states.layout
    keys = states.converted(layout, dense=False).keys[:, -1]
    columns, rows = ((keys >> layout.shifts[i]) & layout.masks[i] for i in map(names.index, fields))
    shape = int(rows.max()) + 1, int(columns.max()) + 1
    total, count = np.zeros(shape), np.zeros(shape)
    is_known = ~np.isnan(learned.values)
    np.add.at(total, (rows, columns), np.where(is_known, np.abs(learned.values - learned.exact), 0.0))
    np.add.at(count, (rows, columns), is_known)
    return np.where(count > 0.0, total / np.maximum(count, 1.0), np.nan)


def _draw_curves(axes: Axes, results: Sequence[Learned], by: str) -> None:
    for learned, colour in zip(results, PALETTE * len(results), strict=False):
        points = [point for point in learned.curve if point.loss is not None]
        axes.plot(
            [getattr(point, by) for point in points],
            [max(point.loss or 0.0, MIN_LOSS) for point in points],
            "o-",
            ms=3.5,
            lw=1.4,
            color=colour,
            label=learned.method,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(by)
    axes.grid(color=GREY, lw=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_maps(figure: SubFigure, results: Sequence[Learned], fields: tuple[str, str]) -> None:
    maps = [error_map(learned, fields) for learned in results]
    largest = max(float(np.nanmax(each)) for each in maps)
    scale = LogNorm(MIN_ERROR, max(largest, 10 * MIN_ERROR))
    all_axes = figure.subplots(1, len(results), squeeze=False)[0]
    layout, names = results[0].policy.states.layout, results[0].game.module.State._fields
    steps = [layout.steps[names.index(field)] for field in fields]
    for axes, learned, errors in zip(all_axes, results, maps, strict=True):
        height, width = errors.shape
        extent = (0.0, width * steps[0], 0.0, height * steps[1])
        image = axes.imshow(
            np.maximum(errors, MIN_ERROR),
            origin="lower",
            norm=scale,
            cmap=SEQUENTIAL,
            extent=extent,
            aspect="auto",
            interpolation="nearest",
        )
        axes.set_title(learned.method)
        axes.set_xlabel(vocabulary.field_label(learned.game, fields[0]), color=DARK)
    all_axes[0].set_ylabel(vocabulary.field_label(results[0].game, fields[1]), color=DARK)
    figure.colorbar(image, ax=list(all_axes), label="mean error of a value")
