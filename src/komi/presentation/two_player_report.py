"""The report of a solution as text, JSON and figures, for `komi solve`, `komi value` and `komi report`."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from komi.presentation.fields import select
from komi.presentation.formatting import (
    TextReport,
    format_percent,
    format_value,
    hint_sentence,
    state_proof,
    value_heading,
)
from komi.rounding import format_bound
from komi.rules.enumeration import first_choice
from komi.rules.kind import never_has_choices
from komi.rules.vocabulary import with_verb
from komi.solvers.stochastic.stochastic_solver import ValueSolution
from komi.typing import Rules, State

Json = dict[str, Any]
Rows = Sequence[tuple[str, str]]


class SolutionReport:
    """The report of a game for two players whose values are numbers; the base class of the other reports."""

    COLUMNS: ClassVar[Sequence[str]] = ("action", "value", "loss")
    """The columns for the actions of a state, from "action", "value", "loss" and "probability"."""

    def __init__(self, solution: Any) -> None:
        self.solution, self.kind = solution, solution.kind
        self.game, self.rules = solution.game, solution.rules

    @cached_property
    def has_choices(self) -> bool:
        """Whether a player may have a choice in some state."""
        return not never_has_choices(self.game, self.rules)

    def text(self) -> TextReport:
        """Format the value of the game and its proof, as `komi solve` prints them."""
        start = self.solution.read(None)
        size = f"{count(self.solution.states, 'state')}, {self._solve_time()}."
        claims = [
            f"{self._claim()}{self._best_play(start)}",
            *self._certainty(start),
            *self._remarks(),
            *self._discount(),
            *self._hints(),
        ]
        lines = [format_settings(self.rules), "", *self._values(), *claims, size, ""]
        shown = self.game.observed(self.rules, first_choice(self.game, self.rules))
        return TextReport(self.game.summary, lines, next_state=self.game.write(self.rules, shown))

    def state_text(self, state: State) -> TextReport:
        """Format the values of a state and its actions, as `komi value` prints them.

        Raises:
            InputError: if the game is over in the state, and its solution is a tablebase.
        """
        title, actions = self.game.write(self.rules, state), self.solution.actions(state)
        if not actions:
            return TextReport(title, [self._terminal(state)])
        proof = [self._state_claim(), *self._certainty(state), *self._hints()]
        if self.game.is_chance(self.rules, state):
            return TextReport(title, [self._mover(state), "Chance moves.", *proof])
        columns = [self._heading() if column == "value" else column for column in self.COLUMNS]
        rows = [[row[column] for column in self.COLUMNS] for row in self._cells(state)]
        return TextReport(title, [self._choice(state)], columns, rows, proof)

    def _cells(self, state: State) -> Sequence[dict[str, str]]:
        """Return the texts of the columns for each action of a state, best first."""
        value, actions = self.solution.value(state), self.solution.actions(state)
        mixed = self.solution.mixed(state) if "probability" in self.COLUMNS else {}
        return [
            {
                "action": label,
                "probability": format_percent(mixed.get(label, 0.0)),
                "value": format_value(self.kind, each),
                "loss": "" if each == value else format_value(self.kind, abs(value - each)),
            }
            for label, each in actions.items()
        ]

    def audit_text(self) -> TextReport:
        """Say whether an audit confirmed the solution."""
        if self.solution.is_audited:
            return TextReport(lines=["Audited: confirmed with the rules as Python runs them, apart from the solver."])
        return TextReport(lines=["Not audited: the audit found nothing wrong, but no proof of its own."])

    def figures(self) -> Rows:
        """List the figures of the solution as (label, exact number), as `komi report` shows them."""
        proved = "proved" if self.solution.is_proved else "not proved"  # a sentence beside the figures says why
        return [
            (self._heading("first player"), format_value(self.kind, self.solution.value())),
            (f"{proved}: {self._bounded()}", format_bound(self.solution.error_bound)),
            ("reachable states", f"{self.solution.states:,}"),
        ]

    def json(self) -> Json:
        """Return the JSON object of the solution, as `komi solve --json` prints it."""
        return {
            **select(self.solution, "game", "rules", "states"),
            **self._value_json(None),
            **self._game_json(),
            **select(self.solution, "seconds", proved="is_proved", relies_on="verified_hints", audited="is_audited"),
        }

    def state_json(self, state: State) -> Json:
        """Return the JSON object of a state, as `komi value --json` prints it.

        Raises:
            InputError: if the game is over in the state, and its solution is a tablebase.
        """
        return {
            **select(self.solution, "game", "rules"),
            "state": self.game.shown(self.rules, state),
            **self._value_json(state),
            **self._state_json(state),
            "actions": self.solution.actions(state),
            "best": self.solution.best(state),
            **select(self.solution, proved="is_proved", relies_on="verified_hints"),
        }

    def _values(self) -> Sequence[str]:
        """Return the sentences on the value of the game."""
        first = self.solution.value()
        if self.kind.is_chance:
            return [
                f"With best play on both sides the first player wins {format_percent(first)} of the games,",
                f"the second {format_percent(1 - first)}: a difference of {format_percent(abs(2 * first - 1))}.",
            ]
        second = format_value(self.kind, self.kind.payoffs.opposite(first))
        return [
            f"With best play on both sides the {self._objective_is('of the first player')} "
            f"{format_value(self.kind, first)}, of the second {second}."
        ]

    def _best_play(self, start: State) -> str:
        """Return the sentence on optimal play that follows the proof."""
        return "" if self.game.is_chance(self.rules, start) else f" First move: {self.solution.best()}."

    def _remarks(self) -> Sequence[str]:
        """Return the sentences after the proof that only this class of solutions has."""
        return []

    def _certainty(self, state: State) -> Sequence[str]:
        """Return the sentence on a value that is exactly 0 or 1."""
        if not (isinstance(self.solution, ValueSolution) and self.solution.is_certain(state)):
            return []
        return ["It is surely so, and not only within that bound: with best play no other end is possible."]

    def _discount(self) -> Sequence[str]:
        return [self.kind.discount_note] if self.kind.discount_note else []

    def _mover(self, state: State) -> str:
        """Return the sentence on the value of a state to the player to move."""
        value = self.solution.value(state)
        if self.kind.is_chance:
            return f"The player to move wins {format_percent(value)} with best play."
        return f"With best play the {self._objective_is('of the player to move')} {format_value(self.kind, value)}."

    def _choice(self, state: State) -> str:
        """Return the sentence on the value of a state with a choice."""
        return self._mover(state)

    def _terminal(self, state: State) -> str:
        """Return the sentence on a state where the game is over."""
        return f"The game is over: the player to move gets {self.solution.value(state):g}."

    def _claim(self) -> str:
        """Return the sentence on what is proved of the game."""
        return state_proof(f"{self._bounded()} {format_bound(self.solution.error_bound)}", self.solution.verified_hints)

    def _state_claim(self) -> str:
        """Return the sentence on what is proved of a state."""
        return self._claim()

    def _bounded(self) -> str:
        return f"no {'probability' if self.kind.is_chance else 'value'} is off by more than"

    def _hints(self) -> Sequence[str]:
        """Return the sentence on hints that follows a claim of proof; none if the claim names them itself."""
        hints = self.solution.verified_hints
        return [hint_sentence(hints)] if hints and hints.is_complete else []

    def _heading(self, whose: str = "") -> str:
        """Return the heading of values."""
        return value_heading(self.kind, whose)

    def _objective_is(self, whose: str = "") -> str:
        return with_verb(self.solution.objective, whose)

    def _solve_time(self) -> str:
        seconds = self.solution.seconds
        phrase = "found solved before" if self.solution.is_loaded else f"solved in {seconds.solve:.2f} s"
        return f"{phrase}, after {seconds.compile:.0f} s of compiling, once only" if seconds.compile >= 1 else phrase

    def _value_json(self, state: State | None) -> Json:
        """Return the value of a state, with the objective unless it is the probability of winning."""
        is_stated = self.kind.seats == 1 or not self.kind.is_chance
        objective = select(self.solution, "objective") if is_stated else {}
        return {**objective, "value": self.solution.value(state), "error_bound": self.solution.error_bound}

    def _game_json(self) -> Json:
        """Return the fields of a game that only this class of solutions has."""
        return {}

    def _state_json(self, state: State) -> Json:
        """Return the fields of a state that only this class of solutions has."""
        return {"mixed": self.solution.mixed(state)} if "probability" in self.COLUMNS else {}


def format_settings(rules: Rules) -> str:
    """Format the rules in one line."""
    settings = ", ".join(f"{name} {value}" for name, value in rules._asdict().items())
    return f"Rules: {settings}." if settings else "Rules: none to set."


def count(number: int, noun: str) -> str:
    """Format a number of things."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
