"""Solutions in notebooks: their main figures, and the hold-value surface or the board where there is one."""

from html import escape
from typing import Any

from komi.evaluation.turn_decisions import find_turn_decisions, is_press_your_luck
from komi.presentation.solution_report import solution_report
from komi.reporting.report_plots import plot_or_note
from komi.solvers.solution import Solution
from komi.solvers.tablebase.tablebase import Tablebase
from komi.tabular import html_table

MAX_STATES = 1_000_000  # with more, a surface takes longer than a cell of a notebook should


def solution_html(solution: Solution[Any]) -> str:
    """Return the main figures of a solution as HTML, with a picture if there is one that takes seconds at most."""
    text = solution_report(solution).text()
    lines = [escape(line) for line in (*text.lines, *text.footer) if line]
    sentences = "".join(f"{line} " if line.endswith((".", ",", ";", "games")) else f"{line}<br>" for line in lines)
    figures = html_table(text.columns, text.rows) if text.columns else ""
    return f"<p><b>{escape(text.title)}</b><br>{sentences}</p>{figures}{_picture(solution)}"


def _picture(solution: Solution[Any]) -> str:
    game = solution.game
    if isinstance(solution, Tablebase) and game.has("board"):
        return plot_or_note("of the board", lambda: _board(solution))
    if solution.states <= MAX_STATES and solution.kind.seats == 2 and is_press_your_luck(game):
        return plot_or_note("of hold values", lambda: _hold_values(solution))
    return ""


def _board(tablebase: Tablebase) -> str:
    from komi.plotting import image_plots, positions

    return image_plots.image(positions.draw(tablebase, tablebase.read(None)))


def _hold_values(solution: Solution[Any]) -> str:
    from komi.plotting import image_plots

    ((turns,),) = find_turn_decisions(solution)
    return image_plots.image(image_plots.surface([turns], reachable=False))
