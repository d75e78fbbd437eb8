"""Results as tables: data frames of pandas and polars, HTML for notebooks, CSV and Parquet files."""

import csv
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from komi.errors import InputError
from komi.files import ADVICE, check_writable, write_atomically

Record = dict[str, Any]
"""A row of a table: its columns by name."""

FRAMES = ("pandas", "polars")
FORMATS = (".csv", ".parquet")
MAX_HTML_ROWS = 20  # of a result in a notebook: about a screen


class Tabular(ABC):
    """A result that is a table: a data frame, and in a notebook a table of HTML."""

    @abstractmethod
    def records(self) -> list[Record]:
        """List the rows of the table; all have the same columns."""

    def to_frame(self, library: str = "pandas") -> Any:
        """Return the table as a data frame.

        Args:
            library: "pandas" or "polars".

        Raises:
            InputError: for another library, or one that is not installed.
        """
        records = self.records()
        return create_frame({name: [record[name] for record in records] for name in _columns(records)}, library)

    def _repr_html_(self) -> str:
        """Return the first rows as HTML, for notebooks."""
        records = self.records()
        rows = ([_cell(value) for value in record.values()] for record in records[:MAX_HTML_ROWS])
        more = f"<p>and {len(records) - MAX_HTML_ROWS:,} more</p>" if len(records) > MAX_HTML_ROWS else ""
        return f"<p>{escape(repr(self))}</p>{html_table(_columns(records), rows)}{more}"


def create_frame(columns: Mapping[str, Any], library: str) -> Any:
    """Create a data frame of columns.

    Args:
        columns: arrays or sequences of the same length, by name.
        library: "pandas" or "polars".

    Raises:
        InputError: for another library, or one that is not installed.
    """
    if library not in FRAMES:
        raise InputError(f"data frames are those of {' or '.join(FRAMES)}, not of {library!r}.")
    if find_spec(library) is None:
        raise InputError(f"data frames of {library} need it installed: pip install 'komi[{library}]'.")
    return import_module(library).DataFrame(dict(columns))


def html_table(head: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Format a table of plain text as HTML."""

    def row(cells: Iterable[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + row(head, "th") + "".join(row(cells, "td") for cells in rows) + "</table>"


def check_table(path: Path) -> None:
    """Check that a table can be written to this file, before any computation.

    Raises:
        InputError: for an unsupported suffix, or if pyarrow is missing.
        StorageError: if it cannot be written there.
    """
    if path.suffix not in FORMATS:
        raise InputError(f"{path} must end in {' or '.join(FORMATS)}.")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise InputError("Parquet files need pyarrow: pip install 'komi[tables]'.")
    check_writable(path)


def write_table(records: Sequence[Record], path: Path, advice: str = ADVICE) -> None:
    """Write a table in the format of the file's suffix; the file is complete or not written.

    Args:
        records: the rows.
        path: the file.
        advice: what to do if the file cannot be written.

    Raises:
        InputError: for an unsupported suffix, or if pyarrow is missing.
        StorageError: if the file cannot be written.
    """
    check_table(path)
    write = _write_csv if path.suffix == ".csv" else _write_parquet
    write_atomically(path, lambda draft: write(records, draft), advice)


def _write_csv(records: Sequence[Record], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _columns(records))
        writer.writeheader()
        writer.writerows(records)


def _write_parquet(records: Sequence[Record], path: Path) -> None:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(records), path)


def _columns(records: Sequence[Record]) -> list[str]:
    return list(records[0]) if records else []


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
