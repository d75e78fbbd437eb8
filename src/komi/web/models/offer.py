"""The games on offer, with their rules and opponents, and the progress of preparing one."""

from typing import Literal

from komi.web.models.base import OpponentName, ResponseModel, RulesRequest

Group = Literal["own", "luck", "dice", "cards", "board", "simultaneous", "alone"]
"""A shelf of the first page."""


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


class OpponentsResponse(ResponseModel):
    """The opponents under some rules, from the easiest to the hardest. Empty for a single player."""

    opponents: list[OpponentView]


class CatalogGameView(ResponseModel):
    """A game on offer. `hides`: its players have hidden information; `solved`: komi can compute optimal play.

    `rivals` are the two-player opponents of a game that is for one player by default. `source` is the SHA-256 hash of
    the rule file and the files beside it that it imports, concatenated. `minutes` that a game takes: an estimate from
    simulated games, null where none is known.
    """

    name: str
    title: str
    summary: str
    face: str
    group: Group
    players: int
    seats: int
    hides: bool
    solved: bool
    rules: list[RuleView]
    fields: list[NamedView]
    opponents: list[OpponentView]
    rivals: list[OpponentView]
    source: str
    minutes: int | None


class CatalogResponse(ResponseModel):
    """All games on offer."""

    games: list[CatalogGameView]


class RulesModuleResponse(ResponseModel):
    """The rules of a game as a module of JavaScript, as `komi export GAME --to rules.js` writes it."""

    source: str


class PreparationRequest(RulesRequest):
    """A game to prepare under these rules, and the opponent, if it is known."""

    opponent: OpponentName | None = None


class HowToPlayResponse(ResponseModel):
    """The explanation of the rules in paragraphs, the most important one first. Empty if the game's file has none."""

    paragraphs: list[str]


class PreparationResponse(ResponseModel):
    """The progress of the solver. `playable`: the requested opponent can start already."""

    key: str
    ready: bool
    playable: bool
    stage: str
    done: int
    total: int
    error: str | None


class RungView(ResponseModel):
    """What a policy gives away per game against optimal play, seats drawn by lot; the `opponent` that plays it."""

    policy: str
    opponent: str | None
    loss: float
    error: float


class RungsResponse(ResponseModel):
    """Policies from careless to perfect. Empty where optimal play is not known."""

    rungs: list[RungView]


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
