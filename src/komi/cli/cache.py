"""`komi cache`: the location and size of the cache of compiled rules and solutions."""

from typing import Annotated

import typer
from rich.filesize import decimal

from komi.cache import KINDS, Usage, root, usage
from komi.cache import clear as clear_cache
from komi.cli.app import JsonOption
from komi.cli.commands import command
from komi.cli.output import console, plain_table, print_json


@command("cache")
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove all cached files.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the location and size of the cache of compiled rules and solutions, or clear it."""
    removed = clear_cache() if clear else []
    kept = usage()
    if as_json:
        print_json(
            {
                "folder": root(),
                "bytes": _total(kept),
                "contents": kept,
                "removed": _total(removed),
            }
        )
        return
    out = console()
    out.print(f"Cache folder: {root()}", markup=False)
    if clear:
        out.print(f"Removed {decimal(_total(removed))}.")
        return
    table = plain_table("kind", "contents", "files", "size")
    for used in kept:
        table.add_row(used.kind, KINDS[used.kind], f"{used.files:,}", decimal(used.size))
    table.add_row("total", "", f"{sum(used.files for used in kept):,}", decimal(_total(kept)))
    out.print(table)
    out.print("\nSet KOMI_CACHE_DIR to use another folder. Remove everything with: komi cache --clear")


def _total(used: list[Usage]) -> int:
    return sum(one.size for one in used)
