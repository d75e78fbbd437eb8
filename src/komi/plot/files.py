"""The file of a picture: its kind by its suffix, and what can go wrong in writing it."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from komi.errors import InputError, StorageError

IMAGES = ("png", "svg")
PAGES = ("html",)
PACKAGES = {"png": "matplotlib", "svg": "matplotlib", "html": "plotly"}


def kind_of(file: Path) -> str:
    """Which kind of picture the file is to be: png, svg or html.

    Raises:
        InputError: for another suffix, or if what draws this kind is not installed.
        StorageError: if there is no such folder.
    """
    kind = file.suffix.lower().removeprefix(".")
    if kind not in PACKAGES:
        raise InputError(f"pictures are png, svg or html, by the file's suffix: {file.name!r} has none of these.")
    if find_spec(PACKAGES[kind]) is None:
        raise InputError(f"{kind} pictures need {PACKAGES[kind]}: pip install 'komi[plot]'.")
    if not file.parent.is_dir():
        raise StorageError(f"cannot write {file}: there is no folder {file.parent}.")
    return kind


def write(file: Path, save: Callable[[Path], object]) -> None:
    """Have the picture saved under another name, and renamed when it is complete.

    Raises:
        StorageError: if it cannot be written.
    """
    draft = file.with_name(f".{file.stem}.draft{file.suffix}")
    try:
        save(draft)
        draft.replace(file)
    except OSError as error:
        raise StorageError(f"cannot write {file}: {error.strerror or error}.") from None
    finally:
        draft.unlink(missing_ok=True)
