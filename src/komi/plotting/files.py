"""Image files: the format is chosen by the suffix."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from komi.errors import InputError
from komi.files import check_writable

IMAGES = ("png", "svg")
PAGES = ("html",)
PACKAGES = {"png": "matplotlib", "svg": "matplotlib", "pdf": "matplotlib", "html": "plotly"}


def format_of(file: Path) -> str:
    """Return the format of an image by the name of its file: png, svg or html.

    Raises:
        InputError: for another suffix, or if the plotting package for this format is not installed.
        StorageError: if the file cannot be written there.
    """
    return check_format(file, (*IMAGES, *PAGES))


def check_format(file: Path, formats: Sequence[str], packages: Mapping[str, str] = PACKAGES) -> str:
    """Return the format of an image file, one of the given formats.

    Args:
        file: the name of the file.
        formats: the supported formats.
        packages: the package required for each format.

    Raises:
        InputError: for another suffix, or if the package for this format is not installed.
        StorageError: if the file cannot be written there.
    """
    suffix = file.suffix.lower().removeprefix(".")
    if suffix not in formats:
        suffixes = [f".{each}" for each in formats]
        listed = " or ".join(filter(None, (", ".join(suffixes[:-1]), suffixes[-1])))
        raise InputError(f"the file of a picture must end in {listed}: {file.name!r} does not.")
    if find_spec(packages[suffix]) is None:
        raise InputError(f"{suffix} pictures need {packages[suffix]}: pip install 'komi[plot]'.")
    check_writable(file)
    return suffix
