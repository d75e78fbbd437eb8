"""Plot of the distribution of final scores: the probability of each score, and of at least each score."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from komi.evaluation.scores import ScoreDistribution
from komi.files import write_atomically
from komi.plotting import formats
from komi.plotting.formats import DARK, PALETTE
from komi.rules.vocabulary import format_rules, title
from komi.solvers.solution import Solution

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MIN_TAIL = 1e-4  # the plot ends where the probability of this score or more falls below this


def draw_scores(solution: Solution[Any], distributions: Sequence[ScoreDistribution], file: Path) -> None:
    """Draw the score distributions of policies in one plot.

    Args:
        solution: the solved game, a single-player game.
        distributions: the distribution of each policy.
        file: the image file: png, svg, pdf or html.

    Raises:
        InputError: for another suffix.
        StorageError: if the file cannot be written.
    """
    save = _save_page if formats.format_of(file) in formats.PAGES else _save_image
    write_atomically(file, lambda draft: save(solution, distributions, draft))


def _heading(solution: Solution[Any]) -> str:
    return f"{title(solution.game)}: final scores ({solution.objective.removeprefix('expected ')})"


def _shown(distributions: Sequence[ScoreDistribution]) -> tuple[float, float]:
    """Return the lowest and the highest score in the plot."""
    low = min(scores.least for scores in distributions)
    beyond = [score for scores in distributions for score in scores.distribution if scores.at_least(score) >= MIN_TAIL]
    return low, max(beyond)


def _summary(scores: ScoreDistribution) -> str:
    return f"{scores.policy}: {scores.mean:.2f} on average"


def _save_image(solution: Solution[Any], distributions: Sequence[ScoreDistribution], file: Path) -> None:
    from komi.plotting import image_plots

    image_plots.save(figure(solution, distributions), file)


def figure(solution: Solution[Any], distributions: Sequence[ScoreDistribution]) -> "Figure":
    """Plot the probability of each score, and below it the probability of at least each score."""
    import matplotlib
    from matplotlib.figure import Figure

    from komi.plotting.image_plots import STYLE

    low, high = _shown(distributions)
    with matplotlib.rc_context(STYLE):
        sheet = Figure(figsize=(9.0, 6.4), layout="constrained")
        sheet.suptitle(f"{_heading(solution)}\n{format_rules(solution.rules)}", fontsize=12)
        chance, more = sheet.subplots(2, 1, sharex=True)
        for scores, colour in zip(distributions, PALETTE, strict=False):
            points = scores.between(low, high)
            shares = np.array([100 * scores.distribution.get(point, 0.0) for point in points])
            chance.bar(
                points,
                shares,
                width=0.9 * float(scores.unit),
                color=colour,
                alpha=0.7 if len(distributions) > 1 else 1.0,
                label=_summary(scores),
            )
            more.step(points, [100 * scores.at_least(point) for point in points], where="mid", color=colour)
        chance.set_ylabel("this score, %")
        more.set_ylabel("this score or more, %")
        more.set_xlabel(solution.objective.removeprefix("expected "))
        more.grid(alpha=0.25, linewidth=0.6, color=DARK)
        chance.legend(frameon=False)
    return sheet


def _save_page(solution: Solution[Any], distributions: Sequence[ScoreDistribution], file: Path) -> None:
    import plotly.graph_objects as go

    from komi.plotting import interactive_plots

    low, high = _shown(distributions)
    sheet = go.Figure()
    for scores, colour in zip(distributions, PALETTE, strict=False):
        points = scores.between(low, high)
        sheet.add_trace(
            go.Bar(
                x=points,
                y=[scores.distribution.get(point, 0.0) for point in points],
                customdata=[scores.at_least(point) for point in points],
                hovertemplate="%{x}: %{y:.4%}<br>this score or more: %{customdata:.4%}<extra></extra>",
                marker_color=colour,
                name=_summary(scores),
            )
        )
    sheet.update_layout(
        title={"text": f"<b>{_heading(solution)}</b>", "subtitle": {"text": format_rules(solution.rules)}, "x": 0.5},
        barmode="overlay" if len(distributions) == 1 else "group",
        xaxis_title=solution.objective.removeprefix("expected "),
        yaxis={"title": "chance", "tickformat": ".1%"},
        font={"family": "system-ui, sans-serif", "color": DARK},
        legend={"x": 0.7, "y": 1.0},
        margin={"t": 110},
    )
    interactive_plots.save(sheet, file)
