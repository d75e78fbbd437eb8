"""The rows of a parameter sweep as a table: columns, CSV, Parquet."""

import csv
from pathlib import Path
from typing import Any

from komi.design.sweep import Sweep, SweepRow
from komi.errors import InputError
from komi.files import check_writable, write_atomically

FORMATS = (".csv", ".parquet")


def as_record(sweep: Sweep, row: SweepRow) -> dict[str, Any]:
    """Return one row: every rule, then the results, and whether it is in the target if there is one."""
    opening = row.opening
    worth = {"first": opening.first, "unfairness": opening.unfairness}
    record = {
        **row.rules._asdict(),
        **(worth if sweep.objective is None else {"value": opening.first}),
        "expected_actions": opening.expected_actions,
        "error_bound": opening.error_bound,
    }
    return record if sweep.target is None else {**record, "in_target": sweep.in_target(row)}


def check_format(path: Path) -> None:
    """Check that a table can be written to this file, before any computation.

    Raises:
        InputError: for an unsupported file extension, or one whose package is not installed.
        StorageError: if it cannot be written there.
    """
    if path.suffix not in FORMATS:
        raise InputError(f"{path} must end in {' or '.join(FORMATS)}.")
    if path.suffix == ".parquet":
        _parquet()
    check_writable(path)


def write_table(sweep: Sweep, path: Path) -> None:
    """Write all rows, best first, in the format of the file's extension; the file is complete or not written.

    Raises:
        InputError: for an unsupported file extension.
        StorageError: if the file cannot be written.
    """
    check_format(path)
    records = [as_record(sweep, row) for row in sweep.rows]
    write = _write_csv if path.suffix == ".csv" else _write_parquet
    write_atomically(
        path, lambda draft: write(records, draft), "the rows are in the store, so that it can be tried again"
    )


def _write_csv(records: list[dict[str, Any]], path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(records[0]))
        writer.writeheader()
        writer.writerows(records)


def _write_parquet(records: list[dict[str, Any]], path: Path) -> None:
    arrow, parquet = _parquet()
    parquet.write_table(arrow.Table.from_pylist(records), path)


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError("writing Parquet needs pyarrow: pip install 'komi[tables]'.") from None
    return pyarrow, pyarrow.parquet
