"""Who sits opposite: opponents ready to play, with the solutions that they play by."""

import re
from collections import OrderedDict
from threading import Lock
from typing import Any

from komi.errors import InputError
from komi.game import Game
from komi.play import opponents
from komi.play.opponents import Opponent, Player
from komi.policies.seated import own
from komi.web.apart import Apart
from komi.web.offered import Offered
from komi.web.refusals import RefusalError
from komi.web.solutions import Solutions, key_of

POLICY = re.compile(r"optimal|max-score|keep-pace|random|(hold-at|cautious|ahead):\d{1,3}")
MOST_SEATED = 9  # opponents held ready


class Seats:
    """Opponents by name, ready to choose.

    Args:
        offered: the games.
        solutions: what they play by.
        apart: where what is needed to seat them is compiled.
    """

    def __init__(self, offered: Offered, solutions: Solutions, apart: Apart) -> None:
        self._offered, self._solutions, self._apart = offered, solutions, apart
        self._players: OrderedDict[tuple[str, str], Player] = OrderedDict()
        self._lock, self._seating = Lock(), Lock()

    def player(self, name: str, game: Game, rules: Any) -> Player:
        """The opponent of that name.

        Raises:
            RefusalError: if there is none, or its game is still being solved.
        """
        key = key_of(game, rules), name
        with self._lock:
            if key in self._players:
                self._players.move_to_end(key)
                return self._players[key]
        opponent = find(name, game, rules)
        solution = None if opponent.policy == "random" else self._solutions.solution(game, rules)
        if solution is not None and opponent not in opponents.offered(game, rules):
            arguments = {"game": self._offered.source(game), "rules": rules._asdict(), "opponent": name}
            self._apart.answer("seat", arguments)
        with self._seating:
            player = opponents.player(opponent, game, rules, solution)
        with self._lock:
            self._players[key] = player
            if len(self._players) > MOST_SEATED:
                self._players.popitem(last=False)
        return player


def find(name: str, game: Game, rules: Any) -> Opponent:
    """The opponent of that name; people on the web name no files.

    Raises:
        RefusalError: if there is none.
    """
    try:
        opponent = opponents.find(name, game, rules)
    except InputError as error:
        raise RefusalError(422, str(error)) from None
    is_level = opponent in opponents.offered(game, rules)
    if not (is_level or POLICY.fullmatch(name) or name in own(game)):
        raise RefusalError(422, f"{game.name} has no opponent {name!r}.")
    return opponent
