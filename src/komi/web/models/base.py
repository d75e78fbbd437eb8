"""The fields and the base classes of the API's models."""

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, StringConstraints

from komi.web.records import MAX_LABEL, MAX_NAME

MAX_EXACT = 2**53 - 1  # the largest safe integer of JavaScript
INVISIBLE = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}  # Unicode categories
BLANK = set("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols that are displayed as a space
MARKS = {"Mn", "Me"}  # categories of marks above, below and around a character
MAX_MARKS = 2  # of one character: some scripts need two


def _normalize_name(text: str) -> str:
    """Return the name in normal form C, its words separated by single spaces."""
    text = unicodedata.normalize("NFC", text)
    marks = MAX_MARKS  # a name does not begin with one
    for character in text:
        category = unicodedata.category(character)
        if category in INVISIBLE or character in BLANK:
            raise ValueError("a name is one line of visible letters, digits and signs")
        marks = marks + 1 if category in MARKS else 0
        if marks > MAX_MARKS:
            raise ValueError("a name has at most two marks on each letter")
    if len(text) > MAX_NAME:
        raise ValueError("a name is too long")
    return " ".join(text.split())


def _exact(value: int | str) -> int | str:
    return value if isinstance(value, str) or abs(value) <= MAX_EXACT else str(value)


FieldValue = Annotated[int | str, PlainSerializer(_exact, return_type=int | str, when_used="json")]
"""A field of a state: a number, or the text of a tuple or a named set. A number that JavaScript would round is text."""
GameName = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[a-z0-9][a-z0-9-]*$")]
OpponentName = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[a-z][a-z0-9:-]*$")]
Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
PersonName = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=MAX_NAME), AfterValidator(_normalize_name)
]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Label = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LABEL)]
Word = Annotated[str, StringConstraints(max_length=80)]
Rules = Annotated[dict[Word, bool | int | float | Word], Field(max_length=40)]
Steps = Annotated[list[Label], Field(max_length=2000)]
RuleValues = dict[str, bool | int | float | str]
"""The values of rules, by name."""


class RequestModel(BaseModel):
    """A request body. Unknown fields and values of the wrong type are rejected."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ResponseModel(BaseModel):
    """A response body."""


class ErrorResponse(ResponseModel):
    """An error: the reason in one sentence, and for a move the current game."""

    error: str
    game: dict[str, Any] | None = None


class EmptyRequest(RequestModel):
    """An empty request body."""


class RulesRequest(RequestModel):
    """A game, and the rules that differ from its default rules."""

    game: GameName
    rules: Rules = {}


class DoneResponse(ResponseModel):
    """A confirmation."""

    done: Literal[True] = True
