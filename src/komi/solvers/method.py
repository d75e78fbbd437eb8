"""The interface of solution methods: a solver with its proof, for the kinds of games that it supports."""

from collections.abc import Sequence
from typing import Any, Protocol

from komi.errors import GameError
from komi.game import Game
from komi.progress import Progress
from komi.rules.compiled import CompiledGame
from komi.rules.interpreter import Interpreter
from komi.rules.kind import Kind
from komi.solvers.solution import Solution


class OtherKindError(Exception):
    """The game is of another kind than its first states show: another method may support it."""


class Method(Protocol):
    """A solver for some kinds of games."""

    @property
    def name(self) -> str:
        """The name under which solutions are stored."""
        ...

    @property
    def record(self) -> type:
        """The class of the solution data."""
        ...

    @property
    def solution(self) -> type[Solution[Any]]:
        """The class of the solution."""
        ...

    def seats(self, number: int) -> bool:
        """Return whether the method supports games for this number of players."""
        ...

    def refuses(self, kind: Kind) -> str | None:
        """Return the reason, in one sentence, why the method does not support a kind of game; None if it does."""
        ...

    def find(
        self, compiled: CompiledGame, rules: Any, roots: Sequence[Any], known: Any | None, progress: Progress
    ) -> Any:
        """Solve all states that are reachable from the roots, except those already known.

        Raises:
            OtherKindError: if the game is of another kind after all.
            GameError: if the rules are broken.
            SolveError: if the game is too large, or a value cannot be proved.
        """
        ...


def check_initial_state(game: Game, rules: Any) -> Any:
    """Return the initial state, after checking it with the interpreter before anything is compiled.

    Raises:
        GameError: if the rules fail in it.
    """
    interpreter = Interpreter(game, rules)
    start = interpreter.start()
    for problem in interpreter.problems.values():
        raise GameError(str(problem), problem.state)
    return start
