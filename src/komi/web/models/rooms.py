"""Rooms for classes: a teacher opens one, pupils join by a code, and the board shows what they play."""

from typing import Annotated

from pydantic import StringConstraints

from komi.web.models.base import OpponentName, PersonName, RequestModel, ResponseModel, RulesRequest, RuleValues, Word


class RoomRequest(RulesRequest):
    """A room to open: the game that all play, its rules, and the opponent; none in a game for one player."""

    opponent: OpponentName | None = None


class RoomCodeRequest(RequestModel):
    """The code of a room."""

    code: Word


class RoomJoinRequest(RoomCodeRequest):
    """The code of a room to join, and the name that the board shows."""

    name: Annotated[PersonName, StringConstraints(min_length=1)]


class RoomView(ResponseModel):
    """A room. `code` is two words, `teacher` is true if you opened it, and `joined` if you are on its board."""

    id: str
    code: str
    game: str
    rules: RuleValues
    opponent: str
    teacher: bool
    joined: bool


class RoomsResponse(ResponseModel):
    """Your rooms."""

    rooms: list[RoomView]


class PupilView(ResponseModel):
    """What a pupil has played in a room. `won` counts a shared win as its part.

    `loss` is the average loss of a decision in winning probability, null if it is not known, and `actions` tell how
    often each action was chosen.
    """

    name: str
    playing: bool
    games: int
    won: float
    decisions: int
    loss: float | None
    actions: dict[str, int]


class BoardResponse(ResponseModel):
    """The board of a room, by name."""

    room: RoomView
    pupils: list[PupilView]
