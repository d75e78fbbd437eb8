"""The languages of the page: which there are, which one a person reads, and its catalogue.

A catalogue is a gettext file, `languages/de.po`, whose keys are the English texts in the source. Texts of the page
stand in it as they are; what the server and the files of games say has the context `told`, its places numbered. The API
itself speaks English: the page looks up what it is told, so that programs are answered alike everywhere.
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
TOLD = "told"
COOKIE = "komi-language"
PLACE = re.compile(r"\{(\d)\}")


@cache
def available() -> tuple[str, ...]:
    """The codes of all languages, that of the source first."""
    return (SOURCE, *sorted(file.stem for file in FOLDER.glob("*.po")))


def chosen(cookie: str | None, accepted: str) -> str:
    """The language for a person.

    Args:
        cookie: what they chose on the page, if they did.
        accepted: the header Accept-Language.
    """
    if cookie in available():
        return str(cookie)
    preferred = sorted(map(_weighed, accepted.split(",")), key=lambda each: -each[1])
    return negotiate_locale([code for code, weight in preferred if weight > 0.0], available(), sep="-") or SOURCE


def _weighed(part: str) -> tuple[str, float]:
    """A language and how much it is wanted: "de;q=0.8"."""
    code, _, weight = (each.strip() for each in part.partition(";"))
    try:
        return code, float(weight.removeprefix("q=") or 1.0)
    except ValueError:
        return code, 0.0


@cache
def read(language: str) -> Catalog:
    """The catalogue of a language other than that of the source."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


@cache
def words(language: str) -> dict[str, dict[str, Any]]:
    """What the page needs of a catalogue: `said` by itself, with several forms where one counts, and `told` to it."""
    said: dict[str, Any] = {}
    told: dict[str, Any] = {}
    for message in read(language) if language != SOURCE else ():
        if not message.string:
            continue
        if message.context == TOLD:
            told[str(message.id)] = message.string
        elif isinstance(message.id, str):
            said[message.id] = message.string
        else:
            said[message.id[0]] = list(message.string)
    return {"said": said, "told": told}


def say(language: str, text: str, *values: object) -> str:
    """A text of the page that the server writes itself, its places filled."""
    found = words(language)["said"].get(text, text)
    return PLACE.sub(lambda place: str(values[int(place[1])]), found)


def tell(language: str, text: str) -> str:
    """What a game's file says, if the catalogue has it word for word."""
    return str(words(language)["told"].get(text, text))
