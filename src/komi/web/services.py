"""The components of the server: created together, and closed when it stops."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from komi.web.accounts import Accounts
from komi.web.computer_opponents import ComputerOpponents, OpponentStrengths
from komi.web.database import Database
from komi.web.estimates import Estimates
from komi.web.excitement import Excitement
from komi.web.game_cache import GameCache
from komi.web.game_catalog import GameCatalog
from komi.web.game_service import GameService
from komi.web.invitations import Invitations
from komi.web.job_queue import JobQueue
from komi.web.puzzles import Puzzles
from komi.web.queued_job import Requester
from komi.web.ratings import Ratings
from komi.web.sharing import Sharing
from komi.web.solutions import Solutions
from komi.web.surfaces import Surfaces

SOLVERS = 3  # games solved at once, one of them with default rules
POPULAR = ("red-light", "pig", "fowl-play")  # no more than one person may wait for
PREPARERS = 2  # opponents tabulated or compared at once, one of them under default rules
SEARCHERS = 2  # opponents that search at once, or one of them and an estimate
MAX_SEARCHES = 100  # searches after which a process is replaced
MAX_WAITING_SEARCHES = 14  # each occupies a thread, of which the server has 40


@dataclass(frozen=True)
class Services:
    """The components that handle requests."""

    database: Database
    catalog: GameCatalog
    solver_queue: JobQueue
    preparation_queue: JobQueue
    search_queue: JobQueue
    opponents: ComputerOpponents
    solutions: Solutions
    strengths: OpponentStrengths
    surfaces: Surfaces
    ratings: Ratings
    estimates: Estimates
    excitement: Excitement
    game_cache: GameCache
    game_service: GameService
    sharing: Sharing
    puzzles: Puzzles
    accounts: Accounts
    invitations: Invitations
    studies: bool  # True if people are asked whether their decisions may be studied

    @classmethod
    def opened(cls, database: Database, files: Sequence[str], *, studies: bool = False) -> "Services":
        """Create the services for this database, the built-in games and those in these files."""
        catalog, solver_queue, preparation_queue = GameCatalog(files), JobQueue(SOLVERS), JobQueue(PREPARERS)
        search_queue = JobQueue(SEARCHERS, max_tasks=MAX_SEARCHES, max_waiting=MAX_WAITING_SEARCHES)
        solutions = Solutions(solver_queue, catalog.source)
        ratings, game_cache = Ratings(database, solutions), GameCache(database, catalog)
        opponents = ComputerOpponents(catalog, solutions, preparation_queue, search_queue)
        return cls(
            database,
            catalog,
            solver_queue,
            preparation_queue,
            search_queue,
            opponents,
            solutions,
            OpponentStrengths(catalog, preparation_queue),
            Surfaces(catalog, solutions, preparation_queue),
            ratings,
            Estimates(catalog, search_queue),
            Excitement(catalog, solutions, preparation_queue),
            game_cache,
            GameService(database, catalog, game_cache, opponents, ended=ratings.rate),
            Sharing(database, game_cache),
            Puzzles(database, catalog, solutions, preparation_queue),
            Accounts(database),
            Invitations(database, catalog, game_cache),
            studies,
        )

    def warm(self) -> None:
        """Start solving the most popular games, unless they are solved."""
        for name in POPULAR:
            game = self.catalog.find(name)
            self.solutions.prepare(game, game.default_rules, Requester("the server"))

    def close(self) -> None:
        """Stop all jobs and close the database."""
        self.solver_queue.close()
        self.preparation_queue.close()
        self.search_queue.close()
        self.opponents.close()
        self.database.close()


async def _services(connection: HTTPConnection) -> Services:
    return connection.app.state.services  # type: ignore[no-any-return]


CurrentServices = Annotated[Services, Depends(_services)]


async def _requester(connection: HTTPConnection) -> Requester:
    state = connection.state
    return Requester(state.person, state.address, state.has_cookie)


CurrentRequester = Annotated[Requester, Depends(_requester)]
"""The person who sends the request, and the address."""
