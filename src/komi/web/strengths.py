"""How strong the opponents of a game are: worked out apart when somebody first asks, and then remembered."""

from typing import Any

from komi.errors import KomiError
from komi.game import Game
from komi.web import models
from komi.web.offered import Offered
from komi.web.solutions import is_usual, key_of
from komi.web.work import Asker, Work


class Strengths:
    """The strengths known, and those being worked out.

    Args:
        offered: the games.
        work: where it waits for its turn.
    """

    def __init__(self, offered: Offered, work: Work) -> None:
        self._offered, self._work = offered, work

    def find(self, game: Game, rules: Any, asker: Asker) -> list[models.Strength] | None:
        """How strong the opponents are; None as long as that is not known.

        Raises:
            KomiError: if it cannot be worked out.
            RefusalError: if too many others are waiting.
        """
        arguments = {"game": self._offered.source(game), "rules": rules._asdict()}
        key = f"strengths of {key_of(game, rules)}"
        found = self._work.ask(key, "strengths", arguments, asker, is_usual=is_usual(game, rules))
        if found.error is not None:
            raise KomiError(found.error)
        return [models.Strength(**strength) for strength in found.answer] if found.ready else None
