"""A game in progress: its table, and the view of each player."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import RLock
from typing import Any, Literal

from komi.errors import InputError
from komi.game import CHANCE, Event, Game
from komi.play import fairness
from komi.play.table import HIDDEN, Entry, Table
from komi.solvers.solve import is_solvable
from komi.web import models, table_layout
from komi.web.clocks import Clock
from komi.web.faces import face_of
from komi.web.offered import source_hash
from komi.web.party import Party
from komi.web.records import now

Outcomes = list[tuple[str, float]]
By = Literal["you", "computer", "chance", "hand"]


@dataclass(frozen=True)
class Happened:
    """A log entry as it is stored. The table recomputes everything else."""

    number: int
    kind: str
    label: str
    by: By
    at: datetime


@dataclass(frozen=True)
class Agreed:
    """The settings of a game, fixed before it begins.

    Attributes:
        person: the person who began the game.
        seat: that person's seat; a computer opponent has all others.
        opponent: the name of the computer opponent; "" if only people play.
        is_by_lot: True if the seat was drawn from the seed and the number.
        is_test: True if chance events are entered by hand.
        takebacks: number of times that entries have been taken back.
        party: the people by seat, if people have all seats; None against a computer and in single-player games.
        beginning: the initial state; None for the default one.
        clock: the time control; None without one.
        started: the time when the game began.
        protocol: the version of the protocol in `komi.play.fairness` that draws chance events.
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
    takebacks: int = 0
    party: Party | None = None
    beginning: Any = None
    clock: Clock | None = None
    started: datetime = datetime.min
    protocol: int = fairness.PROTOCOL

    @property
    def is_with_others(self) -> bool:
        """True if several people play, each at a device of their own."""
        return self.party is not None and not self.party.is_at_one_device

    def seat_of(self, person: str) -> int | None:
        """Return a person's seat, or None. The person who began the game gets the seat in `seat`."""
        if person == self.person:
            return self.seat
        return None if self.party is None or person not in self.party.people else self.party.people.index(person)

    def is_persons(self, seat: int) -> bool:
        """Return whether a person, not a computer, has this seat."""
        return self.party is not None or seat == self.seat


class LiveGame:
    """A game in memory.

    Attributes:
        agreed: the settings of the game.
        table: the referee.
        lock: held while entries are added.
        is_stale: True if this differs from the database and must be rebuilt.
        is_late: True if the player who resigned has run out of time.
    """

    def __init__(
        self,
        agreed: Agreed,
        happened: Iterable[tuple[str, By, datetime]] = (),
        resigned: int | None = None,
        *,
        is_late: bool = False,
    ) -> None:
        self.agreed = agreed
        self.table = Table(agreed.game, agreed.rules, initial_state=agreed.beginning)
        self.lock = RLock()
        self.is_stale = False
        self.is_late = is_late
        self._by: list[By] = []
        self._moments: list[datetime] = []
        self._outcomes: list[Outcomes | None] = []
        self._gained: list[float] = []
        self._does: list[dict[str, Any]] = []
        self._lines: dict[int, list[models.Line]] = {}
        self._starts = [self._seen(seat) for seat in range(self.table.players)]
        for label, by, at in happened:
            self.enter(label, by, at)
        if resigned is not None:
            self.table.resign(resigned)

    @property
    def is_persons_turn(self) -> bool:
        """True if a person must act now, or enter the outcome of a chance event."""
        table = self.table
        if table.waiting == "event":
            return self.agreed.is_test
        return table.mover is not None and self.agreed.is_persons(table.mover)

    def is_turn_of(self, person: str) -> bool:
        """Return whether this person must act, or enter a chance event."""
        if not self.is_persons_turn:
            return False
        party = self.agreed.party
        return party is None or self.table.waiting == "event" or party.people[self.table.mover or 0] == person

    def eyes_of(self, person: str) -> int:
        """Return the seat whose view a person gets: their own, or at a shared device that of the mover."""
        agreed = self.agreed
        if agreed.party is not None and agreed.party.is_at_one_device:
            return self.table.observer if self.table.mover is None else self.table.mover
        seat = agreed.seat_of(person)
        return agreed.seat if seat is None else seat

    def time_left(self) -> list[float] | None:
        """Return the seconds left for each seat, or None without a clock."""
        clock, table = self.agreed.clock, self.table
        if clock is None:
            return None
        left, since = clock.left(table.players, self.agreed.started, zip(table.log, self._moments, strict=True))
        if table.mover is not None:
            left[table.mover] -= now() - since
        return [
            0.0 if self.is_late and seat == table.resigned else each.total_seconds() for seat, each in enumerate(left)
        ]

    def has_run_out(self) -> bool:
        """Return whether the player to move has no time left."""
        left = self.time_left()
        return left is not None and self.table.mover is not None and left[self.table.mover] <= 0.0

    def enter(self, label: str, by: By, at: datetime | None = None) -> Happened:
        """Add an action or a chance event to the log, by default with the current time.

        Raises:
            InputError: if it is not possible now.
        """
        events = self._in_order(self.table.events)
        luck = self.luck if by == "chance" else None
        does = table_layout.doing(
            self.agreed.game, self.agreed.rules, self.table.state, self.table.actions.get(label, CHANCE)
        )
        entry = self.table.enter(label, luck)
        self._does.append(does)
        self._by.append(by)
        self._moments.append(at or now())
        self._outcomes.append([(event.label, event.probability) for event in events] if events else None)
        self._gained.append(self.table.rewards[0])
        return Happened(entry.number, entry.kind, entry.label, by, self._moments[-1])

    def draw(self) -> Happened:
        """Draw the next chance event from the seed and the players' number, and add it."""
        return self.enter(fairness.sample_event(self._in_order(self.table.events), self.luck).label, "chance")

    def _in_order(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return the outcomes in the order of the protocol, in which they partition the unit interval."""
        return events if self.agreed.protocol == 1 else fairness.sort_events(events)

    @property
    def luck(self) -> float:
        """The uniform random number that selects the next entry, if that is a chance event."""
        return fairness.random_number(self.agreed.seed, self.agreed.number, self.table.number)

    def was(self, number: int, label: str, person: str) -> bool:
        """Return whether this person has made the entry with this number, with this label.

        Raises:
            InputError: if there is no such entry.
        """
        if not 0 <= number < self.table.number:
            raise InputError(f"the game has no entry {number} yet.")
        entry, party = self.table.log[number], self.agreed.party
        is_theirs = self._by[number] == "hand" or party is None or party.people[entry.seat] == person
        return is_theirs and self._by[number] in ("you", "hand") and entry.label == label

    @property
    def last_entered(self) -> int | None:
        """The number of the last entry that a person has made, or None."""
        return next((number for number in reversed(range(len(self._by))) if self._by[number] in ("you", "hand")), None)

    def view(self, seat: int, opponent_title: str, *, may_act: bool = True, known: int = 0) -> models.GameView:
        """Return the game as one seat may see it.

        Args:
            seat: the seat that sees the game.
            opponent_title: the title of the computer opponent; "" if there is none.
            may_act: True if the viewer may act for this seat, False for a spectator.
            known: number of log lines to leave out, because the client has them, unless they can have changed.
        """
        table, agreed = self.table, self.agreed
        party = agreed.party
        acting = may_act and self.is_persons_turn and table.waiting == "action" and table.mover == seat
        entering = may_act and agreed.is_test
        is_of_a_seat = agreed.game.has("view") or (agreed.game.has("turned") and party and party.is_at_one_device)
        is_log_the_same = not (table.is_over or agreed.takebacks or is_of_a_seat)
        first = min(known, table.number) if is_log_the_same else 0
        return models.GameView(
            id=agreed.id,
            game=agreed.game.name,
            face=face_of(agreed.game),
            solved=is_solvable(agreed.game, agreed.rules),
            rules=agreed.rules._asdict(),
            mode="test" if agreed.is_test else "normal",
            opponent=models.OpponentNamed(name=agreed.opponent, title=opponent_title),
            names=None if party is None else list(party.names),
            company=None if party is None else "device" if party.is_at_one_device else "link",
            players=table.players,
            you=seat,
            objective=agreed.game.objective(agreed.rules) if table.players == 1 else None,
            card=table_layout.card(agreed.game, agreed.rules),
            number=table.number,
            mover=table.mover,
            waiting=table.waiting,
            actions=[
                table_layout.offered(agreed.game, agreed.rules, table.state, *action)
                for action in table.actions.items()
            ]
            if acting
            else [],
            events=[self._event(event) for event in table.events] if entering else [],
            settled=acting and table.is_decided,
            pending=None if table.pending is None else models.Pending(label=table.pending),
            start=self._position(table.initial_state, 0, seat) if table.is_over else self._starts[seat],
            first=first,
            log=self._log(seat)[first:],
            result=self._result(seat),
            clock=self._clock(),
            fairness=self._fairness(),
            **vars(self._seen(seat)),
        )

    def _seen(self, seat: int) -> models.Position:
        """Return the current position as this seat may see it."""
        is_own_view = self.agreed.game.has("view") and not self.table.is_over
        eyes = seat if is_own_view else self.table.observer
        return self._position(self.table.observation(seat), eyes, seat)

    def _event(self, event: Event) -> models.EventOffered:
        faces = table_layout.faces(self.agreed.game, self.agreed.rules, event.after)
        return models.EventOffered(label=event.label, probability=event.probability, faces=faces)

    def _log(self, seat: int) -> list[models.Line]:
        """Return the lines of the log. In a running game without hidden information they are cached."""
        if self.table.is_over:
            entries = zip(self.table.log, self._afters(), strict=True)
            return [self._line(entry, seat, afters) for entry, afters in entries]
        if self.agreed.game.has("view"):
            return [self._line(entry, seat) for entry in self.table.observed_log(seat)]
        lines = self._lines.setdefault(seat, [])
        lines += [self._line(entry, seat) for entry in self.table.log[len(lines) :]]
        return lines

    def _afters(self) -> list[list[models.After] | None]:
        """Return, for each entry, the states after all outcomes of its chance event, by replaying the game."""
        again = Table(self.agreed.game, self.agreed.rules, initial_state=self.table.initial_state)
        afters = []
        for entry in self.table.log:
            eyes = again.observer
            events = self._in_order(again.events)
            afters.append([self._after(event, (eyes + event.passes) % again.players) for event in events] or None)
            again.enter(entry.label)
        return afters

    def _after(self, event: Event, eyes: int) -> models.After:
        return models.After(state=self.agreed.game.shown(self.agreed.rules, event.after), eyes=eyes)

    def _line(self, entry: Entry, seat: int, afters: list[models.After] | None = None) -> models.Line:
        party = self.agreed.party
        is_open = self.table.is_over or not self.agreed.game.has("view")  # else luck would reveal the rest of the deck
        by: Literal["you", "friend", "computer", "chance", "hand"] = self._by[entry.number]
        if by == "you" and party is not None and party.people[entry.seat] != party.people[seat]:
            by = "friend"
        return models.Line(
            number=entry.number,
            seat=entry.seat,
            kind=entry.kind,
            label=entry.label,
            by=by,
            mover=entry.mover,
            luck=self.table.log[entry.number].random_number if is_open else None,
            outcomes=self._outcomes[entry.number] if is_open else None,
            afters=afters,
            gained=self._gained[entry.number] if self._is_scored else None,
            **(table_layout.NOTHING_DONE if entry.label == HIDDEN else self._does[entry.number]),
            **vars(self._position(entry.state, entry.observer, seat)),
        )

    def _position(self, state: Any, eyes: int, seat: int) -> models.Position:
        game, rules = self.agreed.game, self.agreed.rules
        return models.Position(
            state=None if state is None else game.shown(rules, state),
            eyes=eyes,
            written="" if state is None or not game.has("write") else game.write(rules, state),
            **table_layout.NOTHING
            if state is None
            else table_layout.lying(game, rules, state, (seat - eyes) % self.table.players),
        )

    def _result(self, seat: int) -> models.Result | None:
        payoffs = self.table.payoffs
        if payoffs is None:
            return None
        you = won(payoffs, seat)
        score = self.table.rewards[0] + payoffs[0] if self._is_scored else None
        return models.Result(
            payoffs=list(payoffs),
            score=score,
            you=you,
            stopped=self.table.is_stopped,
            resigned=self.table.resigned,
            late=self.is_late,
        )

    @property
    def _is_scored(self) -> bool:
        """True if a single player plays for points."""
        game, rules = self.agreed.game, self.agreed.rules
        return self.table.players == 1 and game.has("reward") and not game.objective(rules).startswith("chance")

    def _clock(self) -> models.ClockShown | None:
        left, clock = self.time_left(), self.agreed.clock
        if left is None or clock is None:
            return None
        return models.ClockShown(minutes=clock.minutes, seconds=clock.seconds, left=left)

    def _fairness(self) -> models.Fairness:
        commitment = fairness.Commitment(self.agreed.seed)
        seed = self.agreed.seed.hex() if self.table.is_over else None
        party = self.agreed.party
        return models.Fairness(
            hash=commitment.hash,
            number=self.agreed.number,
            numbers=None if party is None or not party.numbers else list(party.numbers),
            seed=seed,
            lot=self.agreed.is_by_lot,
            protocol=self.agreed.protocol,
            source=source_hash(self.agreed.game),
        )


def won(payoffs: tuple[float, ...], seat: int) -> Literal["won", "lost", "drew", "shared", "got"]:
    """Return how the game has ended for a seat."""
    if payoffs[seat] == 1.0:
        return "won"
    if payoffs[seat] == 0.0:
        return "lost"
    if len(payoffs) > 1 and len(set(payoffs)) == 1:
        return "drew"
    winners = [payoff for payoff in payoffs if payoff > 0.0]
    return "shared" if len(winners) > 1 and len(set(winners)) == 1 else "got"
