"""The command line. Errors are one sentence on stderr and exit code 2; a traceback reaches nobody."""

import gc
import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from komi.cli.interrupt import INTERRUPTED, STOPPED, insisting
from komi.errors import KomiError

NEW_OBJECTS = 100_000  # between two looks for garbage: a compiler makes many, and little of it is garbage

MODULES = {
    "games": "games",
    "rules": "rules",
    "solve": "solve",
    "value": "solve",
    "moves": "moves",
    "check": "check",
    "play": "play",
    "opponents": "play",
    "serve": "serve",
    "review": "review",
    "match": "match",
    "compare": "match",
    "agree": "match",
    "fair": "fair",
    "sweep": "sweep",
    "learn-chances": "learn_chances",
    "spread-total": "spread_total",
    "teach": "teach",
    "approximate": "approximate",
    "export": "export",
    "simulate": "simulate",
    "study": "study",
    "plot": "plot",
    "table": "table",
    "report": "report",
    "reproduce": "reproduce",
    "cache": "cache",
}
"""Every command, and the module that adds it: importing all would take longer than solving Pig."""


def main() -> None:
    """Run the command that the arguments name."""
    gc.set_threshold(NEW_OBJECTS)
    _set_streams()
    try:
        with insisting():
            code = _run()
        print(end="", flush=True)  # what fails at exit cannot be told
    except KeyboardInterrupt:
        _warn(STOPPED)
        code = INTERRUPTED
    except MemoryError:
        _warn("there is not enough memory for this game.")
        code = 2
    except BrokenPipeError:
        _leave_unwritten()
        code = 1
    except OSError as error:
        _leave_unwritten()
        reason, file = error.strerror or error, error.filename
        _warn(
            f"{file}: {reason}."
            if file
            else f"cannot write the answer ({reason}): free some disk space, or redirect it elsewhere."
        )
        code = 2
    gc.freeze()  # else Python looks for garbage among all that is left before it ends
    sys.exit(code)


def _run() -> int:
    """Importing the commands takes a moment too, in which people press Ctrl-C."""
    import typer
    from typer import exceptions

    from komi.catalog import place
    from komi.cli.app import app
    from komi.cli.wording import plainly

    _add_commands(sys.argv[1:])
    try:
        code = app(prog_name="komi", standalone_mode=False)
    except KomiError as error:
        _warn(str(error))
    except exceptions.TyperException as error:
        _warn(plainly(error))
    except typer.Abort:
        raise KeyboardInterrupt from None
    except (MemoryError, BrokenPipeError):
        raise
    except SystemExit as ended:  # stopped, and has said so
        return ended.code if isinstance(ended.code, int) else 2
    except Exception as error:
        where = place(error)
        if where is None:  # not the rules: komi itself is broken
            raise
        _warn(f"{where}: {type(error).__name__}: {error}.")
    else:
        if code == INTERRUPTED:  # typer has caught it, and says nothing
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    return 2


def _add_commands(arguments: list[str]) -> None:
    """Import the command that is asked for, or all of them where a list is."""
    named = MODULES.get(arguments[0]) if arguments else None
    for module in [named] if named else dict.fromkeys(MODULES.values()):
        import_module(f"komi.cli.{module}")


def _set_streams() -> None:
    """Let text that a stream cannot write or read be replaced, and what is printed where nobody listens be lost."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115  it stays open
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _leave_unwritten() -> None:
    """Let Python's own last attempt at writing the answer do no harm: it would tell it in its own words."""
    with suppress(OSError):  # stdout is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _warn(sentence: str) -> None:
    print(f"komi: {sentence}", file=sys.stderr)
