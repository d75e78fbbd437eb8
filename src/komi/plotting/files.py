"""The file of a picture: its format by its suffix."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from komi.errors import InputError
from komi.files import check_place

IMAGES = ("png", "svg")
PAGES = ("html",)
PACKAGES = {"png": "matplotlib", "svg": "matplotlib", "pdf": "matplotlib", "html": "plotly"}


def format_of(file: Path) -> str:
    """The format of a picture, by the name of its file: png, svg or html.

    Raises:
        InputError: for another suffix, or if what draws this format is not installed.
        StorageError: if it cannot be written there.
    """
    return check_format(file, (*IMAGES, *PAGES))


def check_format(file: Path, formats: Sequence[str], packages: Mapping[str, str] = PACKAGES) -> str:
    """Which of these formats a picture is to have.

    Args:
        file: its name.
        formats: those that can be drawn.
        packages: what draws each.

    Raises:
        InputError: for another suffix, or if what draws this format is not installed.
        StorageError: if it cannot be written there.
    """
    suffix = file.suffix.lower().removeprefix(".")
    if suffix not in formats:
        suffixes = [f".{each}" for each in formats]
        listed = " or ".join(filter(None, (", ".join(suffixes[:-1]), suffixes[-1])))
        raise InputError(f"the file of a picture must end in {listed}: {file.name!r} does not.")
    if find_spec(packages[suffix]) is None:
        raise InputError(f"{suffix} pictures need {packages[suffix]}: pip install 'komi[plot]'.")
    check_place(file)
    return suffix
