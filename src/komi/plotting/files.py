"""The file of a picture: its kind by its suffix."""

from importlib.util import find_spec
from pathlib import Path

from komi.errors import InputError
from komi.files import check_place

IMAGES = ("png", "svg")
PAGES = ("html",)
PACKAGES = {"png": "matplotlib", "svg": "matplotlib", "html": "plotly"}


def kind_of(file: Path) -> str:
    """Which kind of picture the file is to be: png, svg or html.

    Raises:
        InputError: for another suffix, or if what draws this kind is not installed.
        StorageError: if it cannot be written there.
    """
    kind = file.suffix.lower().removeprefix(".")
    if kind not in PACKAGES:
        raise InputError(f"pictures are png, svg or html, by the file's suffix: {file.name!r} has none of these.")
    if find_spec(PACKAGES[kind]) is None:
        raise InputError(f"{kind} pictures need {PACKAGES[kind]}: pip install 'komi[plot]'.")
    check_place(file)
    return kind
