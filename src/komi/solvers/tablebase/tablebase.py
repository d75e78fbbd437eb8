"""The solution of a game without chance: win, draw or loss of every position, and the plies to the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from komi.arrays import I64
from komi.errors import AuditError
from komi.graph.expanded_rules import GraphKernels
from komi.progress import Progress, silent
from komi.proof.audit import ListedPlay, final_scores
from komi.rules.kind import Kind
from komi.solvers.columns import Columns
from komi.solvers.solution import ActionValue, AnyState, OptimalPlay, Solution
from komi.solvers.solver import Solver, zero_sum_game_refusal
from komi.solvers.tablebase import retrograde
from komi.solvers.tablebase.retrograde import Scores, TablebaseCounts, solve_positions, step
from komi.typing import State

Value = Literal["win", "draw", "loss"]
SHARES = {"win": 1.0, "draw": 0.5, "loss": 0.0}
MAX_SCORE = 1 << 15  # E in `retrograde`, the score of a win in 0 plies, in Python


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
        return MAX_SCORE - self.plies if self.value == "win" else self.plies - MAX_SCORE

    @classmethod
    def of(cls, score: int) -> "PositionValue":
        """Create the value that has this score."""
        if score == 0:
            return cls("draw", None)
        return cls("win" if score > 0 else "loss", MAX_SCORE - abs(score))


class Tablebase(Solution[Scores]):
    """Perfect play of one game without chance under one set of rules: win, draw or loss, and the plies to the end."""

    has_plies = True

    @cached_property
    def _unreachable(self) -> list[Scores]:
        """The scores of positions that play cannot reach, solved on request."""
        return []

    @property
    def error_bound(self) -> float:
        """The error bound, 0: win, draw and loss are exact."""
        return 0.0

    @property
    def counts(self) -> TablebaseCounts:
        """The numbers of reachable positions that the mover wins, loses and draws, and of terminal ones."""
        return TablebaseCounts(*self.data.counts)

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
        if self._is_over(read):
            return {}
        scores = {
            label: self._action_score(read, action) for label, action in self.game.labels(self.rules, read).items()
        }
        return {label: PositionValue.of(score) for label, score in sorted(scores.items(), key=lambda pair: -pair[1])}

    def expected_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the payoff of a seat: 1 if it wins, 0 if it loses, and 1/2 in a draw, mapped to the `payoff_range`."""
        share = SHARES[self.value(state)]
        return self.kind.payoffs.payoff(share if seat % 2 == 0 else 1.0 - share)

    def action_values(self, state: AnyState | None = None) -> list[ActionValue]:
        """List all legal actions, best first; none where the game is over."""
        return [
            ActionValue(label, self.kind.payoffs.payoff(SHARES[result.value]), result.value, result.plies)
            for label, result in self.actions(state).items()
        ]

    def include(self, states: Sequence[Any], progress: Progress = silent) -> None:  # noqa: ARG002
        """Solve these positions too, and all positions that are reachable from them."""
        for state in states:
            self._score(state)

    @cached_property
    def optimal_play(self) -> OptimalPlay:
        """Perfect play in all reachable positions, as arrays; an infinite play is a draw."""
        states, scores = self.data.states, self.data.scores
        choices = np.empty(states.size, np.int16)
        most = int(np.iinfo(scores.dtype).max)
        kernel = GraphKernels(self.compiled)[retrograde.choose]
        kernel(self.rules, states, scores, most, choices)
        return OptimalPlay(states, np.sign(scores) / 2 + 0.5, choices)

    @property
    def scores(self) -> I64:
        """The scores of all reachable positions, int64[positions]; see `PositionValue.score`."""
        scores: I64 = self.data.scores.astype(np.int64)
        scores += np.sign(scores) * (MAX_SCORE - int(np.iinfo(self.data.scores.dtype).max))
        return scores

    def bellman_violation(self, state: State, moves: Sequence[Any]) -> tuple[PositionValue, PositionValue] | None:
        """Check that the value and plies of a position are exactly those of its best action.

        Returns:
            None if they are; otherwise the stored and the recomputed value.
        """
        best = PositionValue.of(max(self._action_score(state, move.action) for move in moves))
        value = self.position_value(state)
        return None if best == value else (value, best)

    def have_equal_values(self, state: State, other: State) -> bool:
        """Return whether two positions have the same value and plies."""
        return self.position_value(state) == self.position_value(other)

    def optimal_action(self, state: State) -> int:
        """Return the number of an optimal action in a nonterminal position."""
        actions = self.game.labels(self.rules, state)
        return int(max(actions.values(), key=lambda action: self._action_score(state, action)))

    def _more_columns(self) -> Columns:
        """Return "plies", the number of actions to the end; -1 in a draw."""
        scores = np.asarray(self.data.scores).astype(np.int64)
        most = int(np.iinfo(self.data.scores.dtype).max)
        return {"plies": np.where(scores == 0, -1, most - np.abs(scores))}

    def line(self, state: AnyState | None = None) -> list[str]:
        """Return the principal variation: best actions of both players to the end, or until a position repeats."""
        position = self.read(state)
        actions: list[str] = []
        visited = set()
        while position not in visited and (action := self.best(position)) is not None:
            visited.add(position)
            actions.append(action)
            position = self.after(position, action)
        return actions

    def audit(self, play: ListedPlay) -> bool:
        """Check the scores against the rules as Python runs them."""
        most = max(MAX_SCORE, len(play.states) + 2)  # no state has more plies than there are states
        scores = final_scores(play, most)
        if scores is None:
            return False
        scores -= np.sign(scores) * (most - MAX_SCORE)
        index = self.data.states.indices_of_fields(play.flat_fields(self.game))
        for number in np.flatnonzero((index >= 0) & (self.scores[index] != scores)):
            found, true = map(PositionValue.of, (int(self.scores[index[number]]), int(scores[number])))
            raise AuditError(
                f"{play.states[number]} of {self.game.name} was computed as {found}, but is {true} by the rules as "
                "Python runs them: this is an error in komi."
            )
        return bool(index[0] >= 0)

    def check(self) -> None:
        """Verify that every score follows from the rules and from the scores of the successors.

        As wins and losses have finite plies, this proves all scores (see `retrograde`).

        Raises:
            GameError: if a score does not follow.
        """
        retrograde.verify(self.compiled, self.rules, self.data.states, self.data.scores)

    def _action_score(self, state: State, action: int) -> int:
        _, successor, passes = next(self.game.outcomes(self.rules, state, action))
        score = self._score(successor)
        return step(-score if passes % 2 else score)

    def _score(self, state: State) -> int:
        if self._is_over(state):
            return int((2.0 * self.game.shares(self.rules, state)[0] - 1.0) * MAX_SCORE)
        for data in (self.data, *self._unreachable):
            index = data.states.index_of(state)
            if index >= 0:
                return _widened(int(data.scores[index]), int(np.iinfo(data.scores.dtype).max))
        self._unreachable.append(self.lazy_solver.extend([state], None, silent))
        return self._score(state)


def _widened(score: int, most: int) -> int:
    """Convert a stored score, whose greatest is `most`, to the scale of MAX_SCORE."""
    return score + MAX_SCORE - most if score > 0 else score - MAX_SCORE + most if score < 0 else 0


def _refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses a game with chance, intermediate rewards or hidden states, else None."""
    return f"{kind.name} is a game of chance." if kind.chance else zero_sum_game_refusal(kind)


RETROGRADE = Solver("retrograde", Scores, Tablebase, range(2, 3), _refusal, solve_positions)
"""Two-player games without chance that are won, lost or drawn at the end; an infinite play is a draw."""
