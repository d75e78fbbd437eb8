"""The components of the server: created together, and closed when it stops."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from komi.web.database import Database
from komi.web.invitations import Invitations
from komi.web.job_process import Apart
from komi.web.live_games import LiveGames
from komi.web.offered import Offered
from komi.web.puzzles import Puzzles
from komi.web.ratings import Ratings
from komi.web.referee import Referee
from komi.web.seats import Seats
from komi.web.sharing import Sharing
from komi.web.solutions import Solutions
from komi.web.strengths import Strengths
from komi.web.surfaces import Surfaces
from komi.web.work import Asker, Work

SOLVERS = 3  # games solved at once, one of them with default rules
POPULAR = ("red-light", "pig", "fowl-play")  # no more than one person may wait for
PREPARERS = 2  # opponents tabulated or compared at once, one of them under default rules


@dataclass(frozen=True)
class Services:
    """The components that handle requests."""

    database: Database
    offered: Offered
    apart: Apart
    solving: Work
    preparing: Work
    seats: Seats
    solutions: Solutions
    strengths: Strengths
    surfaces: Surfaces
    ratings: Ratings
    games: LiveGames
    referee: Referee
    sharing: Sharing
    puzzles: Puzzles
    invitations: Invitations
    studies: bool  # True if people are asked whether their decisions may be studied

    @classmethod
    def opened(cls, database: Database, files: Sequence[str], *, studies: bool = False) -> "Services":
        """Create the services for this database, the built-in games and those in these files."""
        offered, apart = Offered(files), Apart()
        solving, preparing = Work(apart, "solver", SOLVERS), Work(apart, "preparing", PREPARERS)
        solutions = Solutions(solving, offered.source)
        ratings, games = Ratings(database, solutions), LiveGames(database, offered)
        seats = Seats(offered, solutions, preparing)
        return cls(
            database,
            offered,
            apart,
            solving,
            preparing,
            seats,
            solutions,
            Strengths(offered, preparing),
            Surfaces(offered, solutions, preparing),
            ratings,
            games,
            Referee(database, offered, games, seats, ended=ratings.rate),
            Sharing(database, games),
            Puzzles(database, offered, solutions, preparing),
            Invitations(database, offered, games),
            studies,
        )

    def warm(self) -> None:
        """Start solving the most popular games, unless they are solved."""
        for name in POPULAR:
            game = self.offered.find(name)
            self.solutions.prepare(game, game.default_rules, Asker("the server"))

    def close(self) -> None:
        """Stop all work and close the database."""
        self.solving.close()
        self.preparing.close()
        self.seats.close()
        self.database.close()


async def _services(connection: HTTPConnection) -> Services:
    return connection.app.state.services  # type: ignore[no-any-return]


Served = Annotated[Services, Depends(_services)]


async def _asker(connection: HTTPConnection) -> Asker:
    state = connection.state
    return Asker(state.person, state.address, state.has_cookie)


Asking = Annotated[Asker, Depends(_asker)]
"""The person who sends the request, and the address."""
