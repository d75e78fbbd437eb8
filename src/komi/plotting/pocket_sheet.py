"""A strategy on one small page, A6, A5 or A4, in any language: sentences, worked examples, and how strong it is."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import matplotlib
from matplotlib.figure import Figure

from komi.errors import InputError
from komi.plotting.cheat_sheet_plot import strength_facts
from komi.plotting.sheet_layout import ACCENT, GREYER, INK, PAPER, SHEET_STYLE, fit, panel, save_sheet
from komi.rules import vocabulary
from komi.teaching.teach import TeachingResult

PAPERS = {"a6": (4.13, 5.83), "a5": (5.83, 8.27), "a4": (8.27, 11.69)}  # inches
SCALES = {"a6": 1.0, "a5": 1.3, "a4": 1.7}  # of text
FITTING = (1.3, 1.15, 1.0, 0.9, 0.8, 0.72)  # scales of the text, of which the first that fits on the page is taken
MARGIN = 0.07  # of the width of the page
HEADER = 0.56  # height of the header, in inches, times the scale
LETTER = 0.55  # mean width of a letter, relative to its size in points
LEADING = 1.42  # height of a line, relative to its size in points
RELATIONS = ("at least", "at most", "less than", "more than")
PHRASES = (
    *(f"{verb} {relation}" for verb in ("is", "are both", "has") for relation in RELATIONS),
    "if", "or if", "and", "or", "else", "otherwise", "always", "the larger of", "the smaller of", "the highest of",
    "the lowest of", "left over", "wins", "numbers to remember", "Worked examples", "Strength", "best",
    "in every position",
    "wins against optimal play, average of both seats", "wins with optimal play", "Computed exactly by komi.",
    "loss in", "probability of winning", "with optimal play",
    "wins against an opponent who knows and best exploits this sheet",
    "wins among others who play optimally, average of all seats",
)  # fmt: skip
"""The words of sheets, beside those of the game."""
Translate = Callable[[str], str]


class SheetLanguage(NamedTuple):
    """The translation of phrases into a language, and its decimal mark; English by default."""

    translate: Translate = str
    decimal_mark: str = "."

    def numbers(self, text: str) -> str:
        """Write the numbers of a text with the decimal mark."""
        return re.sub(r"(?<=\d)\.(?=\d)", self.decimal_mark, text)


class Part(NamedTuple):
    """A paragraph: its text, its size in points at scale 1, its colour, and a number or figure in front of it."""

    text: str
    size: float = 8.5
    colour: str = INK
    mark: str = ""
    space: float = 0.0


def draw_pocket_sheet(result: TeachingResult, file: Path, paper: str, language: SheetLanguage) -> None:
    """Write the cheat sheet of a result as png, pdf or html on a page of this size.

    Args:
        result: the strategy.
        file: the file to write.
        paper: one of `PAPERS`.
        language: the language; a phrase without a translation stays as it is.

    Raises:
        InputError: if the strategy does not fit on the page.
    """
    parts = [
        part._replace(text=language.numbers(part.text), mark=language.numbers(part.mark))
        for part in _parts(result, language.translate)
    ]
    with matplotlib.rc_context(SHEET_STYLE):
        for fitting in FITTING:
            figure = _page(result, parts, paper, SCALES[paper] * fitting, language.translate)
            if figure is not None:
                save_sheet(figure, result.game, file, f"{PAPERS[paper][0] * 25.4:.0f}mm")
                return
    raise InputError(
        f"this strategy takes more than one page of {paper.upper()}: choose a larger --paper, or fewer --numbers; "
        f"{result.file} plays it."
    )


def translated(text: str, names: Sequence[str], translate: Translate) -> str:
    """Translate the sentences of a strategy phrase by phrase, the longest first, and keep capitals at their beginning.

    Args:
        text: the sentences.
        names: the fields, actions and other words of the game.
        translate: translates a phrase.
    """
    phrases = {phrase: translate(phrase) for phrase in sorted({*PHRASES, *names}, key=len, reverse=True)}
    if "left" not in names:  # what is left of a stock, not a side
        phrases["left"] = translate("left over") if translate("left over") != "left over" else "left"
    if all(phrase == other for phrase, other in phrases.items()):
        return text
    pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)

    def exchange(found: re.Match[str]) -> str:
        phrase = phrases.get(found[0]) or phrases.get(found[0][0].lower() + found[0][1:], found[0])
        return phrase[0].upper() + phrase[1:] if found[0][0].isupper() else phrase

    return pattern.sub(exchange, text).replace(" ,", ",")


def _parts(result: TeachingResult, translate: Translate) -> list[Part]:
    shown = result.examples[0].state if result.examples else {}
    fields = [field for field in result.game.fields(result.rules) if field in shown]
    meant = {field: vocabulary.field_label(result.game, field) for field in fields}
    actions = getattr(result.game.module, "actions", ())
    named = [example.action.rstrip("0123456789 ") for example in result.examples]  # such as "roll 5"
    names = [*result.game.fields(result.rules), *actions, *filter(None, named), result.strength.objective]

    def said(text: str) -> str:
        return translated(text, names, translate)

    said_lines = [part.strip() for line in result.strategy for part in line.rstrip(".").split(";")]
    lines = [said(f"{line[:1].upper()}{line[1:]}.") for line in said_lines]
    parts = [Part(line, 9.5, mark=str(number), space=0.03) for number, line in enumerate(lines, 1)]
    legend = [f"{translate(field)}: {translate(meaning)}" for field, meaning in meant.items() if meaning != field]
    parts.append(Part(";  ".join(legend), 6.5, GREYER))
    if result.examples:
        parts.append(Part(translate("Worked examples").upper(), 7.0, ACCENT, space=0.08))
    for example in result.examples:
        state = ", ".join(f"{said(field)} {value}" for field, value in example.state.items())
        best = "" if example.action == example.best else f" ({said(f'best: {example.best}')})"
        working = said(example.working or "in every position")
        parts.append(Part(f"{state}: {said(example.action)}{best}.  {working[0].upper()}{working[1:]}.", 7.5, mark="•"))
    parts.append(Part(translate("Strength").upper(), 7.0, ACCENT, space=0.08))
    parts += [Part(said(what.replace("\n", " ")), 7.5, mark=number) for number, what in strength_facts(result)]
    return parts


def _page(
    result: TeachingResult, parts: Sequence[Part], paper: str, scale: float, translate: Translate
) -> Figure | None:
    """Draw the page; return None if the text does not fit on it."""
    width, height = PAPERS[paper]
    figure = Figure(figsize=(width, height), facecolor=PAPER)
    band = HEADER * scale / height
    panel(figure, 0.0, 1.0 - band, 1.0, band, ACCENT)
    heads = (
        (vocabulary.title(result.game), 14, 0.36, "white"),
        (
            f"{vocabulary.format_rules(result.rules)}; {translate('numbers to remember')}: {result.numbers}",
            6.5,
            0.75,
            "#D5E6F1",
        ),
    )
    for text, size, down, colour in heads:
        written = figure.text(MARGIN, 1.0 - down * band, text, fontsize=size * scale, color=colour, va="center")
        fit(written, 1.0 - 2 * MARGIN)
    top = 1.0 - band - 0.1 * scale / height
    for part in parts:
        size, top = part.size * scale, top - part.space * scale / height
        indent = (0.0 if not part.mark else 0.2 if len(part.mark) < 3 else 0.72) * scale / width
        letters = int((1.0 - 2 * MARGIN - indent) * width * 72 / (size * LETTER))
        if part.mark:
            figure.text(MARGIN, top, part.mark, fontsize=size, color=ACCENT, weight="bold", va="top")
        for line in wrap(part.text, letters):
            fit(
                figure.text(MARGIN + indent, top, line, fontsize=size, color=part.colour, va="top"),
                1 - 2 * MARGIN - indent,
            )
            top -= size * LEADING / 72 / height
        top -= 0.35 * size / 72 / height
    figure.text(MARGIN, 0.02, translate("Computed exactly by komi."), fontsize=5.5 * scale, color=GREYER)
    return figure if top > 0.05 else None
