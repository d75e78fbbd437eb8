"""The common interface of exact results, independent of the number of players."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from komi.rules.kind import Kind
from komi.text import Text


class Measured(ABC):
    """The exact, proved result of a match, with one policy for each seat."""

    @abstractmethod
    def facts(self, policies: Sequence[str]) -> dict[str, Any]:
        """Return the part of the `komi match --json` report that depends on the kind of game.

        `policies` are the names of the policies.
        """

    @abstractmethod
    def text(self, policies: Sequence[str], kind: Kind) -> Text:
        """Return the result as `komi match` prints it."""
