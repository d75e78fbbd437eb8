"""Policy tables as files: CSV for programs, HTML for people."""

import csv
from html import escape
from pathlib import Path

from komi.errors import InputError
from komi.files import check_writable, write_atomically
from komi.tables.policy_table import PolicyTable

FORMATS = (".csv", ".html")
STYLE = """
body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem; color: #222 }
table { border-collapse: collapse } td, th { padding: .1rem .5rem; text-align: right; border: 1px solid #ddd }
th { background: #f4f4f4; font-weight: 600; position: sticky; top: 0 }
"""


def check_file(file: Path) -> None:
    """Check that a table can be written to this file, before any computation.

    Raises:
        InputError: for an unsupported file extension.
        StorageError: if it cannot be written there.
    """
    if file.suffix.lower() not in FORMATS:
        raise InputError(f"a table is written as {' or '.join(FORMATS)}: {file.name!r} is neither.")
    check_writable(file)


def write(table: PolicyTable, file: Path) -> None:
    """Write the complete table in the format of the file's extension.

    Raises:
        InputError: for an unsupported file extension.
        StorageError: if the file cannot be written.
    """
    check_file(file)
    save = _write_csv if file.suffix.lower() == ".csv" else _write_html
    write_atomically(file, lambda draft: save(table, draft))


def _write_csv(table: PolicyTable, file: Path) -> None:
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(table.columns)
        writer.writerows(table.rows)


def _write_html(table: PolicyTable, file: Path) -> None:
    title = escape(table.heading)
    head = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    rows = "\n".join(
        f"<tr><th>{escape(first)}</th>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        for first, *cells in table.rows
    )
    notes = "".join(f"<p>{escape(note)}</p>" for note in table.notes)
    file.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{STYLE}</style>\n"
        f"<h1>{title}</h1>{notes}<table><tr>{head}</tr>\n{rows}\n</table></html>\n",
        encoding="utf-8",
    )
