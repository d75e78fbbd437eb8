"""What policies come to, used by callers without asking how many play."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from komi.kind import Kind
from komi.text import Text


class Measured(ABC):
    """What policies come to, one a seat, proved."""

    @abstractmethod
    def facts(self, policies: Sequence[str]) -> dict[str, Any]:
        """What `komi match` says as JSON, besides what is the same for all games; `policies` are the names."""

    @abstractmethod
    def text(self, policies: Sequence[str], kind: Kind) -> Text:
        """What `komi match` says to a person."""
