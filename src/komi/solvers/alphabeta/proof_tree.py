"""The positions that decide the score of a start: a proof tree, with a strategy for each player.

To prove that a score is at least beta, one action is enough that leads to a position with such a score; to prove that
it is less, every action is needed. So the tree of each bound holds a strategy of one player against all replies, a
solution tree (W. Pijls and A. de Bruin, "Game Tree Algorithms and Solution Trees", Theoretical Computer Science 252,
2001).
"""

from itertools import chain
from typing import NamedTuple

from komi.errors import SolveError, TooLargeError
from komi.progress import Progress
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.solvers.alphabeta.searcher import PositionSearcher
from komi.typing import Rules, State

MAX_POSITIONS = 2_000_000  # inside: `verify.py` checks some thousands in a second


class _Bound(NamedTuple):
    """A bound on the score of a position: whether it is at least, or less than, beta."""

    state: State
    is_lower: bool
    beta: int

    def after(self, state: State, turn: int) -> "_Bound":
        """Return the bound on the score of a next state from which this one follows."""
        return _Bound(state, self.is_lower ^ bool(turn), 1 - self.beta if turn else self.beta)


class _Successor(NamedTuple):
    state: State
    turn: int  # 1 if the turn passes
    is_over: bool


def find_frontier(
    searcher: PositionSearcher, game: Game, rules: Rules, start: State, progress: Progress
) -> list[State]:
    """Find the positions at the edge of a proof tree: the score of the start is the same whatever theirs are.

    Raises:
        SolveError: if the search contradicts itself, as it does with wrong symmetries.
        TooLargeError: if the tree has too many positions.
    """
    tree = _ProofTree(searcher, game, rules, progress)
    tree.prove(start)
    return tree.frontier()


class _ProofTree:
    def __init__(self, searcher: PositionSearcher, game: Game, rules: Rules, progress: Progress) -> None:
        self._searcher, self._game, self._rules, self._progress = searcher, game, rules, progress
        self._interpreter = Interpreter(game, rules)
        self._proved: set[_Bound] = set()
        self._successors: dict[State, list[_Successor]] = {}

    def prove(self, start: State) -> None:
        """Visit all positions from which both bounds on the score of the start follow."""
        score = self._searcher.units(self._searcher.find(start, self._progress).share)
        waiting = [_Bound(start, True, score), _Bound(start, False, score + 1)]
        while waiting:
            bound = waiting.pop()
            if bound in self._proved:
                continue
            self._proved.add(bound)
            if bound.state not in self._successors:
                self._successors[bound.state] = self._list_successors(bound.state)
                self._progress("collecting positions of the proof", len(self._successors), 0)
                if len(self._successors) > MAX_POSITIONS:
                    raise TooLargeError(
                        f"a proof of the value of {self._game.name} takes more than {MAX_POSITIONS:,} positions: "
                        "choose smaller rules."
                    )
            waiting += self._needed(bound)

    def frontier(self) -> list[State]:
        """Return the positions that were not visited, one action after those that were."""
        beyond = {
            successor.state: None
            for successors in self._successors.values()
            for successor in successors
            if not successor.is_over and successor.state not in self._successors
        }
        return list(beyond)

    def _list_successors(self, state: State) -> list[_Successor]:
        outcomes = [outcome for move in self._interpreter.moves(state) for outcome in move.outcomes]
        return [_Successor(after, turn & 1, self._interpreter.is_over(after)) for _, after, turn in outcomes]

    def _needed(self, bound: _Bound) -> list[_Bound]:
        """Return the bounds on the scores of successors from which a bound follows, without those of ended games.

        Raises:
            SolveError: if there are none.
        """
        successors = self._successors[bound.state]
        following = [bound.after(each.state, each.turn) for each in successors if not each.is_over]
        if not bound.is_lower:
            return following
        ended = (bound.after(each.state, each.turn) for each in successors if each.is_over)
        if any(self._holds(after, self._searcher.units(self._share(after.state))) for after in ended):
            return []
        proved = (after for after in following if after in self._proved)
        searched = (after for after in following if self._holds(after, self._search(after)))
        after = next(chain(proved, searched), None)
        if after is not None:
            return [after]
        raise SolveError(f"the search of {self._game.name} contradicts itself: its symmetries are wrong.")

    def _holds(self, bound: _Bound, score: int) -> bool:
        return (score >= bound.beta) == bound.is_lower

    def _search(self, bound: _Bound) -> int:
        return self._searcher.search(bound.state, bound.beta, self._progress)

    def _share(self, state: State) -> float:
        return float(self._game.shares(self._rules, state)[0])
