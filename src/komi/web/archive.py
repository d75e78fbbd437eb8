"""A person's games, running and finished, as a list with filters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from komi.web import models
from komi.web.game_cache import NO_GAME
from komi.web.game_views import outcome_for
from komi.web.participants import DELETED_NAME
from komi.web.records import LogEntry, PlayedGame, SeatedPlayer
from komi.web.responses import ApiError

MAX_LISTED = 50  # games of one answer

COLUMNS = (
    PlayedGame.id,
    PlayedGame.game,
    PlayedGame.opponent,
    PlayedGame.seat,
    PlayedGame.mode,
    PlayedGame.started,
    PlayedGame.over,
    PlayedGame.payoffs,
)


@dataclass(frozen=True)
class Filter:
    """What to list.

    Attributes:
        over: True for finished games, False for running ones; None for both.
        game: the name of a game; None for all.
        opponent: the name of an opponent, "people" for games with others, "alone" for those without anybody; None for
            all.
        result: how a game ended for this person; None for all.
        text: a part of the name of another person at the table, at one device of any; "" for all.
        before: the last game that is known already; None for the newest.
    """

    over: bool | None = None
    game: str | None = None
    opponent: str | None = None
    result: models.Outcome | None = None
    text: str = ""
    before: str | None = None


def list_games(session: Session, person: str, wanted: Filter) -> models.GamesResponse:
    """List a person's games that pass a filter, newest first.

    Raises:
        ApiError: if the game that is known already is none of this person's.
    """
    chairs = _chairs(session, person)
    mine = or_(PlayedGame.person == person, PlayedGame.id.in_(chairs))
    rows = session.execute(select(*COLUMNS).where(mine).order_by(PlayedGame.started.desc(), PlayedGame.id)).all()
    games = [_Listed(row, chairs.get(row.id, []), person) for row in rows]
    first = 0
    if wanted.before is not None:
        first = next((place + 1 for place, game in enumerate(games) if game.row.id == wanted.before), 0)
        if first == 0:
            raise ApiError(404, NO_GAME)
    found = [game for game in games[first:] if game.passes(wanted)]
    shown = found[:MAX_LISTED]
    counts = select(LogEntry.game, func.count()).where(LogEntry.game.in_([game.row.id for game in shown]))
    numbers: dict[str, int] = dict(session.execute(counts.group_by(LogEntry.game)).all())
    return models.GamesResponse(
        games=[game.summary(numbers.get(game.row.id, 0)) for game in shown],
        more=len(found) > MAX_LISTED,
        played=[
            models.PlayedView(game=name, opponent=rival)
            for name, rival in sorted({(game.row.game, game.rival) for game in games})
        ],
    )


def _chairs(session: Session, person: str) -> dict[str, list[SeatedPlayer]]:
    """Return the seats of the games between people in which this person has one, by game."""
    seated = select(SeatedPlayer.game).where(SeatedPlayer.person == person)
    chairs: dict[str, list[SeatedPlayer]] = {}
    for chair in session.scalars(
        select(SeatedPlayer).where(SeatedPlayer.game.in_(seated)).order_by(SeatedPlayer.game, SeatedPlayer.seat)
    ):
        chairs.setdefault(chair.game, []).append(chair)
    return chairs


@dataclass(frozen=True)
class _Listed:
    """A game, the seats of people at its table, and the person who asks."""

    row: Any
    chairs: Sequence[SeatedPlayer]
    person: str

    @property
    def rival(self) -> str:
        return "people" if self.chairs else self.row.opponent or "alone"

    @property
    def names(self) -> list[str]:
        return [chair.name if chair.person else DELETED_NAME for chair in self.chairs]

    @property
    def result(self) -> models.Outcome | None:
        """How the game has ended for the person; None if it has not, or if all sat at one device."""
        seats = [chair.seat for chair in self.chairs if chair.person == self.person] or [self.row.seat]
        if self.row.over is None or not self.row.payoffs or len(seats) > 1:
            return None
        return outcome_for(tuple(self.row.payoffs), seats[0])

    def passes(self, wanted: Filter) -> bool:
        return (
            wanted.over in (None, self.row.over is not None)
            and wanted.game in (None, self.row.game)
            and wanted.opponent in (None, self.rival)
            and wanted.result in (None, self.result)
            and (not wanted.text or any(wanted.text.casefold() in name.casefold() for name in self._others))
        )

    @property
    def _others(self) -> list[str]:
        """The names of the other people, at one device of all."""
        others = {chair.person for chair in self.chairs} - {self.person} or {self.person}
        return [name for chair, name in zip(self.chairs, self.names, strict=True) if chair.person in others]

    def summary(self, number: int) -> models.GameSummaryView:
        row = self.row
        return models.GameSummaryView(
            id=row.id,
            game=row.game,
            opponent=row.opponent,
            names=self.names or None,
            mode="test" if row.mode == "test" else "normal",
            started=row.started,
            ended=row.over,
            over=row.over is not None,
            result=self.result,
            turn=row.over is None,
            number=number,
        )
