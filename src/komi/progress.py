"""How long work tells how far it is."""

from typing import Protocol


class Progress(Protocol):
    """Is told of each stage of the work, what is done of it, and how much there is (0: not known)."""

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """So much of this stage is done; the note says what is known so far."""


def silent(stage: str, done: int, total: int, note: str = "") -> None:
    """Tells nobody."""
