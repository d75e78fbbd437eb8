"""A person's results at each game against each opponent, and the rating of their decisions at each game.

The rating is the mean loss of a game's decisions against optimal play. Unlike a result, it leaves out what chance
brings.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby, takewhile
from operator import attrgetter
from statistics import fmean, stdev
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from komi.simulation.intervals import confidence_interval
from komi.web import models
from komi.web.game_catalog import GameCatalog, objective, rules_of
from komi.web.records import PlayedGame
from komi.web.responses import ApiError

MIN_RATED = 20  # games: most losses are small and few are large, and fewer games say too little about their spread
MAX_PARTS = 12  # of the course of a rating


def finished(session: Session, person: str) -> Sequence[PlayedGame]:
    """Return a person's games that count: over, against an opponent, with chance drawn by the server; oldest first."""
    is_over, has_rival = PlayedGame.over.is_not(None), PlayedGame.opponent != ""
    counts = PlayedGame.person == person, is_over, has_rival, PlayedGame.mode == "normal"
    return session.scalars(select(PlayedGame).where(*counts).order_by(PlayedGame.over)).all()


def statistics(games: Sequence[PlayedGame], catalog: GameCatalog) -> models.StatisticsResponse:
    """Summarize the games: a rating per game and rules, and a row per game and opponent."""
    by_opponent = attrgetter("game", "opponent")
    return models.StatisticsResponse(
        ratings=list(_ratings(games, catalog)),
        rows=[
            _row(game, opponent, list(played))
            for (game, opponent), played in groupby(sorted(games, key=by_opponent), by_opponent)
        ],
    )


def _ratings(games: Sequence[PlayedGame], catalog: GameCatalog) -> Iterator[models.RatingView]:
    """Yield the rating at each game that is still on offer under the same rules, most games first."""
    losses: defaultdict[tuple[Any, ...], list[float]] = defaultdict(list)
    for played in games:
        if played.mistakes is not None:
            losses[played.game, *sorted(played.rules.items())].append(played.mistakes)
    for (name, *rules), own in sorted(losses.items(), key=lambda item: -len(item[1])):
        with suppress(ApiError):
            game = catalog.find(name)
            chosen = rules_of(game, dict(rules))
            size = math.ceil(len(own) / MAX_PARTS)
            yield models.RatingView(
                game=name,
                rules=chosen._asdict(),
                objective=objective(game, chosen),
                games=len(own),
                loss=fmean(own),
                error=(stdev(own) / math.sqrt(len(own)) or None) if len(own) >= MIN_RATED else None,
                course=[fmean(own[first : first + size]) for first in range(0, len(own), size)],
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
