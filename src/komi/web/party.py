"""Several people at one table: who sits where, and how their numbers make the one that chance is drawn with.

Each draws a number after seeing the hash of the server's seed, and commits to it by its SHA-256 hash as they take a
seat. Once all seats are taken the numbers are revealed. The game's number is the first 32 hexadecimal digits of

    SHA-256(the numbers in their order, joined by ":")

in which the number of the player who invited comes first, and the others follow in the order of their hashes. So do the
seats: the player who invited has the one that they asked for, or that the lot gave them. Neither the server nor anyone
who takes a seat, not even both together, can choose the number that another's goes into.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from komi.play.fairness import number_hash

GONE = ""  # in place of a person who has deleted everything
GONE_NAME = "Somebody who has left"
DIGITS = 32  # of a number


@dataclass(frozen=True)
class Party:
    """The people at a table.

    Attributes:
        people: by seat; the same one at all seats if they share a device.
        names: what they are called, by seat.
        numbers: what they added to the seed, who invited first; none at one device.
    """

    people: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...] = ()

    @property
    def is_at_one_device(self) -> bool:
        """Whether one browser plays for all of them."""
        return len(set(self.people)) == 1


def together(host: str, guests: Sequence[str]) -> tuple[str, ...]:
    """The numbers of all in their order."""
    return (host, *sorted(guests, key=number_hash))


def joined(numbers: Sequence[str]) -> str:
    """The number that those of all make."""
    return hashlib.sha256(":".join(numbers).encode()).hexdigest()[:DIGITS]


def name_or(name: str | None, seat: int) -> str:
    """What somebody is called who may have no name."""
    return name or f"Player {seat + 1}"
