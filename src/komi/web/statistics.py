"""A person's results at each game against each opponent."""

from collections.abc import Sequence
from itertools import groupby, takewhile
from operator import attrgetter

from sqlalchemy import select
from sqlalchemy.orm import Session

from komi.simulation.intervals import confidence_interval
from komi.web import models
from komi.web.records import PlayedGame


def finished(session: Session, person: str) -> Sequence[PlayedGame]:
    """Return a person's games that count: over, against an opponent, with chance drawn by the server; oldest first."""
    is_over, has_rival = PlayedGame.over.is_not(None), PlayedGame.opponent != ""
    counts = PlayedGame.person == person, is_over, has_rival, PlayedGame.mode == "normal"
    return session.scalars(select(PlayedGame).where(*counts).order_by(PlayedGame.over)).all()


def statistics(games: Sequence[PlayedGame]) -> models.StatisticsResponse:
    """Summarize the games, one row per game and opponent."""
    by_opponent = attrgetter("game", "opponent")
    return models.StatisticsResponse(
        rows=[
            _row(game, opponent, list(played))
            for (game, opponent), played in groupby(sorted(games, key=by_opponent), by_opponent)
        ]
    )


def _row(game: str, opponent: str, games: Sequence[PlayedGame]) -> models.StatisticsRowView:
    payoffs = [played.payoffs[played.seat] for played in games if played.payoffs]
    wins, won = sum(payoffs), [payoff == 1.0 for payoff in payoffs]
    low, high = confidence_interval(wins / len(games), len(games))
    decisions = sum(played.decisions or 0 for played in games)
    return models.StatisticsRowView(
        game=game,
        opponent=opponent,
        games=len(games),
        wins=wins,
        win_rate=wins / len(games),
        low=low,
        high=high,
        average_mistake=sum(played.mistakes or 0.0 for played in games) / decisions if decisions else None,
        streak=len(list(takewhile(bool, reversed(won)))),
        best_streak=max((len(list(run)) for is_won, run in groupby(won) if is_won), default=0),
        luck=_mean([played.luck for played in games]),
        skill=_mean([played.skill for played in games]),
    )


def _mean(numbers: Sequence[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None
