"""Pictures kept as files; matplotlib is asked for only when one is drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from komi.errors import InputError, KomiError, StorageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = (".png", ".svg")


@contextmanager
def matplotlib_needed() -> Iterator[None]:
    """Within it a missing matplotlib is told as something that a person can mend."""
    try:
        yield
    except ModuleNotFoundError:
        raise KomiError("pictures need matplotlib: pip install 'komi[plot]'.") from None


def check_kind(path: Path) -> None:
    """See that the name of a picture's file says which kind it shall be.

    Raises:
        InputError: if it does not.
    """
    if path.suffix.lower() not in KINDS:
        raise InputError(f"{path.name!r} must end in {' or '.join(KINDS)}: the kind of picture.")


def save(figure: "Figure", path: Path) -> None:
    """Keep a picture.

    Raises:
        StorageError: if the file cannot be written.
    """
    try:
        figure.savefig(path, dpi=150, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)
    except OSError as error:
        raise StorageError(f"cannot write the picture {path} ({error.strerror or error}).") from None
