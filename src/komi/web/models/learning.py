"""Hints, reviews, puzzles and hold-value surfaces."""

from typing import Literal

from komi.web.models.base import Day, FieldValue, Label, RequestModel, ResponseModel
from komi.web.models.games import GameView


class ActionValueView(ResponseModel):
    """The value of an action: the chance of winning, or the objective of a single-player game.

    Games without chance also have the game-theoretic `value`, and the plies until the end.
    """

    label: str
    worth: float
    value: Literal["win", "draw", "loss"] | None
    plies: int | None


class HintResponse(ResponseModel):
    """The values of your actions, best first; in a single-player game, of the objective."""

    actions: list[ActionValueView]
    best: str


class EstimateView(ResponseModel):
    """The value of an action as a search estimates it, with its standard error; null if it was tried only once."""

    label: str
    worth: float
    stderr: float | None


class EstimatesResponse(ResponseModel):
    """The estimates of your actions, the one that the search prefers first."""

    actions: list[EstimateView]


class OutcomeGroupView(ResponseModel):
    """A group of outcomes of an action: what they end, their probability, and the average value after them."""

    ends: Literal["nothing", "turn", "game"]
    probability: float
    worth: float


class DecisionView(ResponseModel):
    """A decision compared with the best action. `worth` and `loss` are winning probabilities of the player who decided.

    `reasons` explain the values of the actions by groups of outcomes, for decisions with a loss.
    """

    number: int
    seat: int
    state: dict[str, FieldValue]
    chosen: str
    best: str
    worth: dict[str, float]
    loss: float
    reasons: dict[str, list[OutcomeGroupView]]


class ChanceView(ResponseModel):
    """The person's chance of winning after an entry of the log."""

    number: int
    chance: float


class ReviewResponse(ResponseModel):
    """The analysis of a finished game: result - start = luck + skill, and skill = gifts - mistakes.

    `accuracy` is the share of the largest possible loss that the person's decisions avoided.
    """

    decisions: list[DecisionView]
    worst: int | None
    start: float
    curve: list[ChanceView]
    mistakes: float
    gifts: float
    luck: float
    skill: float
    accuracy: float | None


class FigureView(ResponseModel):
    """A figure of a finished game, and the shares of the sampled games in which it is smaller, and larger."""

    name: Literal["lead_changes", "surprise", "lowest", "decisive"]
    value: float
    below: float
    above: float


class ExcitementResponse(ResponseModel):
    """A comparison of a finished game with sampled ones, in which people are replaced by optimal play.

    `lead_changes`: how often the lead changed; `surprise`: the sum of all changes of the chance of winning; `lowest`:
    the lowest chance of the winner; `decisive`: the share of the moves after one player first had a chance of 95 %. A
    share of games is off by more than `error` with a probability of at most 5 %.
    """

    games: int
    error: float
    figures: list[FigureView]


class EstimatedDecisionView(ResponseModel):
    """A decision as a search judges it: how much more it expects from the best action, and the standard error."""

    number: int
    chosen: str
    best: str
    loss: float
    stderr: float


class EstimatedReviewResponse(ResponseModel):
    """The decision that a search finds the costliest; null if no loss is larger than the error of its estimate."""

    worst: EstimatedDecisionView | None


class PuzzleSummaryView(ResponseModel):
    """A person's answers to the puzzles of a game: whether they were right, and how many days in a row they were."""

    game: str
    streak: int
    answers: dict[str, bool]


class PuzzlesResponse(ResponseModel):
    """The games that have puzzles, today's date, and for how many days puzzles are kept."""

    day: str
    days: int
    puzzles: list[PuzzleSummaryView]


class PuzzleAnswerRequest(RequestModel):
    """An answer to the puzzle of a day."""

    day: Day
    label: Label


class PuzzleView(ResponseModel):
    """A puzzle: the position, and once it is answered the best action, the values, and the answers of others.

    `picture`: there is a picture of the position, at the puzzle's address with `/DAY.png`.
    """

    day: str
    position: GameView
    options: list[str]
    answered: str | None
    best: str | None
    worth: dict[str, float] | None
    reasons: dict[str, list[OutcomeGroupView]]
    others: dict[str, int]
    streak: int
    picture: bool


class AxisView(ResponseModel):
    """A field of the state and the values it takes."""

    field: str
    values: list[int]


class SurfacePointView(ResponseModel):
    """The point of the surface that corresponds to the current position."""

    x: int
    y: int
    z: int


class SurfaceResponse(ResponseModel):
    """The hold values: z[i][j] is for the i-th value of y and the j-th value of x; null means never hold."""

    x: AxisView
    y: AxisView
    z: list[list[float | None]]
    now: SurfacePointView
    caption: str
