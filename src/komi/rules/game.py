"""Games: the rules of a module, with labels, defaults and checks of what people give as rules and states."""

import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any

from komi.errors import GameError, InputError
from komi.game import CHANCE, MAX_ACTIONS, MAX_PLAYERS
from komi.rules import declarations, tuple_fields
from komi.rules.limits import check_limits, limits_of
from komi.rules.payoff_scale import PROBABILITIES, PayoffScale, sums_to_constant, wrong_range
from komi.typing import Action, Rules, State

EMPTY_SET = "none"
"""The text of an empty set in a field with named elements."""


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
    """A game: the module with its rules, and its name.

    If `State` has tuple fields, the module is a flattened one (`rules.tuple_fields`): states are flat outside of the
    rule file.
    """

    name: str
    module: ModuleType

    def __post_init__(self) -> None:
        if tuple_fields.flattening_of(self.module):
            return  # its rule file is checked already
        module = declarations.without_helpers(self.module)
        declarations.check(module)
        try:
            flat = tuple_fields.flattened(module, module.Rules())
        except GameError:
            self._check_default_rules()  # under rules that do not go together `start` can fail
            raise
        object.__setattr__(self, "module", flat)

    def _check_default_rules(self) -> None:
        """Check that the limits allow the default rules.

        Raises:
            GameError: if they do not.
        """
        try:
            self.rules({})
        except InputError as error:
            raise GameError(f"{self.file.name}: 'limits' does not allow the default rules: {error}") from None

    def under(self, rules: Rules) -> "Game":
        """Return the game with the lengths that tuple fields have under these rules; itself if they are the same.

        Raises:
            GameError: if `start` fails.
        """
        module = tuple_fields.flattened(self.module, rules)
        return self if module is self.module else _with_module(self.name, module)

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

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
        return name in vars(self.module)  # faster than `hasattr`, which creates an error for each absent part

    def part(self, name: str) -> Callable[..., Any]:
        """Return a function of the game file, interpreted."""
        flattening = tuple_fields.flattening_of(self.module)
        if flattening and name in flattening.parts:
            return flattening.parts[name]
        return getattr(self.module, name)  # type: ignore[no-any-return]

    def nested(self, state: State) -> State:
        """Return a state with tuples, the form that functions of the rule file accept."""
        flattening = tuple_fields.flattening_of(self.module)
        return flattening.nest(state) if flattening else state

    def players(self, rules: Rules) -> int:
        """Return the number of players.

        Raises:
            GameError: if it is not an integer from 1 to `MAX_PLAYERS`, or `payoff` does not support this number.
        """
        players = self.module.players
        number = players(rules) if callable(players) else players
        if not isinstance(number, Integral) or number < 1:
            raise GameError(f"{self.file.name}: 'players' is {number!r}, not a whole number from 1 on.")
        if int(number) > MAX_PLAYERS:
            raise GameError(f"{self.file.name}: 'players' is {number:,}: a game can have {MAX_PLAYERS}.")
        if int(number) > 2 and not self.is_seated:
            raise GameError(
                f"{self.file.name}: 'payoff' must take (rules, state, seat), so that each of {number} gets theirs."
            )
        return int(number)

    def action_count(self, rules: Rules) -> int | None:
        """Return a number that all actions are below; None if a game with `label` does not declare it.

        Raises:
            GameError: if it is not an integer from 1 on.
        """
        if not self.has("label"):
            return len(self.module.actions)
        count = getattr(self.module, "action_count", None)
        count = count(rules) if callable(count) else count
        if count is not None and (not isinstance(count, Integral) or count < 1):
            raise GameError(f"{self.file.name}: 'action_count' is {count!r}, not a whole number from 1 on.")
        return None if count is None else int(count)

    def action_numbers(self, rules: Rules) -> tuple[int, ...] | range:
        """Return all actions that can be legal, in ascending order: the numbers below `action_count` by default.

        Raises:
            InputError: if a game with `label` declares neither.
            GameError: if it declares anything but numbers from 0 to `MAX_ACTIONS` - 1.
        """
        count = self.action_count(rules)
        if self.has("action_numbers"):
            stated = self.part("action_numbers")(rules)
            numbers = tuple(islice(stated, MAX_ACTIONS + 1)) if isinstance(stated, Iterable) else ()
            are_actions = all(isinstance(number, int) and 0 <= number < MAX_ACTIONS for number in numbers)
            if not 1 <= len(numbers) <= MAX_ACTIONS or not are_actions:
                raise GameError(
                    f"{self.file.name}: 'action_numbers' returns {reprlib.repr(stated)}, not whole numbers from 0 to "
                    f"{MAX_ACTIONS - 1:,}."
                )
            return tuple(sorted(set(numbers)))
        if count is None:
            raise InputError(
                f"{self.name} does not state how many actions it has: add 'action_count' to {self.file.name}."
            )
        return range(min(count, MAX_ACTIONS))

    @property
    def action_limit(self) -> int:
        """The upper bound on action numbers, exclusive."""
        return min(MAX_ACTIONS if self.has("label") else len(self.module.actions), MAX_ACTIONS)

    def is_open(self, rules: Rules, state: State, action: Action) -> bool:
        """Return whether all players see that this action is taken; in a chance node, whether all actions are open."""
        stated = getattr(self.module, "open_actions", False)
        if not callable(stated):
            return bool(stated)
        return action != CHANCE and bool(self.part("open_actions")(rules, state, action))

    @property
    def deal_uniforms(self) -> int:
        """The number of random numbers that `deal` takes; 0 if the game does not define it."""
        return self.module.deal.__code__.co_argcount - 2 if self.has("deal") else 0

    @property
    def is_seated(self) -> bool:
        """True if `payoff` takes a seat as argument."""
        return bool(self.module.payoff.__code__.co_argcount == 3)

    def payoff_scale(self, rules: Rules) -> PayoffScale:
        """Return the range of the payoffs, and the unit of expected payoffs.

        Raises:
            GameError: if the game declares what is not a range, or one that does not fit the players or `payoff`.
        """
        stated = getattr(self.module, "payoff_range", (0, 1))
        stated = stated(rules) if callable(stated) else stated
        wrong = wrong_range(stated, self.players(rules))
        if wrong:
            raise GameError(f"{self.file.name}: 'payoff_range' {wrong}.")
        is_average = self.players(rules) == 2 and self.has_average(rules)
        if stated == (0, 1) and not is_average:
            return PROBABILITIES
        stated = (-1, 1) if stated == (0, 1) else stated  # averages have no range: any scale does
        default = "average per action" if is_average else "expected payoff"
        unit = str(self.part("objective")(rules)) if self.has("objective") else default
        if not unit or unit.startswith("chance"):
            raise GameError(
                f"{self.file.name}: 'objective' returns {unit!r}, but 'payoff_range' is {stated}: name what is won, "
                "such as 'expected points'."
            )
        lowest, highest = map(float, stated)
        is_opposed = sums_to_constant(lowest, highest, self.players(rules))
        if is_average and not is_opposed:
            raise GameError(
                f"{self.file.name}: 'payoff_range' is {stated}, but of an 'average' of two players one loses what the "
                "other one gains: leave it out."
            )
        if not (is_opposed or self.is_seated):
            raise GameError(
                f"{self.file.name}: 'payoff_range' is {stated}, so the payoff of one player does not tell that of the "
                "others: declare payoff(rules, state, seat)."
            )
        return PayoffScale(lowest, highest, unit, is_opposed)

    def shares(self, rules: Rules, state: State) -> tuple[float, ...]:
        """Return the payoff of each seat in a state where the game is over, mapped to 0 to 1, as `payoffs` does."""
        players, payoff, scale = self.players(rules), self.part("payoff"), self.payoff_scale(rules)
        if self.is_seated:
            return tuple(scale.share(payoff(rules, state, seat)) for seat in range(players))
        mine = scale.share(payoff(rules, state))
        return (mine, 1.0 - mine) if players == 2 else (mine,)

    def payoffs(self, rules: Rules, state: State) -> tuple[float, ...]:
        """Return the payoff of each seat in a state where the game is over, starting with the player to move."""
        scale = self.payoff_scale(rules)
        if scale.is_chance:
            return self.shares(rules, state)
        if self.is_seated:
            return tuple(self.part("payoff")(rules, state, seat) for seat in range(self.players(rules)))
        mine = self.part("payoff")(rules, state)
        return (mine, scale.opposite(mine))

    def endless_share(self, rules: Rules) -> float | None:
        """Return the share that an endless game pays to the player to move; None if the game declares none.

        Raises:
            GameError: if it is not in the range of payoffs, or if two players do not get the same.
        """
        stated = getattr(self.module, "endless", None)
        stated = stated(rules) if callable(stated) else stated
        if stated is None:
            return None
        scale, players = self.payoff_scale(rules), self.players(rules)
        if players > 2 or self.counts_rewards(rules):
            wrong = "is for one or two players who get a payoff at the end"
        elif not (isinstance(stated, int | float) and scale.lowest <= stated <= scale.highest):
            wrong = f"is {stated!r}, not a number from {scale.lowest:g} to {scale.highest:g}"
        elif players == 2 and stated != scale.even:
            wrong = f"is {stated!r}, not {scale.even:g}: an endless game of two is a draw"
        else:
            return scale.share(float(stated))
        raise GameError(f"{self.file.name}: 'endless' {wrong}.")

    def aim(self, rules: Rules) -> str:
        """Return whether one player maximizes or minimizes the objective: "most" or "least"; several maximize theirs.

        Raises:
            GameError: if the game declares another aim.
        """
        aim = getattr(self.module, "aim", "most")
        aim = aim(rules) if callable(aim) else aim
        if aim not in ("most", "least"):
            raise GameError(f"{self.file.name}: 'aim' is {aim!r}, not 'most' or 'least'.")
        return str(aim) if self.players(rules) == 1 else "most"

    def has_average(self, rules: Rules) -> bool:
        """Return whether the objective is the average of rewards per action, in play that never ends.

        Raises:
            GameError: if the game declares anything but True or False, has no rewards, or is for more than two players.
        """
        average = getattr(self.module, "average", False)
        average = average(rules) if callable(average) else average
        if not isinstance(average, bool):
            raise GameError(f"{self.file.name}: 'average' is {average!r}, not True or False.")
        if average and not self.has("reward"):
            raise GameError(f"{self.file.name}: 'average' is that of rewards, which 'reward' returns.")
        if average and self.has("objective") and str(self.part("objective")(rules)).startswith("chance"):
            raise GameError(f"{self.file.name}: 'average' is that of rewards, and 'objective' names a chance.")
        if average and self.players(rules) > 2:
            raise GameError(f"{self.file.name}: 'average' is for games of one player or two.")
        return average

    def discount(self, rules: Rules) -> float:
        """Return the factor by which rewards lose value with each action; 1 if the game declares none.

        Raises:
            GameError: if it is not a number above 0 and up to 1, or does not go with something else that is declared.
        """
        declared = getattr(self.module, f"{declarations.DECLARED}discount", 1.0)
        number = declared(rules) if callable(declared) else declared
        if not (isinstance(number, int | float) and not isinstance(number, bool) and 0 < number <= 1):
            raise GameError(f"{self.file.name}: 'discount' is {number!r}, not a number above 0 and up to 1.")
        wrong = self._beside_discount(rules) if number < 1 else ""
        if wrong:
            raise GameError(f"{self.file.name}: 'discount' {wrong}.")
        return float(number)

    def _beside_discount(self, rules: Rules) -> str:
        """Describe what a game declares that does not go with a discount; "" if there is nothing."""
        players = self.players(rules)
        other = next((name for name in ("view", "alone") if self.has(name) and (players > 1 or name == "alone")), "")
        if other or players > 2:
            return f"is for one player, or two who see everything{f', without {other!r}' if other else ''}"
        if self.has_average(rules):
            return "does not go with 'average': an average of play that never ends has none"
        if players == 1:
            form = "makes the value an expected total: let 'objective' name it, not a chance, and define 'reward'"
            return "" if self.counts_rewards(rules) else form
        scale = self.payoff_scale(rules)
        if scale.is_chance or not scale.lowest <= 0 <= scale.highest:
            return "is for points: two players need a 'payoff_range' with 0 in it, such as (-1, 1)"
        return ""

    def alone(self, rules: Rules) -> Rules:
        """Return the rules of the single-player game that each player solves; the rules themselves without `alone`."""
        return self.part("alone")(rules) if self.has("alone") else rules

    def objective(self, rules: Rules) -> str:
        """Describe the value of a game in words: of a single player, or of more with a `payoff_range`."""
        if self.has("payoff_range") and not self.payoff_scale(rules).is_chance:
            return self.payoff_scale(rules).unit
        if self.has("objective"):
            return str(self.part("objective")(rules))
        if self.has_average(rules):
            return "average per action"
        return "expected total" if self.has("reward") else "chance of winning"

    def counts_rewards(self, rules: Rules) -> bool:
        """Return whether the objective is the expected total of rewards rather than a probability at the end."""
        return self.has("reward") and not self.objective(rules).startswith("chance")

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
                    raise GameError(f"{self.file.name}: 'chances' names {name!r}, which is not a rule with a float.")
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
        rules = self.module.Rules(**self.values(settings))
        if self.has("limits"):
            check_limits(self, rules)
        return rules

    def values(self, settings: Mapping[str, object]) -> dict[str, object]:
        """Convert values to the types of their rules, without a check of limits.

        A name can end in an underscore that the rule does not have, as in `declarations.keywords`.

        Raises:
            InputError: for an unknown rule, one that is given twice, or a value of the wrong type.
        """
        converted: dict[str, object] = {}
        for given, value in settings.items():
            name = given if given in self.module.Rules._fields else given.removesuffix("_")
            if name in converted:
                raise InputError(f"rule {name!r} of {self.name} is given twice.")
            converted[name] = self.setting(name, value)
        return converted

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
        """Return the limits of each rule; None for a rule without limits. See `komi.rules.limits.limits_of`."""
        return limits_of(self, rules)

    def label(self, rules: Rules, state: State, action: Action) -> str:
        """Return the label of an action."""
        if action == CHANCE:
            return "chance"
        if self.has("label"):
            return str(self.part("label")(rules, state, action))
        if not 0 <= action < len(self.module.actions):
            raise GameError(
                f"{self.file.name}: 'legal' yields {action} in {self.write(rules, state)}, which is not an action."
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

        By default it lists the fields that change, of those in which the possible next states differ, as the next
        player to move sees them; all of these if none changes, or if two events would have the same name.
        """
        if self.has("event"):
            return str(self.part("event")(rules, state, action, after))
        return self._changes(rules, state, action)[after] or self.label(rules, state, action)

    def _changes(self, rules: Rules, state: State, action: Action) -> dict[State, str]:
        """Return the default label of the event that leads to each possible next state; "" if there is only one."""
        passes = {after: seats for chance, after, seats in self.outcomes(rules, state, action) if chance > 0.0}
        differing = [name for name in self.names(rules) if len({getattr(after, name) for after in passes}) > 1]
        named = {}
        for after, seats in passes.items():
            before = self.turned(rules, state, seats)
            changed = [name for name in differing if getattr(after, name) != getattr(before, name)]
            named[after] = self._listed(rules, after, changed or differing)
        count = Counter(named.values())
        return {
            after: label if count[label] == 1 else self._listed(rules, after, differing)
            for after, label in named.items()
        }

    def _listed(self, rules: Rules, state: State, names: Sequence[str]) -> str:
        """Write some fields of a state as the label of an event."""
        return " and ".join(f"{name} {self.text(rules, name, getattr(state, name))}" for name in names)

    def revealed(self, rules: Rules, state: State, action: Action, after: State) -> str:
        """Return what all players learn from a transition, in a sentence; "" if the game does not say anything."""
        return str(self.part("revealed")(rules, state, action, after)) if self.has("revealed") else ""

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
        changes = {} if self.has("event") else self._changes(rules, state, action)
        seen = Counter(after for after, _ in chances)
        events = []
        for (after, passes), probability in chances.items():
            label = changes.get(after) or self.event(rules, state, action, after)
            if seen[after] > 1:  # the same state with a different player to move
                label += {0: ", same player", 1: ", next player"}.get(passes, f", {passes} seats on")
            events.append(Event(label, probability, after, passes))
        return tuple(events)

    def fields(self, rules: Rules) -> tuple[str, ...]:
        """Return the names of the fields of flat states that these rules use: of a tuple, each entry.

        Raises:
            GameError: if one of them is not a field.
        """
        return self._field_names("fields", rules, self.module.State._fields)

    def names(self, rules: Rules) -> tuple[str, ...]:
        """Return the names of the state fields that these rules use, as the rule file declares them.

        Raises:
            GameError: if one of them is not a field.
        """
        return _names(self, rules)

    def _field_names(self, part: str, rules: Rules, otherwise: tuple[str, ...]) -> tuple[str, ...]:
        """Return the field names that a part of the game lists, or computes from the rules."""
        if not self.has(part):
            return otherwise
        listed = getattr(self.module, part)
        entries = tuple_fields.entries(self.module)
        names = tuple(
            entry for name in (listed(rules) if callable(listed) else listed) for entry in entries.get(name, (name,))
        )
        for name in names:
            if name not in self.module.State._fields:
                raise GameError(f"{self.file.name}: {part!r} names {name!r}, which is not a field of State.")
        return names

    def shown(self, rules: Rules, state: State) -> dict[str, int | str]:
        """Return the state fields that these rules use, by name: numbers, and texts of tuples and named sets."""
        elements = self.elements(rules)
        return {
            name: int(value)
            if not isinstance(value := getattr(state, name), tuple) and name not in elements
            else self.text(rules, name, value)
            for name in self.names(rules)
        }

    def elements(self, rules: Rules) -> dict[str, tuple[str, ...]]:
        """Return the names of the elements of bit masks, by field; nothing if the game does not name them.

        Raises:
            GameError: if a field does not belong to the game, or a name is not a word, or given twice.
        """
        return _elements(self, rules)

    def text(self, rules: Rules, field: str, value: Any) -> str:
        """Write the value of a field: `7`, `3/0/2` for a tuple, `1 4 7` for a set whose elements have names."""
        if isinstance(value, tuple):
            return "/".join(self.text(rules, field, entry) for entry in value)
        names = self.elements(rules).get(field.partition("[")[0])
        if names is None or value < 0 or int(value).bit_length() > len(names):
            return str(int(value))
        return " ".join(name for bit, name in enumerate(names) if int(value) >> bit & 1) or EMPTY_SET

    def observed(self, rules: Rules, state: State) -> Any:
        """Return what the player to move observes of a state: all of it if nothing is hidden."""
        return self.part("view")(rules, state) if self.has("view") else state

    def turned(self, rules: Rules, state: State, seats: int) -> State:
        """Return the state as seen by the player `seats` seats on; unchanged if the game has no `turned`."""
        for _ in range(seats if self.has("turned") else 0):
            state = self.part("turned")(rules, state)
        return state

    def possible(self, rules: Rules, state: State) -> bool:
        """Return whether the game allows such a state."""
        return not self.off_step(state) and (not self.has("possible") or bool(self.part("possible")(rules, state)))

    def off_step(self, state: State) -> str:
        """Describe a field that is not a multiple of its step; an empty text if all are multiples."""
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
                raise InputError(f"{state!r} is not a state of {self.name}: {error}.") from None
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
        known = {*self.module.State._fields, *tuple_fields.entries(self.module)}
        return not names or ("=" in text and names <= known)

    def _tuple(self, rules: Rules, fields: Any) -> State:
        names = self.fields(rules)
        if not isinstance(fields, tuple | list):
            raise InputError(f"a state of {self.name} is a text, a mapping or a tuple, not {fields!r}.")
        fields = [entry for field in fields for entry in (field if isinstance(field, tuple | list) else (field,))]
        if len(fields) not in (len(names), len(self.module.State._fields)):
            raise InputError(f"a state of {self.name} has {len(names)} fields ({', '.join(names)}), not {len(fields)}.")
        if len(fields) < len(self.module.State._fields):
            return self._fields(rules, dict(zip(names, fields, strict=True)))
        return self.module.State(
            *(
                value if isinstance(value, Integral) else self._field(rules, name, value)
                for name, value in zip(self.module.State._fields, fields, strict=True)
            )
        )

    def _fields(self, rules: Rules, fields: Mapping[str, object]) -> State:
        start, names = self.part("start")(rules), self.names(rules)
        for name in fields:
            if name not in names and name not in self.fields(rules):
                raise InputError(
                    f"a state of {self.name} has no field {name!r}{_near(name, names)}; "
                    f"its fields are {', '.join(names)}."
                )
        return start._replace(**{name: self._field(rules, name, value) for name, value in fields.items()})

    def _field(self, rules: Rules, name: str, value: object) -> object:
        """Convert the value of a field of a state; that of a tuple is its numbers with slashes between, or a tuple."""
        entries = tuple_fields.entries(self.module).get(name)
        if entries is None:
            return self._number(rules, name, value)
        values = value if isinstance(value, tuple | list) else str(value).split("/")
        if len(values) != len(entries):
            form = "/".join(["0"] * len(entries))
            raise InputError(
                f"field {name!r} of a state of {self.name} has {len(entries)} numbers, as in {name}={form}, "
                f"not {value!r}."
            )
        return tuple(self._number(rules, entry, each) for entry, each in zip(entries, values, strict=True))

    def _number(self, rules: Rules, name: str, value: object) -> object:
        """Convert the value of a field of a state that is a number, or a set whose elements have names."""
        names = self.elements(rules).get(name.partition("[")[0])
        words = str(value).split()
        if names and words == [EMPTY_SET]:
            return 0
        if names and isinstance(value, str) and words and set(words) <= set(names):
            return sum(1 << names.index(word) for word in set(words))
        what = f"field {name!r} of a state of {self.name}"
        if names and not str(value).strip().isdecimal():
            raise InputError(
                f"{what} must be a set of {', '.join(names)}, such as '{' '.join(names[:2])}', not {value!r}."
            )
        return _like(0, value, what)


def _is_element(word: str) -> bool:
    return word != EMPTY_SET and len(word.split()) == 1 and not set(word) & set(",/=")


@lru_cache(256)
def _with_module(name: str, module: ModuleType) -> Game:
    return Game(name, module)


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
        expected = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
        raise InputError(f"{what} must be {expected}, not {text!r}.") from None


def _whole(text: str) -> int:
    number = int(text)
    if abs(number) >= 1 << 40:
        raise ValueError(text)
    return number


def _near(name: str, names: Any) -> str:
    matches = get_close_matches(name, list(names), n=1)
    return f" (did you mean {matches[0]!r}?)" if matches else ""


@lru_cache(256)
def _names(game: Game, rules: Rules) -> tuple[str, ...]:
    tuple_of = {entry: name for name, entries in tuple_fields.entries(game.module).items() for entry in entries}
    return tuple(dict.fromkeys(tuple_of.get(field, field) for field in game.fields(rules)))


@lru_cache(256)
def _elements(game: Game, rules: Rules) -> dict[str, tuple[str, ...]]:
    if not game.has("elements"):
        return {}
    declared = game.module.elements
    declared = declared(rules) if callable(declared) else declared
    fields = tuple_fields.author_of(game.module).State._fields
    named = {}
    for field, names in declared.items():
        words = tuple(map(str, names))
        if field not in fields:
            raise GameError(f"{game.file.name}: 'elements' names {field!r}, which is not a field of State.")
        if len(set(words)) < len(words) or not all(_is_element(word) for word in words):
            raise GameError(
                f"{game.file.name}: 'elements' gives {field!r} the names {words!r}: each must be one word, without "
                f"',', '/' and '=', not {EMPTY_SET!r}, and given once."
            )
        named[field] = words
    return named
