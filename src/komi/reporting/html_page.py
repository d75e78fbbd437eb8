"""Self-contained HTML pages: the parts that all reports share."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from komi.errors import InputError
from komi.files import write_atomically

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: .5rem 0 1rem } td, th { padding: .2rem .9rem .2rem 0; text-align: left }
th { border-bottom: 1px solid #999; font-weight: 600 } svg { max-width: 100%; height: auto } small { color: #555 }
"""


def check_pictures(what: str) -> None:
    """Check that pictures can be drawn, before any computation.

    Args:
        what: name of the feature that needs them, for the error message.

    Raises:
        InputError: if matplotlib is missing.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError(f"{what} needs matplotlib for its pictures: pip install 'komi[plot]'.") from None


def write_page(title: str, parts: Iterable[str], file: Path) -> None:
    """Write a page that needs no network and no other file.

    Args:
        title: the title, plain text.
        parts: the parts of its body, as HTML.
        file: the file to write.

    Raises:
        StorageError: if it cannot be written.
    """
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{STYLE}</style>"
    page = "\n".join([f"{head}<h1>{escape(title)}</h1>", *parts]) + "</html>\n"
    write_atomically(file, lambda draft: draft.write_text(page, encoding="utf-8"))
