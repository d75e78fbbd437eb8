"""The request and response models of the API."""

import unicodedata
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, StringConstraints

from komi.web.records import MAX_LABEL, MAX_NAME

MAX_EXACT = 2**53 - 1  # the largest safe integer of JavaScript
UNSEEN = {"Cc", "Cs", "Zl", "Zp"}  # categories of line ends, control characters and surrogates


def _on_one_line(text: str) -> str:
    if any(unicodedata.category(character) in UNSEEN for character in text):
        raise ValueError("a name is one line of letters, digits and signs")
    return text


def _exact(number: int) -> int | str:
    return number if abs(number) <= MAX_EXACT else str(number)


FieldValue = Annotated[int, PlainSerializer(_exact, return_type=int | str, when_used="json")]
"""A field of a state. An integer too large for JavaScript is sent as text, because the page would round it."""
GameName = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[a-z0-9][a-z0-9-]*$")]
OpponentName = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[a-z][a-z0-9:-]*$")]
Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
PersonName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_NAME), AfterValidator(_on_one_line)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LABEL)]
Word = Annotated[str, StringConstraints(max_length=80)]
Rules = Annotated[dict[Word, bool | int | float | Word], Field(max_length=40)]


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


class ProfileRequest(RequestModel):
    """Changes to your profile."""

    name: PersonName | None


class ConsentRequest(RequestModel):
    """Your decision on whether your games may be studied."""

    agreed: bool


class ConsentResponse(ResponseModel):
    """True in `study` if this server studies decisions, and the person's own decision; null if not decided yet."""

    study: bool
    agreed: bool | None


class ProfileResponse(ResponseModel):
    """The person who sends the request."""

    name: str | None


class DoneResponse(ResponseModel):
    """A confirmation."""

    done: Literal[True] = True


class NamedView(ResponseModel):
    """A field and its meaning."""

    name: str
    means: str


class RuleView(NamedView):
    """A rule of the game: a number or a word, with its default and its limits."""

    default: bool | int | float | str
    least: float | None
    greatest: float | None
    words: list[str] | None


class OpponentView(ResponseModel):
    """An opponent."""

    name: str
    title: str
    summary: str


class OpponentsRequest(RequestModel):
    """A game and its rules, for the list of opponents."""

    game: GameName
    rules: Rules = {}


class OpponentsResponse(ResponseModel):
    """The opponents under some rules, from the easiest to the hardest. Empty for a single player."""

    opponents: list[OpponentView]


class CatalogGameView(ResponseModel):
    """A game on offer. `hides`: its players have hidden information; `solved`: komi can compute optimal play.

    `rivals` are the two-player opponents of a game that is for one player by default. `source` is the SHA-256 hash of
    the rule file and the files beside it that it imports, concatenated.
    """

    name: str
    title: str
    summary: str
    face: str
    players: int
    seats: int
    hides: bool
    solved: bool
    rules: list[RuleView]
    fields: list[NamedView]
    opponents: list[OpponentView]
    rivals: list[OpponentView]
    source: str


class CatalogResponse(ResponseModel):
    """All games on offer."""

    games: list[CatalogGameView]


class PreparationRequest(RequestModel):
    """A game to prepare under these rules, and the opponent, if it is known."""

    game: GameName
    rules: Rules = {}
    opponent: OpponentName | None = None


class HowToPlayRequest(RequestModel):
    """A game and its rules, for the explanation of how to play."""

    game: GameName
    rules: Rules = {}


class HowToPlayResponse(ResponseModel):
    """The explanation of the rules in paragraphs, the most important one first. Empty if the game's file has none."""

    paragraphs: list[str]


class StrengthsRequest(RequestModel):
    """A game and its rules, for a comparison of its opponents."""

    game: GameName
    rules: Rules = {}


class PreparationResponse(ResponseModel):
    """The progress of the solver. `playable`: the requested opponent can start already."""

    key: str
    ready: bool
    playable: bool
    stage: str
    done: int
    total: int
    error: str | None


class StrengthView(ResponseModel):
    """The win rate of A against B, seats drawn by lot: exact, or estimated from `games` games, between low and high."""

    a: str
    b: str
    average: float
    low: float
    high: float
    games: int


class StrengthsResponse(ResponseModel):
    """The strengths of the opponents, once they are computed."""

    ready: bool
    matches: list[StrengthView]


class CommitmentResponse(ResponseModel):
    """The hash of a seed for a new game."""

    commitment: str
    hash: str


class GameRequest(RequestModel):
    """A game to begin. `opponent` is omitted in single-player games and for people at one device, who have `names`."""

    game: GameName
    rules: Rules = {}
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


class ScoreRowView(ResponseModel):
    """A row of the score card, and the part of the card that contains it."""

    name: str
    part: str


class EffectView(ResponseModel):
    """The effect of an action on dice and scores: the dice that it keeps, and (row of the card, points) per score."""

    keeps: list[int] | None = None
    scores: list[tuple[int, int]] = []


class ActionView(EffectView):
    """A legal action: the square of its piece, the target square, and the next actions if they are certain."""

    label: str
    square: tuple[int, int] | None
    target: tuple[int, int] | None
    then: list[str]


class EventView(ResponseModel):
    """A possible outcome of a chance event, and the dice after it."""

    label: str
    probability: float
    faces: list[int] | None


class PendingView(ResponseModel):
    """An action whose chance event has not been drawn yet."""

    label: str


class PositionView(ResponseModel):
    """A position, as the seat `eyes` sees it. `written` is the game's own notation, if it has one.

    The layout of the table is from the viewer's side. `throw` is how many two-sided dice show their mark, and how
    many dice there are. `filled` are the rows of the score card that are filled.
    """

    state: dict[str, FieldValue] | None
    eyes: int
    written: str
    squares: list[SquareView] | None
    beside: list[BesideView] | None
    throw: tuple[int, int] | None
    faces: list[int] | None
    filled: list[int] | None


class OutcomeStateView(ResponseModel):
    """The position after an outcome, as the seat `eyes` sees it."""

    state: dict[str, FieldValue]
    eyes: int


class LogLineView(PositionView, EffectView):
    """An entry of the log, and the position after it.

    A chance event has its random number, `luck`, and all outcomes with their probabilities, in the order in which they
    partition the unit interval; in a game with hidden information only once it is over. `afters` are the positions
    after each of them, once the game is over. `gained` is the score so far of a single player who plays for points.
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


class ResultView(ResponseModel):
    """The result of a game. `stopped`: it ended not by its rules but because it made no progress.

    `resigned` is the seat that resigned, if one did; it was `late` if its time ran out.

    A single player who plays for points has a `score`. `you` is `got` if the player has neither won nor lost nor drawn
    nor shared a win equally: see the payoffs.
    """

    payoffs: list[float]
    score: float | None
    stopped: bool
    resigned: int | None
    late: bool
    you: Literal["won", "lost", "drew", "shared", "got"]


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


class TimeControlRequest(RequestModel):
    """A time control: minutes per player for the whole game, and an increment in seconds per completed turn."""

    minutes: Annotated[int, Field(ge=1, le=600)]
    seconds: Annotated[int, Field(ge=0, le=600)] = 0


class ClockView(ResponseModel):
    """A clock, with the seconds left for each seat. The clock of the seat to move runs."""

    minutes: int
    seconds: int
    left: list[float]


class GameView(PositionView):
    """A game as a person may see it.

    `objective` describes the value of a single-player game. `settled`: your only legal action ends the game. Several
    people have `names`, and their `company` is a link or one device; at one device `you` is the seat to move. `first`
    is the number of the first line in `log`: 0, or that of the first line that the client does not have. `solved`: komi
    can compute optimal play.
    """

    id: str
    game: str
    face: str
    solved: bool
    rules: dict[str, bool | int | float | str]
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
    settled: bool
    pending: PendingView | None
    start: PositionView
    first: int
    log: list[LogLineView]
    result: ResultView | None
    clock: ClockView | None
    fairness: FairnessView


class PuzzleAnswerRequest(RequestModel):
    """An answer to the puzzle of a day."""

    day: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    label: Label


class OutcomeGroupView(ResponseModel):
    """A group of outcomes of an action: what they end, their probability, and the average value after them."""

    ends: Literal["nothing", "turn", "game"]
    probability: float
    worth: float


class PuzzleView(ResponseModel):
    """A puzzle: the position, and once it is answered the best action, the values, and the answers of others."""

    day: str
    position: GameView
    options: list[str]
    answered: str | None
    best: str | None
    worth: dict[str, float] | None
    reasons: dict[str, list[OutcomeGroupView]]
    others: dict[str, int]
    streak: int


class NewsResponse(ResponseModel):
    """The number of entries in a game's log, and whether the game is over."""

    number: int
    over: bool


class RevealRequest(RequestModel):
    """The revealed number to add to the seed."""

    number: Id


class JoinRequest(RequestModel):
    """A request for a seat, with the hash of a number as a commitment, `number_hash`, or with the number itself."""

    number: Id | None = None
    number_hash: Hash | None = None


class InvitationRequest(JoinRequest):
    """A table to create, to which others are invited; the rules determine the number of players."""

    game: GameName
    rules: Rules = {}
    seat: Literal["first", "second", "either"] = "either"
    clock: TimeControlRequest | None = None
    commitment: Id


class TimeControlView(ResponseModel):
    """The time control of a game."""

    minutes: int
    seconds: int


class InvitationView(ResponseModel):
    """A table that waits for players. `watch` is the secret for spectators, sent only to players at the table.

    `number_hashes` are the commitments of the players, the host's first, the others in alphabetical order. When all
    seats are taken, the numbers must be revealed. `revealed`: your own number is revealed.
    """

    id: str
    game: str
    rules: dict[str, bool | int | float | str]
    seat: Literal["first", "second", "either"]
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


class InvitationsResponse(ResponseModel):
    """Tables that wait for players."""

    invitations: list[InvitationView]


class GameSummaryView(ResponseModel):
    """A summary of a game. `names` are those of the people at its table, if there are several."""

    id: str
    game: str
    opponent: str
    names: list[str] | None
    mode: Literal["normal", "test"]
    started: datetime
    over: bool
    number: int


class GamesResponse(ResponseModel):
    """A person's games, newest first."""

    games: list[GameSummaryView]


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


Steps = Annotated[list[Label], Field(max_length=2000)]


class SandboxRequest(RequestModel):
    """A position of a game, by default the initial one, and all entries since."""

    game: GameName
    rules: Rules = {}
    start: Annotated[str, StringConstraints(max_length=500)] | None = None
    labels: Steps = []
    names: Annotated[list[PersonName], Field(max_length=8)] = []


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
    rules: dict[str, bool | int | float | str]
    start: str | None
    labels: list[str]
    names: list[str]
    seat: int


class SharedResponse(ResponseModel):
    """The secret in the link of a shared game."""

    secret: str


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


class StatisticsResponse(ResponseModel):
    """A person's results."""

    rows: list[StatisticsRowView]
