"""Interface for progress reports of long computations."""

from typing import Protocol


class Progress(Protocol):
    """Callback with the stage of the work, the amount done and the total (0 if unknown)."""

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Report that `done` of `total` is done; the note gives an intermediate result."""


def silent(stage: str, done: int, total: int, note: str = "") -> None:
    """Ignore a progress report."""
