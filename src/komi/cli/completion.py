"""Shell completion: commands from a table of their parameters, because importing them takes a second.

A command is rebuilt from `completions.json`, which `scripts/completions.py` writes, with the names of its options, and
what completes their values: names of games, rules, policies and fields come from the game that the line names.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from inspect import Parameter, Signature
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import typer

VARIABLE = "_KOMI_COMPLETE"  # set by the shell's function that asks for completions
LINES = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")  # variables with the line: of bash, and of other shells
BREAKS = "=:"  # characters at which bash begins a new word
FOLDER_MARK = "/"


def is_requested() -> bool:
    """Return whether a shell asks for completions."""
    return VARIABLE in os.environ


def line_words() -> list[str]:
    """Return the words of the line to complete, without the program's name; in bash, put together what it breaks."""
    if "COMP_WORDS" in os.environ:
        _join_words()
    return next((os.environ[name] for name in LINES if name in os.environ), "").split()[1:]


def complete(app: typer.Typer) -> int:
    """Print the completions of the line; for bash, without the part of the word that it takes for other words."""
    with redirect_stdout(StringIO()) as printed, suppress(SystemExit):
        app(prog_name="komi", standalone_mode=False)
    text = printed.getvalue()
    if "COMP_WORDS" in os.environ:
        word = [*os.environ["COMP_WORDS"].split("\n"), ""][int(os.environ["COMP_CWORD"])]
        kept = max(word.rfind(mark) for mark in BREAKS) + 1
        text = "".join(line[kept:] for line in text.splitlines(keepends=True))
    print(text, end="")
    return 0


def rebuilt(name: str) -> Callable[..., None]:
    """Return a function with the parameters of a command, whose values have completions."""
    table = json.loads(Path(__file__).with_name("completions.json").read_text(encoding="utf-8"))
    parameters = [_parameter(index, entry, table["values"]) for index, entry in enumerate(table["commands"][name])]

    def command() -> None:
        """Take the place of the command."""

    vars(command)["__signature__"] = Signature(parameters)
    return command


def _parameter(index: int, entry: dict[str, Any], values: dict[str, list[str]]) -> Parameter:
    names, kind = entry["names"], entry.get("kind", "")

    def complete(context: typer.Context, incomplete: str) -> list[str]:
        try:
            return _shown(_candidates(kind, values, context, incomplete), incomplete)
        except Exception:  # a game that does not exist, or a rule file with an error, which the command reports
            return []

    declared = typer.Option(*names, autocompletion=complete) if names[0].startswith("-") else None
    annotation = bool if entry.get("flag") else list[str] if entry.get("many") else str
    return Parameter(
        f"parameter{index}" if declared else names[0],
        Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[annotation, declared or typer.Argument(autocompletion=complete)],
    )


def _candidates(kind: str, values: dict[str, list[str]], context: typer.Context, incomplete: str) -> Iterator[str]:
    """Yield the values that a parameter can have, whether or not they begin like the incomplete one."""
    if kind == "GAME":
        from komi.rules.catalog import names

        yield from names()
        yield from _files(incomplete, ".py")
    elif kind in ("RULE", "STATE", "FIELD"):
        yield from _named_values(kind, _game(context), incomplete)
    elif kind in ("POLICY", "OPPONENT"):
        yield from values["OPPONENT"] if kind == "OPPONENT" else ()
        yield from _own_policies(_game(context))
        yield from values["POLICY"]
        yield from _files(incomplete, ".py")
    elif kind == "FILE":
        yield from _files(incomplete)
    else:
        yield from values.get(kind, ())


def _game(context: typer.Context) -> str:
    """Return the game that the line names; it is left in `args` before an option whose value is incomplete."""
    return str(context.params.get("game") or next((word for word in context.args if not word.startswith("-")), ""))


def _named_values(kind: str, name: str, incomplete: str) -> Iterator[str]:
    """Yield the rules of a game, or the fields of its states, with their values at the start."""
    from komi.rules.catalog import find

    game = find(name)
    rules = game.rules({})
    game = game.under(rules)
    start = {field: getattr(game.part("start")(rules), field) for field in game.fields(rules)}
    if kind == "RULE":
        yield from (f"{rule}={_written(value)}" for rule, value in rules._asdict().items())
    elif kind == "FIELD":
        yield from start
    else:
        before = incomplete[: incomplete.rfind(",") + 1]
        given = {part.partition("=")[0] for part in before.split(",")}
        yield from (f"{before}{field}={_written(value)}" for field, value in start.items() if field not in given)


def _own_policies(name: str) -> Iterator[str]:
    """Yield the names of the policies that a game's file defines."""
    from komi.rules.catalog import find

    game = find(name)
    yield from (function.__name__ for function in (game.module.policies if game.has("policies") else ()))


def _files(incomplete: str, *suffixes: str) -> Iterator[str]:
    """Yield the folders, and the files with one of the suffixes, or all, in the folder that the word names."""
    folder = incomplete[: incomplete.rfind(FOLDER_MARK) + 1]
    for entry in sorted(Path(folder or ".").iterdir()):
        if entry.is_dir():
            yield f"{folder}{entry.name}{FOLDER_MARK}"
        elif not suffixes or entry.suffix in suffixes:
            yield folder + entry.name


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).replace(" ", "")


def _shown(candidates: Iterator[str], incomplete: str) -> list[str]:
    """Return the candidates that begin like the incomplete word, and hidden files only after a dot."""
    hidden = not incomplete.startswith(".")
    return [each for each in candidates if each.startswith(incomplete) and not (hidden and each.startswith("."))]


def _join_words() -> None:
    """Join the words of bash that it has broken at `=` and `:`, and correct the index of the word at the cursor."""
    cursor, words, index = int(os.environ["COMP_CWORD"]), list[str](), 0
    for number, word in enumerate(os.environ["COMP_WORDS"].split("\n")):
        is_break, follows = bool(word) and set(word) <= set(BREAKS), bool(words) and words[-1].endswith(tuple(BREAKS))
        words = [*words[:-1], words[-1] + word] if words and (is_break or follows) else [*words, word]
        index = len(words) - 1 if number == cursor else index
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(words), str(index)
