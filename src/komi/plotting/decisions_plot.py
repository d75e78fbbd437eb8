"""Decisions of optimal play as a list: what the player sees, sets as tokens, and the best action with its margin.

Where play mixes, each action has a bar as long as its probability, and as strong in colour.
"""

from collections.abc import Sequence
from textwrap import fill, shorten
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from komi.plotting.decisions import Decision, Decisions
from komi.plotting.formats import DARK, GREY, PALETTE
from komi.plotting.image_plots import STYLE
from komi.plotting.map_plot import LETTERS
from komi.plotting.policy_map import value_title
from komi.rules.vocabulary import field_label, format_rules, title

LINE = 0.36  # height of a row, in inches
LETTER = 0.09  # width of a letter
GAP = 0.3  # between columns
MAX_LETTERS = 26  # of the text of a field
MAX_FIELDS = 6
MAX_TOKENS = 16  # elements of a set that is shown as tokens
TOKEN = 0.15  # width of a token, and LETTER for each letter of the longest name
MIXES = 4.2  # width of the bars of mixed play
MARGIN = 1.6  # width of the greatest margin
MIN_WIDTH = 6.4
PALEST = 0.25  # strength of the colour of an action that is nearly never taken


def figure(decisions: Decisions) -> Figure:
    """Draw a row for each decision."""
    rows, fields = decisions.rows, decisions.varying[:MAX_FIELDS]
    game, rules = decisions.solution.game, decisions.solution.rules
    sets = {field: names for field, names in game.elements(rules).items() if len(names) <= MAX_TOKENS}
    heads = [fill(field_label(game, field), 16) for field in fields]
    widths = [
        _tokens_width(sets[field])
        if field in sets
        else max(map(len, (*head.split("\n"), *(_short(row.seen[field]) for row in rows)))) * LETTER
        for field, head in zip(fields, heads, strict=True)
    ]
    lefts = [GAP + sum(widths[:index]) + GAP * index for index in range(len(fields) + 1)]
    actions = _Actions(decisions, lefts[-1])
    width = max(actions.right, MIN_WIDTH)
    with matplotlib.rc_context(STYLE):
        caption = fill("; ".join(filter(None, (format_rules(rules), _which(decisions)))), int(LETTERS * width))
        top = max((head.count("\n") + 1 for head in heads), default=1)
        above, height = 0.5 + 0.2 * caption.count("\n"), LINE * (len(rows) + 0.6 * (top + 1))
        sheet = Figure(figsize=(width, height + above + 0.3))
        sheet.suptitle(
            f"{title(game)}: optimal play\n{caption}", fontsize=12, y=1 - 0.1 / sheet.get_figheight(), va="top"
        )
        axes = sheet.add_axes((0, 0, 1, height / sheet.get_figheight()))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        first = height - LINE * (len(rows) + 0.25)
        for left, head in zip(lefts, [*heads, actions.head], strict=True):
            axes.text(left, first - 0.05, head, va="bottom", fontsize=8.5, style="italic", color=DARK)
        for number, row in enumerate(rows):
            middle = first + LINE * (number + 0.5)
            axes.plot((GAP, width - GAP), (middle - LINE / 2,) * 2, color=GREY, lw=0.8)
            for left, field in zip(lefts, fields, strict=False):
                if field in sets:
                    _draw_tokens(axes, left, middle, sets[field], row.seen[field].split())
                else:
                    axes.text(left, middle, _short(row.seen[field]), va="center", color=DARK)
            actions.draw(axes, middle, row)
    return sheet


class _Actions:
    """The column of the actions: best actions with their margins, or the bars of mixed play."""

    def __init__(self, decisions: Decisions, left: float) -> None:
        self.solution, self.left = decisions.solution, left
        labels = [row.moves[0].label for row in decisions.rows if row.moves]
        self.is_mixed = not labels
        self.margins = left + max(map(len, labels), default=0) * 1.1 * LETTER + GAP
        self.most = max((_margin(row) for row in decisions.rows), default=0.0)
        told = max(len(self._told(row)) for row in decisions.rows)
        self.right = left + MIXES + GAP if self.is_mixed else self.margins + MARGIN + told * 0.8 * LETTER + 2 * GAP
        mixed = "how likely each action is", "the best action, and how much better it is than the second"
        self.head = mixed[0] if self.is_mixed else mixed[1]

    def draw(self, axes: Axes, middle: float, row: Decision) -> None:
        """Draw the actions of a decision."""
        if self.is_mixed:
            left = self.left
            for label, share in row.shares.items():
                _draw_share(axes, left, middle, label, share)
                left += share * MIXES
            return
        best = [move.label for move in row.moves]
        axes.text(self.left, middle, best[0], va="center", weight="bold", color=DARK)
        length = MARGIN * _margin(row) / self.most if self.most else 0.0
        axes.add_patch(Rectangle((self.margins, middle - 0.08), length, 0.16, color=PALETTE[0], lw=0))
        axes.text(self.margins + length + 0.08, middle, self._told(row), va="center", fontsize=8.5, color=DARK)

    def _told(self, row: Decision) -> str:
        """Describe the margin: how much better the best action is than the second, or how many share its result."""
        if self.is_mixed:
            return ""
        best, second = row.moves[:2]
        if best.result:
            alike = sum(move.result == best.result for move in row.moves)
            return f"{best.result}: {alike} of {len(row.moves)} actions" + f", at best in {best.plies}" * (
                best.plies is not None
            )
        is_chance = value_title(self.solution).startswith("chance")
        if _margin(row) <= 2 * self.solution.error_bound:
            return f"as good as {_short(second.label)}"
        shown = f"{100 * _margin(row):.3g} percentage points" if is_chance else f"{_margin(row):.3g}"
        return f"{shown} better than {_short(second.label)}"


def _margin(row: Decision) -> float:
    """Return how much better the best action is than the second, or 0 where actions have results."""
    best, second = row.moves[:2] if row.moves else (None, None)
    return abs(best.value - second.value) if best and second and not best.result else 0.0


def _which(decisions: Decisions) -> str:
    """Say which decisions are shown."""
    return "all decisions" if decisions.is_complete else "some of its decisions"


def _short(text: str) -> str:
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 1] + "…"


def _tokens_width(names: Sequence[str]) -> float:
    return len(names) * (TOKEN + LETTER * max(map(len, names)))


def _draw_tokens(axes: Axes, left: float, middle: float, names: Sequence[str], members: Sequence[str]) -> None:
    """Draw all elements of a set in a row, filled where they belong to it."""
    width = _tokens_width(names) / len(names)
    box: Any = {"boxstyle": "round,pad=0,rounding_size=0.06", "lw": 0.8}
    for number, name in enumerate(names):
        x, is_member = left + number * width, name in members
        face, edge = (PALETTE[0], PALETTE[0]) if is_member else ("none", GREY)
        axes.add_patch(FancyBboxPatch((x, middle - 0.12), width - 0.04, 0.24, fc=face, ec=edge, **box))
        ink = "#ffffff" if is_member else "#9aa0a6"
        axes.text(x + width / 2 - 0.02, middle, name, ha="center", va="center", fontsize=8.5, color=ink)


def _draw_share(axes: Axes, left: float, middle: float, label: str, share: float) -> None:
    """Draw the bar of an action, with its name and probability if they fit."""
    strength = PALEST + (1.0 - PALEST) * share
    colour = [1.0 - (1.0 - part) * strength for part in to_rgb(PALETTE[0])]
    axes.add_patch(Rectangle((left, middle - 0.13), share * MIXES, 0.26, fc=colour, ec="#ffffff", lw=1.2))
    letters = int(share * MIXES / LETTER) - 6
    if letters > 0:
        text = label if len(label) <= letters else shorten(label, max(letters, 3), placeholder="…") or label[:letters]
        ink = "#ffffff" if strength > 0.6 else "#000000"
        shown = f"{text} {100 * share:.3g} %"
        axes.text(left + share * MIXES / 2, middle, shown, ha="center", va="center", fontsize=8.5, color=ink)
