"""Maps of optimal play as pages that show the best action and the value of a state on hover."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale
from plotly.subplots import make_subplots

from komi.plotting.formats import DARK, GREY, PALETTE, SEQUENTIAL
from komi.plotting.policy_map import NOWHERE, PolicyMap, action_title, value_title

MAX_TICKS = 10  # of an axis with a tick at every number


def page(policy_map: PolicyMap) -> Any:
    """Draw both maps on a page that shows the best action and the value of a state on hover."""
    names = (action_title(policy_map.solution), value_title(policy_map.solution))
    sheet = make_subplots(cols=2, subplot_titles=names, horizontal_spacing=0.16)
    hover = f"{policy_map.field_label(policy_map.x)}: %{{x}}<br>"
    hover += f"{policy_map.field_label(policy_map.y)}: %{{y}}<br>" if policy_map.y else ""
    count = len(policy_map.names)
    common = {
        "x": _positions(policy_map, policy_map.x, policy_map.xs),
        "y": _positions(policy_map, policy_map.y, policy_map.ys),
        "customdata": np.dstack((policy_map.labels.astype(object), policy_map.values.round(6).astype(object))),
        "hovertemplate": hover + "<b>%{customdata[0]}</b><br>%{customdata[1]}<extra></extra>",
    }
    colours = sample_colorscale(SEQUENTIAL, count) if policy_map.numbers else PALETTE[:count]
    steps = [[edge / count, colour] for i, colour in enumerate(colours) for edge in (i, i + 1)]
    best = np.where(policy_map.actions == NOWHERE, np.nan, policy_map.actions)
    shown = list(range(0, count, -(-count // MAX_TICKS)))
    legend = {"x": 0.43, "len": 0.8, "tickvals": shown, "ticktext": [policy_map.names[i] for i in shown]}
    sheet.add_trace(
        go.Heatmap(z=best, zmin=-0.5, zmax=count - 0.5, colorscale=steps, colorbar=legend, **common), row=1, col=1
    )
    bar = {"x": 1.0, "len": 0.8}
    sheet.add_trace(go.Heatmap(z=policy_map.values, colorscale=SEQUENTIAL, colorbar=bar, **common), row=1, col=2)
    sheet.update_xaxes(title=policy_map.field_label(policy_map.x))
    for values, update in ((policy_map.xs, sheet.update_xaxes), (policy_map.ys, sheet.update_yaxes)):
        if isinstance(values, range) and len(values) <= MAX_TICKS:
            update(dtick=values.step)  # else plotly also marks halves
    sheet.update_yaxes(title=policy_map.field_label(policy_map.y), showticklabels=bool(policy_map.y))
    sheet.update_layout(
        title={"text": f"<b>{policy_map.heading}</b>", "subtitle": {"text": policy_map.fixed}, "x": 0.5, "y": 0.96},
        font={"family": "system-ui, sans-serif", "color": DARK},
        plot_bgcolor=GREY,
        margin={"t": 140, "l": 60, "r": 40, "b": 60},
    )
    return sheet


def _positions(policy_map: PolicyMap, field: str, values: Sequence[int]) -> list[int] | list[str]:
    """Return where values are on an axis: as categories if only those that occur are shown."""
    return (
        list(values) if isinstance(values, range) else [f"{policy_map.value_label(field, value)} " for value in values]
    )
