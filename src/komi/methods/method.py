"""What a method is: a backup with its proof, for the kinds of games that it takes."""

from collections.abc import Sequence
from typing import Any, Protocol

from komi.compile.compiled import CompiledGame
from komi.errors import GameError
from komi.game import Game
from komi.interpreted import Interpreter
from komi.kind import Kind
from komi.methods.answer import Answer
from komi.progress import Progress


class OtherKindError(Exception):
    """The game turns out to be of another kind than its first states show: another method may take it."""


class Method(Protocol):
    """Solves games of some kinds."""

    @property
    def name(self) -> str:
        """What it is called; solutions are kept under this name."""
        ...

    @property
    def record(self) -> type:
        """The class of what it finds."""
        ...

    @property
    def answer(self) -> type[Answer[Any]]:
        """The class of what it answers."""
        ...

    def seats(self, number: int) -> bool:
        """Whether it takes games for so many players."""
        ...

    def refuses(self, kind: Kind) -> str | None:
        """Why it does not take games of this kind, in one sentence; None if it does."""
        ...

    def find(
        self, compiled: CompiledGame, rules: Any, roots: Sequence[Any], known: Any | None, progress: Progress
    ) -> Any:
        """Solve all states that play can reach from the roots, besides those known.

        Raises:
            OtherKindError: if the game is of another kind after all.
            GameError: if the rules are broken.
            SolveError: if the game is too large, or a value cannot be proved.
        """
        ...


def start_of(game: Game, rules: Any) -> Any:
    """The first state; a mistake that shows there already is told before anything is compiled.

    Raises:
        GameError: if there is one.
    """
    interpreter = Interpreter(game, rules)
    start = interpreter.start()
    for problem in interpreter.problems.values():
        raise GameError(str(problem), problem.state)
    return start
