"""Codes with which another device becomes the same person: six words, valid once and for ten minutes.

Each word has 16 bits, in alternating consonants and vowels (D. Wilkerson, "Proquints", 2009), as the words that friends
compare after a game. The database stores the SHA-256 of a code; one of 96 bits cannot be guessed.
"""

import hashlib
import re
import secrets
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from komi.web.records import DeviceCode, Person, now
from komi.web.responses import ApiError

VALID = timedelta(minutes=10)
WORDS = 6
LETTERS = 5  # of a word
CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
INVALID = "This code is not valid: it is mistyped, was used already, or is older than ten minutes."


def create(session: Session, person: str) -> str:
    """Create a code for a person, in place of an earlier one, and return its words joined by hyphens."""
    session.get_one(Person, person, with_for_update=True)  # of two requests at once the later one counts
    withdraw(session, person)
    code = draw_words(WORDS)
    session.add(DeviceCode(hash=_hash(code), person=person))
    return code


def withdraw(session: Session, person: str) -> None:
    """Invalidate a person's code, if there is one."""
    session.execute(delete(DeviceCode).where(DeviceCode.person == person))


def is_waiting(session: Session, person: str) -> bool:
    """Return whether a person has a code that is not used yet."""
    codes = select(DeviceCode.hash).where(DeviceCode.person == person, DeviceCode.since > now() - VALID)
    return session.scalars(codes).one_or_none() is not None


def find(session: Session, code: str) -> DeviceCode:
    """Return the record of a code, locked until the end of the transaction.

    Raises:
        ApiError: if there is none, or it is too old.
    """
    found = session.get(DeviceCode, _hash(code), with_for_update=True)
    if found is None or found.since < now() - VALID:
        raise ApiError(404, INVALID)
    return found


def draw_words(number: int) -> str:
    """Draw a number of words, joined by hyphens."""
    return "-".join(_word(secrets.randbits(16)) for _ in range(number))


def normalize(code: str) -> str:
    """Return a code as a person types it, in any case, with or without anything between its words."""
    letters = "".join(re.findall("[a-z]", code.lower()))
    return "-".join(letters[first : first + LETTERS] for first in range(0, len(letters), LETTERS))


def _word(bits: int) -> str:
    first, second, third = (CONSONANTS[bits >> shift & 15] for shift in (12, 6, 0))
    return f"{first}{VOWELS[bits >> 10 & 3]}{second}{VOWELS[bits >> 4 & 3]}{third}"


def _hash(code: str) -> str:
    return hashlib.sha256(normalize(code).encode()).hexdigest()
