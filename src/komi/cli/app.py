"""The options and arguments that commands share."""

import math
from typing import Annotated

import typer

from komi.errors import InputError
from komi.rules.catalog import find
from komi.rules.declarations import keywords
from komi.rules.game import Game


def _positive(tolerance: float) -> float:
    if not 0.0 < tolerance < math.inf:
        raise InputError(f"--tolerance takes a positive number, not {tolerance:g}.")
    return tolerance


GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A built-in game, or a rule file: path.py.")]
SetOption = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a rule; repeatable.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
AuditOption = Annotated[
    bool, typer.Option("--audit", help="Check the result once more with the rules as Python runs them, at any size.")
]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Solve again, ignoring a cached solution.")]
ToleranceOption = Annotated[
    float,
    typer.Option(
        "--tolerance", callback=_positive, help="The largest error bound to accept, relative to the range of values."
    ),
]
StateOption = Annotated[
    str, typer.Option("--state", metavar="STATE", help="A state: field=value,... or the game's own notation.")
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", help="Number of jobs to run at once; by default the number of cores."),
]
ClusterOption = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="Run on the Ray cluster at this address, or 'auto'.")
]
DatabaseOption = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="KOMI_DATABASE",
        help="sqlite:///FILE or postgresql://USER@HOST/NAME; by default a file in your data folder.",
    ),
]


def chosen(name: str, settings: list[str] | None) -> tuple[Game, dict[str, object]]:
    """Return the game of this name and the rules changed with `--set`."""
    game = find(name)
    rules: dict[str, object] = {}
    for setting in settings or []:
        rule, equals, value = (part.strip() for part in setting.partition("="))
        if not (rule and equals and value):
            raise InputError(f"--set takes name=value, not {setting!r}.")
        if rule in rules:
            raise InputError(f"--set names rule {rule!r} twice.")
        rules[rule] = value
    return game.under(game.rules(rules)), keywords(rules)


def whole_number(option: str, text: str) -> int | None:
    """Parse a whole number: 100000, 100,000, 100_000 or 1e5. Return None for an empty text."""
    if not text:
        return None
    try:
        number = float(text.replace(",", ""))
        whole = int(number)
    except (ValueError, OverflowError):
        raise InputError(f"{option} takes a whole number, not {text!r}.") from None
    if whole != number:
        raise InputError(f"{option} takes a whole number, not {text!r}.")
    return whole
