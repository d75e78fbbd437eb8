"""Hold-value surfaces over both scores, computed by a job for the deck of a game, and then kept in memory."""

from collections import OrderedDict
from threading import Lock

from komi.errors import KomiError
from komi.evaluation.turn_decisions import AXES, is_press_your_luck
from komi.rules.vocabulary import field_label, title
from komi.web import models
from komi.web.live import LiveGame
from komi.web.offered import Offered
from komi.web.refusals import RefusalError
from komi.web.solutions import Solutions, is_usual, key_of
from komi.web.work import Asker, Work

MAX_REMEMBERED = 60

HoldValues = list[list[float | None]]


class Surfaces:
    """A cache of hold-value surfaces.

    Args:
        offered: the games on offer.
        solutions: the solutions of the games.
        work: the queue of the jobs that compute surfaces.
    """

    def __init__(self, offered: Offered, solutions: Solutions, work: Work) -> None:
        self._offered, self._solutions, self._work = offered, solutions, work
        self._lock = Lock()
        self._known: OrderedDict[str, HoldValues] = OrderedDict()

    def find(self, live: LiveGame, asker: Asker) -> models.Surface:
        """Return the hold-value surface of optimal play with the current deck, and the current point on it.

        Raises:
            KomiError: if the surface cannot be computed.
            RefusalError: if the game has none, or it is still being computed.
        """
        game, rules, state = live.agreed.game, live.agreed.rules, live.table.state
        if not is_press_your_luck(game):
            raise RefusalError(404, f"{title(game)} is not a race in which players can hold: it has no such surface.")
        self._solutions.solution(game, rules, asker)
        deck = {name: field for name, field in game.shown(rules, state).items() if name not in AXES}
        across = self._hold_values(live, deck, asker)
        return models.Surface(
            x=models.Axis(field="score", values=list(range(len(across)))),
            y=models.Axis(field="rival", values=list(range(len(across[0])))),
            z=[[row[rival] for row in across] for rival in range(len(across[0]))],
            now=models.Now(x=state.score, y=state.rival, z=state.turn),
            caption=_caption(live, deck),
        )

    def _hold_values(self, live: LiveGame, deck: dict[str, int], asker: Asker) -> HoldValues:
        game, rules = live.agreed.game, live.agreed.rules
        key = f"surface of {key_of(game, rules)} with {deck}"
        with self._lock:
            if key in self._known:
                return self._known[key]
        arguments = {"game": self._offered.source(game), "rules": rules._asdict(), "deck": deck}
        found = self._work.ask(key, "surface", arguments, asker, is_usual=is_usual(game, rules))
        if found.error is not None:
            raise KomiError(found.error)
        if not found.ready:
            raise RefusalError(503, "When to hold is being worked out; try again in a moment.", found.seconds)
        with self._lock:
            self._known[key] = found.answer
            if len(self._known) > MAX_REMEMBERED:
                self._known.popitem(last=False)
        self._work.forget(key)
        return self._known[key]


def _caption(live: LiveGame, deck: dict[str, int]) -> str:
    game = live.agreed.game
    out = ", ".join(f"{field} {field_label(game, name)}" for name, field in deck.items())
    return f"{title(game)}: the turn total at which to hold" + (f" ({out})" if out else "")
