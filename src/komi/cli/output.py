"""What commands print: one JSON object or text for people on stdout, progress on stderr."""

import json
import math
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from komi.progress import Progress, silent
from komi.text import Text as Answered

WIDEST = 1 << 16  # letters of a line; a terminal breaks longer ones than it shows, and copies them in one piece
NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?(e[-+]\d+)?( %|\*)?")  # as it is told to people
LISTED = ("; ", ", ")  # between labels: the first where there is a comma in one of them


def print_json(answer: dict[str, Any]) -> None:
    """Print the one object that `--json` promises; a number that is not finite is null."""
    in_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    print(json.dumps(_finite(answer), ensure_ascii=not in_unicode, allow_nan=False))


def _finite(value: Any) -> Any:
    """The same with null in place of numbers that JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value


def console() -> Console:
    """Where people read. Text is printed as it stands, brackets too; `marked` makes text with styles."""
    return Console(highlight=False, soft_wrap=True, markup=False, emoji=False, width=WIDEST)


def marked(template: str, **values: object) -> Text:
    """Text with styles as the template's markup says, and the values in it as they stand."""
    return Text.from_markup(
        template.format(**{name: escape(str(value)) for name, value in values.items()}), emoji=False
    )


def listed(labels: Any) -> str:
    """Labels one after the other, told apart also where there are commas in them."""
    labels = list(labels)
    apart, usual = LISTED
    return (apart if any("," in label for label in labels) else usual).join(labels)


class PlainTable(Table):
    """A table without lines, whose numbers end below each other."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for column in self.columns:
            cells = [str(cell) for cell in column.cells]
            if any(cells) and all(not cell or NUMBER.fullmatch(cell) for cell in cells):
                column.justify = "right"
        yield from super().__rich_console__(console, options)


def plain_table(*columns: str) -> PlainTable:
    """A table without lines, to be filled."""
    return PlainTable(*columns, box=None, padding=(0, 2, 0, 0))


def show(answer: Answered) -> None:
    """Print an answer for people."""
    out = console()
    if answer.title:
        out.print(answer.title, style="bold")
    for line in answer.lines:
        out.print(line)
    if answer.rows:
        table = plain_table(*answer.columns)
        for row in answer.rows:
            table.add_row(*row)
        out.print(table)
    for line in answer.after:
        out.print(line)


def suggest(command: str, game: str, settings: list[str] | None, *more: str) -> None:
    """Tell people what to type next, of the game and with the settings as they gave them."""
    words = [command, game, *(word for setting in settings or [] for word in ("--set", setting)), *more]
    console().print(f"Next: komi {shlex.join(words)}")


def warn(sentence: str) -> None:
    """Tell a person something beside the answer."""
    print(f"komi: {sentence}", file=sys.stderr)


@contextmanager
def bars() -> Iterator[Progress]:
    """Show a progress bar with its rate and the time left; nothing where stderr is no terminal.

    What a library prints in the meantime goes to stderr: stdout is for the answer alone.
    """
    if not sys.stderr.isatty():
        with redirect_stdout(sys.stderr):
            yield silent
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def progress(stage: str, done: int, total: int, note: str = "") -> None:
            if stage not in tasks:
                tasks[stage] = shown.add_task(stage, total=total or None, rate="", note="")
            task = tasks[stage]
            shown.update(task, completed=done, total=total or None)
            speed = shown.tasks[task].speed
            shown.update(task, rate=f"{speed:,.0f}/s" if speed else "", note=note)

        yield progress
