"""The solution of a game without chance: win, draw or loss of every position, and the plies to the end."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Literal

import numpy as np

from komi.errors import InputError
from komi.progress import Progress, silent
from komi.solvers.solution import ActionValue, AnyState, Solution, SolutionArrays, VerifiedHints
from komi.solvers.tablebase import retrograde
from komi.solvers.tablebase.retrograde import Counts, Scores, solve_positions, step
from komi.text import Text

Value = Literal["win", "draw", "loss"]
PAYOFFS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
MOST = 1 << 15  # E, the greatest score, in Python


@dataclass(frozen=True)
class PositionValue:
    """The game-theoretic value of a position or an action for the mover.

    Attributes:
        value: "win", "draw" or "loss".
        plies: the number of actions to the end if the winner hurries and the loser delays, the action itself included;
            None in a draw.
    """

    value: Value
    plies: int | None

    @property
    def score(self) -> int:
        """A number that orders values: quick wins, slow wins, draws, slow losses, quick losses, greatest first."""
        if self.plies is None:
            return 0
        return MOST - self.plies if self.value == "win" else self.plies - MOST

    @classmethod
    def of(cls, score: int) -> "PositionValue":
        """Create the value that has this score."""
        if score == 0:
            return cls("draw", None)
        return cls("win" if score > 0 else "loss", MOST - abs(score))


class Tablebase(Solution[Scores]):
    """Perfect play of one game without chance under one set of rules: win, draw or loss, and the plies to the end."""

    has_plies = True

    def _prepare(self) -> None:
        self._elsewhere: list[Scores] = []
        self._arrays: SolutionArrays | None = None

    @property
    def error_bound(self) -> float:
        """The error bound, 0: win, draw and loss are exact."""
        return 0.0

    @property
    def verified_hints(self) -> VerifiedHints | None:
        """The verified_hints of the result on symmetries; None if the game has none."""
        record = self.data
        return VerifiedHints(("symmetries",), record.checked, record.states.size) if record.checked else None

    @property
    def counts(self) -> Counts:
        """The numbers of reachable positions that the mover wins, loses and draws, and of terminal ones."""
        return Counts(*self.data.counts)

    def value(self, state: AnyState | None = None) -> Value:
        """Return the result that the mover can force, "win", "draw" or "loss"; by default that of the first player."""
        return self.position_value(state).value

    def plies(self, state: AnyState | None = None) -> int | None:
        """Return the number of actions to the end if the winner hurries and the loser delays; None in a draw."""
        return self.position_value(state).plies

    def position_value(self, state: AnyState | None = None) -> PositionValue:
        """Return the value and the plies of a position."""
        return PositionValue.of(self._score(self.read(state)))

    def actions(self, state: AnyState | None = None) -> dict[str, PositionValue]:
        """Return the value of each legal action for the mover under perfect play, best first.

        Empty where the game is over.
        """
        read = self.read(state)
        if self.game.part("over")(self.rules, read):
            return {}
        scores = {
            label: self._action_score(read, action) for label, action in self.game.labels(self.rules, read).items()
        }
        return {label: PositionValue.of(score) for label, score in sorted(scores.items(), key=lambda pair: -pair[1])}

    def expected_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the payoff of a seat: 1 if it wins, 0 if it loses, and 1/2 in a draw."""
        payoff = PAYOFFS[self.value(state)]
        return payoff if seat % 2 == 0 else 1.0 - payoff

    def action_values(self, state: AnyState | None = None) -> list[ActionValue]:
        """List all legal actions, best first; none where the game is over."""
        return [
            ActionValue(label, PAYOFFS[result.value], result.value, result.plies)
            for label, result in self.actions(state).items()
        ]

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:  # noqa: ARG002
        """Solve these positions too, and all positions that are reachable from them."""
        for state in states:
            self._score(state)

    @property
    def arrays(self) -> SolutionArrays:
        """Perfect play in all reachable positions, as arrays; an infinite play is a draw."""
        if self._arrays is None:
            states, scores = self.data.states, self.data.scores
            choices = np.empty(states.size, np.int16)
            most = int(np.iinfo(scores.dtype).max)
            kernel = self.compiled.kernels[retrograde.choose]
            kernel(self.rules, states, scores, most, choices)
            self._arrays = SolutionArrays(states, np.sign(scores) / 2 + 0.5, choices)
        return self._arrays

    def bellman_violation(self, state: Any, moves: Sequence[Any]) -> tuple[PositionValue, PositionValue] | None:
        """Check that the value and plies of a position are exactly those of its best action.

        Returns:
            None if they are; otherwise the stored and the recomputed value.
        """
        best = max(self._action_score(state, move.action) for move in moves)
        value = self.position_value(state)
        return None if PositionValue.of(best) == value else (value, PositionValue.of(best))

    def have_equal_values(self, state: Any, other: Any) -> bool:
        """Return whether two positions have the same value and plies."""
        return self.position_value(state) == self.position_value(other)

    def facts(self) -> dict[str, Any]:
        """Return value and plies, counts of positions, first moves and a principal variation.

        Plies count every action, a first move itself included.
        """
        return {
            **asdict(self.position_value()),
            "error_bound": 0.0,
            "counts": self.counts._asdict(),
            "first_moves": {label: asdict(worth) for label, worth in self.actions().items()},
            "line": self.line(),
        }

    def facts_of(self, state: Any) -> dict[str, Any]:
        """Return the value and plies of a position and of its actions.

        Raises:
            InputError: if the game is over there.
        """
        self._check_going_on(state)
        actions = self.actions(state)
        return {
            "notation": self.game.write(self.rules, state),
            **asdict(self.position_value(state)),
            "error_bound": 0.0,
            "actions": {label: asdict(worth) for label, worth in actions.items()},
            "best": next(iter(actions)),
        }

    def rows(self) -> Sequence[tuple[str, str]]:
        """List the winner and the number of moves, and the numbers of positions won, lost and drawn."""
        worth, counts = self.position_value(), self.counts
        outcome = "a draw" if worth.plies is None else f"the first player's {worth.value}, after {worth.plies} moves"
        return [
            ("with perfect play", outcome),
            ("positions that play can reach", f"{self.states:,}"),
            ("won, lost and drawn for the mover", f"{counts.win:,}, {counts.loss:,} and {counts.draw:,}"),
        ]

    def text(self) -> Text:
        """Describe the winner, the first moves, a principal variation and the numbers of positions."""
        counts = self.counts
        result = f"With best play on both sides {_result(self.position_value())}. Proved, without error."
        positions = f"{self.states:,} position{'s' * (self.states != 1)}"
        after = [
            "",
            f"A line of best play: {' '.join(self.line())}",
            f"{positions}: the player to move wins {counts.win:,}, loses {counts.loss:,} and draws {counts.draw:,};",
            f"the game is over in {counts.terminal:,} more. All {self.took()}.",
            "",
        ]
        following = self.after(None, next(iter(self.actions())))
        return Text(
            self.game.summary,
            [self.settings(), "", result, *self.hint_lines(), ""],
            ("result", "first move"),
            _by_result(self.actions()),
            after,
            self.game.write(self.rules, following),
        )

    def text_of(self, state: Any) -> Text:
        """Describe the result that the mover can force in a position, and the result of each action.

        Raises:
            InputError: if the game is over there.
        """
        self._check_going_on(state)
        worth = self.position_value(state)
        ending = "can force a draw, no more" if worth.plies is None else f"{_verb(worth)} in {_plies(worth)}"
        return Text(
            self.game.write(self.rules, state),
            [f"The player to move {ending} with best play."],
            ("result", "action"),
            _by_result(self.actions(state)),
            [f"A line of best play: {' '.join(self.line(state))}"],
        )

    def _check_going_on(self, state: Any) -> None:
        if self._is_over(state):
            payoff = self.game.payoffs(self.rules, state)[0]
            result = {0.0: "the opponent of the player to move has won", 1.0: "the player to move has won"}
            raise InputError(f"{self.game.write(self.rules, state)} is over: {result.get(payoff, 'it is a draw')}.")

    def line(self, state: AnyState | None = None) -> list[str]:
        """Return the principal variation: best actions of both players to the end, or until a position repeats."""
        here = self.read(state)
        actions: list[str] = []
        seen = set()
        while here not in seen and (action := self.best(here)) is not None:
            seen.add(here)
            actions.append(action)
            here = self.after(here, action)
        return actions

    def check(self) -> None:
        """Verify that every score follows from the rules and from the scores of the successors.

        As wins and losses have finite plies, this proves all scores (see `retrograde`).

        Raises:
            GameError: if a score does not follow.
        """
        retrograde.verify(self.compiled, self.rules, self.data.states, self.data.scores)

    def _action_score(self, state: Any, action: int) -> int:
        _, after, passes = next(self.game.outcomes(self.rules, state, action))
        score = self._score(after)
        return step(-score if passes % 2 else score)

    def _score(self, state: Any) -> int:
        if self.game.part("over")(self.rules, state):
            return int((2.0 * self.game.payoffs(self.rules, state)[0] - 1.0) * MOST)
        for scores in (self.data, *self._elsewhere):
            index = scores.states.index_of(state)
            if index >= 0:
                score = int(scores.scores[index])
                further = MOST - int(np.iinfo(scores.scores.dtype).max)
                return score + further if score > 0 else score - further if score < 0 else 0
        self._elsewhere.append(solve_positions(self.compiled, self.rules, [state]))
        return self._score(state)


def _by_result(actions: dict[str, PositionValue]) -> list[tuple[str, str]]:
    """Group the actions by their result, best first."""
    rows = []
    for worth, labels in groupby(actions, key=lambda label: actions[label]):
        result = worth.value if worth.plies is None else f"{worth.value} in {worth.plies}"
        rows.append((result, ", ".join(labels)))
    return rows


def _result(worth: PositionValue) -> str:
    if worth.plies is None:
        return "neither player can force a win: it is a draw"
    return f"the {'first' if worth.value == 'win' else 'second'} player wins in {_plies(worth)}"


def _verb(worth: PositionValue) -> str:
    return "wins" if worth.value == "win" else "loses"


def _plies(worth: PositionValue) -> str:
    return f"{worth.plies} {'ply' if worth.plies == 1 else 'plies'}"
