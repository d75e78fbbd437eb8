"""The languages of the page: the list, the choice for a person, and the catalogues.

A catalogue is a gettext file, `languages/de.po`, whose keys are the English texts in the source. Texts of the page have
no context; texts from the server and from game files have the context `server`, with numbered placeholders. The API is
in English, so that programs receive the same texts everywhere; the page translates them.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

from babel import negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

FOLDER = Path(__file__).parent / "languages"
SOURCE = "en"  # the language of the texts in the source
SERVER = "server"  # the context of texts from the server and from game files
COOKIE = "komi-language"
PLACE = re.compile(r"\{(\d)\}")


@cache
def available() -> tuple[str, ...]:
    """Return the codes of all languages, the source language first."""
    return (SOURCE, *sorted(file.stem for file in FOLDER.glob("*.po")))


def chosen(cookie: str | None, accepted: str) -> str:
    """Choose the language for a person.

    Args:
        cookie: the language selected on the page, if any.
        accepted: the header Accept-Language.
    """
    if cookie in available():
        return str(cookie)
    preferred = sorted(map(_weighed, accepted.split(",")), key=lambda each: -each[1])
    return negotiate_locale([code for code, weight in preferred if weight > 0.0], available(), sep="-") or SOURCE


def _weighed(part: str) -> tuple[str, float]:
    """Parse a language and its weight, such as "de;q=0.8"."""
    code, _, weight = (each.strip() for each in part.partition(";"))
    try:
        return code, float(weight.removeprefix("q=") or 1.0)
    except ValueError:
        return code, 0.0


@cache
def read(language: str) -> Catalog:
    """Read the catalogue of a language other than the source language."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


@cache
def words(language: str, game: str | None = None) -> dict[str, dict[str, Any]]:
    """Return the catalogue for the page: its own texts in `page`, plural forms as lists, and API texts in `server`.

    Args:
        language: the code of the language.
        game: the path of a game's file in the package, to leave out the texts of other games; None for all.
    """
    page: dict[str, Any] = {}
    server: dict[str, Any] = {}
    for message in read(language) if language != SOURCE else ():
        files = [file for file, _ in message.locations]
        if not message.string or (game and files and all(file.startswith("games/") and file != game for file in files)):
            continue
        if message.context == SERVER:
            server[str(message.id)] = message.string
        elif isinstance(message.id, str):
            page[message.id] = message.string
        else:
            page[message.id[0]] = list(message.string)
    return {"page": page, "server": server}


def say(language: str, text: str, *values: object) -> str:
    """Translate a text of the page that the server renders itself, and fill in its placeholders."""
    found = words(language)["page"].get(text, text)
    return PLACE.sub(lambda place: str(values[int(place[1])]), found)


def translate(language: str, text: str) -> str:
    """Translate a text of a game file, if the catalogue contains it verbatim."""
    return str(words(language)["server"].get(text, text))
