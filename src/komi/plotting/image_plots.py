"""Static plots of hold values, as png, svg and pdf."""

import io
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import QuadMesh
from matplotlib.colorbar import Colorbar
from matplotlib.colors import (
    AsinhNorm,
    Colormap,
    LinearSegmentedColormap,
    ListedColormap,
    Normalize,
    PowerNorm,
    is_color_like,
    to_hex,
    to_rgba,
)
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d import Axes3D  # type: ignore[import-untyped]
from numpy.typing import NDArray

from komi.evaluation.turn_decisions import TurnDecisions
from komi.files import write_atomically
from komi.plotting import hold_values
from komi.plotting.formats import (
    DARK,
    DIVERGING,
    EVEN_UP_TO,
    GHOST,
    GREY,
    MESH,
    NIGHT,
    REGIONS,
    SEQUENTIAL,
    STEPS,
    current_look,
)
from komi.plotting.hold_values import CrossSection, compare, isolated_cells, label_position, label_regions
from komi.rules import vocabulary

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.edgecolor": DARK,
    "axes.linewidth": 0.8,
    "svg.hashsalt": "komi",
}
METADATA: Any = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""Settings with which the same picture is always the same file."""
PAGE = '<!doctype html>\n<meta charset="utf-8">\n<body style="margin: 0; background: {paper}">{drawing}</body>\n'
ON_CELLS = ("#ffffff", "#000000")  # colours of labels on coloured cells
DOTS_PER_INCH = 100  # of raster images: a figure of 8 inches is 800 pixels wide
MIN_SCALE = 0.5  # of the texts of a small picture
VIEW = {"elev": 36, "azim": -120}  # the corner 0:0 in front
PASSES = 2  # layout passes: the first does not account for the shrinking of maps that stay square


def save(figure: Figure, file: Path) -> None:
    """Write the figure to a file, as html a page with the vector drawing; the output is deterministic."""
    look = current_look()
    if look.size:
        _resize(figure, look.size)
    if look.is_dark:
        _darken(figure)
    with matplotlib.rc_context(STYLE):
        if file.suffix.lower() == ".html":
            file.write_text(
                PAGE.format(paper=to_hex(figure.get_facecolor()), drawing=drawing(figure)), encoding="utf-8"
            )
            return
        figure.savefig(file, dpi=DOTS_PER_INCH, metadata=METADATA.get(file.suffix.lower(), {}))


def _resize(figure: Figure, size: tuple[float, float]) -> None:
    """Set the size of the figure, with texts reduced as much as it shrinks."""
    scale = max(min(1.0, *np.divide(size, figure.get_size_inches())), MIN_SCALE)
    figure.set_size_inches(size)
    for text in figure.findobj(Text):
        text.set_fontsize(scale * text.get_fontsize())
    for axes in figure.axes:
        axes.tick_params(labelsize=scale * STYLE["font.size"])


def _darken(figure: Figure) -> None:
    """Exchange the colours of paper and ink, but leave labels on coloured cells."""
    labels = {text for axes in figure.axes for text in axes.texts}
    for artist in figure.findobj(lambda each: not isinstance(each, ScalarMappable)):
        for part in ("color", "facecolor", "edgecolor"):
            if hasattr(artist, f"get_{part}") and hasattr(artist, f"set_{part}"):
                colour = getattr(artist, f"get_{part}")()
                name = to_hex(colour) if is_color_like(colour) and to_rgba(colour)[3] == 1.0 else ""
                if name in NIGHT and not (artist in labels and name in ON_CELLS):
                    getattr(artist, f"set_{part}")(NIGHT[name])


def write(figure: Figure, file: Path) -> None:
    """Write the figure to a file, all of it or nothing.

    Raises:
        StorageError: if the file cannot be written.
    """
    write_atomically(file, lambda draft: save(figure, draft))


def drawing(figure: Figure) -> str:
    """Render the figure as an svg element that can be embedded in a page."""
    text = io.StringIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def image(figure: Figure) -> str:
    """Render the figure as an image element that contains its file: smaller than `drawing` if it has many parts."""
    file = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(file, format="png", facecolor="white")
    data = b64encode(file.getvalue()).decode()
    return f'<img alt="" style="max-width: 100%" src="data:image/png;base64,{data}">'


def surface(turns: Sequence[TurnDecisions], reachable: bool) -> Figure:
    """Plot hold values over both scores, as a 3-D surface and as a map, with a column for each deck."""
    values = [each.hold_values_reached if reachable else each.hold_values for each in turns]
    scale = PowerNorm(0.6, 0, np.nanmax([each.hold_values for each in turns]))  # most values are far below the peak
    is_single = len(turns) == 1
    size = (11.0, 5.6) if is_single else (4.0 * len(turns) + 1.0, 8.6)
    with matplotlib.rc_context(STYLE):
        figure = _figure(turns[0], hold_values.subject(turns[0]), size, len(turns))
        grid = figure.add_gridspec(1, 2, width_ratios=(1.2, 1)) if is_single else figure.add_gridspec(2, len(turns))
        maps = []
        for column, (each, shown) in enumerate(zip(turns, values, strict=True)):
            space = figure.add_subplot(grid[0, column], projection="3d")
            flat = figure.add_subplot(grid[-1, 1 if is_single else column])
            _draw_in_space(space, each, shown, scale)
            _draw_flat(flat, each, shown, scale)
            space.set_title("" if is_single else hold_values.format_deck(each, ",\n"))
            maps.append(flat)
        points = vocabulary.field_label(turns[0].game, "turn")
        _add_bar(figure, ScalarMappable(scale, SEQUENTIAL), maps, f"hold at: {points}")
        _write_notes(figure, turns, values, reachable)
        return _with_layout(figure)


def section(turns: TurnDecisions, cut: CrossSection, reachable: bool) -> Figure:
    """Plot the decisions to go on and to hold by turn total and one score."""
    shown = label_regions(turns, cut, reachable)
    go_on = vocabulary.continue_label(turns.game)
    with matplotlib.rc_context(STYLE):
        what = f"{hold_values.subject(turns)}, {vocabulary.field_label(turns.game, cut.field)}: {cut.value}"
        figure = _figure(turns, what, (9.0, 6.4))
        axes = figure.add_subplot()
        axes.pcolormesh(shown, cmap=ListedColormap(REGIONS), vmin=-0.5, vmax=len(REGIONS) - 0.5, rasterized=True)
        _centre_ticks(axes)
        axes.set_xlabel(vocabulary.field_label(turns.game, cut.across))
        axes.set_ylabel(vocabulary.field_label(turns.game, "turn"))
        names = ["no such turn total", go_on, "hold"]
        colours = [REGIONS[0], *REGIONS[3:]]
        if reachable:
            names[1:1] = [f"{go_on} (never reached)", "hold (never reached)"]
            colours[1:1] = REGIONS[1:3]
        patches = [Patch(facecolor=colour, edgecolor=DARK, lw=0.4) for colour in colours]
        figure.legend(patches, names, loc="outside lower center", ncols=len(names), frameon=False)
    return figure


def difference(one: TurnDecisions, other: TurnDecisions) -> Figure:
    """Plot where two policies decide differently: at how many turn totals, and which one holds later."""
    compared = compare(one, other)
    with matplotlib.rc_context(STYLE):
        figure = _figure(one, f"{one.policy} against {other.policy}", (12.0, 6.0))
        often, later = figure.subplots(1, 2)
        mesh = _map(often, one, compared.differing, "Blues", AsinhNorm(EVEN_UP_TO, 0, compared.max_differing))
        often.set_title(
            f"number of turn totals with different decisions\n(same decision in {compared.agreement:.1%} of all states)"
        )
        _label_steps(_add_bar(figure, mesh, [often], "turn totals"), (1,))
        colours = LinearSegmentedColormap.from_list("later", DIVERGING)
        most = compared.max_difference
        mesh = _map(later, one, compared.hold_differences, colours, AsinhNorm(EVEN_UP_TO, -most, most))
        later.set_title(
            f"difference of hold values (orange: {one.policy} holds later,\nblue: earlier, grey: one never holds)"
        )
        bar = _add_bar(figure, mesh, [later], vocabulary.field_label(one.game, "turn"))
        _label_steps(bar, (-1, 1))
        return _with_layout(figure)


def _figure(turns: TurnDecisions, what: str, size: tuple[float, float], decks: int = 1) -> Figure:
    """Create an empty figure with its heading."""
    figure = Figure(figsize=size, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)  # type: ignore[union-attr, call-arg]
    figure.suptitle(f"{vocabulary.title(turns.game)}: {what}\n{hold_values.format_caption(turns, decks)}", fontsize=13)
    return figure


def _with_layout(figure: Figure) -> Figure:
    """Compute the layout of the figure, so that saving it crops nothing."""
    for _ in range(PASSES):
        figure.get_layout_engine().execute(figure)  # type: ignore[union-attr]
    return figure


def _draw_in_space(axes: Axes3D, turns: TurnDecisions, values: NDArray[np.float64], scale: Normalize) -> None:
    """Draw the surface, transparent where no value is shown, and points for isolated values."""
    score, rival = np.indices(values.shape)
    colours = matplotlib.colormaps[SEQUENTIAL].with_extremes(bad=GHOST)(np.ma.masked_invalid(scale(values)))
    mesh = {"rcount": len(values), "ccount": len(values), "linewidth": 0.25, "edgecolor": MESH}
    axes.plot_surface(score, rival, turns.hold_values, facecolors=colours, shade=False, **mesh)
    isolated = np.nonzero(isolated_cells(values))
    axes.scatter(
        *isolated, values[isolated], c=colours[isolated], s=16, edgecolors=DARK, linewidths=0.6, depthshade=False
    )
    axes.view_init(**VIEW)
    axes.set_xlabel(vocabulary.field_label(turns.game, "score"))
    axes.set_ylabel(vocabulary.field_label(turns.game, "rival"))
    axes.set_zlabel("hold at")
    axes.set_zlim(0, scale.vmax)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True))
        axis.pane.set_facecolor("none")
        axis.pane.set_edgecolor(GREY)
    axes.set_box_aspect((1, 1, 0.8), zoom=1.0)


def _draw_flat(axes: Axes, turns: TurnDecisions, values: NDArray[np.float64], scale: Normalize) -> None:
    """Draw the values as a map, with dots where the policy goes on again above its hold value."""
    _map(axes, turns, values, SEQUENTIAL, scale)
    score, rival = np.nonzero(turns.continues_again & ~np.isnan(values))
    if len(score):
        axes.scatter(score + 0.5, rival + 0.5, s=1.5, color="white", edgecolors="none")
    for value in np.unique(values[~np.isnan(values)]):
        middle = label_position(values == value)
        if middle is not None:
            ink = "white" if scale(value) < 0.6 else "black"
            axes.text(middle[0] + 0.5, middle[1] + 0.5, f"{value:.0f}", color=ink, ha="center", va="center", fontsize=8)


def _map(
    axes: Axes, turns: TurnDecisions, values: NDArray[np.float64], colours: str | Colormap, scale: Normalize
) -> QuadMesh:
    """Draw values over both scores, grey where there are none."""
    axes.set_facecolor(GREY)
    mesh = axes.pcolormesh(values.T, cmap=colours, norm=scale, rasterized=True)
    axes.set_aspect("equal")
    _centre_ticks(axes)
    axes.set_xlabel(vocabulary.field_label(turns.game, "score"))
    axes.set_ylabel(vocabulary.field_label(turns.game, "rival"))
    return mesh


def _centre_ticks(axes: Axes) -> None:
    """Place the ticks of integers at the centres of their cells."""
    for axis, (_, end) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        ticks = [tick for tick in MaxNLocator(6, integer=True).tick_values(0, end) if 0 <= tick < end]
        axis.set_ticks([tick + 0.5 for tick in ticks], [f"{tick:.0f}" for tick in ticks])


def _add_bar(figure: Figure, shown: ScalarMappable, axes: list[Any], label: str) -> Colorbar:
    bar = figure.colorbar(shown, ax=axes, shrink=0.8, pad=0.02)
    bar.locator = MaxNLocator(8, integer=True)
    bar.update_ticks()
    bar.set_label(label)
    return bar


def _label_steps(bar: Any, signs: Sequence[int]) -> None:
    """Label differences on a nonlinear colour scale."""
    steps = sorted({sign * step for step in STEPS for sign in signs if step <= bar.vmax})
    bar.set_ticks(steps, labels=[str(step) for step in steps])
    bar.minorticks_off()


def _has_gaps(turns: TurnDecisions, values: NDArray[np.float64]) -> bool:
    return bool(np.any(turns.continues_again & ~np.isnan(values)))


def _write_notes(
    figure: Figure, turns: Sequence[TurnDecisions], values: Sequence[NDArray[np.float64]], reachable: bool
) -> None:
    """Write below the figure what grey areas, points and dots mean."""
    notes = []
    if reachable:
        notes.append("grey: never reached in games of this policy against itself")
    if any(isolated_cells(shown).any() for shown in values):
        notes.append("points: isolated score pairs, which form no surface")
    if any(map(_has_gaps, turns, values)):
        notes.append(f"white dots: {vocabulary.continue_label(turns[0].game)} again at some higher totals")
    if notes:
        figure.supxlabel(";  ".join(notes), fontsize=9, color=DARK)
