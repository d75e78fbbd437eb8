"""The puzzle of the day of each game, chosen by a job at the first request, and the answers to it."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from komi.errors import InputError, KomiError
from komi.game import Game
from komi.play.puzzles import Puzzle
from komi.play.reasons import reasons
from komi.play.table import Table
from komi.rules.vocabulary import title
from komi.web import models
from komi.web.database import Database, kept
from komi.web.live import Agreed, LiveGame
from komi.web.offered import Offered
from komi.web.reasons import parts_told
from komi.web.records import PuzzleAnswer, now
from komi.web.referee import make_known
from komi.web.refusals import RefusalError
from komi.web.solutions import Solutions, key_of
from komi.web.work import Asker, Work

NOBODY = "0" * 32
NONE_HERE = "{game} has no puzzles: komi does not solve it, or nothing in it is hard to see."
LATE = "That puzzle is no longer today's."


def today() -> date:
    """Return the current date in UTC."""
    return datetime.now(UTC).date()


class Puzzles:
    """The puzzles of the day.

    Args:
        database: the database that stores the answers.
        offered: the games on offer.
        solutions: the solutions of the games.
        work: the queue of the jobs that choose puzzles.
    """

    def __init__(self, database: Database, offered: Offered, solutions: Solutions, work: Work) -> None:
        self._database, self._offered, self._solutions, self._work = database, offered, solutions, work

    def show(self, name: str, asker: Asker) -> models.PuzzleView:
        """Return today's puzzle of a game, with the solution once this person has answered.

        Raises:
            RefusalError: if there is none, or it is still being chosen.
        """
        game, day = self._offered.find(name), today()
        puzzle = self._find(game, day, asker)
        with self._database.reading() as session:
            answered = session.get(PuzzleAnswer, (asker.person, game.name, day.isoformat()))
            view = self._view(session, game, day, puzzle, asker.person, answered.label if answered else None)
        return self._explained(view, game, puzzle, asker)

    def answer(self, name: str, day: str, label: str, asker: Asker) -> models.PuzzleView:
        """Store this person's first answer, and return the puzzle with its solution.

        Raises:
            RefusalError: if the day is not today, or there is no puzzle.
            InputError: if the action is not legal.
        """
        game = self._offered.find(name)
        if day != today().isoformat():
            raise RefusalError(409, LATE)
        puzzle = self._find(game, today(), asker)
        if label not in puzzle.values:
            raise InputError(f"{label!r} is not legal there, only {', '.join(sorted(puzzle.values))}.")
        with self._database.writing() as session:
            make_known(session, asker.person)
            right = puzzle.values[label] == puzzle.values[puzzle.best]
            given = PuzzleAnswer(person=asker.person, game=game.name, day=day, label=label, right=right)
            first = kept(session, given, (asker.person, game.name, day))
            view = self._view(session, game, today(), puzzle, asker.person, first.label)
        return self._explained(view, game, puzzle, asker)

    def _find(self, game: Game, day: date, asker: Asker) -> Puzzle:
        rules = game.default_rules
        if self._solutions.solution(game, rules, asker) is None:
            raise RefusalError(404, NONE_HERE.format(game=title(game)))
        arguments = {"game": self._offered.source(game), "day": day.isoformat()}
        key = f"puzzle of {key_of(game, rules)} of {day}"
        found = self._work.ask(key, "puzzle", arguments, asker, is_usual=True)
        if found.error is not None:
            raise KomiError(found.error)
        if not found.ready:
            raise RefusalError(503, "The puzzle is being chosen; try again in a moment.", found.seconds)
        if found.answer is None:
            raise RefusalError(404, NONE_HERE.format(game=title(game)))
        return Puzzle(**found.answer | {"labels": tuple(found.answer["labels"])})

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

    def _explained(self, view: models.PuzzleView, game: Game, puzzle: Puzzle, asker: Asker) -> models.PuzzleView:
        """Add the reasons to an answered puzzle, if the solution is available."""
        if view.answered is None:
            return view
        try:
            solution = self._solutions.solution(game, game.default_rules, asker)
        except RefusalError:
            return view
        if solution is None:
            return view
        state = Table(game, game.default_rules, puzzle.labels).state
        return view.model_copy(update={"reasons": parts_told(reasons(solution, state, puzzle.values))})


def _position(game: Game, puzzle: Puzzle) -> models.GameView:
    """Return the puzzle's position as a game."""
    agreed = Agreed(
        id=NOBODY,
        person=NOBODY,
        game=game,
        rules=game.default_rules,
        opponent="",
        seat=puzzle.seat,
        is_by_lot=False,
        is_test=True,
        seed=b"",
        number=NOBODY,
    )
    return LiveGame(agreed, [(label, "hand", now()) for label in puzzle.labels]).view(puzzle.seat, "The opponent")


def _streak(session: Session, game: str, day: date, person: str) -> int:
    """Count the consecutive days, up to today or yesterday, on which this person's answer was right."""
    own = select(PuzzleAnswer.day, PuzzleAnswer.right).where(PuzzleAnswer.person == person, PuzzleAnswer.game == game)
    rows: dict[Any, Any] = {row[0]: row[1] for row in session.execute(own)}
    last = day if day.isoformat() in rows else day - timedelta(days=1)
    count = 0
    while rows.get((last - timedelta(days=count)).isoformat()):
        count += 1
    return count
