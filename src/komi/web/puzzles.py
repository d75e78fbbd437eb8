"""The puzzle of the day of each game, chosen by a job at the first request, and the answers to it."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from komi.errors import InputError
from komi.play.puzzles import Puzzle
from komi.play.reasons import reasons
from komi.play.table import Table
from komi.rules.game import Game
from komi.rules.vocabulary import title
from komi.web import models
from komi.web.database import Database, get_or_insert
from komi.web.game_catalog import GameCatalog
from komi.web.game_service import get_or_create_person
from komi.web.game_settings import GameSettings
from komi.web.game_views import game_view
from komi.web.job_queue import JobQueue
from komi.web.live_game import LiveGame
from komi.web.queued_job import Requester
from komi.web.ratings import outcome_groups
from komi.web.records import PuzzleAnswer, now
from komi.web.responses import ApiError
from komi.web.solutions import Solutions, key_of

NO_ID = "0" * 32
NONE_HERE = "{game} has no puzzles: komi does not solve it, or it has no hard decisions."
CHOOSING = "The puzzle is being chosen; try again in a moment."
LATE = "That puzzle is no longer today's."


def today() -> date:
    """Return the current date in UTC."""
    return datetime.now(UTC).date()


class Puzzles:
    """The puzzles of the day.

    Args:
        database: the database that stores the answers.
        catalog: the games on offer.
        solutions: the solutions of the games.
        queue: the queue of the jobs that choose puzzles.
    """

    def __init__(self, database: Database, catalog: GameCatalog, solutions: Solutions, queue: JobQueue) -> None:
        self._database, self._catalog, self._solutions, self._queue = database, catalog, solutions, queue

    def show(self, name: str, requester: Requester) -> models.PuzzleView:
        """Return today's puzzle of a game, with the solution once this person has answered.

        Raises:
            ApiError: if there is none, or it is still being chosen.
        """
        game, day = self._catalog.find(name), today()
        puzzle = self._find(game, day, requester)
        with self._database.reading() as session:
            answered = session.get(PuzzleAnswer, (requester.person, game.name, day.isoformat()))
            view = self._view(session, game, day, puzzle, requester.person, answered.label if answered else None)
        return self._explained(view, game, puzzle, requester)

    def answer(self, name: str, day: str, label: str, requester: Requester) -> models.PuzzleView:
        """Store this person's first answer, and return the puzzle with its solution.

        Raises:
            ApiError: if the day is not today, or there is no puzzle.
            InputError: if the action is not legal.
        """
        game = self._catalog.find(name)
        if day != today().isoformat():
            raise ApiError(409, LATE)
        puzzle = self._find(game, today(), requester)
        if label not in puzzle.values:
            raise InputError(f"{label!r} is not legal there, only {', '.join(sorted(puzzle.values))}.")
        with self._database.writing() as session:
            get_or_create_person(session, requester.person)
            right = puzzle.values[label] == puzzle.values[puzzle.best]
            given = PuzzleAnswer(person=requester.person, game=game.name, day=day, label=label, right=right)
            first = get_or_insert(session, given, (requester.person, game.name, day))
            view = self._view(session, game, today(), puzzle, requester.person, first.label)
        return self._explained(view, game, puzzle, requester)

    def _find(self, game: Game, day: date, requester: Requester) -> Puzzle:
        rules = game.default_rules
        if self._solutions.solution(game, rules, requester) is None:
            raise ApiError(404, NONE_HERE.format(game=title(game)))
        arguments = {"game": self._catalog.source(game), "day": day.isoformat()}
        key = f"puzzle of {key_of(game, rules)} of {day}"
        job = self._queue.submit(key, "puzzle", arguments, requester, has_default_rules=True)
        puzzle = job.finished(CHOOSING)
        if puzzle is None:
            raise ApiError(404, NONE_HERE.format(game=title(game)))
        return Puzzle(**puzzle | {"labels": tuple(puzzle["labels"])})

    def _view(
        self, session: Session, game: Game, day: date, puzzle: Puzzle, person: str, label: str | None
    ) -> models.PuzzleView:
        answers = select(PuzzleAnswer.label).where(PuzzleAnswer.game == game.name, PuzzleAnswer.day == day.isoformat())
        others = Counter(session.scalars(answers).all()) if label is not None else Counter[str]()
        return models.PuzzleView(
            day=day.isoformat(),
            position=_position(game, puzzle),
            options=sorted(puzzle.values),
            answered=label,
            best=puzzle.best if label is not None else None,
            worth=puzzle.values if label is not None else None,
            reasons={},
            others=dict(others),
            streak=_streak(session, game.name, day, person),
        )

    def _explained(
        self, view: models.PuzzleView, game: Game, puzzle: Puzzle, requester: Requester
    ) -> models.PuzzleView:
        """Add the reasons to an answered puzzle, if the solution is available."""
        if view.answered is None:
            return view
        try:
            solution = self._solutions.solution(game, game.default_rules, requester)
        except ApiError:
            return view
        if solution is None:
            return view
        state = Table(game, game.default_rules, puzzle.labels).state
        return view.model_copy(update={"reasons": outcome_groups(reasons(solution, state, puzzle.values))})


def _position(game: Game, puzzle: Puzzle) -> models.GameView:
    """Return the puzzle's position as a game."""
    settings = GameSettings(
        id=NO_ID,
        person=NO_ID,
        game=game,
        rules=game.default_rules,
        opponent="",
        seat=puzzle.seat,
        is_by_lot=False,
        is_test=True,
        seed=b"",
        number=NO_ID,
    )
    live = LiveGame(settings, [(label, "hand", now()) for label in puzzle.labels])
    return game_view(live, puzzle.seat, "The opponent")


def _streak(session: Session, game: str, day: date, person: str) -> int:
    """Count the consecutive days, up to today or yesterday, on which this person's answer was right."""
    own = select(PuzzleAnswer.day, PuzzleAnswer.right).where(PuzzleAnswer.person == person, PuzzleAnswer.game == game)
    rows: dict[Any, Any] = {row[0]: row[1] for row in session.execute(own)}
    last = day if day.isoformat() in rows else day - timedelta(days=1)
    count = 0
    while rows.get((last - timedelta(days=count)).isoformat()):
        count += 1
    return count
