"""The sandbox, the records of games, and shared games."""

from typing import Annotated

from pydantic import Field, StringConstraints

from komi.web.models.base import OpponentName, PersonName, RequestModel, ResponseModel, RulesRequest, RuleValues, Steps


class SandboxRequest(RulesRequest):
    """A position of a game, by default the initial one, and all entries since."""

    start: Annotated[str, StringConstraints(max_length=500)] | None = None
    labels: Steps = Field([])
    names: list[PersonName] = Field([], max_length=8)


class SandboxReviewRequest(SandboxRequest):
    """A sandbox game to analyze for one seat."""

    seat: Annotated[int, Field(ge=0, le=7)] = 0


class SandboxChoiceRequest(SandboxRequest):
    """A sandbox game, and the opponent to act in it."""

    opponent: OpponentName


class ChoiceResponse(ResponseModel):
    """The action of an opponent."""

    label: str


class RecordRequest(RequestModel):
    """The text of a record."""

    text: Annotated[str, StringConstraints(max_length=16_000)]


class RecordTextResponse(ResponseModel):
    """The text of a record."""

    text: str


class RecordResponse(ResponseModel):
    """The contents of a record. `rules` are those that the record sets."""

    game: str
    rules: RuleValues
    start: str | None
    labels: list[str]
    names: list[str]
    seat: int


class SharedResponse(ResponseModel):
    """The secret in the link of a shared game."""

    secret: str
