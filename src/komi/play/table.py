"""The state of one game in progress: whose turn it is, the legal actions, the possible events, and the log.

A game is defined by its log: a list of labels, one for each action and each chance event. An action with one possible
outcome is one entry; with several outcomes, the chance event is the next entry. At chance nodes there are only events.
The same rules and the same labels always produce the same table.

A game without progress ends as a draw: with perfect information when a position has occurred three times with no
chance event between, and any game when it is too long. With hidden information or simultaneous moves, a repeated
position does not end the game, because play also depends on what is hidden.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from komi.errors import GameError, InputError
from komi.game import CHANCE
from komi.rules.game import Event, Game
from komi.typing import Rules, State

REPETITIONS = 3  # a position repeated this often, without chance events or hidden information, is a draw
MAX_ENTRIES = 10_000  # maximum length of a log; a longer game is a draw
HIDDEN = "hidden"

Kind = Literal["action", "event"]


@dataclass(frozen=True)
class Entry:
    """One entry of the log.

    Attributes:
        number: its index in the log, from 0.
        seat: the seat that acted, or whose turn it was.
        kind: "action", or "event" for a chance event.
        label: the label of the action or event.
        state: the state after it, as the mover observes it; for an action whose chance event is pending, the state
            before the event. None where it is hidden.
        mover: the seat to move next; None if the game is over.
        observer: the seat whose observation the state is: the mover's, also when the game is over.
        random_number: selected the event; None if a person entered it.
        revealed: what all seats learn from it, even if it is hidden itself; see `revealed` in the protocol.
    """

    number: int
    seat: int
    kind: Kind
    label: str
    state: State
    mover: int | None
    observer: int
    random_number: float | None = None
    revealed: str = ""


class Table:
    """A game of any number of seats in progress.

    Attributes:
        game: the game.
        rules: its rules.
        initial_state: the initial state, as the first to move observes it.
        players: the number of seats.
        scale: the scale of payoffs.
        state: the current state as the player to move observes it.
        log: all entries so far.
        rewards: each seat's sum of rewards, in games with rewards.
        resigned: the seat that has resigned, if any.
    """

    def __init__(self, game: Game, rules: Rules, labels: Iterable[str] = (), initial_state: Any = None) -> None:
        game = game.under(rules)
        self.game, self.rules = game, rules
        self.players, self.scale = game.players(rules), game.payoff_scale(rules)
        self.initial_state = game.part("start")(rules) if initial_state is None else initial_state
        self.state = self.initial_state
        self.log: list[Entry] = []
        self.rewards = [0.0] * self.players
        self.resigned: int | None = None
        self._seat = 0
        self._pending: str | None = None
        self._revealed = ""
        self._payoffs: tuple[float, ...] | None = None
        self._actions: dict[str, int] = {}
        self._events: tuple[Event, ...] = ()
        self._since_chance = Counter[Any]()
        self._views: list[tuple[int | None, Any]] = []  # observer and observation, at the start and after each entry
        self._entry_witnesses: list[frozenset[int]] = []  # the seats that saw each entry
        self._observed_after: dict[int, list[Any]] = {}  # by seat, its observation after each entry
        self._update(chance=True)
        self._views.append(self._current_view())
        for label in labels:
            self.enter(label)

    @property
    def number(self) -> int:
        """The number of the next entry of the log."""
        return len(self.log)

    @property
    def mover(self) -> int | None:
        """The seat to move; None if the game is over."""
        return None if self.is_over else self._seat

    @property
    def observer(self) -> int:
        """The seat whose observation `state` is: the mover's, also when the game is over."""
        return self._seat

    @property
    def is_over(self) -> bool:
        """True if the game has ended, by its rules or as a draw because of missing progress."""
        return self._payoffs is not None

    @property
    def is_stopped(self) -> bool:
        """True if the game has ended as a draw because of missing progress, not by its rules."""
        return self.is_over and self.resigned is None and not self.game.part("over")(self.rules, self.state)

    @property
    def payoffs(self) -> tuple[float, ...] | None:
        """Each seat's payoff, from 0 (loss) to 1 (win) or in the `payoff_range`; None before the end."""
        return self._payoffs

    @property
    def results(self) -> tuple[float, ...] | None:
        """The payoffs; in a game with a `payoff_range` 1 for a win, 1/2 for a draw and 0 for a loss.

        In a general-sum game nobody wins: they are then the shares of the range.
        """
        if self._payoffs is not None and not self.scale.is_opposed:
            return tuple(map(self.scale.share, self._payoffs))
        if self._payoffs is None or self.scale.is_chance:
            return self._payoffs
        even = self.scale.even
        return tuple(0.5 + 0.5 * ((payoff > even) - (payoff < even)) for payoff in self._payoffs)

    @property
    def waiting(self) -> Kind | None:
        """The kind of the next entry; None if the game is over."""
        if self.is_over:
            return None
        return "event" if self._events else "action"

    @property
    def pending(self) -> str | None:
        """The action whose chance event is the next entry."""
        return self._pending

    @property
    def actions(self) -> dict[str, int]:
        """The legal actions by label, in the order of the rules; none while an event is pending."""
        return dict(self._actions)

    @property
    def events(self) -> tuple[Event, ...]:
        """The possible chance events, in the order of the rules; none while an action is expected."""
        return self._events

    def gain(self, event: Event) -> float:
        """Return the mover's reward if the pending action or chance node has this outcome; 0 without rewards."""
        return self._reward(event, CHANCE if self._pending is None else self._pending_action())

    def enter(self, label: str, random_number: float | None = None) -> Entry:
        """Add an action or an event to the log, and update the game.

        Args:
            label: the label of the action or event.
            random_number: selected the event; None if a person entered it.

        Returns:
            Its entry in the log.

        Raises:
            InputError: if it is not possible now.
        """
        self.check(label)
        seat, kind = self._seat, self.waiting
        assert kind is not None
        self._revealed = ""
        self._entry_witnesses.append(self._witnesses(label))
        if kind == "event":
            self._apply_event(next(event for event in self._events if event.label == label))
        else:
            self._apply_action(label)
        entry = Entry(
            self.number, seat, kind, label, self.state, self.mover, self.observer, random_number, self._revealed
        )
        self.log.append(entry)
        self._views.append(self._current_view())
        return entry

    def resign(self, seat: int) -> None:
        """Resign for a seat: its payoff is the lowest, and the others share the win.

        Raises:
            InputError: if the game is over, or is single-player.
        """
        if self.is_over:
            raise InputError("you cannot resign: the game is over.")
        if self.players == 1:
            raise InputError("you cannot resign: no one else is at the table.")
        share = 1.0 / (self.players - 1)
        self.resigned, self._pending = seat, None
        self._actions, self._events = {}, ()
        self._payoffs = tuple(self.scale.payoff(0.0 if other == seat else share) for other in range(self.players))

    def check(self, label: str) -> None:
        """Check that this action or event is possible now.

        Raises:
            InputError: if it is not.
        """
        if self.is_over:
            raise InputError(f"the game is over: {label!r} is no longer possible.")
        if label in self._actions or any(label == event.label for event in self._events):
            return
        if self._events:
            possible = ", ".join(event.label for event in self._events)
            raise InputError(f"{label!r} is not a possible event now; possible are {possible}.")
        raise InputError(f"{label!r} is not legal now; legal are {', '.join(self._actions)}.")

    @property
    def is_decided(self) -> bool:
        """True if only one action is left, and it ends the game."""
        if len(self._actions) != 1 or CHANCE in self._actions.values():
            return False
        [action] = self._actions.values()
        over = self.game.part("over")
        return all(over(self.rules, event.after) for event in self.game.events(self.rules, self.state, action))

    def square(self, label: str) -> tuple[int, int] | None:
        """Return the row and column of a legal action, if the game defines them."""
        if not self.game.has("square") or self._actions[label] == CHANCE:
            return None
        place = self.game.part("square")(self.rules, self.state, self._actions[label])
        return None if place is None else (int(place[0]), int(place[1]))

    def observation(self, seat: int) -> Any:
        """Return the state as this seat knows it, as if it were to move; None before its first observation.

        With hidden information, and if the game does not define how a state is turned to another seat, that is the
        seat's last observation when it could choose. After the end, the whole state is known.
        """
        if self.is_over or not self.game.has("view"):
            return self.state
        after = self._observations_after(seat)
        return after[-1] if after else self._first_observation(seat)

    def decisions(self, seat: int) -> list[tuple[Any, int]]:
        """List what this seat saw in a game with hidden information where it chose, each with the action it took."""
        states = [self.initial_state, *(entry.state for entry in self.log)]
        return [
            (self.game.part("view")(self.rules, state), self.game.labels(self.rules, state)[entry.label])
            for state, entry in zip(states, self.log, strict=False)
            if entry.kind == "action" and entry.seat == seat
        ]

    def observed_log(self, seat: int) -> tuple[Entry, ...]:
        """Return the log as this seat knows it: hidden events and secret actions are masked.

        A chance event is shown if the observations of the seat after the possible events differ.
        """
        if self.is_over or not self.game.has("view"):
            return tuple(self.log)
        entries = []
        for entry, knowing, state in zip(self.log, self._entry_witnesses, self._observations_after(seat), strict=True):
            is_public = len(knowing) == self.players  # before a seat's first observation, only public entries are shown
            is_known = seat in knowing and (is_public or entry.kind == "action" or state is not None)
            known = entry if is_known else replace(entry, label=HIDDEN, random_number=None)
            entries.append(replace(known, state=state, observer=seat))
        return tuple(entries)

    def _observations_after(self, seat: int) -> list[Any]:
        """Return this seat's observation after each entry."""
        seen = self._observed_after.setdefault(seat, [])
        for entry in self.log[len(seen) :]:
            viewer, view = self._views[entry.number + 1]
            before = seen[-1] if seen else self._first_observation(seat)
            if viewer == seat:
                seen.append(view)
            elif viewer is None and before is None:  # no player has a hand before all cards are dealt
                seen.append(None)
            else:
                seen.append(self._observe_as(seat, entry.state, entry.observer) if self.game.has("turned") else before)
        return seen

    def _first_observation(self, seat: int) -> Any:
        """Return this seat's observation of the initial state."""
        viewer, view = self._views[0]
        if viewer is None or viewer == seat:
            return view
        return self._observe_as(seat, self.initial_state, 0) if self.game.has("turned") else None

    def _observe_as(self, seat: int, state: State, observer: int) -> Any:
        """Return a seat's observation of a state that the seat `observer` observes, for another seat."""
        turned = self.game.turned(self.rules, state, (seat - observer) % self.players)
        return self.game.part("view")(self.rules, turned)

    def _current_view(self) -> tuple[int | None, Any]:
        """Return the seat that can choose now and its observation, if the game has hidden information."""
        if not self.game.has("view") or not (self._actions or self._pending):
            return None, None
        return self._seat, self.game.part("view")(self.rules, self.state)

    def _witnesses(self, label: str) -> frozenset[int]:
        """Return the seats that see the next entry, of this label."""
        every_seat = frozenset(range(self.players))
        if not self.game.has("view"):
            return every_seat
        if len(self._events) < 2:
            is_open = self.game.is_open(self.rules, self.state, self._actions.get(label, CHANCE))
            return every_seat if is_open else frozenset(() if self._events else (self._seat,))
        acting = () if self._pending is None else (self._seat,)
        return frozenset(acting).union(seat for seat in every_seat if self._distinguishes_events(seat))

    def _distinguishes_events(self, seat: int) -> bool:
        """Return whether the observations of a seat after the possible events all differ."""
        observations = set()
        for event in self._events:
            if self.game.part("over")(self.rules, event.after):  # all is known then
                continue
            observer = (self._seat + event.passes) % self.players
            if seat != observer and not self.game.has("turned"):
                return False
            observation = self._observe_as(seat, event.after, observer)
            if observation in observations:
                return False
            observations.add(observation)
        return True

    def _apply_action(self, label: str) -> None:
        events = self.game.events(self.rules, self.state, self._actions[label])
        if len(events) == 1:
            self._move(events[0], self._actions[label])
            self._update(chance=False)
        else:
            self._pending, self._actions = label, {}
            self._set_events(events)

    def _apply_event(self, event: Event) -> None:
        action = CHANCE if self._pending is None else self._pending_action()
        self._pending = None
        self._move(event, action)
        self._update(chance=True)

    def _pending_action(self) -> int:
        assert self._pending is not None
        return self.game.labels(self.rules, self.state)[self._pending]

    def _reward(self, event: Event, action: int) -> float:
        if not self.game.has("reward"):
            return 0.0
        return float(self.game.part("reward")(self.rules, self.state, action, event.after))

    def _move(self, event: Event, action: int) -> None:
        self.rewards[self._seat] += self._reward(event, action)
        self._revealed = self.game.revealed(self.rules, self.state, action, event.after)
        self.state = event.after
        self._seat = (self._seat + event.passes) % self.players

    def _update(self, *, chance: bool) -> None:
        """Update payoffs, actions and events after an entry; `chance` tells whether it was a chance event."""
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
        if is_repeated or self.number >= MAX_ENTRIES - 1:
            self._payoffs = (self.scale.payoff(1.0 / self.players),) * self.players
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
