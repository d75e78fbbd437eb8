"""A strategy as a printable cheat sheet: the strategy, three worked positions, the Pareto front, and its win rates."""

from pathlib import Path
from statistics import fmean
from textwrap import wrap

import matplotlib
from matplotlib.figure import Figure

from komi.plotting.formats import DARK
from komi.plotting.front_plot import loss_label, show_front
from komi.plotting.sheet_layout import (
    ACCENT,
    GREYER,
    INK,
    LEFT,
    PANEL,
    RIGHT,
    SHEET_STYLE,
    begin_sheet,
    fit,
    heading,
    panel,
    save_sheet,
    write_facts,
    write_foot,
    write_legend,
    write_sentences,
)
from komi.teaching.lesson import WorkedExample
from komi.teaching.teach import TeachingResult

PANEL_LETTERS = 31  # characters in a line of a panel
FACT_LETTERS = 34  # characters in a line of the description of a figure
WIDE = 4  # maximum number of fields whose names fit on one line


def draw_cheat_sheet(result: TeachingResult, file: Path) -> None:
    """Write the cheat sheet of a result as png, pdf or html."""
    with matplotlib.rc_context(SHEET_STYLE):
        figure = _sheet(result)
    save_sheet(figure, result.game, file)


def _sheet(result: TeachingResult) -> Figure:
    figure = begin_sheet(result.game, result.rules, result.numbers)
    lines = [f"{part.strip().capitalize()}." for line in result.strategy for part in line.rstrip(".").split(";")]
    shown = result.examples[0].state if result.examples else ()
    fields = [field for field in result.game.fields(result.rules) if field in shown]
    top = write_sentences(figure, lines, 0.868)
    top = write_legend(figure, result.game, fields, top - 0.014)
    top = _examples(figure, result, top - 0.034)
    _strength(figure, result, top - 0.03)
    return figure


def _examples(figure: Figure, result: TeachingResult, top: float) -> float:
    """Draw the worked positions in panels side by side, and return the bottom edge."""
    heading(figure, "Worked examples", top)
    gap, count = 0.02, max(len(result.examples), 1)
    width = (RIGHT - LEFT - gap * 2) / 3
    workings = [wrap(f"{example.working or 'in every position'}.", PANEL_LETTERS) for example in result.examples]
    height = 0.093 + 0.0165 * max(map(len, workings), default=0)
    for index in range(count if result.examples else 0):
        left = LEFT + index * (width + gap)
        _position(figure, result.examples[index], workings[index], (left, top - 0.022 - height, width, height))
    return top - 0.022 - height


def _position(
    figure: Figure, example: WorkedExample, working: list[str], box: tuple[float, float, float, float]
) -> None:
    left, bottom, width, height = box
    panel(figure, left, bottom, width, height, PANEL)
    top = bottom + height - 0.012
    step = (width - 0.02) / len(example.state)
    is_wide = len(example.state) > WIDE
    for column, (field, value) in enumerate(example.state.items()):
        x = left + 0.01 + (column + 0.5) * step
        number = figure.text(x, top, str(value), fontsize=14, fontweight="bold", color=INK, ha="center", va="top")
        name = figure.text(
            x,
            top - 0.021,
            "\n".join(field.rsplit(" ", 1)) if is_wide else field,
            fontsize=6.2 if is_wide else 7.5,
            color=GREYER,
            ha="center",
            va="top",
            linespacing=0.95,
        )
        for text in (number, name):
            fit(text, 0.94 * step)
    for line, part in enumerate(working):
        text = figure.text(left + 0.012, top - 0.046 - 0.0165 * line, part, fontsize=8.8, color=INK, va="top")
        fit(text, width - 0.024)
    action = example.action.capitalize() + ("." if example.action == example.best else f" (best: {example.best}).")
    text = figure.text(left + 0.012, bottom + 0.009, action, fontsize=12, fontweight="bold", color=ACCENT, va="bottom")
    fit(text, width - 0.024)


def _strength(figure: Figure, result: TeachingResult, top: float) -> None:
    """Draw the Pareto front on the left and the win rates of the strategy on the right."""
    heading(figure, "Strength", top)
    bottom, middle = 0.075, 0.585
    axes = figure.add_axes((LEFT + 0.055, bottom, middle - LEFT - 0.085, max(top - 0.045 - bottom, 0.12)))
    show_front(axes, result)
    axes.set_title("loss by number of numbers to remember", fontsize=9.5, color=DARK)
    axes.set_ylabel("")  # the figures beside it name the quantity
    write_facts(figure, strength_facts(result), middle + 0.03, top - 0.045)
    write_foot(figure, "Computed exactly by komi.")


def strength_facts(result: TeachingResult) -> list[tuple[str, str]]:
    """Return the figures of the strategy, each with its description."""
    kind, strength = result.kind, result.strength

    def fact(amount: float, label: str) -> tuple[str, str]:
        number = f"{100 * amount:.2f} %" if kind.is_chance else f"{amount:.3f}"
        return number, "\n".join(wrap(label, FACT_LETTERS))

    value, optimal = fmean(strength.values), fmean(strength.optimal)
    loss = fact(strength.loss, loss_label(strength.objective, kind))
    if strength.worst_case is not None:
        what = "wins" if kind.is_chance else strength.objective
        average = fact(value, f"{what} against optimal play, average of both seats")
        worst = fact(strength.worst_case, f"{what} against an opponent who knows and best exploits this sheet")
        return [worst, loss, average] if kind.simultaneous else [average, loss, worst]
    if kind.seats == 1:
        return [fact(value, strength.objective), loss, fact(optimal, f"{strength.objective} with optimal play")]
    among = "wins among others who play optimally, average of all seats"
    return [fact(value, among), loss, fact(optimal, "wins with optimal play")]
