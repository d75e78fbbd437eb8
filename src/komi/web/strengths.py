"""The strength of a game's opponents, computed by a job at the first request, and then kept in memory."""

from typing import Any

from komi.errors import KomiError
from komi.game import Game
from komi.web import models
from komi.web.offered import Offered
from komi.web.solutions import is_usual, key_of
from komi.web.work import Asker, Work


class Strengths:
    """The strengths of opponents, known or being computed.

    Args:
        offered: the games on offer.
        work: the queue of the jobs that compare opponents.
    """

    def __init__(self, offered: Offered, work: Work) -> None:
        self._offered, self._work = offered, work

    def find(self, game: Game, rules: Any, asker: Asker) -> list[models.Strength] | None:
        """Return the strengths of the opponents, or None while they are being computed.

        Raises:
            KomiError: if they cannot be computed.
            RefusalError: if too many jobs are waiting.
        """
        arguments = {"game": self._offered.source(game), "rules": rules._asdict()}
        key = f"strengths of {key_of(game, rules)}"
        found = self._work.ask(key, "strengths", arguments, asker, is_usual=is_usual(game, rules))
        if found.error is not None:
            raise KomiError(found.error)
        return [models.Strength(**strength) for strength in found.answer] if found.ready else None
