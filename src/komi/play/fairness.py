"""Verified randomness: coin flipping by commitment and reveal (M. Blum, "Coin flipping by telephone", 1983).

The dealer draws a seed and publishes its SHA-256 hash, the commitment. Then the player draws a number, which the
dealer could not have known. The random number of the k-th entry of the game's log, in [0, 1), is the first 53 bits of
HMAC-SHA256(seed, "number:k") / 2^53: the dealer cannot choose it after publishing the hash, and the player cannot
choose it before the reveal. A random seat is the number of "number:seat:0", times the number of seats, rounded down.
The dealer reveals the seed after the game, so that everything can be recomputed. With several players, each commits to
a number by its hash before any number is revealed (`number_hash`). Outcomes are sorted by label (`sort_events`), so
that the dealer cannot choose the order either.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from komi.errors import InputError
from komi.rules.game import Event

SEED_BYTES = 32  # as many as SHA-256 returns: no seed can be found by trial
NUMBER_BYTES = 16  # 128 bits: it cannot be guessed
RANDOM_BITS = 53  # the precision of a float
PROTOCOL = 2  # version 1: outcomes in the order of the rules, and numbers revealed when players took their seats


@dataclass(frozen=True)
class Commitment:
    """A seed that its dealer cannot change once the hash is published."""

    seed: bytes

    @classmethod
    def draw(cls) -> "Commitment":
        """Draw a new seed from the operating system's source of randomness."""
        return cls(secrets.token_bytes(SEED_BYTES))

    @property
    def hash(self) -> str:
        """The hash that is published before the game."""
        return hashlib.sha256(self.seed).hexdigest()


def draw_number() -> str:
    """Draw a number for the player, in hexadecimal digits."""
    return secrets.token_hex(NUMBER_BYTES)


def check_number(number: str) -> str:
    """Validate the player's number and return it.

    Raises:
        InputError: if it is not such a number.
    """
    if len(number) != 2 * NUMBER_BYTES or not set(number) <= set("0123456789abcdef"):
        raise InputError(f"the player's number must be {2 * NUMBER_BYTES} digits, 0 to 9 and a to f.")
    return number


def number_hash(number: str) -> str:
    """Return the commitment to a player's number: SHA-256 of its hexadecimal digits."""
    return hashlib.sha256(number.encode()).hexdigest()


def sort_events(events: Sequence[Event]) -> list[Event]:
    """Sort events by label, in the order of UTF-16 code units: the order in which JavaScript sorts text."""
    return sorted(events, key=lambda event: event.label.encode("utf-16-be"))


def random_number(seed: bytes, number: str, entry: int) -> float:
    """Return the random number of an entry of the log, at least 0 and less than 1."""
    digest = hmac.new(seed, f"{number}:{entry}".encode(), hashlib.sha256).digest()
    return (int.from_bytes(digest[:8]) >> 64 - RANDOM_BITS) / (1 << RANDOM_BITS)


def random_seat(seed: bytes, number: str, players: int) -> int:
    """Return the player's random seat, from 0."""
    return int(random_number(seed, f"{number}:seat", 0) * players)


def sample_event(events: Sequence[Event], uniform: float) -> Event:
    """Sample an event by inverting the cumulative distribution at a uniform random number in [0, 1)."""
    end = 0.0
    for event in events:
        end += event.probability
        if uniform < end:
            return event
    return events[-1]  # probabilities may sum to slightly less than 1


def is_committed(seed: bytes, commitment_hash: str) -> bool:
    """Return whether the published hash commits to this seed."""
    return hmac.compare_digest(Commitment(seed).hash, commitment_hash)
