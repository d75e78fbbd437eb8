"""What commands print: one JSON object or text for people on stdout, progress on stderr."""

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from komi.progress import Progress, silent


def print_json(answer: dict[str, Any]) -> None:
    """Print the one object that `--json` promises."""
    print(json.dumps(answer, ensure_ascii=False))


def console() -> Console:
    """Where people read."""
    return Console(highlight=False, soft_wrap=True)


def suggest(command: str, game: str, settings: list[str] | None, *more: str) -> None:
    """Tell people what to type next, of the game and with the settings as they gave them."""
    words = [command, game, *(word for setting in settings or [] for word in ("--set", setting)), *more]
    console().print(f"Next: komi {shlex.join(words)}", markup=False)


def warn(sentence: str) -> None:
    """Tell a person something beside the answer."""
    print(f"komi: {sentence}", file=sys.stderr)


@contextmanager
def bars() -> Iterator[Progress]:
    """A progress bar with its rate and the time left; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield silent
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
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
