"""The words of the API: what the page sends, and what it is told."""

import unicodedata
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, StringConstraints

from komi.web.records import LONGEST_LABEL, LONGEST_NAME

LARGEST_EXACT = 2**53 - 1  # of the integers in JavaScript
UNSEEN = {"Cc", "Cs", "Zl", "Zp"}  # categories of characters that end a line, or are none


def _on_one_line(text: str) -> str:
    if any(unicodedata.category(character) in UNSEEN for character in text):
        raise ValueError("a name is one line of letters, digits and signs")
    return text


def _exact(number: int) -> int | str:
    return number if abs(number) <= LARGEST_EXACT else str(number)


FieldValue = Annotated[int, PlainSerializer(_exact, return_type=int | str, when_used="json")]
"""A field of a state: told as text where the page would round it, and could not tell one state from another."""
GameName = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[a-z0-9][a-z0-9-]*$")]
OpponentName = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[a-z][a-z0-9:-]*$")]
Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
PersonName = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=LONGEST_NAME), AfterValidator(_on_one_line)
]
Label = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_LABEL)]
Word = Annotated[str, StringConstraints(max_length=80)]
Rules = Annotated[dict[Word, bool | int | float | Word], Field(max_length=40)]


class Asked(BaseModel):
    """What the page sends: nothing besides what is named, and of the right kind."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Told(BaseModel):
    """What the page is told."""


class Refusal(Told):
    """Why a request was refused, in one sentence; for a move, the game as it stands."""

    error: str
    game: dict[str, Any] | None = None


class Nothing(Asked):
    """An empty object: nothing need be said."""


class MeAsked(Asked):
    """What a person changes about themselves."""

    name: PersonName | None


class ConsentAsked(Asked):
    """Whether a person's decisions may be studied."""

    agreed: bool


class Consent(Told):
    """Whether this server studies decisions, and what the person has said to it; null: not asked yet."""

    study: bool
    agreed: bool | None


class Me(Told):
    """The person who asks."""

    name: str | None


class Done(Told):
    """It is done."""

    done: Literal[True] = True


class Named(Told):
    """A field, and what it means."""

    name: str
    means: str


class Rule(Named):
    """A number or a word of the rule book, and what it may be set to."""

    default: bool | int | float | str
    least: float | None
    greatest: float | None
    words: list[str] | None


class OpponentOffered(Told):
    """Someone to play against."""

    name: str
    title: str
    summary: str


class OpponentsAsked(Asked):
    """Rules under which opponents are wanted."""

    game: GameName
    rules: Rules = {}


class Opponents(Told):
    """The opponents under some rules, from the easiest to the hardest; none where one plays alone."""

    opponents: list[OpponentOffered]


class GameOffered(Told):
    """A game that can be played; `hides` if its players do not see all of it, `solved` if komi can say what is best.

    The `rivals` are the opponents where two play a game that by default is for one. `source` is SHA-256 of the rule
    file and of the files beside it that it imports, one after another.
    """

    name: str
    title: str
    summary: str
    face: str
    players: int
    seats: int
    hides: bool
    solved: bool
    rules: list[Rule]
    fields: list[Named]
    opponents: list[OpponentOffered]
    rivals: list[OpponentOffered]
    source: str


class Catalog(Told):
    """All games that can be played."""

    games: list[GameOffered]


class PreparationAsked(Asked):
    """Rules that a game is to be played under, and against whom, if that is known."""

    game: GameName
    rules: Rules = {}
    opponent: OpponentName | None = None


class HowToPlayAsked(Asked):
    """A game whose rules are to be told."""

    game: GameName
    rules: Rules = {}


class HowToPlay(Told):
    """The rules, paragraph by paragraph, the essence first; none if the game's file does not tell them."""

    paragraphs: list[str]


class StrengthsAsked(Asked):
    """A game whose opponents are to be compared."""

    game: GameName
    rules: Rules = {}


class Preparation(Told):
    """How far the solver is; `playable` if the opponent who was asked for can begin already."""

    key: str
    ready: bool
    playable: bool
    stage: str
    done: int
    total: int
    error: str | None


class Strength(Told):
    """How often A beats B, the seat drawn by lot: exact, or found from so many games and likely from low to high."""

    a: str
    b: str
    average: float
    low: float
    high: float
    games: int


class Strengths(Told):
    """How strong the opponents are, once that has been worked out."""

    ready: bool
    matches: list[Strength]


class Commitment(Told):
    """A seed drawn for a game to come, by its hash."""

    commitment: str
    hash: str


class GameAsked(Asked):
    """A game to begin; without an opponent if it is for one player, or for people at one device, who have `names`."""

    game: GameName
    rules: Rules = {}
    opponent: OpponentName | None = None
    seat: Literal["first", "second", "either"] = "either"
    mode: Literal["normal", "test"] = "normal"
    commitment: Id | None = None
    number: Id | None = None
    names: Annotated[list[PersonName], Field(min_length=2, max_length=8)] | None = None


class MoveAsked(Asked):
    """What is to be the entry with this number; `known` entries of the log need not be told again."""

    number: Annotated[int, Field(ge=0, le=1_000_000)]
    move: Label
    known: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class TakebackAsked(Asked):
    """That the last entry of the person, and all after it, be taken back, if the log has this many entries."""

    number: Annotated[int, Field(ge=0, le=1_000_000)]


class Square(Told):
    """A square of a board; `decisive` if it has ended the game."""

    row: int
    column: int
    shows: str
    tint: int
    decisive: bool = False


class Beside(Told):
    """Pieces that stand beside a board: what they do there, and whether the player who looks has them, `white`."""

    doing: str
    whose: str
    number: int


class Row(Told):
    """A row of the card on which points are written, and the part of the card that it is in."""

    name: str
    part: str


class Doing(Told):
    """What an action does with dice and points: what it keeps, and (row of the card, points) for each score."""

    keeps: list[int] | None = None
    scores: list[tuple[int, int]] = []


class ActionOffered(Doing):
    """What the person may do: with the piece on a square, which goes to the target; and then, where that is certain."""

    label: str
    square: tuple[int, int] | None
    target: tuple[int, int] | None
    then: list[str]


class EventOffered(Told):
    """What chance may do, and what the dice show then."""

    label: str
    probability: float
    faces: list[int] | None


class Pending(Told):
    """An action whose chance event is waited for."""

    label: str


class Position(Told):
    """How the game stands; `eyes` is the seat that sees it so, `written` the game's own notation, if it has one.

    What lies on the table is as whoever looks sees it: the `throw` is how many of the two-sided dice show their mark,
    and of how many; `filled` are the rows of the card in which nothing more can be written.
    """

    state: dict[str, FieldValue] | None
    eyes: int
    written: str
    squares: list[Square] | None
    beside: list[Beside] | None
    throw: tuple[int, int] | None
    faces: list[int] | None
    filled: list[int] | None


class After(Told):
    """How the game would stand after an outcome, as the seat `eyes` sees it."""

    state: dict[str, FieldValue]
    eyes: int


class Line(Position, Doing):
    """An entry of the log, and how the game stands after it.

    Of a chance event: its luck, and all outcomes with their probabilities, side by side in this order; where the game
    hides something, once it is over. Then also how the game would stand after each of them. Where a single player plays
    for points, what they have `gained` so far.
    """

    number: int
    seat: int
    kind: Literal["action", "event"]
    label: str
    by: Literal["you", "friend", "computer", "chance", "hand"]
    mover: int | None
    luck: float | None
    outcomes: list[tuple[str, float]] | None
    afters: list[After] | None
    gained: float | None


class Result(Told):
    """How the game has ended; `stopped` if not by its rules, but because it made no progress.

    `resigned` is the seat that has given up, if that is how; it was `late` if its time had run out.

    Who plays alone for points has a `score`. Who has `got` something has neither won nor lost nor shared a win
    equally: the payoffs say how much.
    """

    payoffs: list[float]
    score: float | None
    stopped: bool
    resigned: int | None
    late: bool
    you: Literal["won", "lost", "drew", "shared", "got"]


class Fairness(Told):
    """What the server drew chance from, and the person's seat if `lot`; the seed is told after the end.

    Where several people play, `number` is made of all `numbers`, who invited first. `protocol` is the version of the
    protocol, and `source` the hash of the rules' source, as in the catalog.
    """

    hash: str
    number: str
    numbers: list[str] | None
    seed: str | None
    lot: bool
    protocol: int
    source: str


class OpponentNamed(Told):
    """Who sits opposite; nobody has no name."""

    name: str
    title: str


class Clock(Asked):
    """Time for each player: minutes for the whole game, and seconds more for each turn that they have ended."""

    minutes: Annotated[int, Field(ge=1, le=600)]
    seconds: Annotated[int, Field(ge=0, le=600)] = 0


class ClockShown(Told):
    """A clock, with the seconds that each seat has left; that of the seat to move runs."""

    minutes: int
    seconds: int
    left: list[float]


class GameView(Position):
    """A game as the person may know it.

    `objective` says in words what the value of a game for one player is. It is `settled` if the only action that is
    left to the person ends the game. Where several people play, they have `names`, and are together by a link, or at
    one device, where `you` is the seat whose turn it is. The first line of the log has the number `first`: 0, or what
    came before it is known to whoever asked. It is `solved` if komi can say what is best.
    """

    id: str
    game: str
    face: str
    solved: bool
    rules: dict[str, bool | int | float | str]
    mode: Literal["normal", "test"]
    opponent: OpponentNamed
    names: list[str] | None
    company: Literal["device", "link"] | None
    players: int
    you: int
    objective: str | None
    card: list[Row] | None
    number: int
    mover: int | None
    waiting: Literal["action", "event"] | None
    actions: list[ActionOffered]
    events: list[EventOffered]
    settled: bool
    pending: Pending | None
    start: Position
    first: int
    log: list[Line]
    result: Result | None
    clock: ClockShown | None
    fairness: Fairness


class PuzzleAnswered(Asked):
    """A person's answer to the puzzle of a day."""

    day: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    label: Label


class Part(Told):
    """Outcomes of an action that go on alike: what they end, how probable they are, and what they leave on average."""

    ends: Literal["nothing", "turn", "game"]
    probability: float
    worth: float


class PuzzleView(Told):
    """A puzzle: the position; once it is answered what is best, what actions are worth, and what others chose."""

    day: str
    position: GameView
    options: list[str]
    answered: str | None
    best: str | None
    worth: dict[str, float] | None
    reasons: dict[str, list[Part]]
    others: dict[str, int]
    streak: int


class News(Told):
    """How far a game is."""

    number: int
    over: bool


class NumberAsked(Asked):
    """A number that is added to the seed, revealed."""

    number: Id


class JoinAsked(Asked):
    """That a seat be taken, with a commitment to a number, its `number_hash`; or with the number itself."""

    number: Id | None = None
    number_hash: Hash | None = None


class InvitationAsked(JoinAsked):
    """A table to which others are invited: as many as the rules say."""

    game: GameName
    rules: Rules = {}
    seat: Literal["first", "second", "either"] = "either"
    clock: Clock | None = None
    commitment: Id


class ClockAgreed(Told):
    """A clock as it was agreed on."""

    minutes: int
    seconds: int


class Invitation(Told):
    """A table that waits for people; `watch` is the secret for those who look on, told to those who have a seat.

    `number_hashes` are the commitments of those who have a seat, who invited first, the others in alphabetical order.
    When all seats are taken the numbers are to be revealed; `revealed` says whether this person's own is.
    """

    id: str
    game: str
    rules: dict[str, bool | int | float | str]
    seat: Literal["first", "second", "either"]
    players: int
    clock: ClockAgreed | None
    hash: str
    names: list[str]
    seated: bool
    host: bool
    begun: bool
    watch: str | None
    number_hashes: list[str]
    revealed: bool


class Invitations(Told):
    """Tables that wait for people."""

    invitations: list[Invitation]


class GameListed(Told):
    """A game in short; `names` are those of the people at its table, if there are several."""

    id: str
    game: str
    opponent: str
    names: list[str] | None
    mode: Literal["normal", "test"]
    started: datetime
    over: bool
    number: int


class Games(Told):
    """One person's games, the newest first."""

    games: list[GameListed]


class ActionWorth(Told):
    """The person's chance of winning with an action, or the objective of a game for one player.

    In games without chance there are its value and plies too.
    """

    label: str
    worth: float
    value: Literal["win", "draw", "loss"] | None
    plies: int | None


class Hint(Told):
    """What the person's actions are worth, the best first; in a game for one player, what the objective then is."""

    actions: list[ActionWorth]
    best: str


class Decision(Told):
    """A decision beside the best; `worth` and `loss` are chances of winning of who decided.

    `reasons` are the parts that actions are worth so much by, where something was given away.
    """

    number: int
    seat: int
    state: dict[str, FieldValue]
    chosen: str
    best: str
    worth: dict[str, float]
    loss: float
    reasons: dict[str, list[Part]]


class Chance(Told):
    """The person's chance of winning after an entry of the log."""

    number: int
    chance: float


class Review(Told):
    """What a game shows once it is over: the person's result - start = luck + skill, and skill = gifts - mistakes.

    `accuracy` is the share of what the person's decisions could have given away that they kept.
    """

    decisions: list[Decision]
    worst: int | None
    start: float
    curve: list[Chance]
    mistakes: float
    gifts: float
    luck: float
    skill: float
    accuracy: float | None


Steps = Annotated[list[Label], Field(max_length=2000)]


class SandboxAsked(Asked):
    """A position of a game, the usual one if none is named, and all that has happened since."""

    game: GameName
    rules: Rules = {}
    start: Annotated[str, StringConstraints(max_length=500)] | None = None
    labels: Steps = []
    names: Annotated[list[PersonName], Field(max_length=8)] = []


class SandboxReviewAsked(SandboxAsked):
    """The same, as one seat looks back on it."""

    seat: Annotated[int, Field(ge=0, le=7)] = 0


class SandboxChoiceAsked(SandboxAsked):
    """The same, and which opponent is to act there."""

    opponent: OpponentName


class Choice(Told):
    """What an opponent does."""

    label: str


class RecordAsked(Asked):
    """The text of a record."""

    text: Annotated[str, StringConstraints(max_length=16_000)]


class RecordText(Told):
    """The text of a record."""

    text: str


class RecordRead(Told):
    """What a record says; `rules` are those that differ from the rule book."""

    game: str
    rules: dict[str, bool | int | float | str]
    start: str | None
    labels: list[str]
    names: list[str]
    seat: int


class Shared(Told):
    """The secret that the link of a shared game is made of."""

    secret: str


class Axis(Told):
    """A field of the state and the values it takes."""

    field: str
    values: list[int]


class Now(Told):
    """The point of the surface that the game stands at."""

    x: int
    y: int
    z: int


class Surface(Told):
    """When to hold, z[i][j] at the i-th value of y and the j-th of x; null where never."""

    x: Axis
    y: Axis
    z: list[list[float | None]]
    now: Now
    caption: str


class StatisticsRow(Told):
    """How a person does at one game against one opponent; the interval is of 95 %."""

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


class Statistics(Told):
    """How a person does."""

    rows: list[StatisticsRow]
