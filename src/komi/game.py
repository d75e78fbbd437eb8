"""The game protocol: the parts of a game file.

A game is a module that holds rules and nothing else. A part is a function, or a value, of the module. Where a part
below is a value, a function of the rules can give it instead if it says "or `f(rules)`". `komi check` checks a game
file.

**Required.** Parts with a default can be left out.

- `players`, or `players(rules)`: the number of players. `players = 2`
- `actions`: the labels of the actions; an action is its index. Where there are too many to list, give `label(rules,
  state, action)` instead. `actions = ("roll", "hold")`
- `Rules`: a NamedTuple of every number in the rule book, with defaults (int, float, bool or str). `goal: int = 100`
- `State`: a NamedTuple of whole numbers, and of tuples of them: the game as the player to move sees it. A tuple has the
  same length in all states, that which `start` gives it; `put(values, index, value)` of `komi.game` returns one with
  another entry. `columns: tuple[int, ...] # steps in each column`
- `start(rules)`: the initial state. `return State(0, 0, 0)`
- `legal(rules, state)`: yields the legal actions of the player to move; only `CHANCE` where chance moves (a deal, a
  forced roll). `yield HOLD`
- `outcomes(rules, state, action)`: yields (probability, next state, seats by which the turn passes): 0 if the same
  player moves again, 1 for the next player, 2 to skip one. A deterministic action has one outcome. `yield 1 / 6,
  State(rival, score, 0), 1`
- `over(rules, state)`: True if the game has ended. `return state.rival >= rules.goal`
- `payoff(rules, state)`: the payoff of the player to move at the end, from 0 (loses) to 1 (wins), a shared win
  counting half; of two players the other gets the rest. With three and more players, or a number that depends on the
  rules, it is `payoff(rules, state, seat)`, seats counted from the player to move; the payoffs of all seats sum to 1.
  `return 0.0`
- `payoff_range`, or `payoff_range(rules)`: the (lowest, highest) payoff of two players who play for points or money:
  (-highest, highest), because the one wins what the other loses; (0, 1) by default. Values are then expected payoffs,
  in the unit that `objective` names; a positive payoff counts as a win, and 0 as a draw. What is paid during the game
  is kept in the state until the end. `return -2 * rules.stake, 2 * rules.stake`
- `reward(rules, state, action, after)`: what the mover gains on the transition to the next state; 0 by default. With
  one player the value of the game is the expected sum of all rewards and of the payoff at the end. Points or turns
  are rewards, with a payoff of 0; a chance is a payoff, without rewards. A limited number of turns is a field of the
  state. `return 1.0`
- `aim`, or `aim(rules)`: "most" (the default) or "least": whether one player maximizes or minimizes the value. `aim =
  "most"`
- `objective(rules)`: the name of the value of a game for one player, or of one with a `payoff_range` ("expected
  payoff" by default). A name that begins with "chance" means a probability, which comes from the payoff alone: all
  rewards are then 0. `return "expected points"`
- `fields(rules)`: the names of the fields of `State` that these rules use, in order; all by default. The others have
  a default, always keep it, and are not shown. `return ("score", "turn")`
- `limits(rules)`: a `Rules` with (least, greatest) for each number, (least, greatest, step) if only some values in
  between are allowed, and a tuple of the allowed words for a text. None, the default, means no limit. `return
  Rules(goal=(1, 500))`
- `action_count`, or `action_count(rules)`: where `label` takes the place of `actions`, a number that all actions are
  below. Environments need it. `return rules.max_dice`
- `no_value(rules)`: the reason why optimal play has no value under these rules; an empty text, the default, if it has
  one. `return "where only more points win, both players may rationally stand for ever"`
- `chances`: tuples of the names of rules, each tuple one distribution: the probabilities of its results are
  proportional to these rules, which are floats, and can be learned from counts. `chances = (("heads", "tails"),)`
- `alone(rules)`: for players who do not affect each other, as where each fills in a card: the rules under which the
  game of one player is solved; all other rules are returned unchanged. The fields that those rules use belong to the
  mover; `turned` exchanges them for the next player's, and what it leaves, such as dice, is as at the start whenever
  the turn passes. komi does not solve the game of several; the opponent `optimal` takes the actions that are best
  alone. `return rules._replace(players=1)`

A turn ends when an action, or chance, passes it by one seat or more. If it passes by as many seats as there are
players, all others are skipped and the same player has another turn. The end of the game ends the last turn.

**For solvers.** Hints make a solver faster. It verifies those that it uses, in all states; `roll` and `totals` in a
random sample if there are more than a million, and what rests on them is then reported as not proved. It refuses a
broken hint with a state that shows it.

- `possible(rules, state)`: True if the state can occur: its ranges, and what must agree in it. It bounds the search
  for states, and a broken rule is found before it fills the memory. Verified in every state. `return state.turn <=
  rules.goal`
- `steps`: a `State` of the number that each field is always a multiple of (1 if there is none), so that fewer bits
  store a state: a field of multiples of 50 takes five or six bits less. Verified in every state. `steps = State(50,
  50, 1)`
- `transient(rules, state)`: True for a state of a moment, such as one inside a roll. It takes no memory: solvers
  expand it again from the stored state before, of hundreds of states in a turn of Yahtzee one. Transient states must
  not form a cycle; every expansion verifies that. `return state.dice > 0`
- `roll`, or `roll(rules)`: the names of the fields that change inside a roll. A transition between transient states
  is inside a roll if only these change and the turn stays; its actions, probabilities and rewards depend on nothing
  else. How a roll begins and where it leads may depend on all fields. With `totals` it makes the solver of Yahtzee
  hundreds of times as fast; each roll is compared with that of the rules. `roll = ("dice",)`
- `totals`, or `totals(rules)`: the names of the fields that a roll does not depend on, such as scores. States before
  a roll that agree in all other fields, and have the same legal actions, have the same roll: the same actions are
  legal inside it, and two ways out that lead from one of them to the same state, with the same reward, do so from
  all. Where they lead may depend on the totals. Solvers then expand one roll for all of these states, and verify that
  each has it. `totals = ("score", "rival")`
- `symmetries(rules, state)`: yields the images of the state under the symmetries of the game, which have the same
  value. `komi check` verifies that; no solver relies on it. `yield State(mirrored(state.board))`
- `stage(rules, state)`: a whole number from 0 to 4095 that never falls during play, such as how many pieces have left
  the board. From 200,000 states before a roll on, they are solved stage by stage, the last first, without stored
  transitions: the limit of four million such states is gone. Verified in every state. `return state.home`
- `order(rules, state)`: a whole number from 0 to 4095 that mostly rises during play: the order within a stage, the
  highest first. Fewer sweeps are needed; no result depends on it. `return state.squares_moved`
- `pick(rules, state, uniform)`: (the number of legal actions, one of them), the action at position `uniform * number`
  in the order of `legal`, where `uniform` is a random number from 0 to 1; (0, CHANCE) where chance moves. Simulations
  then do not list all actions; verified where play begins. `return 2, ROLL if uniform < 0.5 else HOLD`
- `sample(rules, state, action, uniform)`: one outcome, as `outcomes` yields it: the first at which the sum of the
  probabilities exceeds `uniform`, a random number from 0 to 1. Simulations then do not list all outcomes; verified
  where play begins. `return 1 / 6, _rolled(state, 1 + int(uniform * 6)), 0`

**Hidden and simultaneous information**

- `view(rules, state)`: the observation of the player to move: the state with hidden fields set to a fixed value.
  States with the same view are the same to the player. To be solved, it recalls what the player has seen and done.
  It is called in every state; while others move, or chance
  does, with the state turned to the player who looks on (`turned`). A player sees a chance event if these
  observations differ after all its outcomes. `return state._replace(rival_card=0)`
- `deal(rules, view, uniform)`: a state with this observation (`view`), drawn from all that are possible: what searchers
  take for what they do not see. Each number after `view` is random from 0 to 1; declare as many as the draw needs. Of
  the hidden chance events each state gets its conditional probability. Of choices, those that others do not see are
  equally likely, and those that all see (`open_actions`) tell nothing. Where a game leaves it out, komi works it out
  if the game is small. `return view._replace(rival_card=nth(view.unseen, int(uniform * count(view.unseen))))`
- Players who choose at the same time choose one after the other, and `view` hides the earlier choice. `return
  state._replace(chosen=min(state.chosen, 1))`
- `open_actions`: True if all players see which action is taken, for games with a `view`; by default only the player
  who takes it knows. `open_actions = True`
- `revealed(rules, state, action, after)`: what all players learn from the transition to the next state, in a sentence,
  such as choices that are revealed together; "" by default. It is shown beside the action or event, which may be
  hidden itself. `return f"You both chose: {actions[state.chosen - 1]} and {actions[action]}."`
- `turned(rules, state)`: the state as the next player sees it; turned as often as there are players, it is unchanged.
  `return State(state.rival, state.score, state.deck)`

**Display**

- `event(rules, state, action, after)`: the name of the chance event that leads to the next state, where chance moves
  or an action has several outcomes. The names of the outcomes of an action differ. `return "heads"`
- `leader(rules, state)`: the seat that is ahead, counted from the player to move, or -1. `return 0 if state.score >
  state.rival else 1`
- `elements`, or `elements(rules)`: by fields that are sets of small numbers (`komi.bitset`), the names of their
  elements, that of bit 0 first. States then show and accept names, as in `tiles=1 4 7`; an empty set is `none`.
  `elements = {"tiles": ("1", "2", "3")}`
- `read(rules, text)` and `write(rules, state)`: the game's own notation of states. `return "".join(".rog"[counter]
  for counter in _counters(state))`
- `how_to_play(rules)`: the rules for a beginner, to be read in a minute: paragraphs with an empty line between them.
  The first says in a sentence or two what players do and who wins; one that begins with "Example:" shows a few moves.
  `return f"Flip a coin as often as you dare. First to {rules.goal} points wins."`
- `policies`: functions, written as the rules are, each under its own name: `(rules, state)` returns an action;
  `(rules, state, action)` returns a weight, and chance picks among the actions with the greatest. `policies =
  (holds_early, presses_on)`
- `opponents(rules)`: yields up to three opponents, each a pair (name of a policy, its play in one sentence), where
  the usual ones do not fit. They are listed by measured strength. `yield "hold-at:4", "Daring: goes on until four
  points are at stake."`
- `board(rules, state)`: yields (row, column, content, tint) for each square of a board. Rows count down and columns
  to the right; the content is a color or a text, empty for nothing; tints (0 or 1) tell parts of the board apart.
  `yield 0, 2, "red", 0`
- `square(rules, state, action)`: the (row, column) that an action is about, or None. `return divmod(action, 3)`
- `target(rules, state, action)`: the (row, column) to which the action moves a piece from its `square`; None if it
  leaves the board. A piece that enters has no `square`. On the `board`, "white" then are the pieces of the player to
  move, "black" those of the other, and a tint of 1 marks special squares. `return divmod(PLACES[action +
  state.throw], 3)`
- `beside(rules, state)`: yields (their state, "white" or "black", how many): the pieces beside the board, such as
  those that wait to enter. `yield "home", "white", state.home`
- `decisive(rules, state)`: yields the (row, column) of each square that has ended the game, such as a line of three.
  `yield 1, 2`
- `throw(rules, state)`: (how many show their mark, how many there are) of the two-sided dice thrown for a move; None
  before the throw. `return None if state.throw == 0 else (state.throw, 4)`
- `faces(rules, state)`: yields the number on each die on the table, from 1 to 6; 0 for one that is not rolled yet, or
  whose number does not matter. `for digit in str(state.dice): yield int(digit)`
- `keeps(rules, state, action)`: the numbers of the dice that an action keeps, or sets aside, in ascending order; None
  if it is about no dice. No two legal actions keep the same. `return (1, 1, 5)`
- `card(rules)`: yields (name, part of the card) for each row of a score card. With more than one player, who then
  play `alone`, each has a card. `yield "full house", "lower"`
- `filled(rules, state)`: yields the rows of the mover's card, counted from 0, that are full. `if state.boxes >> box &
  1: yield box`
- `scores(rules, state, action)`: yields (row of the card, points) for all that an action writes down; the first row
  is the chosen box. With rewards, they are the sum of the points. Without a card the row is 0. `yield action, 25`

`komi play` and `komi serve` stop a game that makes no progress, as shared by all: without a `view`, when the same
player meets a state for the third time with no chance event between; any game after 10,000 actions and events.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any

from komi.errors import GameError, InputError, RuleError
from komi.rules import declarations, tuple_fields
from komi.rules.payoff_scale import PROBABILITIES, PayoffScale, wrong_range
from komi.typing import Action, Rules, State

CHANCE = -1
"""The action of chance: the only legal action in a chance node."""
MAX_ACTIONS = (1 << 15) - 6
"""The upper bound on action numbers, exclusive: a and `bellman.EXCEPT` - a take 16 bits."""
ACTIONS_END = f": action numbers end at {MAX_ACTIONS - 1:,}"
"""The end of an error message whose reason can be a larger number."""
MAX_PLAYERS = 62
"""The players of a game are bits of one word."""
PROBABILITY_TOLERANCE = 1e-9
"""The largest difference from 1 of a sum of probabilities, or of all payoffs, that counts as rounding."""
MAX_PASSES = 1 << 15
"""The upper bound on the number of seats by which the turn passes on, exclusive."""
STEP_TOLERANCE = 1e-9
"""The largest distance of a rule from a multiple of its step, in steps, that counts as rounding."""
EMPTY_SET = "none"
"""The text of an empty set in a field with named elements."""


def put(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """Return a tuple with one entry replaced, for tuple fields of states.

    Examples:
        >>> put((3, 0, 2), 1, 5)
        (3, 5, 2)
    """
    entries = list(values)
    entries[index] = value
    return tuple(entries)


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
        object.__setattr__(self, "module", tuple_fields.flattened(module, module.Rules()))

    def under(self, rules: Rules) -> "Game":
        """Return the game with the lengths that tuple fields have under these rules; itself if they are the same.

        Raises:
            GameError: if `start` fails.
        """
        module = tuple_fields.flattened(self.module, rules)
        return self if module is self.module else _with_module(self.name, module)

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # The module that takes rule files along is above this one; only pickling loads it.
        return import_module("komi.rules.bundle").reduce_game(self)  # type: ignore[no-any-return]

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
        flattening = tuple_fields.flattening_of(self.module)
        if flattening and name in flattening.parts:
            return flattening.parts[name]
        return getattr(self.module, name)  # type: ignore[no-any-return]

    def nested(self, state: State) -> State:
        """Return a state as functions of the rule file take it: with tuples."""
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

    @property
    def action_limit(self) -> int:
        """The upper bound on action numbers, exclusive."""
        return min(MAX_ACTIONS if self.has("label") else len(self.module.actions), MAX_ACTIONS)

    @property
    def has_open_actions(self) -> bool:
        """True if all players see which action is taken."""
        return bool(getattr(self.module, "open_actions", False))

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
            GameError: if the game declares another range than (0, 1), or (-highest, highest) for two players.
        """
        stated = getattr(self.module, "payoff_range", (0, 1))
        stated = stated(rules) if callable(stated) else stated
        wrong = wrong_range(stated, self.players(rules))
        if wrong:
            raise GameError(f"{self.file.name}: 'payoff_range' {wrong}.")
        if stated == (0, 1):
            return PROBABILITIES
        unit = str(self.part("objective")(rules)) if self.has("objective") else "expected payoff"
        if not unit or unit.startswith("chance"):
            raise GameError(
                f"{self.file.name}: 'objective' returns {unit!r}, but 'payoff_range' is {stated}: name what is won, "
                "such as 'expected points'."
            )
        return PayoffScale(float(stated[0]), float(stated[1]), unit)

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
            return tuple(self.part("payoff")(rules, state, seat) for seat in range(2))
        mine = self.part("payoff")(rules, state)
        return (mine, scale.opposite(mine))

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
        """Describe the value of a game in words: of a single player, or of two with a `payoff_range`."""
        if self.has("payoff_range") and not self.payoff_scale(rules).is_chance:
            return self.payoff_scale(rules).unit
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
        unlimited = {name: None for name, limit in zip(limits._fields, limits, strict=True) if isinstance(limit, bool)}
        limits = limits._replace(**unlimited)  # true or false, left to its default
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

    def _check_number(self, name: str, value: float, least: float, greatest: float, step: float = 0) -> None:
        if least > greatest:
            raise RuleError(
                f"no {name} of {self.name} goes with the other rules: 'limits' says {least} to {greatest}.",
                f"No “{_called(name)}” goes with the other rules.",
            )
        allowed = f"{least} to {greatest}" if least < greatest else f"{least} here"
        if step:
            allowed += f" in steps of {step}"
        steps = (value - least) / step if step else 0.0
        if not least <= value <= greatest or abs(steps - round(steps)) > STEP_TOLERANCE:
            limits = f"from {allowed}" if least < greatest else allowed
            raise RuleError(
                f"{name} of {self.name} must be {allowed}, not {value}.", f"“{_called(name)}” must be {limits}."
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
        tuple_of = {entry: name for name, entries in tuple_fields.entries(self.module).items() for entry in entries}
        return tuple(dict.fromkeys(tuple_of.get(field, field) for field in self.fields(rules)))

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
                raise GameError(f"{self.file.name}: {part!r} names {name!r}, which is no field of State.")
        return names

    def shown(self, rules: Rules, state: State) -> dict[str, int | str]:
        """Return the state fields that these rules use, by name: numbers, and texts of tuples and named sets."""
        elements = self.elements(rules)
        return {
            name: int(value)
            if isinstance(value := getattr(state, name), Integral) and name not in elements
            else self.text(rules, name, value)
            for name in self.names(rules)
        }

    def elements(self, rules: Rules) -> dict[str, tuple[str, ...]]:
        """Return the names of the elements of bit masks, by field; nothing if the game does not name them.

        Raises:
            GameError: if a field is none of the game's, or a name is not a word, or given twice.
        """
        if not self.has("elements"):
            return {}
        declared = self.module.elements
        declared = declared(rules) if callable(declared) else declared
        fields = tuple_fields.author_of(self.module).State._fields
        named = {}
        for field, names in declared.items():
            words = tuple(map(str, names))
            if field not in fields:
                raise GameError(f"{self.file.name}: 'elements' names {field!r}, which is no field of State.")
            if len(set(words)) < len(words) or not all(_is_element(word) for word in words):
                raise GameError(
                    f"{self.file.name}: 'elements' gives {field!r} the names {words!r}: each must be one word, without "
                    f"',', '/' and '=', not {EMPTY_SET!r}, and given once."
                )
            named[field] = words
        return named

    def text(self, rules: Rules, field: str, value: Any) -> str:
        """Write the value of a field: `7`, `3/0/2` for a tuple, `1 4 7` for a set whose elements have names."""
        if isinstance(value, tuple):
            return "/".join(self.text(rules, field, entry) for entry in value)
        names = self.elements(rules).get(field.partition("[")[0])
        if names is None or value < 0 or int(value).bit_length() > len(names):
            return str(int(value))
        return " ".join(name for bit, name in enumerate(names) if int(value) >> bit & 1) or EMPTY_SET

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
