"""Tables to which others are invited."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from komi.web.models.base import Hash, Id, RequestModel, ResponseModel, RulesRequest, RuleValues


class TimeControlRequest(RequestModel):
    """A time control: minutes per player for the whole game, and an increment in seconds per completed turn."""

    minutes: Annotated[int, Field(ge=1, le=600)]
    seconds: Annotated[int, Field(ge=0, le=600)] = 0


class RevealRequest(RequestModel):
    """The revealed number to add to the seed."""

    number: Id


class ConfirmationRequest(RequestModel):
    """The proof that a page has checked a finished game: see `confirmation.js`."""

    confirmation: Hash


class ConfirmationsResponse(ResponseModel):
    """The confirmations of a finished game, by seat."""

    confirmations: list[str | None]


HostSeat = Literal["first", "second", "either", "next"]
"""The seat of the host. In a rematch of three or more all players move on to the `next` seat."""


class JoinRequest(RequestModel):
    """A request for a seat, with the hash of a number as a commitment, `number_hash`, or with the number itself."""

    number: Id | None = None
    number_hash: Hash | None = None


class InvitationRequest(RulesRequest, JoinRequest):
    """A table to create, to which others are invited; the rules determine the number of players.

    With `open`, the lobby lists the table and its game. `follows` is the finished game of which this is the rematch:
    the others at its table see the invitation there.
    """

    seat: HostSeat = "either"
    clock: TimeControlRequest | None = None
    commitment: Id
    follows: Id | None = None
    open: bool = False


class TimeControlView(ResponseModel):
    """The time control of a game."""

    minutes: int
    seconds: int


class InvitationView(ResponseModel):
    """A table that waits for players. `watch` is the secret for spectators, sent only to players at the table.

    `number_hashes` are the commitments of the players, the host's first, the others in alphabetical order. When all
    seats are taken, the numbers must be revealed. `revealed`: your own number is revealed. `rematch`: the game follows
    another one, `follows`. `open`: the lobby lists the table.
    """

    id: str
    game: str
    rules: RuleValues
    seat: HostSeat
    players: int
    clock: TimeControlView | None
    hash: str
    names: list[str]
    seated: bool
    host: bool
    begun: bool
    watch: str | None
    number_hashes: list[str]
    revealed: bool
    rematch: bool
    follows: str | None
    open: bool


Phrase = Literal["hello", "well", "thanks"]
"""The phrases that players can say: Hello, Well played, Thanks."""


class PhraseRequest(RequestModel):
    """A phrase to say to the others at the table."""

    phrase: Phrase


class PhraseView(ResponseModel):
    """A phrase that the player at a seat said."""

    seat: int
    phrase: Phrase
    said: datetime


class WaitingTableView(ResponseModel):
    """An open table where a seat is free. `seated`: you have one there."""

    id: str
    game: str
    rules: RuleValues
    players: int
    clock: TimeControlView | None
    since: datetime
    names: list[str]
    seated: bool


class RunningTableView(ResponseModel):
    """A game in progress at an open table. `watch` is the secret for spectators."""

    watch: str
    game: str
    rules: RuleValues
    clock: TimeControlView | None
    names: list[str]


class LobbyResponse(ResponseModel):
    """The open tables that wait for players, and those whose games can be watched."""

    waiting: list[WaitingTableView]
    running: list[RunningTableView]


class RematchResponse(ResponseModel):
    """The table of a game's rematch, if a player has proposed one, and the score of the games that followed each other.

    `games` are the finished ones up to this game, and `score` what each seat's player has won of them, a shared win
    counting its part. `phrases` are those that the players said a moment ago.
    """

    table: InvitationView | None
    games: int
    score: list[float]
    phrases: list[PhraseView]


class InvitationsResponse(ResponseModel):
    """Tables that wait for players."""

    invitations: list[InvitationView]
