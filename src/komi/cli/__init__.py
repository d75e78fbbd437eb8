"""The command line. Errors are one sentence on stderr and exit code 2; a traceback reaches nobody."""

import sys

import typer.exceptions

from komi.catalog import place
from komi.cli import check, games, solve  # noqa: F401  each adds its commands
from komi.cli.app import app
from komi.cli.output import warn
from komi.errors import KomiError


def main() -> None:
    """Run the command that the arguments name."""
    try:
        code = app(standalone_mode=False)
    except KomiError as error:
        warn(str(error))
        code = 2
    except typer.exceptions.TyperException as error:
        warn(f"{error.format_message()} ('komi --help' shows what there is.)")
        code = 2
    except (KeyboardInterrupt, typer.Abort):
        warn("stopped; what was kept before is still there.")
        code = 130
    except MemoryError:
        warn("there is not enough memory for this game.")
        code = 2
    except BrokenPipeError:
        code = 1
    except Exception as error:
        where = place(error)
        if where is None:  # not the rules: komi itself is broken
            raise
        warn(f"{where}: {type(error).__name__}: {error}.")
        code = 2
    sys.exit(code if isinstance(code, int) else 0)
