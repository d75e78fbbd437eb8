"""The human player in the terminal: output and prompts."""

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from komi.cli.drawing import draw, kept_by, on_table
from komi.cli.output import console, listed, marked
from komi.cli.review_text import format_worth
from komi.game import CHANCE
from komi.play import searching
from komi.play.fairness import Commitment
from komi.play.opponents import Opponent
from komi.play.table import HIDDEN, Table
from komi.policies.searchers import ActionEstimate
from komi.rules.kind import kind_of
from komi.rules.vocabulary import rules_in_words
from komi.solvers.average.average_solver import AverageSolution
from komi.solvers.hidden.point_based_solver import PointBasedSolution
from komi.solvers.solution import ActionValue, Solution

LEAVE = ("quit", "q", "exit")
HINT = ("hint", "?")
LONGEST = 60  # characters of choices that fit beside the question


class Leaving(Exception):  # noqa: N818  not an error
    """The player quits, or the input has ended."""


class Seat:
    """The human player's seat at the table.

    Attributes:
        table: the table.
        seat: its index; 0 moves first.
        names: the names of the players, by seat.
    """

    def __init__(
        self, table: Table, seat: int, opponent: Opponent | None, solution: Solution[Any] | None, hints: bool
    ) -> None:
        self.table, self.seat = table, seat
        self._opponent, self._solution, self._hints = opponent, solution, hints
        self._out = console()
        self._cause = ""  # the action whose chance event is pending
        self.names = [_name(table, other, seat, opponent) for other in range(table.players)]

    def welcome(self, commitment: Commitment | None) -> None:
        """Print the game and the opponent, and the hash of the seed if the computer draws chance events."""
        out, game = self._out, self.table.game
        out.print(game.summary, style="bold")
        out.print(f"Rules: {rules_in_words(game, self.table.rules) or 'none to set'}.")
        if self._opponent:
            order = "You move first." if self.seat == 0 else f"You are player {self.seat + 1}."
            out.print(f"Against {self._opponent.title}. {self._opponent.summary} {order}")
        if commitment:
            out.print(f"The seed of all chance events is fixed; its SHA-256 is\n{commitment.hash}")
        elif self._solution is None or not self._solution.has_plies:  # the game has chance events
            out.print("You provide the chance events: enter each result when asked.")
        out.print(
            marked(
                "Type a move, its number or its first letters; [bold]?[/bold] for a hint, [bold]quit[/bold] to leave."
            )
        )

    def tell(self) -> None:
        """Print the last log entry as far as the player may see it, an action together with its event."""
        entry = self.table.observed_log(self.seat)[-1]
        cause, self._cause = self._cause, entry.label if self.table.pending else ""
        if not self._cause and (entry.label != HIDDEN or cause):
            self._out.print(f"{self.names[entry.seat]}: {cause and cause + ' → '}{entry.label}")
        if entry.revealed:
            self._out.print(entry.revealed)

    def ask_action(self) -> str:
        """Ask for an action and return its label. A single legal action is returned without asking."""
        labels = list(self.table.actions)
        if len(labels) == 1:
            return labels[0]
        self._show()
        if self._hints:
            self._hint()
        return self._answer(labels, f"{self.names[self.table.mover or 0]}, your move")

    def ask_event(self) -> str:
        """Ask for the outcome of a chance event and return its label."""
        labels = [event.label for event in self.table.events]
        if len(labels) == 1:
            return labels[0]
        cause = self.table.pending or self.table.game.label(self.table.rules, self.table.state, CHANCE)
        return self._answer(labels, f"{self.names[self.table.mover or 0]}, {cause}: what came")

    def _show(self) -> None:
        state = self.table.observation(self.seat)
        self._out.print()
        self._out.print(draw(self.table, state, self.names))
        if self.table.game.has("view"):
            self._out.print("Fields that you cannot see are shown with a fixed value.", style="dim")

    def _answer(self, labels: Sequence[str], question: str) -> str:
        """Ask until the reply identifies one of the labels, and return that label."""
        shown = self._listed(labels)
        known = shown if kept_by(self.table) else listed(labels)
        if len(shown) > LONGEST:
            self._out.print(shown)
        elif shown:
            question += f" ({shown})"
        while True:
            text = self._typed(f"{question}? ")
            found = self._meant(text, labels)
            if len(found) == 1:
                return found[0]
            if text.lower() in LEAVE:
                raise Leaving
            if text.lower() in HINT:
                self._hint()
            elif found:
                self._out.print(f"{text!r} can be {' or '.join(found[:5])}: type more.")
            else:
                self._out.print(f"{text!r} is not possible now: {known}.")

    def _meant(self, text: str, labels: Sequence[str]) -> list[str]:
        """Return the labels that a reply can mean. Where dice are kept, digits select dice."""
        kept = {} if self.table.events else kept_by(self.table)
        digits, words = sorted(filter(str.isdecimal, text)), re.sub(r"[\d\s,]+", " ", text).strip().casefold()
        if not (kept and digits):
            return matching(text, labels)
        found = [
            label
            for label, faces in kept.items()
            if [str(face) for face in faces] == digits and label.casefold().startswith(words)
        ]
        return found or (matching(text, labels) if words else [])

    def _listed(self, labels: Sequence[str]) -> str:
        """List the possible replies, except moves shown on the board. Dice to keep are abbreviated to an example."""
        kept = {} if self.table.events else kept_by(self.table)
        if kept:
            words = next(iter(kept)).rpartition(" ")[0]
            others = [label for label in labels if label not in kept]
            return listed(
                [f"{words} and the dice, such as {words} {' '.join(map(str, list(kept.values())[-1]))}", *others]
            )
        numbered = not _are_numbers(labels)
        return listed(
            [
                f"{number} {label}" if numbered else label
                for number, label in enumerate(labels, 1)
                if self.table.events or not on_table(self.table, label)
            ]
        )

    def _typed(self, question: str) -> str:
        if sys.stdin is None:  # the process has no stdin
            raise Leaving
        try:
            text = input(question).strip()
        except (EOFError, ValueError):  # end of input, or closed
            raise Leaving from None
        if not sys.stdin.isatty():
            self._out.print(text)  # not echoed by a terminal
        return text

    def _hint(self) -> None:
        if self.table.events:
            self._out.print("There is nothing to choose: enter the result.")
        elif self._solution is None:
            self._out.print(self._estimates())
        else:
            if isinstance(self._solution, PointBasedSolution):
                advice = [self._solution.advise(self.table.decisions(self.seat), self.table.observation(self.seat))]
            else:
                advice = self._solution.action_values(self.table.state)
            is_chance = self._solution.kind.is_chance
            about = "Hint" if is_chance else f"Hint ({self._solution.objective})"
            if isinstance(self._solution, AverageSolution):
                about, advantages = "Hint (advantage)", self._solution.advantages(self.table.state)
                advice = [replace(each, value=advantages[each.label]) for each in advice]
            self._out.print(f"{about}: {advised(advice, is_chance=is_chance)}")

    def _estimates(self) -> str:
        """Return what a search expects of each action, in one line."""
        game, rules = self.table.game, self.table.rules
        found = searching.hint(game, rules, self.table.observation(self.seat), searching.HINT_PLAYOUTS)
        if found is None:
            return f"There are no hints: komi has no optimal policy for {game.name}, and cannot search it."
        is_chance = kind_of(game, rules).is_chance
        return f"Hint (a search estimates): {estimated(found, is_chance=is_chance)}"


def estimated(estimates: Mapping[str, ActionEstimate], *, is_chance: bool = True) -> str:
    """Format the estimates of a search in one line, the preferred action first, with their standard errors."""
    return "; ".join(
        f"{label}: {format_worth(each.value, is_chance, each.stderr)}" for label, each in estimates.items()
    )


def advised(advice: Sequence[ActionValue], *, is_chance: bool = True) -> str:
    """Format the values of the actions in one line, best first, grouping actions of equal value.

    Args:
        advice: the advice on each action.
        is_chance: True if values are winning probabilities, False if they are points or money.
    """
    labels: dict[str, list[str]] = {}
    for action in advice:
        labels.setdefault(_worth(action, is_chance), []).append(action.label)
    return "; ".join(f"{listed(same)}: {worth}" for worth, same in labels.items())


def matching(text: str, labels: Sequence[str]) -> list[str]:
    """Return the labels that a reply can mean: an exact match, else by number in the list, else by prefix."""
    typed = text.strip().casefold()
    if not typed:
        return []
    for label in labels:
        if label.casefold() == typed:
            return [label]
    if not _are_numbers(labels):
        numbered = dict(zip(map(str, range(1, len(labels) + 1)), labels, strict=True))
        if typed in numbered:
            return [numbered[typed]]
    return [label for label in labels if label.casefold().startswith(typed)]


def _are_numbers(labels: Sequence[str]) -> bool:
    """Return whether a label is itself a number, in which case numbers do not select list positions."""
    return any(label.isdecimal() for label in labels)


def _worth(advice: ActionValue, is_chance: bool) -> str:
    if advice.plies is not None:
        return f"{advice.result} in {advice.plies}"
    return advice.result or (f"{100 * advice.value:.2f} %" if is_chance else f"{advice.value:.2f}")


def _name(table: Table, seat: int, own: int, opponent: Opponent | None) -> str:
    if seat == own or opponent is None:
        return "You"
    return opponent.title if table.players == 2 else f"{opponent.title} {seat + 1}"
