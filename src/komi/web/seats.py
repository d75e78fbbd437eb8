"""Computer opponents that are ready to play, with the solutions that they use."""

import hashlib
import re
from collections import OrderedDict, defaultdict
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

import numpy as np

from komi.errors import InputError
from komi.game import Game
from komi.play import opponent_players, opponents
from komi.play.opponent_players import Player
from komi.play.opponents import Opponent
from komi.policies.named import game_policies
from komi.rules.vocabulary import title
from komi.syntax import PARSER_LOCK
from komi.web.offered import Offered
from komi.web.refusals import RefusalError
from komi.web.solutions import Solutions, Solved, key_of
from komi.web.work import Asker, Preparation, Work

POLICY = re.compile(r"optimal|max-score|keep-pace|random|(hold-at|cautious|ahead):\d{1,3}")
MAX_SEATED = 9  # opponents kept in memory


class Seats:
    """A cache of opponents that are ready to choose actions.

    The opponents that a game offers are created in this process within moments. The actions of any other policy are
    tabulated by a job, which can take minutes and does not block the others.

    Args:
        offered: the games on offer.
        solutions: the solutions that the opponents use.
        work: the queue of the jobs that tabulate policies.
    """

    def __init__(self, offered: Offered, solutions: Solutions, work: Work) -> None:
        self._offered, self._solutions, self._work = offered, solutions, work
        self._players: OrderedDict[str, Player] = OrderedDict()
        self._lock = Lock()
        self._seating: defaultdict[str, Lock] = defaultdict(Lock)
        self._folder = TemporaryDirectory(prefix="komi-policies-", ignore_cleanup_errors=True)

    def close(self) -> None:
        """Remove the tabulated policies."""
        self._folder.cleanup()

    def prepare(self, name: str, game: Game, rules: Any, asker: Asker) -> Preparation:
        """Return the progress of solving the game, and then that of tabulating the opponent.

        Raises:
            RefusalError: if there is no such opponent, or too many games wait.
        """
        alone = game.alone(rules)
        solving = self._solutions.prepare(game, alone, asker)
        opponent = find(name, game, rules)
        if _unsolved(opponent, game, rules, solving) is not None:
            return solving
        if not (solving.ready and _is_made_apart(opponent, self._solutions.solution(game, alone, asker), rules)):
            return solving
        key = _key(name, game, rules)
        with self._lock:
            if key in self._players:
                seated = Preparation(key)
                seated.succeeded()
                return seated
        arguments = {
            "game": self._offered.source(game),
            "rules": rules._asdict(),
            "opponent": name,
            "file": str(self._file(key)),
        }
        return self._work.ask(key, "seat", arguments, asker)

    def can_play(self, name: str, game: Game, rules: Any, solving: Preparation) -> bool:
        """Return whether the opponent can play now, even if the game is not solved."""
        return solving.ready or _unsolved(find(name, game, rules), game, rules, solving) is not None

    def rival(self, name: str, game: Game, rules: Any, asker: Asker) -> Player | None:
        """Return the opponent of this name, or None for an empty name in a single-player game.

        Raises:
            RefusalError: if there is none, or it or its game is still being prepared.
        """
        if game.players(rules) == 1 and not name:
            return None
        if not name:
            raise RefusalError(422, f"{title(game)} is played against an opponent: name one.")
        return self.player(name, game, rules, asker)

    def player(self, name: str, game: Game, rules: Any, asker: Asker) -> Player:
        """Return the opponent of this name.

        Raises:
            RefusalError: if there is none, or it or its game is still being prepared.
        """
        key = _key(name, game, rules)
        with self._lock:
            if key in self._players:
                self._players.move_to_end(key)
                return self._players[key]
            seating = self._seating[key]
        with seating:
            player = self._seated(name, game, rules, asker)
        with self._lock:
            self._players[key] = player
            self._seating.pop(key, None)
            if len(self._players) > MAX_SEATED:
                self._players.popitem(last=False)
        return player

    def _seated(self, name: str, game: Game, rules: Any, asker: Asker) -> Player:
        opponent = find(name, game, rules)
        alone, at_once = game.alone(rules), opponent_players.player_without_solution(opponent, game, rules)
        unsolved = at_once or _unsolved(opponent, game, rules, self._solutions.prepare(game, alone, asker))
        if unsolved is not None:
            return unsolved
        solution = self._solutions.solution(game, alone, asker)
        if solution is None or not _is_made_apart(opponent, solution, rules):
            return opponent_players.create_player(opponent, game, rules, solution)
        preparation = self.prepare(name, game, rules, asker)
        if preparation.error is not None:
            raise RefusalError(422, preparation.error)
        if not preparation.ready:
            raise RefusalError(503, f"{name} is still being seated; try again in a moment.", preparation.seconds)
        self._work.forget(preparation.key)
        file = self._file(preparation.key)
        with PARSER_LOCK:
            actions = np.load(file, mmap_mode="r")
        with suppress(OSError):  # some systems cannot delete a file that is mapped
            file.unlink()
        return opponent_players.player_from_table(game, rules, solution, actions)

    def _file(self, key: str) -> Path:
        return Path(self._folder.name) / f"{key}.npy"


def _unsolved(opponent: Opponent, game: Game, rules: Any, solving: Preparation) -> Player | None:
    """Return the opponent if it needs no solution, or its substitute if the game cannot be solved."""
    player = opponent_players.player_without_solution(opponent, game, rules)
    if player is not None or solving.error is None:
        return player
    other = opponent_players.substitute(opponent, game, rules)
    return None if other is None else opponent_players.create_player(other, game, rules, None)


def _is_made_apart(opponent: Opponent, solution: Solved | None, rules: Any) -> bool:
    """Return whether a job must tabulate the opponent's actions. Opponents that the game offers need none."""
    if solution is None or solution.rules != rules or opponent in opponents.available(solution.game, rules):
        return False
    return opponent_players.needs_table(opponent, solution)


def _key(name: str, game: Game, rules: Any) -> str:
    return hashlib.sha256(f"{key_of(game, rules)} {name}".encode()).hexdigest()[:32]


def find(name: str, game: Game, rules: Any) -> Opponent:
    """Find the opponent of this name. Names of files are not allowed.

    Raises:
        RefusalError: if there is no such opponent.
    """
    try:
        opponent = opponents.find(name, game, rules)
    except InputError as error:
        raise RefusalError(422, str(error)) from None
    is_level = opponent in opponents.available(game, rules)
    if not (is_level or POLICY.fullmatch(name) or name in game_policies(game)):
        raise RefusalError(422, f"{title(game)} has no opponent {name!r}.")
    return opponent
