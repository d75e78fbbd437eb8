"""The command line. Errors are one sentence on stderr and exit code 2; a traceback reaches nobody."""

import sys

from komi.errors import KomiError

INTERRUPTED = 130  # the exit code after Ctrl-C, as shells have it


def main() -> None:
    """Run the command that the arguments name."""
    try:
        code = _run()
    except KeyboardInterrupt:
        _warn("stopped; what was kept before is still there.")
        code = INTERRUPTED
    except MemoryError:
        _warn("there is not enough memory for this game.")
        code = 2
    except BrokenPipeError:
        code = 1
    sys.exit(code)


def _run() -> int:
    """Importing the commands takes a moment too, in which people press Ctrl-C."""
    import typer
    from typer import exceptions

    from komi.catalog import place
    from komi.cli import (  # noqa: F401  each adds its commands
        check,
        fair,
        games,
        match,
        moves,
        play,
        plot,
        report,
        reproduce,
        serve,
        simulate,
        solve,
        sweep,
    )
    from komi.cli.app import app

    try:
        code = app(standalone_mode=False)
    except KomiError as error:
        _warn(str(error))
    except exceptions.TyperException as error:
        _warn(f"{error.format_message()} ('komi --help' shows what there is.)")
    except typer.Abort:
        raise KeyboardInterrupt from None
    except (MemoryError, BrokenPipeError):
        raise
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


def _warn(sentence: str) -> None:
    print(f"komi: {sentence}", file=sys.stderr)
