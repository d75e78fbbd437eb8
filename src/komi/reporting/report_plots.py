"""The plots of a report. They need matplotlib, which `komi.reporting.html_page.check_pictures` checks."""

import warnings
from collections.abc import Callable
from html import escape
from typing import Any

from komi.evaluation.scores import ScoreDistribution
from komi.evaluation.turn_decisions import TurnDecisions
from komi.simulation.result import Simulation
from komi.solvers.solution import Solution


def plot_or_note(what: str, draw: Callable[[], str]) -> str:
    """Return a plot, or a sentence if it cannot be drawn, so that the page is complete without it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # matplotlib's warnings concern appearance
            return draw()
    except Exception as error:
        return f"<p>The plot {what} is omitted: {escape(str(error) or type(error).__name__)}</p>"


def plot_hold_values(turns: TurnDecisions) -> str:
    """Plot the hold values of a policy as an svg element."""
    from komi.plotting import image_plots

    return image_plots.drawing(image_plots.surface([turns], reachable=False))


def plot_simulation(simulation: Simulation) -> str:
    """Plot the results of a simulation as an svg element."""
    from komi.plotting import image_plots, simulation_plot

    return image_plots.drawing(simulation_plot.figure(simulation))


def plot_scores(solution: Solution[Any], scores: ScoreDistribution) -> str:
    """Plot the distribution of final scores as an svg element."""
    from komi.plotting import image_plots, score_plot

    return image_plots.drawing(score_plot.figure(solution, [scores]))
