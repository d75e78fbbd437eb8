"""Picture of a table: cards, dice, tokens, stacks, counters, tracks and squares where `table` of a rule file puts them.

Lengths are in units: a die has one. The items of one place and owner are a block below its heading; blocks lie in rows.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from komi.plotting.formats import DARK, GREY, PALETTE
from komi.rules.table_items import NOBODY, Item

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Box = tuple[float, float, float, float]

WIDTHS = (3.0, 4.5, 6.0, 8.0, 11.0, 15.0, 20.0)  # of a table: the one that fills a picture best is drawn
GAP, HEAD, LETTER = 0.25, 0.4, 0.22  # between items, of a heading, and the width of a letter
MAX_LINE = 9.0  # of items of one block
MAX_TEXT = 30  # letters of the text of an item, and of a heading
PIPS = {"1": [4], "2": [0, 8], "3": [0, 4, 8], "4": [0, 2, 6, 8], "5": [0, 2, 4, 6, 8], "6": [0, 2, 3, 5, 6, 8]}
"""The pips of a die on 3 x 3 places."""


class _Placed(NamedTuple):
    item: Item
    left: float
    top: float
    width: float
    height: float


class _Block(NamedTuple):
    heading: str
    placed: list[_Placed]
    width: float
    height: float


def draw_items(figure: "Figure", box: "Box", found: Sequence[Item], names: Sequence[str], ink: str = DARK) -> None:
    """Draw the items on a table.

    Args:
        figure: the figure.
        box: left, bottom, width and height of the table, as shares of the figure.
        found: the items.
        names: the names of the players, beginning with the one to move.
        ink: the colour of texts that lie on the background.
    """
    width, height = figure.get_size_inches() * box[2:]
    blocks = [_block(heading, group) for heading, group in _groups(found, names)]
    rows = max((list(_rows(blocks, each)) for each in WIDTHS), key=lambda rows: _scale(rows, width, height))
    scale = _scale(rows, width, height)
    axes = figure.add_axes(box)
    axes.axis("off")
    axes.set(xlim=(0, width / scale), ylim=(height / scale, 0))
    top = (height / scale - _size(rows)[1]) / 2
    for row in rows:
        left = (width / scale - sum(block.width + GAP for block in row) + GAP) / 2
        for block in row:
            _write(axes, block.heading, (left + block.width / 2, top), 0.7 * HEAD, scale, va="top", color=ink)
            start = left + (block.width - max((each.left + each.width for each in block.placed), default=0.0)) / 2
            for placed in block.placed:
                _draw(axes, placed._replace(left=start + placed.left, top=top + placed.top), scale, ink)
            left += block.width + GAP
        top += max(block.height for block in row) + GAP


def _groups(found: Sequence[Item], names: Sequence[str]) -> Iterator[tuple[str, list[Item]]]:
    """Yield the items of each place and owner with a heading; tokens on squares belong to these."""
    grids = {item.place: item.owner for item in reversed(found) if item.kind == "square"}
    on_grids = [len(item.numbers) == 2 and item.place in grids and item.kind == "token" for item in found]
    owners = [grids[item.place] if is_on else item.owner for item, is_on in zip(found, on_grids, strict=True)]
    for place, owner in dict.fromkeys((item.place, owner) for item, owner in zip(found, owners, strict=True)):
        heading = " of ".join(filter(None, (place, names[owner] if owner != NOBODY else "")))
        group = [item for item, its in zip(found, owners, strict=True) if (item.place, its) == (place, owner)]
        yield heading[:MAX_TEXT], group


def _block(heading: str, group: Sequence[Item]) -> _Block:
    left, top, placed = 0.0, HEAD if heading else 0.0, []
    squares = [item for item in group if item.kind == "square" or (item.kind == "token" and len(item.numbers) == 2)]
    has_grid = any(item.kind == "square" for item in group)
    width = max((_wide(item.text) for item in squares if item.kind == "square"), default=1.0)
    corner = [min((item.numbers[axis] for item in squares), default=0) for axis in (0, 1)]
    for item in squares if has_grid else ():
        row, column = item.numbers[0] - corner[0], item.numbers[1] - corner[1]
        placed.append(_Placed(item, column * width, top + row, width, 1.0))
    if has_grid:
        top = max(each.top + each.height for each in placed) + GAP
    for item in group:
        if has_grid and item in squares:
            continue
        number = _wide(str(item.numbers[0]), 2) if item.kind in ("stack", "counter") else 1.0
        width = max(3.0 if item.kind == "track" else 1.0, number, _wide(item.text))
        if left + width > MAX_LINE:
            left, top = 0.0, top + 1.2 + GAP
        placed.append(_Placed(item, left, top, width, 1.2 if item.kind in ("card", "stack", "counter") else 1.0))
        left += width + GAP
    right = max((each.left + each.width for each in placed), default=0.0)
    bottom = max((each.top + each.height for each in placed), default=top)
    return _Block(heading, placed, max(right, 0.75 * LETTER * len(heading)), bottom)


def _rows(blocks: Sequence[_Block], width: float) -> Iterator[list[_Block]]:
    """Yield the blocks in rows of at most this width."""
    row: list[_Block] = []
    for block in blocks:
        if row and sum(each.width + GAP for each in (*row, block)) - GAP > width:
            yield row
            row = []
        row.append(block)
    if row:
        yield row


def _size(rows: Sequence[Sequence[_Block]]) -> tuple[float, float]:
    across = [sum(block.width + GAP for block in row) - GAP for row in rows]
    return max(across, default=1.0), sum(max(block.height for block in row) + GAP for row in rows)


def _scale(rows: Sequence[Sequence[_Block]], width: float, height: float) -> float:
    """Return the largest inches per unit with which the rows fit."""
    across, down = _size(rows)
    return float(min(width / across, height / max(down, 1.0), 1.0))


def _wide(text: str, size: float = 1.0) -> float:
    return max(1.0, size * LETTER * len(text[:MAX_TEXT]) + 0.3)


def _draw(axes: "Axes", placed: _Placed, scale: float, ink: str) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

    (item, left, top, width, height), text = placed, placed.item.text[:MAX_TEXT]
    middle, colour = (
        (left + width / 2, top + height / 2),
        PALETTE[item.owner % len(PALETTE)] if item.owner >= 0 else GREY,
    )
    round_box = FancyBboxPatch(
        (left + 0.15, top + 0.15), width - 0.3, height - 0.3, "round,pad=0.12", facecolor="white", edgecolor=DARK
    )
    match item.kind:
        case "card" | "die":
            if not text:
                round_box.set(facecolor=PALETTE[0] if item.kind == "card" else GREY, hatch="xx", edgecolor="white")
            axes.add_patch(round_box)
            if item.kind == "die" and text in PIPS:
                for pip in PIPS[text]:
                    spot = left + 0.25 + 0.25 * (pip // 3), top + 0.25 + 0.25 * (pip % 3)
                    axes.add_patch(Circle(spot, 0.08, color=DARK))
                return
        case "token":
            paler = [0.4 + 0.6 * part for part in to_rgb(colour)]
            round_box.set(facecolor=paler, boxstyle="round,pad=0.1,rounding_size=0.4", edgecolor="white")
            axes.add_patch(round_box)
        case "square":
            axes.add_patch(Rectangle((left + 0.02, top + 0.02), width - 0.04, height - 0.04, color="#efece6"))
        case "track":
            length = width * item.numbers[0] / max(item.numbers[-1], 1)
            axes.add_patch(Rectangle((left, top + 0.1), width, 0.35, color=GREY))
            axes.add_patch(Rectangle((left, top + 0.1), length, 0.35, color=PALETTE[2]))
            text = f"{item.numbers[0]} of {item.numbers[-1]} {text}"
            _write(axes, text, (middle[0], top + 0.75), 0.3, scale, width, color=ink)
            return
        case "stack" | "counter":
            _write(axes, str(item.numbers[0]), (middle[0], top + 0.4), 0.75, scale, width, color=ink)
            _write(axes, text, (middle[0], top + 1.0), 0.3, scale, width, color=ink)
            return
    _write(axes, text, middle, 0.42, scale, width - 0.2, color=DARK)


def _write(
    axes: "Axes", text: str, at: tuple[float, float], size: float, scale: float, width: float = 0.0, **more: Any
) -> None:
    """Write a text in units of the table, smaller if it is wider than `width`."""
    if width and text:
        size = min(size, width / (0.62 * len(text)))
    axes.text(*at, text, fontsize=72 * size * scale, **{"ha": "center", "va": "center", **more})
