"""A game that is being played: its table, and what the person is shown of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from threading import RLock
from typing import Any, Literal

from komi.errors import InputError
from komi.game import Event, Game
from komi.play import fairness
from komi.play.table import Entry, Table
from komi.web import models
from komi.web.faces import face_of

Outcomes = list[tuple[str, float]]
By = Literal["you", "computer", "chance", "hand"]


@dataclass(frozen=True)
class Happened:
    """An entry of the log as it is kept: the table makes the rest of it again."""

    number: int
    kind: str
    label: str
    by: By


@dataclass(frozen=True)
class Agreed:
    """What is agreed on before a game begins.

    Attributes:
        seat: the person's; the opponent has all others.
        opponent: its name.
        is_by_lot: the seat was drawn from the seed and the number.
        is_test: chance is entered by hand.
    """

    id: str
    person: str
    game: Game
    rules: Any
    opponent: str
    seat: int
    is_by_lot: bool
    is_test: bool
    seed: bytes
    number: str


class LiveGame:
    """A game as it stands.

    Attributes:
        agreed: what was agreed on before.
        table: the referee.
        lock: held by who lets something happen.
        is_stale: what is here is not what is written down; it must be made again.
    """

    def __init__(self, agreed: Agreed, happened: Iterable[tuple[str, By]] = ()) -> None:
        self.agreed = agreed
        self.table = Table(agreed.game, agreed.rules)
        self.lock = RLock()
        self.is_stale = False
        self._by: list[By] = []
        self._outcomes: list[Outcomes | None] = []
        self._lines: list[models.Line] = []
        self._start = self._seen()
        for label, by in happened:
            self.enter(label, by)

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person must act now, or enter what chance did."""
        waiting = self.table.waiting
        return (waiting == "action" and self.table.mover == self.agreed.seat) or (
            waiting == "event" and self.agreed.is_test
        )

    def enter(self, label: str, by: By) -> Happened:
        """Let something happen.

        Raises:
            InputError: if it cannot.
        """
        events = self.table.events
        luck = self.luck if by == "chance" else None
        entry = self.table.enter(label, luck)
        self._by.append(by)
        self._outcomes.append([(event.label, event.probability) for event in events] if events else None)
        return Happened(entry.number, entry.kind, entry.label, by)

    def draw(self) -> Happened:
        """Let chance happen, from the seed and the person's number."""
        return self.enter(fairness.fallen(self.table.events, self.luck).label, "chance")

    @property
    def luck(self) -> float:
        """What chooses the next entry, if that is a chance event."""
        return fairness.luck(self.agreed.seed, self.agreed.number, self.table.number)

    def was(self, number: int, label: str) -> bool:
        """Whether the entry with this number is the person's, and this.

        Raises:
            InputError: if there is no such entry.
        """
        if not 0 <= number < self.table.number:
            raise InputError(f"the game has no entry {number} yet.")
        return self._by[number] in ("you", "hand") and self.table.log[number].label == label

    def view(self, opponent_title: str) -> models.GameView:
        """The game as the person may know it."""
        table, agreed = self.table, self.agreed
        acting = self.is_persons_turn and table.waiting == "action"
        return models.GameView(
            id=agreed.id,
            game=agreed.game.name,
            face=face_of(agreed.game),
            rules=agreed.rules._asdict(),
            mode="test" if agreed.is_test else "normal",
            opponent=models.OpponentNamed(name=agreed.opponent, title=opponent_title),
            players=table.players,
            you=agreed.seat,
            objective=agreed.game.objective(agreed.rules) if table.players == 1 else None,
            number=table.number,
            mover=table.mover,
            waiting=table.waiting,
            actions=[models.ActionOffered(label=label, square=table.square(label)) for label in table.actions]
            if acting
            else [],
            events=[models.EventOffered(label=event.label, probability=event.probability) for event in table.events],
            settled=acting and table.is_settled,
            pending=None if table.pending is None else models.Pending(label=table.pending),
            start=self._position(agreed.game.part("start")(agreed.rules), 0) if table.is_over else self._start,
            log=self._log(),
            result=self._result(),
            fairness=self._fairness(),
            **vars(self._seen()),
        )

    def _seen(self) -> models.Position:
        """How the game stands, as the person may know it."""
        is_own_view = self.agreed.game.has("view") and not self.table.is_over
        eyes = self.agreed.seat if is_own_view else self.table.eyes
        return self._position(self.table.seen(self.agreed.seat), eyes)

    def _log(self) -> list[models.Line]:
        """The log's lines; those of open games that are not over are made once."""
        if self.table.is_over:
            return [self._line(entry, afters) for entry, afters in zip(self.table.log, self._afters(), strict=True)]
        if self.agreed.game.has("view"):
            entries = self.table.log_seen(self.agreed.seat)
            return [self._line(entry) for entry in entries]
        self._lines += [self._line(entry) for entry in self.table.log[len(self._lines) :]]
        return self._lines

    def _afters(self) -> list[list[models.After] | None]:
        """How the game would have stood after each outcome of each chance event, found by playing it again."""
        again = Table(self.agreed.game, self.agreed.rules)
        afters = []
        for entry in self.table.log:
            eyes = again.eyes
            afters.append([self._after(event, (eyes + event.passes) % again.players) for event in again.events] or None)
            again.enter(entry.label)
        return afters

    def _after(self, event: Event, eyes: int) -> models.After:
        return models.After(state=self.agreed.game.shown(self.agreed.rules, event.after), eyes=eyes)

    def _line(self, entry: Entry, afters: list[models.After] | None = None) -> models.Line:
        is_open = self.table.is_over or not self.agreed.game.has("view")  # else luck tells what is left in the deck
        by = self._by[entry.number]
        return models.Line(
            number=entry.number,
            seat=entry.seat,
            kind=entry.kind,
            label=entry.label,
            by=by,
            mover=entry.mover,
            luck=self.table.log[entry.number].luck if is_open else None,
            outcomes=self._outcomes[entry.number] if is_open else None,
            afters=afters,
            **vars(self._position(entry.state, entry.eyes)),
        )

    def _position(self, state: Any, eyes: int) -> models.Position:
        game, rules = self.agreed.game, self.agreed.rules
        return models.Position(
            state=None if state is None else game.shown(rules, state),
            eyes=eyes,
            written="" if state is None or not game.has("write") else game.write(rules, state),
            squares=self._squares(state),
        )

    def _squares(self, state: Any) -> list[models.Square] | None:
        if state is None or not self.agreed.game.has("board"):
            return None
        decisive = self._decisive(state)
        return [
            models.Square(row=row, column=column, shows=str(shows), tint=tint, decisive=(row, column) in decisive)
            for row, column, shows, tint in self.agreed.game.part("board")(self.agreed.rules, state)
        ]

    def _decisive(self, state: Any) -> set[tuple[int, int]]:
        """The squares that have ended the game."""
        game, rules = self.agreed.game, self.agreed.rules
        if not (game.has("decisive") and game.part("over")(rules, state)):
            return set()
        return {(int(row), int(column)) for row, column in game.part("decisive")(rules, state)}

    def _result(self) -> models.Result | None:
        payoffs = self.table.payoffs
        if payoffs is None:
            return None
        you = won(payoffs, self.agreed.seat)
        game, rules = self.agreed.game, self.agreed.rules
        is_scored = self.table.players == 1 and game.has("reward") and not game.objective(rules).startswith("chance")
        score = self.table.gained[0] + payoffs[0] if is_scored else None
        return models.Result(payoffs=list(payoffs), score=score, you=you, stopped=self.table.is_stopped)

    def _fairness(self) -> models.Fairness:
        commitment = fairness.Commitment(self.agreed.seed)
        seed = self.agreed.seed.hex() if self.table.is_over else None
        return models.Fairness(hash=commitment.hash, number=self.agreed.number, seed=seed, lot=self.agreed.is_by_lot)


def won(payoffs: tuple[float, ...], seat: int) -> Literal["won", "lost", "drew", "shared", "got"]:
    """How a game has ended for a seat."""
    if payoffs[seat] == 1.0:
        return "won"
    if payoffs[seat] == 0.0:
        return "lost"
    if len(payoffs) > 1 and len(set(payoffs)) == 1:
        return "drew"
    winners = [payoff for payoff in payoffs if payoff > 0.0]
    return "shared" if len(winners) > 1 and len(set(winners)) == 1 else "got"
