"""Parts of a printable cheat sheet that all sheets share: the header, sentences in large type, panels."""

import html
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Text

from komi.files import write_atomically
from komi.plotting.image_plots import STYLE, drawing
from komi.rules import vocabulary
from komi.rules.game import Game
from komi.typing import Rules

SIZE = (8.27, 11.69)  # inches: A4
DOTS_PER_INCH = 150  # sharp on paper
INK, ACCENT, PAPER, PANEL = "#1F2933", "#0B5C8C", "#FFFFFF", "#F1F5F8"
LEFT, RIGHT = 0.08, 0.92
TO_REMEMBER = 0.31  # width of the number of numbers in the header
LINE = 0.0265  # line height of a sentence, as a fraction of the sheet's height
LETTERS = 62  # characters in a line of a sentence
MANY_LINES = 9  # maximum number of lines in large type
SMALLER = (0.82, 0.7, 0.6, 0.5)  # scales of the text of a long sheet, so that it fits on one page
LOWEST = 0.53  # bottom edge of the sentences, so that the rest has space
LEAST_SIZE = 5.0  # of a text that is reduced to fit, in points
FACT, FACTS_APART, FOOT = 0.066, 0.085, 0.03  # a fact, two facts and the foot, as fractions of the sheet's height
SHEET_STYLE = {**STYLE, "pdf.fonttype": 42}
SMALL_LETTERS = 108  # characters in a line of a legend
GREYER = "#52606D"

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0; background: #dfe5ea; }}
svg {{ display: block; width: 100%; max-width: {width}; height: auto; margin: 2rem auto;
  box-shadow: 0 2px 12px #0003; }}
@media print {{ body {{ background: none; }} svg {{ margin: 0; box-shadow: none; }} }}
</style>
{drawing}
</html>
"""


def save_sheet(figure: Figure, game: Game, file: Path, width: str = "210mm") -> None:
    """Write a sheet as png, pdf or html; on a page of html it is as wide as on paper."""
    title = f"{vocabulary.title(game)}: a strategy to remember"
    if file.suffix == ".html":
        page = _PAGE.format(title=html.escape(title), width=width, drawing=drawing(figure))
        write_atomically(file, lambda draft: draft.write_text(page, encoding="utf-8"))
        return
    metadata = {"CreationDate": None, "Title": title} if file.suffix == ".pdf" else {}
    with matplotlib.rc_context(SHEET_STYLE):
        write_atomically(file, lambda draft: figure.savefig(draft, dpi=DOTS_PER_INCH, metadata=metadata))


def begin_sheet(game: Game, rules: Rules, numbers: int) -> Figure:
    """Create an empty sheet with its header."""
    figure = Figure(figsize=SIZE, facecolor=PAPER)
    panel(figure, 0.0, 0.905, 1.0, 0.095, ACCENT)
    title = figure.text(LEFT, 0.962, vocabulary.title(game), color="white", fontsize=27, fontweight="bold", va="center")
    fit(title, RIGHT - LEFT - TO_REMEMBER)
    settings = figure.text(LEFT, 0.926, vocabulary.format_rules(rules), color="#D5E6F1", fontsize=10, va="center")
    fit(settings, RIGHT - LEFT)
    figure.text(
        RIGHT, 0.962, f"{numbers} number{'s' * (numbers != 1)} to remember",
        color="white", fontsize=13, va="center", ha="right",
    )  # fmt: skip
    return figure


def fit(text: Text, width: float) -> None:
    """Reduce the size of a text until it is no wider than a fraction of its sheet; then shorten it."""
    figure = text.get_figure()
    assert isinstance(figure, Figure)
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    most = width * figure.bbox.width
    found = text.get_window_extent(renderer).width
    if found > most:
        text.set_fontsize(max(float(text.get_fontsize()) * most / found * 0.99, LEAST_SIZE))
    while len(text.get_text()) > 1 and text.get_window_extent(renderer).width > most:
        text.set_text(text.get_text().rstrip("…")[:-1].rstrip() + "…")


def write_sentences(figure: Figure, lines: Sequence[str], top: float) -> float:
    """Write the strategy in large type, its sentences numbered; return the bottom edge."""
    scale = _scale_of(lines, top)
    for number, line in enumerate(lines, 1):
        figure.text(LEFT, top, str(number), fontsize=17 * scale, fontweight="bold", color=ACCENT, va="top")
        for part in wrap(line, int(LETTERS / scale)):
            fit(figure.text(LEFT + 0.045, top, part, fontsize=15 * scale, color=INK, va="top"), RIGHT - LEFT - 0.045)
            top -= LINE * scale
        top -= 0.008
    return top


def _scale_of(lines: Sequence[str], top: float) -> float:
    """Return the scale at which sentences fit on the sheet."""
    if sum(len(wrap(line, LETTERS)) for line in lines) <= MANY_LINES:
        return 1.0
    for scale in SMALLER:
        count = sum(len(wrap(line, int(LETTERS / scale))) for line in lines)
        if top - count * LINE * scale - 0.008 * len(lines) >= LOWEST:
            return scale
    return SMALLER[-1]


def write_legend(figure: Figure, game: Game, fields: Sequence[str], top: float) -> float:
    """Write what the names of fields mean; return the bottom edge."""
    meant = {field: vocabulary.field_label(game, field) for field in fields}
    meanings = [f"{field}: {meaning}" for field, meaning in meant.items() if meaning != field]
    for part in wrap(";  ".join(meanings), SMALL_LETTERS):
        fit(figure.text(LEFT, top, part, fontsize=9, color=GREYER, va="top", style="italic"), RIGHT - LEFT)
        top -= 0.018
    return top


def write_facts(figure: Figure, facts: Sequence[tuple[str, str]], x: float, y: float) -> None:
    """Write numbers in large type, each with its description below; reduce the spacing if they do not fit."""
    apart = min(FACTS_APART, (y - FACT - FOOT) / max(len(facts) - 1, 1))
    for number, what in facts:
        fit(figure.text(x, y, number, fontsize=19, fontweight="bold", color=ACCENT, va="top"), RIGHT - x)
        fit(figure.text(x, y - 0.03, what, fontsize=9.5, color=INK, va="top", linespacing=1.3), RIGHT - x)
        y -= apart


def write_foot(figure: Figure, text: str) -> None:
    """Write the last line."""
    figure.text(LEFT, 0.025, text, fontsize=8, color="#7B8794")


def heading(figure: Figure, text: str, top: float) -> None:
    """Write a heading in small capitals."""
    figure.text(LEFT, top, text.upper(), fontsize=10.5, fontweight="bold", color=ACCENT, va="top")


def panel(figure: Figure, left: float, bottom: float, width: float, height: float, colour: str) -> Any:
    """Draw a coloured panel, with rounded corners unless it is as wide as the sheet."""
    style = "round,pad=0,rounding_size=0.008" if width < 1.0 else "square,pad=0"
    return figure.add_artist(
        FancyBboxPatch((left, bottom), width, height, boxstyle=style, fc=colour, ec="none", zorder=-1)
    )
