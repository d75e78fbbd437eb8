"""Plot of the distribution of final scores: the probability of each score, and of at least each score."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from komi.evaluation.scores import ScoreDistribution
from komi.files import write_atomically
from komi.plotting import formats
from komi.plotting.formats import ACTIONS, DARK
from komi.rules.vocabulary import format_rules, title
from komi.solvers.solution import Solution

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = 1e-4  # the plot ends where the probability of this score or more falls below this


def draw_scores(solution: Solution[Any], found: Sequence[ScoreDistribution], file: Path) -> None:
    """Draw the score distributions of policies in one plot.

    Args:
        answer: the solved game, for one player.
        found: the distribution of each policy.
        file: the image file: png, svg or html.

    Raises:
        InputError: for another suffix.
        StorageError: if the file cannot be written.
    """
    save = _save_page if formats.format_of(file) in formats.PAGES else _save_image
    write_atomically(file, lambda draft: save(solution, found, draft))


def _heading(solution: Solution[Any]) -> str:
    return f"{title(solution.game)}: final scores ({solution.objective.removeprefix('expected ')})"


def _shown(found: Sequence[ScoreDistribution]) -> tuple[int, int]:
    """Return the lowest and the highest score in the plot."""
    low = min(one.least for one in found)
    beyond = [score for one in found for score in one.distribution if one.at_least(score) >= SHOWN]
    return low, max(beyond)


def _told(one: ScoreDistribution) -> str:
    return f"{one.policy}: {one.mean:.2f} on average"


def _save_image(solution: Solution[Any], found: Sequence[ScoreDistribution], file: Path) -> None:
    from komi.plotting import image_plots

    image_plots.save(figure(solution, found), file)


def figure(solution: Solution[Any], found: Sequence[ScoreDistribution]) -> "Figure":
    """Plot the probability of each score, and below it the probability of at least each score."""
    import matplotlib
    from matplotlib.figure import Figure

    from komi.plotting.image_plots import STYLE

    low, high = _shown(found)
    with matplotlib.rc_context(STYLE):
        sheet = Figure(figsize=(9.0, 6.4), layout="constrained")
        sheet.suptitle(f"{_heading(solution)}\n{format_rules(solution.rules)}", fontsize=12)
        chance, more = sheet.subplots(2, 1, sharex=True)
        for one, colour in zip(found, ACTIONS, strict=False):
            scores = np.arange(low, high + 1)
            each = np.array([100 * one.distribution.get(int(score), 0.0) for score in scores])
            chance.bar(scores, each, width=0.9, color=colour, alpha=0.7 if len(found) > 1 else 1.0, label=_told(one))
            more.step(scores, [100 * one.at_least(int(score)) for score in scores], where="mid", color=colour)
        chance.set_ylabel("this score, %")
        more.set_ylabel("so much or more, %")
        more.set_xlabel(solution.objective.removeprefix("expected "))
        more.grid(alpha=0.25, linewidth=0.6, color=DARK)
        chance.legend(frameon=False)
    return sheet


def _save_page(solution: Solution[Any], found: Sequence[ScoreDistribution], file: Path) -> None:
    import plotly.graph_objects as go

    from komi.plotting import interactive_plots

    low, high = _shown(found)
    sheet = go.Figure()
    for one, colour in zip(found, ACTIONS, strict=False):
        scores = list(range(low, high + 1))
        sheet.add_trace(
            go.Bar(
                x=scores,
                y=[one.distribution.get(score, 0.0) for score in scores],
                customdata=[one.at_least(score) for score in scores],
                hovertemplate="%{x}: %{y:.4%}<br>so much or more: %{customdata:.4%}<extra></extra>",
                marker_color=colour,
                name=_told(one),
            )
        )
    sheet.update_layout(
        title={"text": f"<b>{_heading(solution)}</b>", "subtitle": {"text": format_rules(solution.rules)}, "x": 0.5},
        barmode="overlay" if len(found) == 1 else "group",
        xaxis_title=solution.objective.removeprefix("expected "),
        yaxis={"title": "chance", "tickformat": ".1%"},
        font={"family": "system-ui, sans-serif", "color": DARK},
        legend={"x": 0.7, "y": 1.0},
        margin={"t": 110},
    )
    interactive_plots.save(sheet, file)
