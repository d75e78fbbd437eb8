"""How long work reports its progress."""

from typing import Protocol


class Progress(Protocol):
    """Called with the stage of the work, how much of it is done, and how much there is (0: not known)."""

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Report that `done` of `total` is done; the note says what is known so far."""


def silent(stage: str, done: int, total: int, note: str = "") -> None:
    """Report nothing."""
