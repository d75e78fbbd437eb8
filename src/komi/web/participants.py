"""Several people at one table: who has which seat, and how their numbers determine the number that draws chance events.

Each player draws a number after seeing the hash of the server's seed, and commits to it by its SHA-256 hash when taking
a seat. Once all seats are taken, the numbers are revealed. The game's number is the first 32 hexadecimal digits of

    SHA-256(the numbers in their order, joined by ":")

where the host's number comes first, and the others follow in the order of their hashes. The seats have the same order,
starting with the host's, which is as requested or drawn by lot. Neither the server nor a player, nor both together, can
choose a game's number that includes another player's number.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from komi.play.fairness import number_hash

DELETED_PERSON = ""  # the id of a person who has deleted all data
DELETED_NAME = "Deleted player"
DIGITS = 32  # of a number


@dataclass(frozen=True)
class Participants:
    """The people at a table.

    Attributes:
        people: ids by seat; the same id at all seats if they share a device.
        names: the names by seat.
        numbers: the numbers added to the seed, the host's first; empty at one device.
    """

    people: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...] = ()

    @property
    def is_at_one_device(self) -> bool:
        """True if all play in one browser."""
        return len(set(self.people)) == 1


def ordered_numbers(host: str, guests: Sequence[str]) -> tuple[str, ...]:
    """Return the numbers of all players in the order of the protocol."""
    return (host, *sorted(guests, key=number_hash))


def combined_number(numbers: Sequence[str]) -> str:
    """Compute the game's number from the numbers of all players."""
    return hashlib.sha256(":".join(numbers).encode()).hexdigest()[:DIGITS]


def name_or_default(name: str | None, seat: int) -> str:
    """Return the name, or a default for the seat."""
    return name or f"Player {seat + 1}"
