"""The puzzle of the day of each game, chosen by a job at the first request, and the answers to it."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from komi.errors import InputError
from komi.play.puzzles import Puzzle
from komi.play.reasons import reasons
from komi.play.table import Table
from komi.rules.game import Game
from komi.rules.vocabulary import title
from komi.typing import State
from komi.web import models
from komi.web.database import Database, get_or_insert
from komi.web.game_catalog import GameCatalog
from komi.web.game_service import get_or_create_person
from komi.web.game_settings import GameSettings
from komi.web.game_views import game_view
from komi.web.job_queue import JobQueue
from komi.web.live_game import LiveGame
from komi.web.preview import has_picture
from komi.web.queued_job import Requester
from komi.web.ratings import outcome_groups
from komi.web.records import PuzzleAnswer, now
from komi.web.responses import ApiError
from komi.web.solutions import Solutions, key_of

NO_ID = "0" * 32
NONE_HERE = "{game} has no puzzles: komi does not solve it, or it has no hard decisions."
CHOOSING = "The puzzle is being chosen; try again in a moment."
MAX_AGE = 30  # days for which old puzzles can be solved
NOT_KEPT = "There is no puzzle of {day}: they are kept for 30 days."


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

    def list(self, person: str) -> models.PuzzlesResponse:
        """Return this person's answers of the last days to the puzzles of each solved game."""
        first = (today() - timedelta(days=MAX_AGE)).isoformat()
        own = select(PuzzleAnswer.game, PuzzleAnswer.day, PuzzleAnswer.right).where(PuzzleAnswer.person == person)
        answers: defaultdict[str, dict[str, bool]] = defaultdict(dict)
        with self._database.reading() as session:
            for game, day, right in session.execute(own):
                answers[game][day] = right
        return models.PuzzlesResponse(
            day=today().isoformat(),
            days=MAX_AGE,
            puzzles=[
                models.PuzzleSummaryView(
                    game=view.name,
                    streak=_streak(answers[view.name], today()),
                    answers={day: right for day, right in answers[view.name].items() if day > first},
                )
                for view in self._catalog.catalog.games
                if view.solved and not view.hides and getattr(self._catalog.find(view.name).module, "actions", True)
            ],
        )

    def show(self, name: str, day_name: str | None, requester: Requester) -> models.PuzzleView:
        """Return a puzzle of a game, by default today's, with the solution once this person has answered.

        Raises:
            ApiError: if there is none, or it is still being chosen.
        """
        game, day = self._catalog.find(name), _kept_day(day_name)
        puzzle = self._find(game, day, requester)
        with self._database.reading() as session:
            answered = session.get(PuzzleAnswer, (requester.person, game.name, day.isoformat()))
            view = self._view(session, game, day, puzzle, requester.person, answered.label if answered else None)
        return self._explained(view, game, puzzle, requester)

    def position(self, name: str, day_name: str, requester: Requester) -> tuple[Game, State]:
        """Return the game of a puzzle and its position, as the player to move sees it.

        Raises:
            ApiError: if there is none, or it is still being chosen.
        """
        game = self._catalog.find(name)
        puzzle = self._find(game, _kept_day(day_name), requester)
        return game, Table(game, game.default_rules, puzzle.labels).state

    def answer(self, name: str, day: str, label: str, requester: Requester) -> models.PuzzleView:
        """Store this person's first answer of the day, and return the puzzle with its solution.

        Answers to puzzles of earlier days are not stored: they count for no streak.

        Raises:
            ApiError: if there is no puzzle.
            InputError: if the action is not legal.
        """
        game, asked = self._catalog.find(name), _kept_day(day)
        puzzle = self._find(game, asked, requester)
        if label not in puzzle.values:
            raise InputError(f"{label!r} is not legal there, only {', '.join(sorted(puzzle.values))}.")
        with self._database.writing() as session:
            if asked == today():
                get_or_create_person(session, requester.person)
                right = puzzle.values[label] == puzzle.values[puzzle.best]
                given = PuzzleAnswer(person=requester.person, game=game.name, day=day, label=label, right=right)
                label = get_or_insert(session, given, (requester.person, game.name, day)).label
            view = self._view(session, game, asked, puzzle, requester.person, label)
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
        own = select(PuzzleAnswer.day, PuzzleAnswer.right).where(
            PuzzleAnswer.person == person, PuzzleAnswer.game == game.name
        )
        return models.PuzzleView(
            day=day.isoformat(),
            position=_position(game, puzzle),
            options=sorted(puzzle.values),
            answered=label,
            best=puzzle.best if label is not None else None,
            worth=puzzle.values if label is not None else None,
            reasons={},
            picture=has_picture(game),
            others=dict(others),
            streak=_streak({row[0]: row[1] for row in session.execute(own)}, today()),
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


def _kept_day(name: str | None) -> date:
    """Return the day of this name, by default today.

    Raises:
        ApiError: if it is in the future, or its puzzles are not kept.
    """
    try:
        day = today() if name is None else date.fromisoformat(name)
    except ValueError:
        raise ApiError(404, NOT_KEPT.format(day=name)) from None
    if not timedelta(0) <= today() - day < timedelta(days=MAX_AGE):
        raise ApiError(404, NOT_KEPT.format(day=name))
    return day


def _streak(answers: Mapping[str, bool], day: date) -> int:
    """Count the consecutive days, up to this one or the one before, on which an answer was right."""
    last = day if day.isoformat() in answers else day - timedelta(days=1)
    count = 0
    while answers.get((last - timedelta(days=count)).isoformat()):
        count += 1
    return count
