"""Interpreted rules, with a check of everything that they return: the errors in the rules, and where they are."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

import numpy as np

from komi.errors import GameError
from komi.game import ACTIONS_END, CHANCE, MAX_ACTIONS, MAX_PASSES, PROBABILITY_TOLERANCE
from komi.rules import loading
from komi.rules.declarations import REQUIRED
from komi.rules.game import Game
from komi.rules.payoff_scale import PayoffScale
from komi.time_limit import TimeLimit, TooLongError, rule_seconds
from komi.typing import Outcome, Rules, State

FAILED = object()
MAX_YIELDED = 1_000_000  # maximum number of values yielded by one call of a rule
ENDLESS = "endless"
"""The kind of the problem that a rule does not terminate."""
LABELS = "labels"
"""The kind of the problem that two legal actions have the same label."""
NUMBERS = (float, int, np.number)
WHOLE = (int, np.integer)


@dataclass(frozen=True)
class RuleProblem:
    """An error in a game's rules: a sentence, and a state in which it occurs."""

    message: str
    state: str | None = None

    def __str__(self) -> str:
        is_named = not self.state or re.search(rf"(?: in|:) {re.escape(self.state)}(?![\w,=])", self.message)
        return f"{self.message}." if is_named else f"{self.message} in {self.state}."


def out_of_range(scale: PayoffScale, players: int) -> str:
    """Return what is wrong with a payoff outside of its range, and how a game of one or two is played for points."""
    if not scale.is_chance:
        return f"not from {scale.lowest:g} to {scale.highest:g}, the 'payoff_range'"
    points = "points come from 'reward'" if players == 1 else "'payoff_range' allows points or money"
    return f"not from 0 to 1 ({points})"


def expected_sum(scale: PayoffScale, players: int) -> str:
    """Return the sum of the payoffs of all players, and what allows another sum."""
    most = "h" if players == 2 else f"{players - 1} h"
    return f"{scale.total:g} (a 'payoff_range' other than (0, 1) and (-h, {most}) allows any sum)"


@dataclass(frozen=True)
class Move:
    """A legal action and its outcomes."""

    action: int
    outcomes: tuple[Outcome, ...]


class Interpreter:
    """Calls interpreted rules, and records the first problem of each kind.

    Attributes:
        problems: by kind, in the order in which they were found.
    """

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game, self.rules = game, rules
        self.problems: dict[str, RuleProblem] = {}
        self._file = game.file.name
        self._action_numbers = {CHANCE, *game.action_numbers(rules)} if game.has("action_numbers") else None
        self._limit = TimeLimit()
        self._seen: set[Any] = set()  # next states that were already checked
        self._over: dict[Any, bool] = {}  # whether the game has ended, by state
        self._recorded = 0  # number of problems recorded; problems caused by an earlier failure are not reported

    def record(self, kind: str, message: str, state: State = None) -> None:
        """Record a problem, unless there is one of its kind or of kind ENDLESS, after which no rules are called."""
        self._recorded += 1
        if kind not in self.problems and ENDLESS not in self.problems:
            written = state if state is None or isinstance(state, str) else self.write(state)
            self.problems[kind] = RuleProblem(message, written)

    def write(self, state: State) -> str:
        """Write a state in the game's notation, or as a tuple of fields if that fails."""
        try:
            return self.game.write(self.rules, state)
        except Exception:
            return repr(state)

    def call(self, part: str, state: State, *more: Any) -> Any:
        """Call a function of the rules on a state; return FAILED and record the problem if it raises."""
        return self.attempt(lambda: self.game.part(part)(self.rules, state, *more), part, state)

    def call_on_rules(self, part: str) -> Any:
        """Call a function of the rules alone, and list what it yields; return FAILED and record it if it raises."""

        def run() -> Any:
            result = self.game.part(part)(self.rules)
            return (
                result
                if isinstance(result, str) or not isinstance(result, Iterable)
                else list(islice(result, MAX_YIELDED))
            )

        return self.attempt(run, part, None)

    def start(self) -> Any:
        """Return the initial state; None if it, or what is declared beside it, is invalid, or if the game is over."""
        if self.attempt(lambda: self.game.players(self.rules), "players", None) is FAILED:
            return None
        if self.attempt(lambda: self.game.payoff_scale(self.rules), "payoff_range", None) is FAILED:
            return None
        if self.attempt(lambda: self.game.discount(self.rules), "discount", None) is FAILED:
            return None
        state = self.attempt(lambda: self.game.part("start")(self.rules), "start", None)
        if state is FAILED or not self._is_state(state, self._file, None, "'start' returns"):
            return None
        recorded = self._recorded
        if self.is_over(state) and self._recorded == recorded:
            self.record("start", f"{self._file}: the game is over before it begins", state)
            return None
        self._check_possible(state)
        return state

    def is_over(self, state: State) -> bool:
        """Return whether the game has ended in a state; also true if the rules fail. The rules run once for a state."""
        if state not in self._over:
            over = self.call("over", state)
            if over is FAILED:
                return True
            if not isinstance(over, int | np.bool_ | np.integer):
                self.record("over", f"{self._file}: 'over' returns {over!r}, not true or false", state)
            self._over[state] = bool(over)
        return self._over[state]

    def read(self, written: str, state: State) -> Any:
        """Read a written state; return FAILED and record the problem if the game cannot read it."""
        return self.attempt(lambda: self.game.read(self.rules, written), "read", state)

    def moves(self, state: State) -> list[Move]:
        """Return the legal actions in a state where the game is not over, with their outcomes."""
        recorded = self._recorded
        actions = self.list_yielded("legal", state)
        if self._recorded == recorded:
            self._check_actions(actions, state)
        return [
            Move(int(action), self._outcomes(state, action))
            for action in actions
            if isinstance(action, int | np.integer)
        ]

    def list_yielded(self, part: str, state: State, *more: Any) -> list[Any]:
        """List everything that a function of the rules yields."""
        values: list[Any] = []

        def run() -> None:
            yielded = self.game.part(part)(self.rules, state, *more)
            if not hasattr(yielded, "__iter__"):
                raise GameError(f"{self._file}: {part!r} must yield, not return {yielded!r}")
            values.extend(islice(yielded, MAX_YIELDED + 1))

        self.attempt(run, part, state)
        if len(values) > MAX_YIELDED:
            self.record(ENDLESS, f"{self._file}: {part!r} yields more than {MAX_YIELDED:,} times", state)
        return values

    def images(self, state: State) -> list[Any]:
        """Return the images of a state under the symmetries."""
        images = self.list_yielded("symmetries", state)
        errors = [self.state_error(image, "'symmetries' yields") for image in images]
        return self.without_errors(images, errors, "symmetries", state)

    def call_for_state(self, part: str, state: State, *more: Any) -> Any:
        """Call a function of the rules that returns a state; return None and record the problem if it does not."""
        returned = self.call(part, state, *more)
        if returned is FAILED or not self._is_state(returned, self._file, state, f"{part!r} returns"):
            return None
        if not self.is_over(returned):
            self._check_possible(returned)
        return returned

    def attempt(self, call: Callable[[], Any], part: str, state: State) -> Any:
        """Call a part of the game; return FAILED and record the problem if it raises."""
        if ENDLESS in self.problems:
            return FAILED
        try:
            with self._limit:
                return call()
        except (TooLongError, Exception) as error:
            return self._record_failure(error, part, state)

    def _record_failure(self, error: BaseException, part: str, state: State) -> Any:
        place = loading.error_location(error)
        if isinstance(error, TooLongError):
            message = (
                f"{place or self._file}: {part!r} does not end within {rule_seconds():g} seconds "
                "(set KOMI_RULE_SECONDS if it needs more)"
            )
            self.record(ENDLESS, message, state)
        elif isinstance(error, GameError):  # its message is already a sentence
            self.record(part, str(error).removesuffix("."), state)
        else:
            where = place or f"{self._file}, {part!r}"
            called = f" ({part!r} is a part of the protocol)" if part not in REQUIRED else ""
            self.record(where, f"{where}: {type(error).__name__}: {error}{called}", state)
        return FAILED

    def without_errors(
        self, values: list[Any], errors: list[str | None], part: str, state: State, *more: Any
    ) -> list[Any]:
        """Record the errors in the values that a function yields, with the lines that yield them; return the others."""
        if not any(errors):
            return values
        lines: list[int | None] = []

        def run() -> None:
            iterator = iter(self.game.part(part)(self.rules, state, *more))
            for _ in zip(values, iterator, strict=False):
                frame = getattr(iterator, "gi_frame", None)
                lines.append(frame and frame.f_lineno)

        self.attempt(run, part, state)
        for error, line in zip_longest(errors, lines):
            if error:
                where = f"{self._file}, line {line}" if line else f"{self._file}, {part!r}"
                self.record(where, f"{where}: {error}", state)
        return [value for value, error in zip(values, errors, strict=True) if not error]

    def _check_actions(self, actions: list[Any], state: State) -> None:
        if not actions:
            self.record("dead end", f"{self._file}: there is no legal action, and the game is not over", state)
        if CHANCE in actions and len(actions) > 1:
            self.record(
                "chance", f"{self._file}: where chance moves, 'legal' must yield CHANCE and nothing else", state
            )
        labels = [self._label(state, action) for action in actions]
        if len(set(labels)) < len(labels):
            self.record(LABELS, f"{self._file}: two legal actions have the same label", state)

    def _label(self, state: State, action: Any) -> str:
        count = self.game.action_count(self.rules)
        limit = MAX_ACTIONS if count is None else min(count, MAX_ACTIONS)
        is_listed = self._action_numbers is None or action in self._action_numbers
        if not isinstance(action, int | np.integer) or not CHANCE <= action < limit or not is_listed:
            end = ACTIONS_END if isinstance(action, int | np.integer) and action >= MAX_ACTIONS else ""
            self.record("action", f"{self._file}: 'legal' yields {action!r}, which is not an action{end}", state)
            return repr(action)
        label = self.attempt(lambda: self.game.label(self.rules, state, int(action)), "label", state)
        return str(label)

    def _outcomes(self, state: State, action: Any) -> tuple[Outcome, ...]:
        recorded = self._recorded
        outcomes = self.list_yielded("outcomes", state, action)
        valid = self.without_errors(outcomes, list(map(self._outcome_error, outcomes)), "outcomes", state, action)
        total = sum(float(probability) for probability, _, _ in valid)
        if abs(total - 1.0) > PROBABILITY_TOLERANCE and self._recorded == recorded:
            label = self._label(state, action)
            self.record(
                f"sum {label}", f"{self._file}: the probabilities of {label!r} sum to {total:.10g}, not 1", state
            )
        return tuple((float(probability), after, int(passes)) for probability, after, passes in valid)

    def _outcome_error(self, outcome: Any) -> str | None:
        """Describe the error in an outcome, or None; also check the next state."""
        if not (isinstance(outcome, tuple) and len(outcome) == 3):
            return "'outcomes' must yield (probability, next state, seats passed on)"
        probability, after, passes = outcome
        if not isinstance(probability, NUMBERS):
            return f"the probability {probability!r} is not a number"
        if not probability >= 0:
            return f"a probability is {probability}"
        if not isinstance(passes, WHOLE) or isinstance(passes, bool) or not 0 <= passes < MAX_PASSES:
            return f"the turn passes on by {passes!r} seats"
        wrong = self.state_error(after, "'outcomes' yields")
        if not wrong and after not in self._seen:
            self._seen.add(after)
            self._check_after(after)
        return wrong

    def state_error(self, state: State, what: str) -> str | None:
        """Return what is wrong with a state, as a clause that begins with `what`; None if nothing is."""
        if not isinstance(state, self.game.module.State):
            return f"{what} {state!r}, which is not a State"
        if {*map(type, state)} == {int}:
            return None
        for name, field in zip(state._fields, state, strict=True):
            if not isinstance(field, WHOLE) or isinstance(field, bool):
                return f"field {name!r} of a state is {field!r}, not a whole number"
        return None

    def _is_state(self, state: State, where: str, before: State, what: str) -> bool:
        wrong = self.state_error(state, what)
        if wrong:
            self.record(where, f"{where}: {wrong}", before)
        return not wrong

    def _check_after(self, state: State) -> None:
        if self.is_over(state):
            self.check_payoffs(state)
        else:
            self._check_possible(state)

    def _check_possible(self, state: State) -> None:
        if self.game.has("possible") and self.call("possible", state) in (False, 0):
            self.record("possible", f"{self._file}: play reaches a state that 'possible' rules out", state)

    def check_payoffs(self, state: State) -> None:
        """Check the payoff of each seat in a state where the game is over."""
        players = self.game.players(self.rules)
        scale = self.attempt(lambda: self.game.payoff_scale(self.rules), "payoff_range", None)
        if scale is FAILED:
            return
        seats = [(seat,) for seat in range(players)] if self.game.is_seated else [()]
        payoffs = [self.call("payoff", state, *seat) for seat in seats]
        if any(payoff is FAILED for payoff in payoffs):
            return
        for payoff in payoffs:
            if not (isinstance(payoff, float | int | np.number) and scale.lowest <= payoff <= scale.highest):
                self.record("payoff", f"{self._file}: the payoff is {payoff!r}, {out_of_range(scale, players)}", state)
                return
        off = abs(sum(payoffs) - scale.total)
        if scale.is_opposed and len(payoffs) > 1 and off > PROBABILITY_TOLERANCE * scale.width:
            message = (
                f"the payoffs of the {players} seats sum to {sum(payoffs):.10g}, not {expected_sum(scale, players)}"
            )
            self.record("payoffs", f"{self._file}: {message}", state)
