"""The protocol: what a game file says, and how everything else asks for it.

A game is a module that holds rules and nothing else. It must have

- `players`: how many play, or a function of the rules that says so;
- `actions`: a tuple of labels, action 0 first; or, where these are too many to list, a function
  `label(rules, state, action)`;
- `Rules`: a NamedTuple of every number in the rule book, with defaults (int, float, bool or str);
- `State`: a NamedTuple of whole numbers, the game as the player to move sees it;
- `start(rules)`: the first state;
- `legal(rules, state)`: yields the actions open to the player to move; or only `CHANCE`, where nobody
  chooses (a deal, a roll that the rules force);
- `outcomes(rules, state, action)`: yields (probability, next state, seats the turn passes on): 0 where
  the same player moves again, 1 for the next player, 2 where one is skipped. A deterministic action has
  one outcome;
- `over(rules, state)`: whether the game has ended;
- `payoff(rules, state)`: what the player to move gets then, from 0 (loses) to 1 (wins), a shared win
  counting half; with two players the other gets the rest. With three and more players, or as many as the rules say, it
  is `payoff(rules, state, seat)`, seats counted from the player to move; what all seats get sums to 1.

A turn ends where an action, or chance, passes it on by one seat or more: also by as many as play, so that all others
are skipped and the same player has another turn. The end of the game ends the last turn.

It may also have

- `fields(rules)`: the names of the fields of State that these rules use, in their order. The others, which have a
  default, always keep it, and are neither shown nor asked for;
- `limits(rules)`: Rules of (least, greatest) for each number, or (least, greatest, step) where only some in between
  are allowed, and a tuple of the words for each word;
- `possible(rules, state)`: whether there can be such a state: its ranges, and what must agree in it;
- `view(rules, state)`: the state as the player to move may know it, with what is hidden from them set to
  some fixed value. States with the same view are one to them. It is asked in every state, turned to a player who
  looks on while others move or chance does (`turned`). Players who choose at the same time choose
  one after the other, the earlier choice hidden;
- `open_actions`: True if all players see which action is taken, for games with a `view`; if it is not said, only the
  player who takes it knows;
- `reward(rules, state, action, after)`: what the mover gains on the way from a state to the next. With one player the
  value of the game is the expected sum of all rewards and of the payoff at the end: points or turns are rewards, with
  a payoff of 0; a chance is a payoff, with no rewards. A limited number of turns is a field of the state;
- `aim`: "most" (the default) or "least", whether one player wants much or little of that, or a function of the rules
  that says so;
- `objective(rules)`: what the value of a game of one player is, in words: "expected points". One that begins with
  "chance" is a probability, which the payoff alone gives: no reward is then other than 0;
- `no_value(rules)`: why optimal play has no value under these rules, such as that players may rationally go on for
  ever; an empty text where it has one;
- `transient(rules, state)`: whether a state is one of a moment, such as inside a roll, that a solver
  should work out again rather than store;
- `roll`: the names of the fields that change inside a roll, or a function of the rules that says so. A way from one
  transient state to another is inside a roll if only these change and the turn stays; the actions, chances and rewards
  on such ways depend on nothing else. How a roll begins and what it leads to may depend on all fields;
- `totals`: the names of the fields that a roll does not depend on, such as scores, or a function of the rules that says
  so. States before a roll that agree in all other fields, and have the same legal actions, begin the same roll; inside
  it the same actions are legal; and two ways out that lead from one of them to the same state, with the same reward, do
  so from all. Where they lead to may depend on the totals. A solver then looks at each kind of roll once, rather than
  at the roll of every state;
- `stage(rules, state)`: a whole number from 0 to 4095 that never falls as play goes on, such as how many pieces have
  left the board. Where states are too many to look for what leads to what, those of one stage are solved together,
  after those of later stages;
- `order(rules, state)`: a whole number from 0 to 4095 that play mostly raises, such as how far all pieces have come:
  states of a stage are worked through from the highest on;
- `chances`: tuples of the names of rules, each tuple one distribution: the chances of its results are in proportion to
  these rules, which are floats, and can be learned from counts;
- `steps`: a State of what each field is always a multiple of, 1 where there is nothing to say, so that fewer bits
  store it;
- `symmetries(rules, state)`: yields the images of this state under all symmetries of the game, which are
  worth the same and lead to images of what it leads to;
- `pick(rules, state, luck)`: how many actions are legal, and the one that `luck`, from 0 to 1, falls on if
  they lie side by side in the order of `legal`, each as wide; (0, CHANCE) where nobody chooses;
- `sample(rules, state, action, luck)`: the outcome, as `outcomes` yields it, that `luck` falls on if they
  lie side by side, each as wide as it is probable;
- `event(rules, state, action, after)`: what the chance event is called that leads from a state to the next, where
  chance moves or an action can lead to several states: "green", "5", "heads". Each of these has another;
- `leader(rules, state)`: the seat that is ahead, counted from the player to move, or -1;
- `read(rules, text)` and `write(rules, state)`: the game's own notation of states;
- `board(rules, state)`: yields (row, column, what stands there, tint), one for each square of a board: rows
  count down, columns to the right, what stands there is a colour or a text, empty if nothing does, and
  the tint (0 or 1) tells parts of the board apart;
- `square(rules, state, action)`: the (row, column) that an action is about, or None;
- `target(rules, state, action)`: the (row, column) that the action moves a piece to, from its `square`, or None if it
  leaves the board; a piece that enters has no `square`. Then "white" on the `board` are the pieces of the player to
  move, "black" those of the other, a tint of 1 marks special squares;
- `beside(rules, state)`: yields (what they do there, "white" or "black", how many): the pieces that stand beside the
  board, such as those waiting to enter;
- `throw(rules, state)`: (how many show their mark, how many there are) of the two-sided dice that are thrown for a
  move; None before the throw;
- `turned(rules, state)`: the state as the next player would see it, for who looks at the table from there: turned as
  often as there are players, it is as it was;
- `faces(rules, state)`: yields what each die on the table shows, from 1 to 6; 0 for one that is not rolled yet, or
  whose number does not matter;
- `keeps(rules, state, action)`: a tuple of what the dice show that an action keeps, or sets aside, the lowest first;
  None if it is about no dice. No two legal actions keep the same;
- `card(rules)`: yields (name, part of the card) for each row of a card on which points are written down: boxes,
  bonuses. With more than one player, who then play `alone`, each has such a card;
- `filled(rules, state)`: yields the rows of the mover's card, counted from 0, in which nothing more can be written;
- `scores(rules, state, action)`: yields (row of the card, points) for all that an action writes down; the first row is
  the box that is chosen. Where there are rewards, they are the sum of the points. Without a card the row is 0, and the
  points are what the action scores;
- `alone(rules)`: the rules under which each player's game is solved alone, where players do not get in each other's
  way: nobody's play changes what others can do, as where each writes on a card of their own; all other rules are
  returned as they are. The fields that the rules returned use are the mover's, and `turned` puts the next player's in
  their place; what it leaves, such as dice, is as at the start whenever the turn passes. komi does not solve such a
  game for several: its opponent `optimal` takes the actions that are best alone;
- `decisive(rules, state)`: yields the (row, column) of each square that has ended the game, such as a line of three;
- `how_to_play(rules)`: the rules for somebody who has never played, to be read in a minute: paragraphs with an empty
  line between them. The first says in a sentence or two what one does and who wins; one that begins with "Example:"
  tells of a few moves;
- `policies`: functions, written as the rules are, that say how the game can be played, each by its own name:
  `(rules, state)` returns an action; `(rules, state, action)` how much it likes the action, and chance picks among
  those liked most;
- `opponents(rules)`: yields up to three to play against, each a pair (name of a policy, how it plays in one sentence),
  where the usual ones do not fit, or nothing where they do; they are put in the order of how strong they turn out to
  be.

Where a game is played, `komi play` and `komi serve` stop it as shared by all when it makes no progress: with no `view`,
when the same player meets a state for the third time with no chance event between; any game after 10,000 actions and
events.

Hints (`roll` and `totals`, `symmetries`, `stage`, `steps`, `possible`) make a solver faster, and it verifies them: in
all states if there are at most a million, otherwise in a random sample, and the result says so. It refuses a broken
hint with a state that shows it. `komi check` looks into all optional parts.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any

from komi import declarations, purity
from komi.errors import GameError, InputError, RuleError
from komi.source import BUILT_IN

CHANCE = -1
"""The action of chance: the only legal action in a chance node."""

Rules = Any
State = Any
Action = int


@dataclass(frozen=True)
class Event:
    """An outcome of an action, with its label.

    Attributes:
        label: the name of the event.
        probability: its probability.
        after: the next state.
        passes: the number of seats that the turn passes on.
    """

    label: str
    probability: float
    after: State
    passes: int


@dataclass(frozen=True, eq=False)
class Game:
    """A game: the module with its rules, and its name."""

    name: str
    module: ModuleType

    def __post_init__(self) -> None:
        declarations.check(self.module)
        if not self.module.__name__.startswith(BUILT_IN):  # the tests check built-in games: all take half a second
            purity.check(self.module)

    @property
    def file(self) -> Path:
        """The file that contains the rules."""
        return Path(str(self.module.__file__))

    @property
    def summary(self) -> str:
        """The summary of the game: the first line of its file's docstring, or its name without one."""
        return (self.module.__doc__ or "").strip().partition("\n")[0] or self.name

    def has(self, name: str) -> bool:
        """Return whether the game defines this optional part of the protocol."""
        return hasattr(self.module, name)

    def part(self, name: str) -> Callable[..., Any]:
        """Return a function of the game file, interpreted."""
        return getattr(self.module, name)  # type: ignore[no-any-return]

    def players(self, rules: Rules) -> int:
        """Return the number of players.

        Raises:
            GameError: if it is not an integer from 1 on, or `payoff` does not support this number of players.
        """
        players = self.module.players
        number = players(rules) if callable(players) else players
        if not isinstance(number, Integral) or number < 1:
            raise GameError(f"{self.file.name}: 'players' is {number!r}, not a whole number from 1 on.")
        if int(number) > 2 and not self.is_seated:
            raise GameError(
                f"{self.file.name}: 'payoff' must take (rules, state, seat), so that each of {number} gets theirs."
            )
        return int(number)

    @property
    def is_seated(self) -> bool:
        """True if `payoff` takes a seat as argument."""
        return bool(self.module.payoff.__code__.co_argcount == 3)

    def payoffs(self, rules: Rules, state: State) -> tuple[float, ...]:
        """Return the payoff of each seat in a state where the game is over, starting with the player to move."""
        players, payoff = self.players(rules), self.part("payoff")
        if self.is_seated:
            return tuple(payoff(rules, state, seat) for seat in range(players))
        mine = payoff(rules, state)
        return (mine, 1.0 - mine) if players == 2 else (mine,)

    def aim(self, rules: Rules) -> str:
        """Return whether the player maximizes or minimizes the objective: "most" or "least".

        Raises:
            GameError: if the game declares another aim.
        """
        aim = getattr(self.module, "aim", "most")
        aim = aim(rules) if callable(aim) else aim
        if aim not in ("most", "least"):
            raise GameError(f"{self.file.name}: 'aim' is {aim!r}, not 'most' or 'least'.")
        return str(aim)

    def alone(self, rules: Rules) -> Rules:
        """Return the rules of the single-player game that each player solves; the same rules if there is none."""
        return self.part("alone")(rules) if self.has("alone") else rules

    def objective(self, rules: Rules) -> str:
        """Describe the value of a single-player game in words."""
        if self.has("objective"):
            return str(self.part("objective")(rules))
        return "expected total" if self.has("reward") else "chance of winning"

    def roll(self, rules: Rules) -> tuple[str, ...]:
        """Return the names of the fields that change inside a roll; none if the game does not declare them.

        Raises:
            GameError: if one of them is not a field.
        """
        return self._field_names("roll", rules, ())

    def totals(self, rules: Rules) -> tuple[str, ...]:
        """Return the names of the fields that a roll does not depend on; none if the game does not declare them.

        Raises:
            GameError: if one of them is not a field.
        """
        return self._field_names("totals", rules, ())

    @property
    def steps(self) -> tuple[int, ...]:
        """For each field of a state, a number that all its values are multiples of."""
        return tuple(getattr(self.module, "steps", (1,) * len(self.module.State._fields)))

    def how_to_play(self, rules: Rules) -> tuple[str, ...]:
        """Return the paragraphs of the rules for new players; none if the game does not have them.

        Raises:
            GameError: if the game returns anything but a text.
        """
        if not self.has("how_to_play"):
            return ()
        text = self.part("how_to_play")(rules)
        if not isinstance(text, str):
            raise GameError(f"{self.file.name}: 'how_to_play' returns {text!r}, not a text.")
        return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())

    def chances(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of rules that are probability distributions; none if the game does not declare them.

        Raises:
            GameError: if a name is not a rule with a float, or a group has fewer than two distinct results.
        """
        groups = tuple(map(tuple, getattr(self.module, "chances", ())))
        defaults = self.module.Rules._field_defaults
        for group in groups:
            for name in group:
                if not isinstance(defaults.get(name), float):
                    raise GameError(f"{self.file.name}: 'chances' names {name!r}, which is no rule with a float.")
            if len(set(group)) < max(2, len(group)):
                raise GameError(f"{self.file.name}: 'chances' needs two results or more, each once, not {group!r}.")
        return groups

    @property
    def default_rules(self) -> Rules:
        """The rules with their default values, as in the rule book."""
        return self.module.Rules()

    def rules(self, settings: Mapping[str, object]) -> Rules:
        """Create rules with some set to other values, given as texts or numbers.

        Raises:
            InputError: for an unknown rule, or a value that has the wrong type or is out of its limits.
        """
        rules = self.module.Rules(**{name: self.setting(name, value) for name, value in settings.items()})
        if self.has("limits"):
            self._check_limits(rules)
        return rules

    def setting(self, name: str, value: object) -> object:
        """Convert a value to the type of a rule, without a check of its limits.

        Raises:
            InputError: for an unknown rule, or a value of the wrong type.
        """
        defaults = self.module.Rules._field_defaults
        if name not in defaults:
            raise InputError(
                f"{self.name} has no rule {name!r}{_near(name, defaults)}; "
                + (f"its rules are {', '.join(defaults)}." if defaults else "it has none to set.")
            )
        return _like(defaults[name], value, f"rule {name!r} of {self.name}")

    def limits(self, rules: Rules) -> Rules:
        """Return the limits of each rule as the game declares them; None for a rule without limits.

        Raises:
            GameError: if a limit is neither (least, greatest), (least, greatest, step) nor a tuple of words.
        """
        limits = self.part("limits")(rules)
        if getattr(limits, "_fields", None) != self.module.Rules._fields:
            raise GameError(f"{self.file.name}: 'limits' returns {limits!r}, not Rules of (least, greatest).")
        for name, value, limit in zip(rules._fields, rules, limits, strict=True):
            if limit is not None and not _is_limit(limit, value):
                form = "a tuple of words" if isinstance(value, str) else "(least, greatest) or (least, greatest, step)"
                raise GameError(
                    f"{self.file.name}: 'limits' says {limit!r} of rule {name!r}, which must be {form}, or None."
                )
        return limits

    def _check_limits(self, rules: Rules) -> None:
        for name, value, limit in zip(rules._fields, rules, self.limits(rules), strict=True):
            if isinstance(value, str):
                if limit is not None and value not in limit:
                    words = ", ".join(limit)
                    raise RuleError(
                        f"{name} of {self.name} must be one of {words}, not {value!r}.",
                        f"“{_called(name)}” must be one of {words}.",
                    )
            elif limit is not None:
                self._check_number(name, value, *limit)

    def _check_number(self, name: str, value: float, least: float, greatest: float, step: int = 0) -> None:
        if least > greatest:
            raise RuleError(
                f"no {name} of {self.name} goes with the other rules: 'limits' says {least} to {greatest}.",
                f"No “{_called(name)}” goes with the other rules.",
            )
        wanted = f"{least} to {greatest}" if least < greatest else f"{least} here"
        if step:
            wanted += f" in steps of {step}"
        if not least <= value <= greatest or (step and (value - least) % step):
            limits = f"from {wanted}" if least < greatest else wanted
            raise RuleError(
                f"{name} of {self.name} must be {wanted}, not {value}.", f"“{_called(name)}” must be {limits}."
            )

    def label(self, rules: Rules, state: State, action: Action) -> str:
        """Return the label of an action."""
        if action == CHANCE:
            return "chance"
        if self.has("label"):
            return str(self.part("label")(rules, state, action))
        if not 0 <= action < len(self.module.actions):
            raise GameError(
                f"{self.file.name}: 'legal' yields {action} in {self.write(rules, state)}, which is no action."
            )
        return str(self.module.actions[action])

    def labels(self, rules: Rules, state: State) -> dict[str, Action]:
        """Return the legal actions by their labels, in the order of the rules."""
        return {self.label(rules, state, action): action for action in self.part("legal")(rules, state)}

    def outcomes(self, rules: Rules, state: State, action: Action) -> Iterator[tuple[float, State, int]]:
        """Return an iterator over (probability, next state, seats the turn passes on)."""
        return iter(self.part("outcomes")(rules, state, action))

    def is_chance(self, rules: Rules, state: State) -> bool:
        """Return whether a state where the game is not over is a chance node."""
        return any(action == CHANCE for action in self.part("legal")(rules, state))

    def event(self, rules: Rules, state: State, action: Action, after: State) -> str:
        """Return the label of the chance event that leads to the state `after`.

        By default it lists the fields in which the possible next states differ, as the next player to move sees them.
        """
        if self.has("event"):
            return str(self.part("event")(rules, state, action, after))
        others = [other for probability, other, _ in self.outcomes(rules, state, action) if probability > 0.0]
        told = [name for name in self.fields(rules) if len({getattr(other, name) for other in others}) > 1]
        return " and ".join(f"{name} {getattr(after, name)}" for name in told) or self.label(rules, state, action)

    def events(self, rules: Rules, state: State, action: Action) -> tuple[Event, ...]:
        """Return all events of an action, in the order of the rules; outcomes that lead to the same state are merged.

        If an action has only one event, the event has the action's label.
        """
        chances: dict[tuple[State, int], float] = {}
        for probability, after, passes in self.outcomes(rules, state, action):
            if probability > 0.0:
                chances[after, passes] = chances.get((after, passes), 0.0) + probability
        if len(chances) == 1 and action != CHANCE:
            [(after, passes)] = chances
            return (Event(self.label(rules, state, action), 1.0, after, passes),)
        seen = Counter(after for after, _ in chances)
        events = []
        for (after, passes), probability in chances.items():
            label = self.event(rules, state, action, after)
            if seen[after] > 1:  # the same state with a different player to move
                label += {0: ", same player", 1: ", next player"}.get(passes, f", {passes} seats on")
            events.append(Event(label, probability, after, passes))
        return tuple(events)

    def fields(self, rules: Rules) -> tuple[str, ...]:
        """Return the names of the state fields that these rules use.

        Raises:
            GameError: if one of them is not a field.
        """
        return self._field_names("fields", rules, self.module.State._fields)

    def _field_names(self, part: str, rules: Rules, otherwise: tuple[str, ...]) -> tuple[str, ...]:
        """Return the field names that a part of the game lists, or computes from the rules."""
        if not self.has(part):
            return otherwise
        listed = getattr(self.module, part)
        names = tuple(listed(rules) if callable(listed) else listed)
        for name in names:
            if name not in self.module.State._fields:
                raise GameError(f"{self.file.name}: {part!r} names {name!r}, which is no field of State.")
        return names

    def shown(self, rules: Rules, state: State) -> dict[str, int]:
        """Return the state fields that these rules use, by name."""
        return {name: int(getattr(state, name)) for name in self.fields(rules)}

    def turned(self, rules: Rules, state: State, seats: int) -> State:
        """Return the state as seen by the player `seats` seats on; unchanged if the game has no `turned`."""
        for _ in range(seats if self.has("turned") else 0):
            state = self.part("turned")(rules, state)
        return state

    def possible(self, rules: Rules, state: State) -> bool:
        """Return whether the game allows such a state."""
        return not self.off_step(state) and (not self.has("possible") or bool(self.part("possible")(rules, state)))

    def off_step(self, state: State) -> str:
        """Describe a field that is not a multiple of its step; an empty text if there is none."""
        if not self.has("steps"):
            return ""
        for name, value, step in zip(self.module.State._fields, state, self.steps, strict=True):
            if value % step:
                return f"{name!r} is {value}, no multiple of {step}"
        return ""

    def write(self, rules: Rules, state: State) -> str:
        """Write a state in the game's notation, or as field=value,..."""
        if self.has("write"):
            return str(self.part("write")(rules, state))
        return ",".join(f"{name}={value}" for name, value in self.shown(rules, state).items())

    def read(self, rules: Rules, state: str | Mapping[str, int] | tuple[int, ...]) -> State:
        """Read a state from a text, a mapping or a tuple of fields; missing fields are as in the initial state.

        Raises:
            InputError: if it is malformed, or no such state is possible.
        """
        if isinstance(state, str) and self.has("read") and not self._names_fields(state):
            try:
                state = self.part("read")(rules, state)
            except ValueError as error:
                raise InputError(f"{state!r} is no state of {self.name}: {error}.") from None
        elif isinstance(state, str):
            state = self._fields(rules, _pairs(state))
        elif isinstance(state, Mapping):
            state = self._fields(rules, state)
        else:
            state = self._tuple(rules, state)
        if not self.part("over")(rules, state) and not self.possible(rules, state):
            written, wrong = self.write(rules, state), self._wrong_field(rules, state)
            if wrong:
                raise InputError(f"{self.name} has no state {written}: its rules do not allow {wrong} there.")
            raise InputError(f"{self.name} has no state {written}: its rules do not allow it.")
        return state

    def _wrong_field(self, rules: Rules, state: State) -> str:
        """Return the field whose initial value would make the state possible, as name=value; "" unless there is one."""
        start = self.part("start")(rules)
        wrong = [
            name
            for name, value in zip(state._fields, start, strict=True)
            if getattr(state, name) != value and self.possible(rules, state._replace(**{name: value}))
        ]
        return f"{wrong[0]}={getattr(state, wrong[0])}" if len(wrong) == 1 else ""

    def _names_fields(self, text: str) -> bool:
        """Return whether the text has the form field=value,... rather than the game's own notation."""
        names = {part.partition("=")[0].strip() for part in text.split(",") if part.strip()}
        return not names or ("=" in text and names <= set(self.module.State._fields))

    def _tuple(self, rules: Rules, fields: Any) -> State:
        names = self.fields(rules)
        if not isinstance(fields, tuple | list):
            raise InputError(f"a state of {self.name} is a text, a mapping or a tuple, not {fields!r}.")
        if len(fields) not in (len(names), len(self.module.State._fields)):
            raise InputError(f"a state of {self.name} has {len(names)} fields ({', '.join(names)}), not {len(fields)}.")
        if len(fields) < len(self.module.State._fields):
            return self._fields(rules, dict(zip(names, fields, strict=True)))
        return self.module.State(
            *(
                value if isinstance(value, Integral) else self._field(name, value)
                for name, value in zip(self.module.State._fields, fields, strict=True)
            )
        )

    def _fields(self, rules: Rules, fields: Mapping[str, object]) -> State:
        start, names = self.part("start")(rules), self.fields(rules)
        for name in fields:
            if name not in names:
                raise InputError(
                    f"a state of {self.name} has no field {name!r}{_near(name, names)}; "
                    f"its fields are {', '.join(names)}."
                )
        return start._replace(**{name: self._field(name, value) for name, value in fields.items()})

    def _field(self, name: str, value: object) -> object:
        return _like(0, value, f"field {name!r} of a state of {self.name}")


def _pairs(text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise InputError(f"{part!r} is not of the form field=value.")
        if name in pairs:
            raise InputError(f"field {name!r} is given twice.")
        pairs[name] = value
    return pairs


def _like(model: object, value: object, what: str) -> object:
    """Convert a value to the type of the model."""
    kind = type(model)
    text = str(value).strip()
    try:
        if kind is bool:
            return {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}[text.lower()]
        if kind is int:
            return _whole(text)
        return kind(text)  # type: ignore[call-arg]
    except (ValueError, KeyError):
        wanted = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
        raise InputError(f"{what} must be {wanted}, not {text!r}.") from None


def _called(rule: str) -> str:
    """Return the name of a rule as pages show it."""
    return rule.replace("_", " ").capitalize()


def _is_limit(limit: Any, value: object) -> bool:
    if not isinstance(limit, tuple | list):
        return False
    if isinstance(value, str):
        return len(limit) > 0 and all(isinstance(word, str) for word in limit)
    return len(limit) in (2, 3) and all(isinstance(end, int | float) for end in limit)


def _whole(text: str) -> int:
    number = int(text)
    if abs(number) >= 1 << 40:
        raise ValueError(text)
    return number


def _near(name: str, names: Any) -> str:
    matches = get_close_matches(name, list(names), n=1)
    return f" (did you mean {matches[0]!r}?)" if matches else ""
