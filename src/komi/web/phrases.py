"""Chat at a table is three fixed phrases: each player's last one is shown."""

from datetime import timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from komi.web import models
from komi.web.live_game import LiveGame
from komi.web.records import SeatedPlayer, now
from komi.web.responses import ApiError

SHOWN = timedelta(minutes=1)  # how long a phrase is shown


def say(session: Session, live: LiveGame, person: str, phrase: models.Phrase) -> None:
    """Store a player's phrase in place of the last one.

    Raises:
        ApiError: if no other person plays in this game.
    """
    if not live.settings.is_with_others:
        raise ApiError(409, "Nobody else plays in this game.")
    own = SeatedPlayer.game == live.settings.id, SeatedPlayer.person == person
    session.execute(update(SeatedPlayer).where(*own).values(phrase=phrase, said=now()))


def recent(session: Session, game_id: str) -> list[models.PhraseView]:
    """Return the players' last phrases, if they were said a moment ago."""
    chairs = select(SeatedPlayer).where(SeatedPlayer.game == game_id, SeatedPlayer.said > now() - SHOWN)
    return [
        models.PhraseView(seat=chair.seat, phrase=chair.phrase, said=chair.said)  # type: ignore[arg-type]
        for chair in session.scalars(chairs.order_by(SeatedPlayer.said))
    ]
