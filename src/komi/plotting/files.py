"""The file of a picture: its kind by its suffix."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from komi.errors import InputError
from komi.files import check_place

IMAGES = ("png", "svg")
PAGES = ("html",)
PACKAGES = {"png": "matplotlib", "svg": "matplotlib", "pdf": "matplotlib", "html": "plotly"}


def kind_of(file: Path) -> str:
    """Which kind of picture the file is to be: png, svg or html.

    Raises:
        InputError: for another suffix, or if what draws this kind is not installed.
        StorageError: if it cannot be written there.
    """
    return check_kind(file, (*IMAGES, *PAGES))


def check_kind(file: Path, kinds: Sequence[str], packages: Mapping[str, str] = PACKAGES) -> str:
    """Which of these kinds of picture the file is to be.

    Args:
        file: its name.
        kinds: those that can be drawn.
        packages: what draws each.

    Raises:
        InputError: for another suffix, or if what draws this kind is not installed.
        StorageError: if it cannot be written there.
    """
    kind = file.suffix.lower().removeprefix(".")
    if kind not in kinds:
        listed = " or ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))
        raise InputError(f"pictures are {listed}, by the file's suffix: {file.name!r} has another.")
    if find_spec(packages[kind]) is None:
        raise InputError(f"{kind} pictures need {packages[kind]}: pip install 'komi[plot]'.")
    check_place(file)
    return kind
