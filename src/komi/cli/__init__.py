"""The command line. An error is one sentence on stderr and exit code 2, never a traceback."""

import gc
import io
import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from komi.cli.interrupt import INTERRUPTED, STOPPED, insisting
from komi.errors import KomiError

BROKEN_PIPE = 141  # the exit code of a program whose reader has left, such as `head`, by the convention of shells
NEW_OBJECTS = 100_000  # between garbage collections: compilers allocate many objects, and few are garbage

PLAIN_MESSAGES = (  # (typer's message, its replacement)
    (r"Invalid value for '?(\S+?)'?: Input should be a valid integer.*", r"\1 takes a whole number"),
    (r"Invalid value for '?(\S+?)'?: Input should be a valid number.*", r"\1 takes a number"),
    (r"Invalid value for '?(\S+?)'?: Input should be (.*)", r"\1 should be \2"),
    (r"Missing (?:argument|option) '(\S+)'.*", r"\1 is missing"),
    (r"Option '(\S+)' requires an argument", r"\1 needs a value"),
    (r"Got unexpected extra argument\S* \((.*)\)", r"there are too many arguments: \1"),
    (r"No such command (\S+)\. Did you mean (\S+?)[,?].*", r"there is no command \1 (did you mean \2?)"),
    (r"No such option: (\S+) \(Possible options: (\S+?)[,)].*", r"there is no option \1 (did you mean \2?)"),
    (r"No such (command|option):? (\S+)", r"there is no \1 \2"),
)


def main() -> None:
    """Run the command that the arguments name."""
    gc.set_threshold(NEW_OBJECTS)
    _set_streams()
    try:
        with insisting():
            code = _run()
        print(end="", flush=True)  # an error at exit could not be reported
    except KeyboardInterrupt:
        _warn(STOPPED)
        code = INTERRUPTED
    except MemoryError:
        _warn("there is not enough memory for this game.")
        code = 2
    except BrokenPipeError:
        _leave_unwritten()
        code = BROKEN_PIPE
    except OSError as error:
        _leave_unwritten()
        reason, file = error.strerror or error, error.filename
        _warn(
            f"{file}: {reason}."
            if file
            else f"cannot write the output ({reason}): free some disk space, or redirect the output."
        )
        code = 2
    gc.freeze()  # skip the garbage collection of the remaining objects at exit
    sys.exit(code)


def _run() -> int:
    """Run the command named in the arguments and return its exit code.

    The imports are inside the function so that Ctrl-C is handled during them, too.
    """
    import typer
    from typer import exceptions

    from komi.cli import completion
    from komi.cli.commands import app

    _add_commands(sys.argv[1:])
    try:
        code = completion.complete(app) if completion.is_requested() else app(prog_name="komi", standalone_mode=False)
    except KomiError as error:
        _warn(str(error))
    except exceptions.TyperException as error:
        _warn(_plain_sentence(error))
    except typer.Abort:
        raise KeyboardInterrupt from None
    except (MemoryError, BrokenPipeError):
        raise
    except SystemExit as ended:  # stopped, with its own message
        if isinstance(ended.__context__, BrokenPipeError):  # rich and typer exit with 1
            raise ended.__context__ from None
        return ended.code if isinstance(ended.code, int) else 2
    except Exception as error:
        from komi.rules.loading import error_location

        where = error_location(error)
        if where is None:  # the error is in komi itself, not in the rules
            raise
        _warn(f"{where}: {type(error).__name__}: {error}.")
    else:
        if code == INTERRUPTED:  # typer catches Ctrl-C without a message
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    return 2


def _add_commands(arguments: list[str]) -> None:
    """Import the command that the arguments name; otherwise list all commands, and import none.

    To complete a line, build the command that it names from a table.
    """
    from komi.cli import completion
    from komi.cli.commands import COMMANDS, app, command

    app.registered_commands = [each for each in app.registered_commands if each.callback is not _listed]
    completed = completion.line_words() if completion.is_requested() else []
    first = next((argument for argument in arguments if argument != "--"), "")
    if first in COMMANDS:
        import_module(f"komi.cli.{COMMANDS[first][0]}")
    else:
        known = {each.name for each in app.registered_commands}
        for name in COMMANDS:
            if name not in known:
                command(name)(completion.rebuilt(name) if name in completed[:1] else _listed)


def _listed() -> None:
    """Stand for a command in the list."""


def _set_streams() -> None:
    """Replace characters that a stream cannot encode or decode, and discard output without a stream."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115  it stays open
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _leave_unwritten() -> None:
    """Redirect stdout to the null device, so that Python's flush at exit raises no second error."""
    with suppress(OSError):  # stdout is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _warn(sentence: str) -> None:
    print(f"komi: {sentence}", file=sys.stderr)


def _plain_sentence(error: Any) -> str:
    """Rewrite typer's error message as a plain sentence that refers to the right help page."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    for original, plain in PLAIN_MESSAGES:
        found = re.fullmatch(original, message)
        if found:
            message = found.expand(plain)
            break
    return f"{message}: '{context.command_path if context else 'komi'} --help' shows what is possible."
