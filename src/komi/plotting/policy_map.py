"""Maps of optimal play over any two fields of the state, the others fixed: the best action and the state's value."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from komi.arrays import F64, I16
from komi.errors import InputError
from komi.files import write_atomically
from komi.plotting import formats
from komi.plotting.formats import DARK, GREY, PALETTE, SEQUENTIAL
from komi.progress import Progress, silent
from komi.rules.vocabulary import field_label, format_rules, title
from komi.solvers.solution import AnyState, Solution
from komi.typing import State

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_CELLS = 250_000  # 500 by 500: smaller cells cannot be seen on a page
OTHER, CHANCE = "another action", "chance moves"
NOWHERE = -1  # in place of the index of an action
MAX_TICKS = 10  # of an axis with a tick at every number
MAX_FIELDS = 8  # maximum number of state fields in a heading


@dataclass(frozen=True, eq=False)
class PolicyMap:
    """Best actions and values over one or two fields.

    Attributes:
        solution: the solved game.
        x, y: the fields; y is empty for a map with one row.
        xs, ys: their values; ys is (0,) without a field.
        state: the state that supplies all other fields.
        names: the names of the actions; the rarest are combined as OTHER if there are too many.
        actions: int16[y, x], the index of the best action in `names`, or NOWHERE for a state that play does not reach.
        labels: str[y, x], the game's label of the best action; empty for an unreached state.
        values: float64[y, x], the value of the state for the player to move; nan for an unreached state.
    """

    solution: Solution[Any]
    x: str
    y: str
    xs: Sequence[int]
    ys: Sequence[int]
    state: State
    names: Sequence[str]
    actions: I16
    labels: NDArray[np.str_]
    values: F64

    @property
    def heading(self) -> str:
        """The title of the game and of the plot."""
        return f"{title(self.solution.game)}: optimal play"

    @property
    def fixed(self) -> str:
        """The rules, and the fields that are constant over the map."""
        fields = self.solution.game.shown(self.solution.rules, self.state)
        others = [f"{name} {value}" for name, value in fields.items() if name not in (self.x, self.y)]
        shown = ", ".join(others[:MAX_FIELDS]) + (", ..." if len(others) > MAX_FIELDS else "")
        return ";  ".join(filter(None, (format_rules(self.solution.rules), shown)))

    def field_label(self, field: str) -> str:
        """Return the name of a field on its axis."""
        return field_label(self.solution.game, field) if field else ""


def draw_policy_map(
    solution: Solution[Any],
    file: str | Path,
    x: str,
    y: str = "",
    state: AnyState = "",
    progress: Progress = silent,
) -> Path:
    """Draw the best action and the value of every state that differs from one in these fields only.

    Args:
        solution: the solved game.
        file: the image file: png, svg or html.
        x, y: fields of the state; without y the map has one row.
        state: the values of the other fields; those left out are as in the initial state.
        progress: called during long work; see `komi.progress`.

    Returns:
        The file.

    Raises:
        InputError: for an unknown field, suffix or state, or if play reaches none of these states.
        StorageError: if the file cannot be written.
    """
    path = Path(file)
    paint = _save_page if formats.format_of(path) in formats.PAGES else _save_image
    policy_map = read_map(solution, x, y, state, progress)
    write_atomically(path, lambda draft: paint(policy_map, draft))
    return path


def read_map(
    solution: Solution[Any], x: str, y: str = "", state: AnyState = "", progress: Progress = silent
) -> PolicyMap:
    """Compute the map that `draw_policy_map` draws.

    Raises:
        InputError: as in `draw_policy_map`.
    """
    game = solution.game
    base = solution.read(state or None)
    for field in filter(None, (x, y)):
        if field not in base._fields:
            raise InputError(
                f"a state of {game.name} has no field {field!r}: its fields are {', '.join(base._fields)}."
            )
    if x == y:
        raise InputError(f"a map needs two different fields: {x!r} is given twice.")
    cells = _cells(solution, base, x, y)
    if not cells:
        raise InputError(
            f"play reaches no state that differs from {game.write(solution.rules, base)} in these fields only."
        )
    xs = range(min(cell[1] for cell in cells), max(cell[1] for cell in cells) + 1)
    ys = range(min(cell[0] for cell in cells), max(cell[0] for cell in cells) + 1)
    labels = np.full((len(ys), len(xs)), "", object)
    values = np.full(labels.shape, np.nan)
    for done, ((row, column), state) in enumerate(cells.items()):
        chance = game.is_chance(solution.rules, state)
        labels[row - ys[0], column - xs[0]] = CHANCE if chance else solution.best(state)
        values[row - ys[0], column - xs[0]] = solution.expected_value(state)
        progress("evaluating states", done + 1, len(cells))
    names = _names(labels, getattr(game.module, "actions", ()))
    indices = {name: index for index, name in enumerate(names)}
    actions = [[indices.get(label, len(names) - 1) if label else NOWHERE for label in row] for row in labels]
    return PolicyMap(solution, x, y, xs, ys, base, names, np.array(actions, np.int16), labels.astype(np.str_), values)


def _cells(solution: Solution[Any], base: State, x: str, y: str) -> dict[tuple[int, int], Any]:
    """Return the reachable states of the map by (value of y, value of x)."""
    columns, rows = _values(solution, x), _values(solution, y) if y else range(1)
    if len(columns) * len(rows) > MAX_CELLS:
        raise InputError(
            f"{x!r} and {y!r} can have {len(columns) * len(rows):,} pairs of values, and a map has at most "
            f"{MAX_CELLS:,}: choose other fields."
        )
    states = solution.all_states
    cells = {}
    for row in rows:
        for column in columns:
            state = base._replace(**({x: column, y: row} if y else {x: column}))
            if states.index_of(state) >= 0:
                cells[row, column] = state
    return cells


def _values(solution: Solution[Any], field: str) -> range:
    """Return the range of values that a field can have in the layout of the states."""
    layout, index = solution.all_states.layout, solution.game.module.State._fields.index(field)
    step = int(layout.steps[index])
    return range(int(layout.lows[index]) * step, int(layout.maxima[index]) + 1, step)


def _names(labels: NDArray[Any], order: Sequence[str]) -> list[str]:
    """Return the most frequent actions, one for each colour, in the order of the rules if these list them."""
    names = [name for name, _ in Counter(label for label in labels.flat if label).most_common()]
    others = [OTHER] if len(names) > len(PALETTE) else []
    shown = names[: len(PALETTE) - len(others)]
    return sorted(shown, key=lambda name: order.index(name) if name in order else len(order)) + others


def _save_image(policy_map: PolicyMap, file: Path) -> None:
    from komi.plotting import image_plots

    image_plots.save(figure(policy_map), file)


def figure(policy_map: PolicyMap) -> "Figure":
    """Draw both maps side by side, or above each other if they are wide."""
    import matplotlib
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    from komi.plotting.image_plots import STYLE

    wide = len(policy_map.xs) > 4 * len(policy_map.ys)
    with matplotlib.rc_context(STYLE):
        sheet = Figure(figsize=(9.0, 6.0) if wide else (12.0, 6.4), layout="constrained")
        sheet.suptitle(f"{policy_map.heading}\n{policy_map.fixed}", fontsize=12)
        actions_axes, value_axes = sheet.subplots(2, 1) if wide else sheet.subplots(1, 2)
        colours = ListedColormap(PALETTE[: len(policy_map.names)])
        shown = np.ma.masked_equal(policy_map.actions, NOWHERE)
        _draw(actions_axes, policy_map, shown, cmap=colours, vmin=-0.5, vmax=len(policy_map.names) - 0.5)
        actions_axes.set_title(_action_title(policy_map.solution))
        patches = [
            Patch(facecolor=colour, edgecolor=DARK, lw=0.4, label=name)
            for name, colour in zip(policy_map.names, PALETTE, strict=False)
        ]
        sheet.legend(handles=patches, loc="outside lower center", ncols=min(len(patches), 4), frameon=False)
        mesh = _draw(value_axes, policy_map, np.ma.masked_invalid(policy_map.values), cmap=SEQUENTIAL)
        value_axes.set_title(_value_title(policy_map.solution))
        sheet.colorbar(mesh, ax=value_axes, shrink=0.8)
    return sheet


def _value_title(solution: Solution[Any]) -> str:
    """Return the title of the map of values."""
    return solution.objective if solution.kind.seats == 1 else f"{solution.objective} of the player to move"


def _action_title(solution: Solution[Any]) -> str:
    """Return the title of the map of actions."""
    return "the likeliest action" if solution.kind.hidden else "the best action"


def _draw(axes: "Axes", policy_map: PolicyMap, values: NDArray[Any], **how: Any) -> Any:
    """Draw values over both fields, integers at the centres of their cells, grey where there are none."""
    from matplotlib.ticker import MaxNLocator

    axes.set_facecolor(GREY)
    edges = [np.arange(len(each) + 1) + each[0] - 0.5 for each in (policy_map.xs, policy_map.ys)]
    mesh = axes.pcolormesh(*edges, values, rasterized=True, **how)
    axes.set_xlabel(policy_map.field_label(policy_map.x))
    axes.set_ylabel(policy_map.field_label(policy_map.y))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(8, integer=True, min_n_ticks=1))
    if not policy_map.y:
        axes.set_yticks([])
    return mesh


def _save_page(policy_map: PolicyMap, file: Path) -> None:
    from komi.plotting import interactive_plots

    interactive_plots.save(page(policy_map), file)


def page(policy_map: PolicyMap) -> Any:
    """Draw both maps on a page that shows the best action and the value of a state on hover."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    names = (_action_title(policy_map.solution), _value_title(policy_map.solution))
    sheet = make_subplots(cols=2, subplot_titles=names, horizontal_spacing=0.16)
    hover = f"{policy_map.field_label(policy_map.x)}: %{{x}}<br>"
    hover += f"{policy_map.field_label(policy_map.y)}: %{{y}}<br>" if policy_map.y else ""
    count = len(policy_map.names)
    common = {
        "x": list(policy_map.xs),
        "y": list(policy_map.ys),
        "customdata": np.dstack((policy_map.labels.astype(object), policy_map.values.round(6).astype(object))),
        "hovertemplate": hover + "<b>%{customdata[0]}</b><br>%{customdata[1]}<extra></extra>",
    }
    steps = [[edge / count, colour] for i, colour in enumerate(PALETTE[:count]) for edge in (i, i + 1)]
    best = np.where(policy_map.actions == NOWHERE, np.nan, policy_map.actions)
    legend = {"x": 0.43, "len": 0.8, "tickvals": list(range(count)), "ticktext": list(policy_map.names)}
    sheet.add_trace(
        go.Heatmap(z=best, zmin=-0.5, zmax=count - 0.5, colorscale=steps, colorbar=legend, **common), row=1, col=1
    )
    bar = {"x": 1.0, "len": 0.8}
    sheet.add_trace(go.Heatmap(z=policy_map.values, colorscale=SEQUENTIAL, colorbar=bar, **common), row=1, col=2)
    sheet.update_xaxes(title=policy_map.field_label(policy_map.x))
    for values, update in ((policy_map.xs, sheet.update_xaxes), (policy_map.ys, sheet.update_yaxes)):
        if len(values) <= MAX_TICKS:
            update(dtick=1)  # else plotly also marks halves
    sheet.update_yaxes(title=policy_map.field_label(policy_map.y), showticklabels=bool(policy_map.y))
    sheet.update_layout(
        title={"text": f"<b>{policy_map.heading}</b>", "subtitle": {"text": policy_map.fixed}, "x": 0.5, "y": 0.96},
        font={"family": "system-ui, sans-serif", "color": DARK},
        plot_bgcolor=GREY,
        margin={"t": 140, "l": 60, "r": 40, "b": 60},
    )
    return sheet
