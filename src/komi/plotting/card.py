"""A strategy as a sheet to pin to the wall: what to do, three positions worked out, the front, and what it is worth."""

import html
from pathlib import Path
from textwrap import wrap
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from komi import vocabulary
from komi.files import write_whole
from komi.plotting.colours import DARK
from komi.plotting.front import show_front
from komi.plotting.images import STYLE, drawing
from komi.teaching.teach import Example, Lesson

KINDS = ("png", "pdf", "html")
SIZE = (8.27, 11.69)  # inches: A4
DOTS_PER_INCH = 150
INK, ACCENT, PAPER, PANEL = "#1F2933", "#0B5C8C", "#FFFFFF", "#F1F5F8"
LEFT, RIGHT = 0.08, 0.92
LINE = 0.0265  # of a sentence, as a part of the sheet's height
LETTERS = 58  # in a line of a sentence
PANEL_LETTERS = 31  # in a line of a panel
WIDE = 4  # fields, of more the names take two lines

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0; background: #dfe5ea; }}
svg {{ display: block; width: 100%; max-width: 210mm; height: auto; margin: 2rem auto; box-shadow: 0 2px 12px #0003; }}
@media print {{ body {{ background: none; }} svg {{ margin: 0; box-shadow: none; }} }}
</style>
{drawing}
</html>
"""


def draw_card(lesson: Lesson, file: Path) -> None:
    """Write the sheet of a lesson as png, pdf or html."""
    title = f"{vocabulary.title(lesson.game)}: a strategy to remember"
    with matplotlib.rc_context({**STYLE, "pdf.fonttype": 42}):
        figure = _sheet(lesson)
    if file.suffix == ".html":
        page = _PAGE.format(title=html.escape(title), drawing=drawing(figure))
        write_whole(file, lambda draft: draft.write_text(page, encoding="utf-8"))
        return
    metadata = {"CreationDate": None, "Title": title} if file.suffix == ".pdf" else {}
    with matplotlib.rc_context({**STYLE, "pdf.fonttype": 42}):
        write_whole(file, lambda draft: figure.savefig(draft, dpi=DOTS_PER_INCH, metadata=metadata))


def _sheet(lesson: Lesson) -> Figure:
    figure = Figure(figsize=SIZE, facecolor=PAPER)
    game = lesson.game
    _panel(figure, 0.0, 0.905, 1.0, 0.095, ACCENT)
    figure.text(LEFT, 0.962, vocabulary.title(game), color="white", fontsize=27, fontweight="bold", va="center")
    figure.text(LEFT, 0.926, vocabulary.settings(lesson.rules), color="#D5E6F1", fontsize=10, va="center")
    figure.text(
        RIGHT, 0.962, f"{lesson.numbers} number{'s' * (lesson.numbers != 1)} to remember",
        color="white", fontsize=13, va="center", ha="right",
    )  # fmt: skip
    top = _sentences(figure, lesson, 0.868)
    top = _legend(figure, lesson, top - 0.014)
    top = _examples(figure, lesson, top - 0.034)
    _strength(figure, lesson, top - 0.03)
    return figure


def _sentences(figure: Figure, lesson: Lesson, top: float) -> float:
    """The strategy in large letters; where it ends."""
    lines = [part.strip().capitalize() for line in lesson.strategy for part in line.rstrip(".").split(";")]
    for number, line in enumerate(lines, 1):
        figure.text(LEFT, top, str(number), fontsize=17, fontweight="bold", color=ACCENT, va="top")
        for part in wrap(line + ".", LETTERS):
            figure.text(LEFT + 0.045, top, part, fontsize=15, color=INK, va="top")
            top -= LINE
        top -= 0.008
    return top


def _legend(figure: Figure, lesson: Lesson, top: float) -> float:
    """What the words for fields mean; where it ends."""
    game = lesson.game
    fields = [field for field in game.fields(lesson.rules) if lesson.examples and field in lesson.examples[0].state]
    meanings = [f"{field}: {vocabulary.meaning(game, field)}" for field in fields]
    for part in wrap(";  ".join(meanings), 108):
        figure.text(LEFT, top, part, fontsize=9, color="#52606D", va="top", style="italic")
        top -= 0.018
    return top


def _examples(figure: Figure, lesson: Lesson, top: float) -> float:
    """Panels side by side, each with a position; where they end."""
    _heading(figure, "Worked positions", top)
    gap, count = 0.02, max(len(lesson.examples), 1)
    width = (RIGHT - LEFT - gap * 2) / 3
    workings = [wrap(f"{example.working}.", PANEL_LETTERS) for example in lesson.examples]
    height = 0.093 + 0.0165 * max(map(len, workings), default=0)
    for place in range(count if lesson.examples else 0):
        left = LEFT + place * (width + gap)
        _position(figure, lesson.examples[place], workings[place], (left, top - 0.022 - height, width, height))
    return top - 0.022 - height


def _position(figure: Figure, example: Example, working: list[str], box: tuple[float, float, float, float]) -> None:
    left, bottom, width, height = box
    _panel(figure, left, bottom, width, height, PANEL)
    top = bottom + height - 0.012
    step = (width - 0.02) / len(example.state)
    is_wide = len(example.state) > WIDE
    for place, (field, value) in enumerate(example.state.items()):
        x = left + 0.01 + (place + 0.5) * step
        figure.text(x, top, str(value), fontsize=14, fontweight="bold", color=INK, ha="center", va="top")
        name = field.replace(" ", "\n") if is_wide else field
        figure.text(
            x,
            top - 0.021,
            name,
            fontsize=6.2 if is_wide else 7.5,
            color="#52606D",
            ha="center",
            va="top",
            linespacing=0.95,
        )
    for place, part in enumerate(working):
        figure.text(left + 0.012, top - 0.046 - 0.0165 * place, part, fontsize=8.8, color=INK, va="top")
    text = example.action.capitalize() + ("." if example.action == example.best else f" (best: {example.best}).")
    figure.text(left + 0.012, bottom + 0.009, text, fontsize=12, fontweight="bold", color=ACCENT, va="bottom")


def _strength(figure: Figure, lesson: Lesson, top: float) -> None:
    """The front on the left, what the strategy is worth on the right."""
    _heading(figure, "What it is worth", top)
    bottom, middle = 0.075, 0.585
    axes = figure.add_axes((LEFT + 0.055, bottom, middle - LEFT - 0.085, max(top - 0.045 - bottom, 0.12)))
    show_front(axes, lesson)
    axes.set_title("fewer numbers, more given away", fontsize=9.5, color=DARK)
    facts = [
        (f"{100 * lesson.match.average:.2f} %", "wins against perfect play,\nboth seats together"),
        (f"{100 * lesson.loss:.2f} %", "of winning given away"),
        (f"{100 * lesson.worst_case:.2f} %", "wins against a rival who knows\nthis sheet and exploits it best"),
    ]
    y = top - 0.045
    for number, what in facts:
        figure.text(middle + 0.03, y, number, fontsize=19, fontweight="bold", color=ACCENT, va="top")
        figure.text(middle + 0.03, y - 0.03, what, fontsize=9.5, color=INK, va="top", linespacing=1.3)
        y -= 0.085
    figure.text(LEFT, 0.025, "Computed exactly by komi.", fontsize=8, color="#7B8794")


def _heading(figure: Figure, text: str, top: float) -> None:
    figure.text(LEFT, top, text.upper(), fontsize=10.5, fontweight="bold", color=ACCENT, va="top")


def _panel(figure: Figure, left: float, bottom: float, width: float, height: float, colour: str) -> Any:
    style = "round,pad=0,rounding_size=0.008" if width < 1.0 else "square,pad=0"
    return figure.add_artist(
        FancyBboxPatch((left, bottom), width, height, boxstyle=style, fc=colour, ec="none", zorder=-1)
    )
