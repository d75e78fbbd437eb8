"""Commitments to seeds that the server makes before a game begins. No seed is stored before its game begins.

The id of a commitment consists of the time, random bytes, and a code that binds both to a person. The seed is derived
from the id:

    id   = time | nonce | HMAC-SHA256(key, "id " person time | nonce), the first six bytes
    seed = HMAC-SHA256(key, "seed " person id)

Only the server knows the key. An id can begin one game, within a day. Used ids are recorded until they expire, so that
a seed that was published, or whose game was removed, cannot begin another game.
"""

import hmac
import secrets
import time
from datetime import timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from komi.web.database import get_or_insert
from komi.web.records import Secret, UsedCommitment

VALID = timedelta(days=1)
PURPOSE = "commitments"
TIME_BYTES, NONCE_BYTES, CODE_BYTES = 4, 6, 6


def draw(key: bytes, person: str) -> str:
    """Draw the id of a new commitment for a person."""
    head = int(time.time()).to_bytes(TIME_BYTES) + secrets.token_bytes(NONCE_BYTES)
    return (head + _code(key, person, head)).hex()


def seed_of(key: bytes, person: str, commitment: str) -> bytes:
    """Compute the seed of a commitment from its id."""
    return hmac.digest(key, f"seed {person} {commitment}".encode(), "sha256")


def use(session: Session, person: str, commitment: str) -> bytes | None:
    """Record that a commitment begins a game.

    Returns:
        The seed, or None if the commitment is used, expired, or not this person's.
    """
    key = get_or_insert(session, Secret(purpose=PURPOSE, key=secrets.token_bytes(32)), PURPOSE).key
    if not _is_valid(key, person, commitment):
        return None
    try:
        with session.begin_nested():
            session.add(UsedCommitment(id=commitment))
    except IntegrityError:
        return None
    return seed_of(key, person, commitment)


def _is_valid(key: bytes, person: str, commitment: str) -> bool:
    raw = bytes.fromhex(commitment)
    head, code = raw[:-CODE_BYTES], raw[-CODE_BYTES:]
    age = time.time() - int.from_bytes(head[:TIME_BYTES])
    return hmac.compare_digest(code, _code(key, person, head)) and age < VALID.total_seconds()


def _code(key: bytes, person: str, head: bytes) -> bytes:
    return hmac.digest(key, f"id {person} {head.hex()}".encode(), "sha256")[:CODE_BYTES]
