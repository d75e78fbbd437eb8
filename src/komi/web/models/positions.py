"""Positions, and the actions and chance events that lead from one to the next."""

from typing import Literal

from pydantic import Field

from komi.web.models.base import FieldValue, ResponseModel


class SquareView(ResponseModel):
    """A square of a board. `decisive`: it ended the game."""

    row: int
    column: int
    shows: str
    tint: int
    decisive: bool = False


class BesideView(ResponseModel):
    """Pieces beside a board, and what they do there. `whose` is `white` for the viewer's own."""

    doing: str
    whose: str
    number: int


class ItemView(ResponseModel):
    """An item on the table, of a kind of `komi.rules.table_items`. `owner` is its seat, None if it is nobody's."""

    kind: str
    place: str
    owner: int | None
    text: str
    numbers: list[int]


class ScoreRowView(ResponseModel):
    """A row of the score card, and the part of the card that contains it."""

    name: str
    part: str


class EffectView(ResponseModel):
    """The effect of an action on dice and scores: the dice that it keeps, and (row of the card, points) per score."""

    keeps: list[int] | None = None
    scores: list[tuple[int, int]] = Field([])


class ActionView(EffectView):
    """A legal action: the square of its piece, the target square, and the next actions if they are certain.

    `item` is the index of the item on the table that means the action, None if there is none.
    """

    label: str
    square: tuple[int, int] | None
    target: tuple[int, int] | None
    then: list[str]
    item: int | None


class EventView(ResponseModel):
    """A possible outcome of a chance event, and the dice after it."""

    label: str
    probability: float
    faces: list[int] | None


class PendingView(ResponseModel):
    """An action whose chance event has not been drawn yet."""

    label: str


class PositionView(ResponseModel):
    """A position, as the seat `observer` sees it. `written` is the game's own notation, if it has one.

    The layout of the table is from the viewer's side. `throw` is how many two-sided dice show their mark, and how
    many dice there are. `filled` are the rows of the score card that are filled. `table` are the items on the table.
    """

    state: dict[str, FieldValue] | None
    observer: int
    written: str
    squares: list[SquareView] | None
    beside: list[BesideView] | None
    throw: tuple[int, int] | None
    faces: list[int] | None
    filled: list[int] | None
    table: list[ItemView] | None


class OutcomeStateView(ResponseModel):
    """The position after an outcome, as the seat `observer` sees it."""

    state: dict[str, FieldValue]
    observer: int


class LogLineView(PositionView, EffectView):
    """An entry of the log, and the position after it.

    A chance event has its random number, `luck`, and all outcomes with their probabilities, in the order in which they
    partition the unit interval; in a game with hidden information only once it is over. `afters` are the positions
    after each of them, once the game is over. `gained` is the score so far of a single player who plays for points.
    `revealed` is a sentence for all players on what the entry reveals, even if its label is hidden. `laid` are the
    items that a chance event puts on the table.
    """

    number: int
    seat: int
    kind: Literal["action", "event"]
    label: str
    by: Literal["you", "friend", "computer", "chance", "hand"]
    mover: int | None
    luck: float | None
    outcomes: list[tuple[str, float]] | None
    afters: list[OutcomeStateView] | None
    gained: float | None
    revealed: str
    laid: list[ItemView] | None = None
