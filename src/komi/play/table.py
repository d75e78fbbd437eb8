"""The referee of one game: whose turn it is, what may be done, what can come of it, and all that has happened.

A game is its log: a list of labels, one for each action and each chance event. An action with one possible outcome is
one entry; with several, the event that follows is the next. Where nobody chooses there are only events. The same rules,
and the same labels, make the same table again.

A game that makes no progress is stopped, and shared by all: where all is open, when a position has occurred three times
with no chance event between, and any game when it is too long. Where something is hidden, or players choose at the same
time, a position that comes again is no sign of that: what happens depends on what nobody sees.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from komi.errors import GameError, InputError
from komi.game import CHANCE, Event, Game

REPETITIONS = 3  # a position that comes so often, with no chance between and nothing hidden, is a draw
MOST_ENTRIES = 10_000  # of a log: a longer game is a draw
HIDDEN = "hidden"

Kind = Literal["action", "event"]


@dataclass(frozen=True)
class Entry:
    """One thing that happened.

    Attributes:
        number: its place in the log, from 0.
        seat: who acted, or whose turn it was.
        kind: an action, or a chance event.
        label: what it is called.
        state: the state after it, as the mover sees it; before its event, for an action that waits for one. None where
            it is hidden.
        mover: whose turn it is then; None if the game is over.
        eyes: the seat that sees the state so: the mover's, also when the game is over.
        luck: what chose the event, if it was no hand.
    """

    number: int
    seat: int
    kind: Kind
    label: str
    state: Any
    mover: int | None
    eyes: int
    luck: float | None = None


class Table:
    """One game, of any number of seats, as it stands.

    Attributes:
        game: the game.
        rules: its rules.
        beginning: the state that it began in, as the first to move sees it.
        players: how many seats there are.
        state: the game as the player to move sees it.
        log: all that has happened.
        gained: the sum of each seat's rewards, in games that give any.
        resigned: the seat that has given up, if one has.
    """

    def __init__(self, game: Game, rules: Any, labels: Iterable[str] = (), beginning: Any = None) -> None:
        self.game, self.rules = game, rules
        self.players = game.players(rules)
        self.beginning = game.part("start")(rules) if beginning is None else beginning
        self.state = self.beginning
        self.log: list[Entry] = []
        self.gained = [0.0] * self.players
        self.resigned: int | None = None
        self._seat = 0
        self._pending: str | None = None
        self._payoffs: tuple[float, ...] | None = None
        self._actions: dict[str, int] = {}
        self._events: tuple[Event, ...] = ()
        self._since_chance = Counter[Any]()
        self._views: list[tuple[int | None, Any]] = []  # who saw what, at the start and after each entry
        self._knowing: list[frozenset[int]] = []  # who knows what each entry was
        self._known_after: dict[int, list[Any]] = {}  # by seat, what it knew after each entry
        self._settle(chance=True)
        self._views.append(self._view())
        for label in labels:
            self.enter(label)

    @property
    def number(self) -> int:
        """The number of the next entry of the log."""
        return len(self.log)

    @property
    def mover(self) -> int | None:
        """The seat whose turn it is; None if the game is over."""
        return None if self.is_over else self._seat

    @property
    def eyes(self) -> int:
        """The seat that sees the state as it stands here: the mover's, also when the game is over."""
        return self._seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or as a draw because it makes no progress."""
        return self._payoffs is not None

    @property
    def is_stopped(self) -> bool:
        """Whether it has ended as a draw because it makes no progress, and not by its rules."""
        return self.is_over and self.resigned is None and not self.game.part("over")(self.rules, self.state)

    @property
    def payoffs(self) -> tuple[float, ...] | None:
        """What each seat gets, from 0 (loses) to 1 (wins); None before the end."""
        return self._payoffs

    @property
    def waiting(self) -> Kind | None:
        """What must come next; None if the game is over."""
        if self.is_over:
            return None
        return "event" if self._events else "action"

    @property
    def pending(self) -> str | None:
        """The action whose chance event is waited for."""
        return self._pending

    @property
    def actions(self) -> dict[str, int]:
        """The legal actions by label, in the order of the rules; none while an event is waited for."""
        return dict(self._actions)

    @property
    def events(self) -> tuple[Event, ...]:
        """What chance can do now, in the order of the rules; none while an action is waited for."""
        return self._events

    def gain(self, event: Event) -> float:
        """What the mover gains if this comes of the action that is waited for, or of chance; 0 without rewards."""
        return self._reward(event, CHANCE if self._pending is None else self._pending_action())

    def enter(self, label: str, luck: float | None = None) -> Entry:
        """An action or an event happens, whichever is waited for.

        Args:
            label: what it is called.
            luck: what chose the event, if it was no hand.

        Returns:
            its entry in the log.

        Raises:
            InputError: if it is not possible now.
        """
        self.check(label)
        seat, kind = self._seat, self.waiting
        assert kind is not None
        self._knowing.append(self._know())
        if kind == "event":
            self._happen(next(event for event in self._events if event.label == label))
        else:
            self._act(label)
        entry = Entry(self.number, seat, kind, label, self.state, self.mover, self.eyes, luck)
        self.log.append(entry)
        self._views.append(self._view())
        return entry

    def resign(self, seat: int) -> None:
        """A seat gives up: it gets nothing, and the others share the win.

        Raises:
            InputError: if the game is over, or for one player.
        """
        if self.is_over:
            raise InputError("the game is over: it is too late to resign.")
        if self.players == 1:
            raise InputError("nobody else is at the table: there is no one to resign to.")
        share = 1.0 / (self.players - 1)
        self.resigned, self._pending = seat, None
        self._actions, self._events = {}, ()
        self._payoffs = tuple(0.0 if other == seat else share for other in range(self.players))

    def check(self, label: str) -> None:
        """See that this can happen now.

        Raises:
            InputError: if not.
        """
        if self.is_over:
            raise InputError(f"the game is over: {label!r} comes too late.")
        if label in self._actions or any(label == event.label for event in self._events):
            return
        if self._events:
            possible = ", ".join(event.label for event in self._events)
            raise InputError(f"{label!r} is not what chance can do now, only {possible}.")
        raise InputError(f"{label!r} is not legal now, only {', '.join(self._actions)}.")

    @property
    def is_settled(self) -> bool:
        """Whether only one action is left, and it ends the game."""
        if len(self._actions) != 1 or CHANCE in self._actions.values():
            return False
        [action] = self._actions.values()
        over = self.game.part("over")
        return all(over(self.rules, event.after) for event in self.game.events(self.rules, self.state, action))

    def square(self, label: str) -> tuple[int, int] | None:
        """The row and column that a legal action is about, if the game says."""
        if not self.game.has("square") or self._actions[label] == CHANCE:
            return None
        place = self.game.part("square")(self.rules, self.state, self._actions[label])
        return None if place is None else (int(place[0]), int(place[1]))

    def seen(self, seat: int) -> Any:
        """The state as this seat may know it, as the player to move would see it; None if it has seen nothing yet.

        Where the game hides something, and does not say how a state is turned to another seat, that is what the seat
        saw when it last could choose; after the end, all.
        """
        if self.is_over or not self.game.has("view"):
            return self.state
        after = self._seen_after(seat)
        return after[-1] if after else self._at_first(seat)

    def log_seen(self, seat: int) -> tuple[Entry, ...]:
        """The log as this seat may know it: where the game hides something, so are events and secret actions."""
        if self.is_over or not self.game.has("view"):
            return tuple(self.log)
        entries = []
        for entry, knowing, state in zip(self.log, self._knowing, self._seen_after(seat), strict=True):
            known = entry if seat in knowing else replace(entry, label=HIDDEN, luck=None)
            entries.append(replace(known, state=state, eyes=seat))
        return tuple(entries)

    def _seen_after(self, seat: int) -> list[Any]:
        """What this seat saw after each entry."""
        seen = self._known_after.setdefault(seat, [])
        for entry in self.log[len(seen) :]:
            viewer, view = self._views[entry.number + 1]
            before = seen[-1] if seen else self._at_first(seat)
            if viewer == seat:
                seen.append(view)
            elif viewer is None and before is None:  # nobody has a hand before all is dealt
                seen.append(None)
            else:
                seen.append(self._from(seat, entry.state, entry.eyes) if self.game.has("turned") else before)
        return seen

    def _at_first(self, seat: int) -> Any:
        """What this seat sees at the beginning."""
        viewer, view = self._views[0]
        if viewer is None or viewer == seat:
            return view
        return self._from(seat, self.beginning, 0) if self.game.has("turned") else None

    def _from(self, seat: int, state: Any, eyes: int) -> Any:
        """What a seat may know of a state that other eyes see, if these are not its own."""
        turned = self.game.turned(self.rules, state, (seat - eyes) % self.players)
        return self.game.part("view")(self.rules, turned)

    def _view(self) -> tuple[int | None, Any]:
        """Who can choose now, if the game hides something, and what they see."""
        if not self.game.has("view") or not (self._actions or self._pending):
            return None, None
        return self._seat, self.game.part("view")(self.rules, self.state)

    def _know(self) -> frozenset[int]:
        """The seats that know what happens now."""
        everybody = frozenset(range(self.players))
        if not self.game.has("view"):
            return everybody
        if len(self._events) < 2 and getattr(self.game.module, "open_actions", False):
            return everybody
        return frozenset() if self._events and self._pending is None else frozenset({self._seat})

    def _act(self, label: str) -> None:
        events = self.game.events(self.rules, self.state, self._actions[label])
        if len(events) == 1:
            self._move(events[0], self._actions[label])
            self._settle(chance=False)
        else:
            self._pending, self._actions = label, {}
            self._set_events(events)

    def _happen(self, event: Event) -> None:
        action = CHANCE if self._pending is None else self._pending_action()
        self._pending = None
        self._move(event, action)
        self._settle(chance=True)

    def _pending_action(self) -> int:
        assert self._pending is not None
        return self.game.labels(self.rules, self.state)[self._pending]

    def _reward(self, event: Event, action: int) -> float:
        if not self.game.has("reward"):
            return 0.0
        return float(self.game.part("reward")(self.rules, self.state, action, event.after))

    def _move(self, event: Event, action: int) -> None:
        self.gained[self._seat] += self._reward(event, action)
        self.state = event.after
        self._seat = (self._seat + event.passes) % self.players

    def _settle(self, *, chance: bool) -> None:
        """Find out what comes next, after a chance event or not."""
        game, rules, state = self.game, self.rules, self.state
        self._actions, self._events = {}, ()
        if game.part("over")(rules, state):
            payoffs = game.payoffs(rules, state)
            self._payoffs = tuple(payoffs[(seat - self._seat) % self.players] for seat in range(self.players))
            return
        if chance:
            self._since_chance.clear()
        self._since_chance[state, self._seat] += 1
        is_repeated = not game.has("view") and self._since_chance[state, self._seat] == REPETITIONS
        if is_repeated or self.number >= MOST_ENTRIES - 1:
            self._payoffs = (1.0 / self.players,) * self.players
            return
        actions = game.labels(rules, state)
        if CHANCE in actions.values():
            self._set_events(game.events(rules, state, CHANCE))
        else:
            self._actions = actions

    def _set_events(self, events: tuple[Event, ...]) -> None:
        if len({event.label for event in events}) < len(events):
            raise GameError(f"{self.game.file.name}: two outcomes of one action have the same 'event'.")
        self._events = events
