"""Hold-value surfaces over both scores, computed by a job for the deck of a game, and then kept in memory."""

from collections import OrderedDict
from threading import Lock

from komi.evaluation.turn_decisions import AXES, is_press_your_luck
from komi.rules.vocabulary import field_label, title
from komi.web import models
from komi.web.game_catalog import GameCatalog
from komi.web.job_queue import JobQueue
from komi.web.live_game import LiveGame
from komi.web.queued_job import Requester
from komi.web.responses import ApiError
from komi.web.solutions import Solutions, has_default_rules, key_of

COMPUTING = "The hold values are being computed; try again in a moment."
HOLD_VALUES = "{title}: the turn total at which to hold"
MAX_SURFACES = 60

HoldValues = list[list[float | None]]


class Surfaces:
    """A cache of hold-value surfaces.

    Args:
        catalog: the games on offer.
        solutions: the solutions of the games.
        queue: the queue of the jobs that compute surfaces.
    """

    def __init__(self, catalog: GameCatalog, solutions: Solutions, queue: JobQueue) -> None:
        self._catalog, self._solutions, self._queue = catalog, solutions, queue
        self._lock = Lock()
        self._surfaces: OrderedDict[str, HoldValues] = OrderedDict()

    def find(self, live: LiveGame, requester: Requester) -> models.SurfaceResponse:
        """Return the hold-value surface of optimal play with the current deck, and the current point on it.

        Raises:
            KomiError: if the surface cannot be computed.
            ApiError: if the game has none, or it is still being computed.
        """
        game, rules, state = live.settings.game, live.settings.rules, live.table.state
        if not is_press_your_luck(game):
            raise ApiError(404, f"{title(game)} is not a race in which players can hold: it has no hold values.")
        self._solutions.solution(game, rules, requester)
        deck = {name: int(getattr(state, name)) for name in game.fields(rules) if name not in AXES}
        across = self._hold_values(live, deck, requester)
        return models.SurfaceResponse(
            x=models.AxisView(field="score", values=list(range(len(across)))),
            y=models.AxisView(field="rival", values=list(range(len(across[0])))),
            z=[[row[rival] for row in across] for rival in range(len(across[0]))],
            now=models.SurfacePointView(x=state.score, y=state.rival, z=state.turn),
            caption=_caption(live, deck),
        )

    def _hold_values(self, live: LiveGame, deck: dict[str, int], requester: Requester) -> HoldValues:
        game, rules = live.settings.game, live.settings.rules
        key = f"surface of {key_of(game, rules)} with {deck}"
        with self._lock:
            if key in self._surfaces:
                return self._surfaces[key]
        arguments = {"game": self._catalog.source(game), "rules": rules._asdict(), "deck": deck}
        job = self._queue.submit(key, "surface", arguments, requester, has_default_rules=has_default_rules(game, rules))
        surface = job.finished(COMPUTING)
        with self._lock:
            self._surfaces[key] = surface
            if len(self._surfaces) > MAX_SURFACES:
                self._surfaces.popitem(last=False)
        self._queue.forget(key)
        return self._surfaces[key]


def _caption(live: LiveGame, deck: dict[str, int]) -> str:
    game = live.settings.game
    out = ", ".join(f"{field} {field_label(game, name)}" for name, field in deck.items())
    return HOLD_VALUES.format(title=title(game)) + (f" ({out})" if out else "")
