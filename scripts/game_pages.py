"""Writes the built-in games as pages in one file, which `make docs` adds to the site, and prints their sizes.

python scripts/game_pages.py FOLDER
"""

import sys
from pathlib import Path

from komi.errors import KomiError
from komi.rules import catalog
from komi.web.page_file import export_page


def main() -> None:
    """Write the pages; print the reason where a game has none."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(catalog.names()):
        try:
            written = export_page(name, folder / f"{name}.html")
        except KomiError as error:
            print(error, flush=True)
        else:
            print(f"{written.file}: {written.states:,} states, {written.size / 1000:.0f} kB", flush=True)


if __name__ == "__main__":
    main()
