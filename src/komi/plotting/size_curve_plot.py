"""Plot of the size of policies in bytes against their loss, as an interactive page."""

from pathlib import Path
from textwrap import wrap

import plotly.graph_objects as go

from komi.exporting.size_curve import SizeCurve
from komi.files import write_atomically
from komi.plotting import interactive_plots
from komi.plotting.formats import DARK, GREY
from komi.plotting.front_plot import loss_label
from komi.plotting.sweep_plot import GROUPS
from komi.rules import vocabulary
from komi.rules.kind import kind_of

KINDS = {
    "strategy": ("strategies to remember, one byte per number", "circle"),
    "network": ("networks", "square"),
    "table": ("optimal play as a table", "star"),
}
MARGIN = 3.0  # factor below the least positive loss at which optimal play is drawn
WIDTH = 60  # characters in a line


def draw_curve(curve: SizeCurve, file: Path) -> None:
    """Draw the sizes and losses of a game's policies on two logarithmic scales."""
    kind = kind_of(curve.game, curve.rules)
    scale, unit = (100.0, " %") if kind.is_chance else (1.0, "")
    against = "wins" if kind.is_chance else kind.payoffs.unit
    worst = f"<br>{against} against a best response %{{customdata[1]:.3f}}{unit}" if kind.seats == 2 else ""
    label = f"{loss_label(curve.game.objective(curve.rules), kind)}{',' * bool(unit)}{unit}"
    least = min((size.loss for size in curve.sizes if size.loss > 0.0), default=0.01) / MARGIN
    page = go.Figure()
    for (policy_kind, (name, symbol)), (colour, _) in zip(KINDS.items(), GROUPS, strict=False):
        sizes = [size for size in curve.sizes if size.kind == policy_kind]
        page.add_trace(
            go.Scatter(
                x=[size.bytes for size in sizes],
                y=[scale * max(size.loss, least) for size in sizes],
                customdata=[
                    (scale * size.loss, scale * (size.worst_case or 0.0), "<br>".join(wrap(size.words, WIDTH)))
                    for size in sizes
                ],
                hovertemplate="%{customdata[2]}<br>%{x:,} bytes<br>loss %{customdata[0]:.4f}"
                f"{unit}{worst}<extra></extra>",
                mode="markers+lines+text",
                text=[f"{scale * size.loss:.2g}{unit}" for size in sizes],
                textposition="top right",
                cliponaxis=False,
                marker={"size": 11, "symbol": symbol, "color": colour},
                line={"color": colour, "width": 1},
                name=name,
            )
        )
    settings = vocabulary.format_rules(curve.rules)
    heading = f"<b>{vocabulary.title(curve.game)}: loss by size</b>"
    page.update_layout(
        title={"text": heading, "subtitle": {"text": settings}, "x": 0.5},
        xaxis={"title": "bytes", "type": "log", "dtick": 1, "gridcolor": GREY},
        yaxis={
            "title": label,
            "type": "log",
            "dtick": 1,
            "gridcolor": GREY,
        },
        plot_bgcolor="white",
        font={"family": "system-ui, sans-serif", "color": DARK},
        legend={"x": 0.99, "y": 0.99, "xanchor": "right"},
        margin={"t": 110},
    )
    write_atomically(file, lambda draft: interactive_plots.save(page, draft))
