"""Your profile, your consent, and your results."""

from typing import Annotated

from pydantic import Field, StringConstraints

from komi.web.models.base import PersonName, RequestModel, ResponseModel, RuleValues, Word

MAX_PASSWORD = 200  # characters
MIN_PASSWORD = 10
SignInName = Annotated[PersonName, Field(min_length=1)]
Password = Annotated[str, StringConstraints(max_length=MAX_PASSWORD)]
NewPassword = Annotated[str, StringConstraints(min_length=MIN_PASSWORD, max_length=MAX_PASSWORD)]


class ConsentRequest(RequestModel):
    """Your decision on whether your games may be studied."""

    agreed: bool


class ConsentResponse(ResponseModel):
    """True in `study` if this server studies decisions, and the person's own decision; null if not decided yet."""

    study: bool
    agreed: bool | None


class ProfileRequest(RequestModel):
    """Changes to your profile."""

    name: PersonName | None


class ProfileResponse(ResponseModel):
    """The person who sends the request."""

    name: str | None


class DeviceCodeResponse(ResponseModel):
    """A code with which another device becomes the same person: six words, and a QR code of the link with them.

    `qr` is the address of a picture, with its data in it, and `seconds` how long the code is valid.
    """

    words: list[str]
    link: str
    qr: str
    seconds: int


class WaitingCodeResponse(ResponseModel):
    """Whether your code is still valid, and no device has used it yet."""

    waiting: bool


class DeviceCodeRequest(RequestModel):
    """A code from another device."""

    code: Word


class CodeOwnerResponse(ResponseModel):
    """The person whom a code belongs to: the name, and the number of games."""

    name: str | None
    games: int


class AccountResponse(ResponseModel):
    """The name with which you sign in, or null if you have set none."""

    name: str | None


class AccountRequest(RequestModel):
    """A name and a password for signing in; `present` is the password that they replace."""

    name: SignInName
    password: NewPassword
    present: Password = ""


class PasswordRequest(RequestModel):
    """Your present password."""

    password: Password


class SignInRequest(RequestModel):
    """The name and the password of the person that you are."""

    name: SignInName
    password: Password


class StatisticsRowView(ResponseModel):
    """A person's results at one game against one opponent, with a 95 % confidence interval."""

    game: str
    opponent: str
    games: int
    wins: float
    win_rate: float
    low: float
    high: float
    average_mistake: float | None
    streak: int
    best_streak: int
    luck: float | None
    skill: float | None


class RatingView(ResponseModel):
    """What a person's decisions give away per game, under some rules of a game: a rating without luck.

    `loss` is the mean over the games whose decisions are judged, in winning probability, or in points if there is an
    `objective`; `error` is its standard error, null for less than 20 games or equal losses; `course` has the
    means of up to twelve parts of these games, the oldest first.
    """

    game: str
    rules: RuleValues
    objective: str | None
    games: int
    loss: float
    error: float | None
    course: list[float]


class StatisticsResponse(ResponseModel):
    """A person's ratings, and their results."""

    ratings: list[RatingView]
    rows: list[StatisticsRowView]
