"""Computer opponents that are ready to play, with the solutions that they use, and comparisons of their strength."""

import hashlib
import re
from collections import OrderedDict, defaultdict
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

import numpy as np

from komi.errors import InputError
from komi.play import opponent_players, opponents
from komi.play.opponent_players import Player
from komi.play.opponents import Opponent
from komi.policies.from_files import game_policies
from komi.policies.searchers_by_name import is_searcher
from komi.rules.game import Game
from komi.rules.vocabulary import title
from komi.solvers.solve import is_solvable
from komi.syntax import PARSER_LOCK
from komi.typing import Rules
from komi.web import models
from komi.web.game_catalog import GameCatalog
from komi.web.job_queue import JobQueue
from komi.web.queued_job import QueuedJob, Requester
from komi.web.responses import ApiError
from komi.web.search_policy import SearchJobPolicy
from komi.web.solutions import Solutions, Solved, key_of

POLICY = re.compile(r"optimal|max-score|keep-pace|random|(hold-at|cautious|ahead):\d{1,3}|(mcts|ismcts|pimc|epimc):1s")
MAX_OPPONENTS = 9  # opponents kept in memory
MEASURING = "The ladder is being measured; try again in a moment."
COMPILING = "compile_search"  # the job that prepares a searching opponent


class ComputerOpponents:
    """A cache of opponents that are ready to choose actions.

    The opponents that a game offers are created in this process within moments. The actions of any other policy are
    tabulated by a job, which can take minutes and does not block the others.

    Args:
        catalog: the games on offer.
        solutions: the solutions that the opponents use.
        queue: the queue of the jobs that tabulate policies.
        searches: the queue of the searches for the moves of opponents.
    """

    def __init__(self, catalog: GameCatalog, solutions: Solutions, queue: JobQueue, searches: JobQueue) -> None:
        self._catalog, self._solutions, self._queue, self._searches = catalog, solutions, queue, searches
        self._players: OrderedDict[str, Player] = OrderedDict()
        self._lock = Lock()
        self._loading: defaultdict[str, Lock] = defaultdict(Lock)
        self._folder = TemporaryDirectory(prefix="komi-policies-", ignore_cleanup_errors=True)

    def close(self) -> None:
        """Remove the tabulated policies."""
        self._folder.cleanup()

    def prepare(self, name: str, game: Game, rules: Rules, requester: Requester) -> QueuedJob:
        """Return the progress of solving the game, and then that of preparing the opponent.

        Preparing tabulates actions where that is possible, and compiles a search.

        Raises:
            ApiError: if there is no such opponent, or too many games wait.
        """
        alone = game.alone(rules)
        solving = self._solutions.prepare(game, alone, requester)
        opponent = find_opponent(name, game, rules)
        unsolved = _unsolved(opponent, game, rules, solving)
        if unsolved is not None:
            policy = unsolved.policy.name
            return self._compile(policy, game, rules, requester) if is_searcher(policy) else solving
        if not (solving.ready and _needs_tabulation(opponent, self._solutions.solution(game, alone, requester), rules)):
            return solving
        key = _key(name, game, rules)
        with self._lock:
            if key in self._players:
                finished = QueuedJob(key)
                finished.succeeded()
                return finished
        arguments = {
            "game": self._catalog.source(game),
            "rules": rules._asdict(),
            "opponent": name,
            "file": str(self._file(key)),
        }
        return self._queue.submit(key, "tabulate", arguments, requester)

    def _compile(self, policy: str, game: Game, rules: Rules, requester: Requester) -> QueuedJob:
        """Return the progress of compiling a search."""
        arguments = {"game": self._catalog.source(game), "rules": rules._asdict(), "policy": policy}
        return self._queue.submit(_key(policy, game, rules), COMPILING, arguments, requester)

    def can_play(self, name: str, game: Game, rules: Rules, preparation: QueuedJob) -> bool:
        """Return whether the opponent can play now, even if the game is not solved."""
        if preparation.ready or preparation.function == COMPILING:
            return preparation.ready
        return _unsolved(find_opponent(name, game, rules), game, rules, preparation) is not None

    def rival(self, name: str, game: Game, rules: Rules, requester: Requester) -> Player | None:
        """Return the opponent of this name, or None for an empty name in a single-player game.

        Raises:
            ApiError: if there is none, or it or its game is still being prepared.
        """
        if game.players(rules) == 1 and not name:
            return None
        if not name:
            raise ApiError(422, f"{title(game)} is played against an opponent: name one.")
        return self.player(name, game, rules, requester)

    def player(self, name: str, game: Game, rules: Rules, requester: Requester) -> Player:
        """Return the opponent of this name.

        Raises:
            ApiError: if there is none, or it or its game is still being prepared.
        """
        key = _key(name, game, rules)
        with self._lock:
            if key in self._players:
                self._players.move_to_end(key)
                return _bind(self._players[key], requester)
            loading = self._loading[key]
        with loading:
            player = self._load(name, game, rules, requester)
            if is_searcher(player.policy.name):
                policy = SearchJobPolicy(player.policy.name, self._searches, self._catalog.source, requester)
                player = replace(player, policy=policy)
        with self._lock:
            self._players[key] = player
            self._loading.pop(key, None)
            if len(self._players) > MAX_OPPONENTS:
                self._players.popitem(last=False)
        return _bind(player, requester)

    def _load(self, name: str, game: Game, rules: Rules, requester: Requester) -> Player:
        opponent = find_opponent(name, game, rules)
        alone, at_once = game.alone(rules), opponent_players.player_without_solution(opponent, game, rules)
        unsolved = at_once or _unsolved(opponent, game, rules, self._solutions.prepare(game, alone, requester))
        if unsolved is not None:
            return unsolved
        solution = self._solutions.solution(game, alone, requester)
        if solution is None or not _needs_tabulation(opponent, solution, rules):
            return opponent_players.create_player(opponent, game, rules, solution)
        job = self.prepare(name, game, rules, requester)
        sentence = f"{name} is still being prepared; try again in a moment."
        job.finished(sentence)
        self._queue.forget(job.key)
        file = self._file(job.key)
        with PARSER_LOCK:
            actions = np.load(file, mmap_mode="r")
        with suppress(OSError):  # some systems cannot delete a file that is mapped
            file.unlink()
        return opponent_players.player_from_table(game, rules, solution, actions)

    def _file(self, key: str) -> Path:
        return Path(self._folder.name) / f"{key}.npy"


class OpponentStrengths:
    """The strengths of opponents, computed by a job at the first request.

    Such a job can take minutes, also under default rules: it never gets the worker that is reserved for short ones.

    Args:
        catalog: the games on offer.
        queue: the queue of the jobs that compare opponents.
    """

    def __init__(self, catalog: GameCatalog, queue: JobQueue) -> None:
        self._catalog, self._queue = catalog, queue

    def find(self, game: Game, rules: Rules, requester: Requester) -> list[models.StrengthView] | None:
        """Return the strengths of the opponents, or None while they are being computed.

        Raises:
            ApiError: if they cannot be computed, or too many jobs are waiting.
        """
        arguments = {"game": self._catalog.source(game), "rules": rules._asdict()}
        job = self._queue.submit(f"strengths of {key_of(game, rules)}", "strengths", arguments, requester)
        if not job.is_over:
            return None
        return [models.StrengthView(**strength) for strength in job.finished("")]

    def rungs(self, game: Game, rules: Rules, requester: Requester) -> list[models.RungView]:
        """Return what policies from careless to perfect give away, the lowest rung first; none if that is not known.

        Raises:
            ApiError: while it is being computed, or if too many jobs are waiting.
        """
        if game.players(rules) == 1 or not is_solvable(game, rules):
            return []
        arguments = {"game": self._catalog.source(game), "rules": rules._asdict()}
        job = self._queue.submit(f"rungs of {key_of(game, rules)}", "rungs", arguments, requester)
        return [models.RungView(**rung) for rung in job.finished(MEASURING)]


def _bind(player: Player, requester: Requester) -> Player:
    """Return a searching opponent whose searches are charged to the requester; other opponents unchanged."""
    policy = player.policy
    return (
        replace(player, policy=replace(policy, requester=requester)) if isinstance(policy, SearchJobPolicy) else player
    )


def _unsolved(opponent: Opponent, game: Game, rules: Rules, solving: QueuedJob) -> Player | None:
    """Return the opponent if it needs no solution, or its substitute if the game cannot be solved."""
    player = opponent_players.player_without_solution(opponent, game, rules)
    if player is not None or solving.error is None or solving.is_interrupted:
        return player
    other = opponent_players.substitute(opponent, game, rules)
    return None if other is None else opponent_players.create_player(other, game, rules, None)


def _needs_tabulation(opponent: Opponent, solution: Solved | None, rules: Rules) -> bool:
    """Return whether a job must tabulate the opponent's actions. Opponents that the game offers need none."""
    if solution is None or solution.rules != rules or opponent in opponents.available(solution.game, rules):
        return False
    return opponent_players.needs_table(opponent, solution)


def _key(name: str, game: Game, rules: Rules) -> str:
    return hashlib.sha256(f"{key_of(game, rules)} {name}".encode()).hexdigest()[:32]


def find_opponent(name: str, game: Game, rules: Rules) -> Opponent:
    """Find the opponent of this name. Names of files are not allowed.

    Raises:
        ApiError: if there is no such opponent.
    """
    try:
        opponent = opponents.find(name, game, rules)
    except InputError as error:
        raise ApiError(422, str(error)) from None
    is_level = opponent in opponents.available(game, rules)
    if not (is_level or POLICY.fullmatch(name) or name in game_policies(game)):
        raise ApiError(422, f"{title(game)} has no opponent {name!r}.")
    return opponent
