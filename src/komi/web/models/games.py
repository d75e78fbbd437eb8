"""Games: beginning one, moves, and a game as a person may see it."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from komi.web.models.base import (
    Id,
    Label,
    OpponentName,
    PersonName,
    RequestModel,
    ResponseModel,
    RulesRequest,
    RuleValues,
)
from komi.web.models.positions import ActionView, EventView, LogLineView, PendingView, PositionView, ScoreRowView
from komi.web.models.tables import PhraseView


class CommitmentResponse(ResponseModel):
    """The hash of a seed for a new game."""

    commitment: str
    hash: str


class GameRequest(RulesRequest):
    """A game to begin. `opponent` is omitted in single-player games and for people at one device, who have `names`."""

    opponent: OpponentName | None = None
    seat: Literal["first", "second", "either"] = "either"
    mode: Literal["normal", "test"] = "normal"
    commitment: Id | None = None
    number: Id | None = None
    names: Annotated[list[PersonName], Field(min_length=2, max_length=8)] | None = None


class MoveRequest(RequestModel):
    """The move to add as the entry `number`. `known` lines of the log are left out of the response."""

    number: Annotated[int, Field(ge=0, le=1_000_000)]
    move: Label
    known: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class TakebackRequest(RequestModel):
    """A request to take back your last entry and all later ones, if the log has `number` entries."""

    number: Annotated[int, Field(ge=0, le=1_000_000)]


Outcome = Literal["won", "lost", "drew", "shared", "got"]
"""How a game has ended for a player."""


class ResultView(ResponseModel):
    """The result of a game. `stopped`: it ended not by its rules but because it made no progress.

    `resigned` is the seat that resigned, if one did; it was `late` if its time ran out.

    A single player who plays for points has a `score`. `you` is `got` if the player has neither won nor lost nor drawn
    nor shared a win equally: see the payoffs. In a game played for points or money, `payoffs` tell who has won, lost or
    drawn, and `points` what each seat gets.
    """

    payoffs: list[float]
    points: list[float] | None
    score: float | None
    stopped: bool
    resigned: int | None
    late: bool
    you: Outcome


class FairnessView(ResponseModel):
    """The source of all chance events, and of your seat if `lot`. The seed is revealed after the end.

    Among several people, `number` is derived from all `numbers`, the host's first. `protocol` is the version of the
    protocol, and `source` the hash of the rules' source, as in the catalog.
    """

    hash: str
    number: str
    numbers: list[str] | None
    seed: str | None
    lot: bool
    protocol: int
    source: str


class OpponentNameView(ResponseModel):
    """The opponent. Its name is empty if there is none."""

    name: str
    title: str


class ClockView(ResponseModel):
    """A clock, with the seconds left for each seat. The clock of the seat to move runs."""

    minutes: int
    seconds: int
    left: list[float]


class GameView(PositionView):
    """A game as a person may see it.

    `objective` describes the value of a single-player game, or of one for points or money. `decided`: your only legal
    action ends the game. Several people have `names`, and their `company` is a link or one device; at one device `you`
    is the seat to move. `first` is the number of the first line in `log`: 0, or that of the first line that the client
    does not have. `solved`: komi can compute optimal play. `searched`: it cannot, but a search can estimate values.
    """

    id: str
    game: str
    face: str
    solved: bool
    searched: bool
    rules: RuleValues
    mode: Literal["normal", "test"]
    opponent: OpponentNameView
    names: list[str] | None
    company: Literal["device", "link"] | None
    players: int
    you: int
    objective: str | None
    card: list[ScoreRowView] | None
    number: int
    mover: int | None
    waiting: Literal["action", "event"] | None
    actions: list[ActionView]
    events: list[EventView]
    decided: bool
    pending: PendingView | None
    start: PositionView
    first: int
    log: list[LogLineView]
    result: ResultView | None
    clock: ClockView | None
    fairness: FairnessView


class NewsResponse(ResponseModel):
    """The number of entries in a game's log, whether the game is over, and whether it is your turn.

    `phrases` are those that the players said a moment ago.
    """

    number: int
    over: bool
    turn: bool
    phrases: list[PhraseView]


class GameSummaryView(ResponseModel):
    """A summary of a game. `names` are those of the people at its table, if there are several.

    `result` is null while the game runs, and if all played at one device. `turn` tells whether you are to move.
    """

    id: str
    game: str
    opponent: str
    names: list[str] | None
    mode: Literal["normal", "test"]
    started: datetime
    ended: datetime | None
    over: bool
    result: Outcome | None
    turn: bool
    number: int


class PlayedView(ResponseModel):
    """A game that you have played, and against whom: an opponent's name, "people" or "alone"."""

    game: str
    opponent: str


class GamesResponse(ResponseModel):
    """Your games that you asked for, newest first; whether there are more, and all pairs that you have played."""

    games: list[GameSummaryView]
    more: bool
    played: list[PlayedView]
