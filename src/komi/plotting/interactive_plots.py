"""Interactive 3-D plots of hold values, as self-contained pages that need no network."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from komi.evaluation.turn_decisions import TurnDecisions
from komi.plotting import hold_values
from komi.plotting.formats import DARK, DIVERGING, EVEN_UP_TO, GREY, NIGHT, REGIONS, SEQUENTIAL, STEPS, current_look
from komi.plotting.hold_values import CrossSection, compare, isolated_cells, label_regions
from komi.rules import vocabulary

DOTS_PER_INCH = 100
CAMERA = {"eye": {"x": -1.4, "y": -1.55, "z": 0.8}, "center": {"x": 0, "y": 0, "z": -0.15}}  # the corner 0:0 in front


def save(page: Any, file: Path) -> None:
    """Write the page to a file; the output is deterministic."""
    look = current_look()
    if look.size:
        page.update_layout(width=look.size[0] * DOTS_PER_INCH, height=look.size[1] * DOTS_PER_INCH)
    if look.is_dark:
        paper, empty, ink = (NIGHT[colour.lower()] for colour in ("#FFFFFF", GREY, DARK))
        axis = {"backgroundcolor": paper, "gridcolor": empty, "zerolinecolor": empty}
        page.update_layout(paper_bgcolor=paper, plot_bgcolor=empty, font_color=ink)
        page.update_scenes(xaxis=axis, yaxis=axis, zaxis=axis)
    text = page.to_html(
        include_plotlyjs=True,
        full_html=True,
        default_height="95vh",
        div_id="picture",
        config={"displaylogo": False},
    )
    title = escape(page.layout.title.text.replace("<b>", "").replace("</b>", ""))
    file.write_text(text.replace("<head>", f"<head><title>{title}</title>", 1), encoding="utf-8")


def surface(turns: Sequence[TurnDecisions], reachable: bool) -> Any:
    """Plot hold values over both scores as 3-D surfaces, side by side for several decks."""
    values = [each.hold_values_reached if reachable else each.hold_values for each in turns]
    page = make_subplots(
        cols=len(turns),
        specs=[[{"type": "scene"}] * len(turns)],
        subplot_titles=[hold_values.format_deck(each, ",<br>") for each in turns] if len(turns) > 1 else None,
        horizontal_spacing=0.02,
    )
    most = float(np.nanmax(values))
    for column, (each, shown) in enumerate(zip(turns, values, strict=True), 1):
        if reachable:
            page.add_trace(_ghost(each), row=1, col=column)
            page.add_trace(_points(each, shown, most), row=1, col=column)
        page.add_trace(_surface(each, shown, most, column == len(turns)), row=1, col=column)
    page.update_scenes(**_scene_settings(turns[0], most))
    return _with_title(page, turns[0], hold_values.subject(turns[0]), len(turns))


def section(turns: TurnDecisions, cut: CrossSection, reachable: bool) -> Any:
    """Plot the decisions to go on and to hold by turn total and one score."""
    go_on = vocabulary.continue_label(turns.game)
    names = ["no such turn total", f"{go_on} (never reached)", "hold (never reached)", go_on, "hold"]
    shown = label_regions(turns, cut, reachable)
    steps = [[edge / len(REGIONS), colour] for i, colour in enumerate(REGIONS) for edge in (i, i + 1)]
    across, points = vocabulary.field_label(turns.game, cut.across), vocabulary.field_label(turns.game, "turn")
    heatmap = go.Heatmap(
        z=shown,
        zmin=-0.5,
        zmax=len(REGIONS) - 0.5,
        colorscale=steps,
        colorbar={"tickvals": list(range(len(REGIONS))), "ticktext": names},
        customdata=np.array(names)[shown],
        hovertemplate=f"{across}: %{{x}}<br>{points}: %{{y}}<br><b>%{{customdata}}</b><extra></extra>",
    )
    page = go.Figure(heatmap)
    page.update_xaxes(title=across)
    page.update_yaxes(title=points)
    what = f"{hold_values.subject(turns)}, {vocabulary.field_label(turns.game, cut.field)}: {cut.value}"
    return _with_title(page, turns, what)


def difference(one: TurnDecisions, other: TurnDecisions) -> Any:
    """Plot where two policies decide differently: at how many turn totals, and which one holds later."""
    compared = compare(one, other)
    headings = (
        f"number of turn totals with different decisions (same in {compared.agreement:.1%})",
        f"how much later {one.policy} holds (blue: earlier)",
    )
    page = make_subplots(cols=2, subplot_titles=headings, horizontal_spacing=0.14)
    page.add_trace(_map(one, compared.differing, "Blues", 0, compared.max_differing, 0.43), row=1, col=1)
    steps = [[i / (len(DIVERGING) - 1), colour] for i, colour in enumerate(DIVERGING)]
    most = compared.max_difference
    page.add_trace(_map(one, compared.hold_differences, steps, -most, most, 1.0), row=1, col=2)
    page.update_xaxes(title=vocabulary.field_label(one.game, "score"), constrain="domain")
    for column, axis in enumerate(("x", "x2"), 1):
        page.update_yaxes(
            title=vocabulary.field_label(one.game, "rival"), scaleanchor=axis, constrain="domain", col=column
        )
    return _with_title(page, one, f"{one.policy} against {other.policy}")


def _surface(turns: TurnDecisions, values: NDArray[np.float64], most: float, with_bar: bool) -> Any:
    return go.Surface(
        z=values.T,
        cmin=0,
        cmax=most,
        colorscale=SEQUENTIAL,
        showscale=with_bar,
        colorbar={"title": {"text": _wrapped(f"hold at: {vocabulary.field_label(turns.game, 'turn')}")}, "len": 0.6},
        contours={"x": _grid(len(values)), "y": _grid(len(values))},
        lighting={"ambient": 0.8, "diffuse": 0.4, "specular": 0.05},
        customdata=_hover_notes(turns),
        hovertemplate=_hover(turns) + "<b>hold at %{z}</b>%{customdata}<extra></extra>",
    )


def _grid(goal: int) -> dict[str, Any]:
    """Return the settings of about ten thin grid lines on the surface."""
    return {"show": True, "start": 0, "end": goal, "size": max(goal // 10, 1), "color": "rgba(0,0,0,0.35)", "width": 1}


def _ghost(turns: TurnDecisions) -> Any:
    """Draw the whole surface transparently, as a background of the part that play reaches."""
    grey = [[0, GREY], [1, GREY]]
    return go.Surface(z=turns.hold_values.T, colorscale=grey, opacity=0.35, showscale=False, hoverinfo="skip")


def _points(turns: TurnDecisions, values: NDArray[np.float64], most: float) -> Any:
    """Draw the isolated values, which belong to no surface."""
    isolated = np.nonzero(isolated_cells(values))
    colours = {"color": values[isolated], "cmin": 0, "cmax": most, "colorscale": SEQUENTIAL}
    return go.Scatter3d(
        x=isolated[0],
        y=isolated[1],
        z=values[isolated],
        mode="markers",
        marker={"size": 4, "line": {"color": DARK, "width": 1}, **colours},
        showlegend=False,
        customdata=_hover_notes(turns).T[isolated],
        hovertemplate=_hover(turns) + "<b>hold at %{z}</b>%{customdata}<extra></extra>",
    )


def _hover_notes(turns: TurnDecisions) -> NDArray[np.str_]:
    """Return the hover text of each pair of scores, indexed by [rival, score]."""
    again = f"<br>{vocabulary.continue_label(turns.game)} again at some higher totals"
    return np.where(turns.continues_again, again, "").T


def _map(turns: TurnDecisions, values: NDArray[np.float64], colours: Any, least: float, most: float, bar: float) -> Any:
    """Draw a map of differences, on a scale that is linear only for small ones."""
    steps = sorted({sign * step for step in STEPS for sign in (-1, 1) if least <= sign * step <= most})
    return go.Heatmap(
        z=_compressed(values.T),
        zmin=_compressed(least),
        zmax=_compressed(most),
        colorscale=colours,
        colorbar={"x": bar, "len": 0.8, "tickvals": [_compressed(step) for step in steps], "ticktext": steps},
        customdata=values.T,
        hovertemplate=_hover(turns) + "<b>%{customdata}</b><extra></extra>",
    )


def _compressed(difference: Any) -> Any:
    return np.arcsinh(np.asarray(difference) / EVEN_UP_TO)


def _wrapped(text: str) -> str:
    return fill(text, width=14).replace("\n", "<br>")


def _hover(turns: TurnDecisions) -> str:
    score, rival = vocabulary.field_label(turns.game, "score"), vocabulary.field_label(turns.game, "rival")
    return f"{score}: %{{x}}<br>{rival}: %{{y}}<br>"


def _scene_settings(turns: TurnDecisions, most: float) -> dict[str, Any]:
    """Return the settings of the axes of a 3-D plot."""
    quiet = {"backgroundcolor": "white", "gridcolor": GREY, "zerolinecolor": GREY}
    step = max(int(most) // 4, 1)
    heights = list(range(step, int(most) + 1, step))  # 0 would overlap the last number of the other axis
    return {
        "xaxis": {"title": {"text": vocabulary.field_label(turns.game, "score")}, **quiet},
        "yaxis": {"title": {"text": vocabulary.field_label(turns.game, "rival")}, **quiet},
        "zaxis": {"title": {"text": "hold at"}, "range": [0, most + 1], "tickvals": heights, **quiet},
        "camera": CAMERA,
        "aspectratio": {"x": 1, "y": 1, "z": 0.75},
    }


def _with_title(page: Any, turns: TurnDecisions, what: str, decks: int = 1) -> Any:
    heading = f"<b>{vocabulary.title(turns.game)}</b>: {what}"
    page.update_layout(
        title={"text": heading, "subtitle": {"text": hold_values.format_caption(turns, decks)}, "x": 0.5, "y": 0.96},
        font={"family": "system-ui, sans-serif", "color": DARK},
        plot_bgcolor=GREY,
        margin={"t": 140, "l": 60, "r": 40, "b": 60},
    )
    return page
