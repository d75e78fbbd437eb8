"""Output of the commands: one JSON object or text on stdout, progress on stderr."""

import json
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from komi.presentation.fields import to_json
from komi.presentation.formatting import TextReport
from komi.progress import Progress, silent
from komi.rules.game import Game
from komi.rules.limits import changed_rules
from komi.typing import Rules

WIDEST = 1 << 16  # characters per line: the terminal wraps long lines, and copies them as one line
NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?(e[-+]\d+)?( %|\*)?")  # as printed in text output
SHOWN_SECONDS = 1.0  # of compilation: kernels are loaded in less
LISTED = ("; ", ", ")  # separators of labels: the first if a label contains a comma


def print_json(result: object) -> None:
    """Print the JSON object of `--json`. Numbers that are not finite become null."""
    in_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    print(json.dumps(to_json(result), ensure_ascii=not in_unicode, allow_nan=False))


def console() -> Console:
    """Create a console that prints text verbatim, brackets included. Use `marked` for styled text."""
    return Console(highlight=False, soft_wrap=True, markup=False, emoji=False, width=WIDEST)


def marked(template: str, **values: object) -> Text:
    """Format a template with markup into styled text. The values are inserted verbatim."""
    return Text.from_markup(
        template.format(**{name: escape(str(value)) for name, value in values.items()}), emoji=False
    )


def listed(labels: Any) -> str:
    """Join labels into a list, separated by semicolons if a label contains a comma."""
    labels = list(labels)
    apart, usual = LISTED
    return (apart if any("," in label for label in labels) else usual).join(labels)


class PlainTable(Table):
    """A table without lines that right-aligns columns of numbers."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for column in self.columns:
            cells = [str(cell) for cell in column.cells]
            if any(cells) and all(not cell or NUMBER.fullmatch(cell) for cell in cells):
                column.justify = "right"
        yield from super().__rich_console__(console, options)


def plain_table(*columns: str) -> PlainTable:
    """Create an empty table without lines."""
    return PlainTable(*columns, box=None, padding=(0, 2, 0, 0))


def show(report: TextReport) -> None:
    """Print a result as text."""
    out = console()
    if report.title:
        out.print(report.title, style="bold")
    for line in report.lines:
        out.print(line)
    if report.rows:
        table = plain_table(*report.columns)
        for row in report.rows:
            table.add_row(*row)
        out.print(table)
    for line in report.footer:
        out.print(line)


def suggest(command: str, game: str, settings: list[str] | None, *more: str) -> None:
    """Print a suggestion for the next command, with the same game and settings."""
    words = [command, game, *(word for setting in settings or [] for word in ("--set", setting)), *more]
    console().print(f"Next: komi {shlex.join(words)}")


def warn(sentence: str) -> None:
    """Print a message on stderr."""
    print(f"komi: {sentence}", file=sys.stderr)


def count_rule_sets(number: int) -> str:
    """Return "1 rule set", "2 rule sets" and so on."""
    return f"{number:,} rule set{'s' * (number != 1)}"


def warn_of_rule_sets(game: Game, forbidden: int, failed: Sequence[tuple[Rules, Exception]], what: str) -> None:
    """Say which rule sets are missing from a result.

    Args:
        game: the game.
        forbidden: the number of rule sets that its limits do not allow.
        failed: the others, with the error of each.
        what: what could not be done with these, such as "solved".
    """
    if forbidden:
        warn(f"skipped {count_rule_sets(forbidden)} that the limits of {game.name} do not allow.")
    if failed:
        rules, error = failed[0]
        which = changed_rules(game, rules)
        warn(f"{count_rule_sets(len(failed))} could not be {what}; the first, with {which}: {error}")


@contextmanager
def bars() -> Iterator[Progress]:
    """Show a progress bar with its rate and the remaining time, and below it how long compilation takes.

    Nothing is shown if stderr is not a terminal. Output of libraries is redirected to stderr: stdout is reserved for
    the result.
    """
    if not sys.stderr.isatty():
        with redirect_stdout(sys.stderr):
            yield silent
        return
    from komi.jit.kernels import Kernels  # imports numba

    class BarsAndCompilation(Bars):
        def get_renderables(self) -> Iterable[RenderableType]:
            yield from super().get_renderables()
            seconds = Kernels.compiling_for()
            if seconds >= SHOWN_SECONDS:
                yield Text(f"compiling for {seconds:.0f} s")

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with BarsAndCompilation(*columns, console=Console(stderr=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def progress(stage: str, done: int, total: int, note: str = "") -> None:
            if stage not in tasks:
                tasks[stage] = shown.add_task(stage, total=total or None, rate="", note="")
            task = tasks[stage]
            shown.update(task, completed=done, total=total or None)
            speed = shown.tasks[task].speed
            shown.update(task, rate=f"{speed:,.0f}/s" if speed else "", note=note)

        yield progress
