"""The solver of games without chance that have too many positions to list: the value of the start alone."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from komi.arrays import F64, I16
from komi.compiling.compiled import CompiledGame
from komi.compiling.packing import Layout
from komi.errors import AuditError, TooLargeError
from komi.graph import limits
from komi.graph.state_sets import StateSet
from komi.progress import Progress, silent
from komi.proof.audit import ListedPlay, final_scores
from komi.rules.kind import Kind, kind_of
from komi.solvers.alphabeta.proof_tree import find_frontier
from komi.solvers.alphabeta.searcher import MAX_UNITS, FoundScore, NotWholeError, PositionSearcher
from komi.solvers.solution import ActionValue, AnyState, VerifiedHints
from komi.solvers.solver import OtherKindError, Solver, zero_sum_game_refusal
from komi.solvers.start_solution import StartSolution
from komi.typing import Rules, State

WORDS = {1.0: "win", 0.5: "draw", 0.0: "loss"}
Result = TypeVar("Result")
UNITS = (1, 2, 4)  # of which the payoffs of one point can be multiples


@dataclass(frozen=True)
class SearchedValues:
    """The values of some positions, each found by a search.

    Attributes:
        states: the positions that were searched for.
        values: float64[states], the value of each to the player to move, mapped to 0 to 1.
        choices: int16[states], an optimal action of each.
        visited: the number of positions that these searches visited.
        table_bytes: the memory of the transposition table.
        verified: the number of positions in which `symmetries` were verified; 0 without this hint.
    """

    states: StateSet
    values: F64
    choices: I16
    visited: int
    table_bytes: int
    verified: int


class SearchedSolution(StartSolution[SearchedValues]):
    """The value of the start of a game that has too many positions to list; other positions are searched on request."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.name}: {self.states:,} positions visited>"

    @property
    def states(self) -> int:
        """The number of positions visited."""
        return self.data.visited

    @property
    def table_bytes(self) -> int:
        """The memory of the transposition table, in bytes."""
        return self.data.table_bytes

    @property
    def error_bound(self) -> float:
        """The error bound: 0 for win, draw and loss; for payoffs their rounding to shares."""
        return self.kind.payoffs.bound(0.0)

    @property
    def verified_hints(self) -> VerifiedHints | None:
        """The hint `symmetries`, if the rule file has it."""
        return VerifiedHints(("symmetries",), self.data.verified, self.states) if self.data.verified else None

    @property
    def only_start(self) -> str:
        """The sentence that refuses what needs all positions."""
        return (
            f"{self.game.name} has too many positions to list: 'komi solve' computes the value of the start alone, and "
            "'komi value --state' that of another position."
        )

    def check_listable(self) -> None:
        """Check that all positions can be listed.

        Raises:
            TooLargeError: always.
        """
        raise TooLargeError(self.only_start)

    def value(self, state: AnyState | None = None) -> str | float:
        """Return the value of a position to the mover: "win", "draw" or "loss"; the payoff with a `payoff_range`."""
        return self._worded(self.expected_value(state))

    def expected_value(self, state: AnyState | None = None, seat: int = 0) -> float:
        """Return the payoff of a seat under best play: 1 for a win, 1/2 for a draw; in the `payoff_range`, if any."""
        payoff = self.kind.payoffs.payoff(self._share(self.read(state)))
        return payoff if seat % 2 == 0 else self.kind.payoffs.opposite(payoff)

    def actions(self, state: AnyState | None = None) -> dict[str, str | float]:
        """Return the value of each legal action for the mover, best first: each is searched, which can take long."""
        return {each.label: self._worded(each.value) for each in self.action_values(state)}

    def action_values(self, state: AnyState | None = None) -> list[ActionValue]:
        """List all legal actions, best first; none where the game is over."""
        read = self.read(state)
        if self._is_over(read):
            return []
        chosen = self.optimal_action(read)
        labels = self.game.labels(self.rules, read)
        outcomes = {action: next(iter(self.game.outcomes(self.rules, read, action))) for action in labels.values()}
        self.include([after for _, after, _ in outcomes.values() if not self._is_over(after)])
        payoffs = {
            label: self.expected_value(outcomes[action][1], outcomes[action][2]) for label, action in labels.items()
        }
        ranked = sorted(payoffs, key=lambda label: (-payoffs[label], labels[label] != chosen))
        return [ActionValue(label, payoffs[label], self._result(payoffs[label])) for label in ranked]

    def best(self, state: AnyState | None = None) -> str | None:
        """Return the label of an optimal action; None in terminal states."""
        read = self.read(state)
        if self._is_over(read):
            return None
        chosen = self.optimal_action(read)
        return next(label for label, action in self.game.labels(self.rules, read).items() if action == chosen)

    def bellman_violation(self, state: State, moves: Sequence[Any]) -> tuple[Any, Any] | None:
        """Check that the value of a position is that of its best action."""
        value = self.expected_value(state)
        best = max(self.expected_value(move.outcomes[0][1], move.outcomes[0][2]) for move in moves)
        return None if value == best else (value, best)

    def have_equal_values(self, state: State, other: State) -> bool:
        """Return whether two positions have the same value."""
        return self._share(state) == self._share(other)

    def frontier(self, progress: Progress = silent) -> list[State]:
        """Return the positions at the edge of a proof tree: see `proof_tree`.

        Raises:
            SolveError: if there is no such tree, or it has too many positions.
        """
        start = self.read(None)
        return _with_searcher(
            self.compiled, self.rules, lambda searcher: find_frontier(searcher, self.game, self.rules, start, progress)
        )

    def audit(self, play: ListedPlay) -> bool:
        """Check the values of win, draw and loss against the rules as Python runs them."""
        scores = final_scores(play, len(play.states) + 2)
        if scores is None:
            return False
        index = self.data.states.indices_of_fields(play.flat_fields(self.game))
        shares = np.sign(scores) / 2 + 0.5
        for number in np.flatnonzero(index >= 0):
            if self.data.values[index[number]] != shares[number]:
                raise AuditError(
                    f"{play.states[number]} of {self.game.name} was computed as {self.data.values[index[number]]}, but "
                    f"is {shares[number]} by the rules as Python runs them: this is an error in komi."
                )
        return bool(index[0] >= 0)

    def _share(self, state: State) -> float:
        if self._is_over(state):
            return self.game.shares(self.rules, state)[0]
        self.include([state])
        return float(self.data.values[self.data.states.index_of(state)])

    def _worded(self, payoff: float) -> str | float:
        return self._result(payoff) or payoff

    def _result(self, payoff: float) -> str | None:
        return WORDS.get(payoff) if self.kind.payoffs.is_chance else None


class _Kept:
    """The last searcher, whose table serves the next search of the same game."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.key: Any = None
        self.searcher: PositionSearcher | None = None


_KEPT = _Kept()


def find_values(
    compiled: CompiledGame,
    rules: Rules,
    roots: Sequence[Any],
    known: SearchedValues | None = None,
    progress: Progress = silent,
) -> SearchedValues:
    """Search each of the roots.

    Raises:
        OtherKindError: if an action has several outcomes, or payoffs have no unit.
        GameError: if the rules are broken.
        SolveError: if play can repeat, or the game is too large.
    """
    return _with_searcher(compiled, rules, lambda searcher: _search_all(searcher, compiled, roots, known, progress))


def _with_searcher(compiled: CompiledGame, rules: Rules, run: Callable[[PositionSearcher], Result]) -> Result:
    """Run something with the searcher of a game, in the largest unit of which all payoffs are multiples.

    Raises:
        OtherKindError: if payoffs have no unit.
    """
    with _KEPT.lock:
        scale = kind_of(compiled.game, rules).payoffs
        points = 2 if scale.is_chance else max(round(scale.width), 1)
        for unit in UNITS:
            if points * unit > MAX_UNITS:
                break
            key = (compiled, tuple(rules), points * unit, limits.max_memory())
            if _KEPT.key != key or _KEPT.searcher is None:
                _KEPT.key, _KEPT.searcher = key, None
                _KEPT.searcher = PositionSearcher(compiled, rules, limits.max_memory(), points * unit)
            with suppress(NotWholeError):
                return run(_KEPT.searcher)
    raise OtherKindError(
        f"the payoffs of {compiled.game.name} are not among {MAX_UNITS:,} equal steps from the lowest to the highest: "
        "they cannot be searched."
    )


def _search_all(
    searcher: PositionSearcher,
    compiled: CompiledGame,
    roots: Sequence[Any],
    known: SearchedValues | None,
    progress: Progress,
) -> SearchedValues:
    """Search each of the roots, and add their values to those that are known."""
    before = searcher.visited
    found = {tuple(root): searcher.find(root, progress) for root in roots}
    verified = searcher.verify_symmetries()
    visited = searcher.visited - before
    if known is not None:
        visited += known.visited
        for index, row in enumerate(known.states.all_fields().tolist()):
            found[tuple(row)] = FoundScore(float(known.values[index]), int(known.choices[index]))
    fields = np.array([*found], np.int64)
    states = StateSet.of_fields(Layout.around(fields, compiled.game.steps), fields)
    order = states.indices_of_fields(fields)
    values, choices = np.empty(len(fields)), np.empty(len(fields), np.int16)
    values[order] = [score.share for score in found.values()]
    choices[order] = [score.action for score in found.values()]
    return SearchedValues(states, values, choices, visited, searcher.table_bytes, verified)


def _refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses a game with chance, intermediate rewards or hidden states, else None."""
    return f"{kind.name} is a game of chance." if kind.chance else zero_sum_game_refusal(kind)


ALPHA_BETA = Solver(
    "alpha-beta", SearchedValues, SearchedSolution, range(2, 3), _refusal, find_values, lists_states=False
)
"""Two-player games without chance whose positions are too many to list, and in which none can repeat."""
