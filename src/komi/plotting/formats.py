"""Colours and file formats that all plots share. The colours suit people with any colour vision."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from komi.errors import InputError
from komi.files import check_writable

IMAGES = ("png", "svg", "pdf")
PAGES = ("html",)
PACKAGES = {"png": "matplotlib", "svg": "matplotlib", "pdf": "matplotlib", "html": "plotly"}

DARK = "#333333"
GREY = "#E4E4E4"
GHOST = "#C8C8C830"
MESH = "#FFFFFF50"
SEQUENTIAL = "viridis"
DIVERGING = ("#003B66", "#0072B2", "#9CC9E4", "#FFFFFF", "#F6CF7F", "#E69F00", "#8A4B00")  # from below zero to above
REGIONS = (GREY, "#C3DDEB", "#FAE6BC", "#0072B2", "#E69F00")  # in the order of `hold_values.label_regions`
EVEN_UP_TO = 2.0  # differences: the colour scale is nearly linear up to here, and logarithmic above
STEPS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500)  # differences that are labelled on a scale
NIGHT = {"#ffffff": "#16191d", "#e4e4e4": "#33383e", "#333333": "#d5d9dd", "#000000": "#e6e9ec"}
"""Paper, empty cells, and inks of a dark picture, by those of a light one."""
INCHES = (1.0, 60.0)  # the smallest and the largest width and height of a picture
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#888888")  # Okabe and Ito


class Look(NamedTuple):
    """The look of the pictures that are written.

    Attributes:
        is_dark: True for a dark background.
        size: the width and the height in inches; None for the size that suits the picture.
    """

    is_dark: bool = False
    size: tuple[float, float] | None = None


_LOOK: ContextVar[Look] = ContextVar("_LOOK")


def current_look() -> Look:
    """Return the look that functions which write a picture give it."""
    return _LOOK.get(Look())


@contextmanager
def look(is_dark: bool, size: str) -> Iterator[None]:
    """Give pictures that are written in this block a dark background, and a size such as "7x4.5" in inches.

    Raises:
        InputError: if the text is not a size.
    """
    numbers = tuple(map(float, size.split("x"))) if re.fullmatch(r"\d+(\.\d+)?x\d+(\.\d+)?", size) else ()
    if size and not (numbers and all(INCHES[0] <= number <= INCHES[1] for number in numbers)):
        raise InputError(
            f"{size!r} is not a size: give the width and the height in inches, from {INCHES[0]:g} to {INCHES[1]:g}, "
            "such as 7x4.5."
        )
    token = _LOOK.set(Look(is_dark, (numbers[0], numbers[1]) if numbers else None))
    try:
        yield
    finally:
        _LOOK.reset(token)


def format_of(file: Path) -> str:
    """Return the format of an image by the name of its file: png, svg, pdf or html.

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
