"""The interface of solvers: each solves some kinds of games, and proves its values."""

from collections.abc import Sequence
from typing import Any, Protocol

from komi.errors import GameError
from komi.game import Game
from komi.progress import Progress
from komi.rules.compiled import CompiledGame
from komi.rules.interpreter import Interpreter
from komi.rules.kind import Kind
from komi.solvers.solution import Solution
from komi.typing import Rules


class OtherKindError(Exception):
    """The game is of another kind than its first states show: another solver may support it."""


class Solver(Protocol):
    """A solver for some kinds of games.

    Attributes:
        name: the name under which solution data are stored.
        data_type: the class of the solution data: a frozen dataclass of a `StateSet`, arrays and numbers.
        solution_type: the class of the solution, which is what users get.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def data_type(self) -> type: ...  # noqa: D102

    @property
    def solution_type(self) -> type[Solution[Any]]: ...  # noqa: D102

    def supports_players(self, players: int) -> bool:
        """Return whether the solver supports games for this number of players."""
        ...

    def refusal(self, kind: Kind) -> str | None:
        """Return a sentence on why the solver does not support a kind of game; None if it does."""
        ...

    def solve(
        self, compiled: CompiledGame, rules: Rules, roots: Sequence[Any], known: Any | None, progress: Progress
    ) -> Any:
        """Compute the solution data of all states that are reachable from the roots.

        Args:
            compiled, rules: the game.
            roots: states, such as the initial state.
            known: solution data of other states, which need not be solved again.
            progress: called during long work; see `komi.progress`.

        Raises:
            OtherKindError: if the game is of another kind after all.
            GameError: if the rules are broken.
            SolveError: if the game is too large, or a value cannot be proved.
        """
        ...


def check_initial_state(game: Game, rules: Rules) -> Any:
    """Return the initial state, after checking it with the interpreter before anything is compiled.

    Raises:
        GameError: if the rules fail in it.
    """
    interpreter = Interpreter(game, rules)
    start = interpreter.start()
    for problem in interpreter.problems.values():
        raise GameError(str(problem), problem.state)
    return start


def rewards_refusal(kind: Kind, games: str) -> str | None:
    """Return a sentence that refuses intermediate rewards; None for games that are won or lost at the end.

    Args:
        kind: a kind of game.
        games: the games that the solver supports, such as "games of two players".
    """
    if not kind.rewards:
        return None
    return f"{kind.name} has intermediate rewards: {games} are solved if they are won or lost at the end."


def hidden_refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses hidden information; None for games without any."""
    if not kind.hidden:
        return None
    return f"{kind.name} hides something from its players: games are solved if their players see everything."
