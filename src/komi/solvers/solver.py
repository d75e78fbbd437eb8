"""Solvers: each supports some kinds of games, and proves its values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from komi.compiling.compiled import CompiledGame
from komi.errors import GameError
from komi.progress import Progress
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.rules.kind import Kind
from komi.solvers.solution import Solution
from komi.typing import Rules


class OtherKindError(Exception):
    """The game is of another kind than its first states show, as the message says: another solver may support it."""


@dataclass(frozen=True)
class Solver:
    """A solver for some kinds of games.

    Attributes:
        name: the name under which solution data are stored.
        data_type: the class of the solution data: a frozen dataclass of a `StateSet`, arrays and numbers.
        solution_type: the class of the solution, which is what users get.
        seats: the numbers of players that it supports.
        refusal: returns a sentence on why the solver does not support a kind of game; None if it does.
        solve: computes the solution data of all states that are reachable from some states, given the game and its
            rules, these states, the solution data of other states, which need not be solved again, or None, and a
            function to call during long work. It raises OtherKindError if the game is of another kind after all,
            GameError if the rules are broken, and SolveError if the game is too large, or a value cannot be proved.
        lists_states: False if it is for games whose states are too many to list, and solves the initial state alone.
        has_policy: True if it then finds a policy of all play.
        is_anytime: True if `solve` stops at a tolerance, which it takes as a keyword.
    """

    name: str
    data_type: type
    solution_type: type[Solution[Any]]
    seats: range
    refusal: Callable[[Kind], str | None]
    solve: Callable[[CompiledGame, Rules, Sequence[Any], Any | None, Progress], Any]
    lists_states: bool = True
    has_policy: bool = False
    is_anytime: bool = False


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


def rewards_refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses intermediate rewards; None for games that are won or lost at the end."""
    if not kind.rewards:
        return None
    if kind.average:
        return f"the value of {kind.name} is an average per action: that is solved where players see everything."
    players = "two" if kind.seats == 2 else "several"
    endless = ", or never end and declare 'average'" * (kind.seats == 2)
    return (
        f"{kind.name} has intermediate rewards: games of {players} players are solved if they are won or lost at the "
        f"end{endless}."
    )


def general_sum_refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses a general-sum game; None if the interests of the players are opposed."""
    if kind.is_opposed:
        return None
    return (
        f"in {kind.name} the interests of the players need not be opposed ('payoff_range'): it has a value for each "
        "seat."
    )


def hidden_refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses hidden information; None for games without any."""
    if not kind.hidden:
        return None
    hides = "may hide" if kind.hides == "unknown" else "hides"
    return f"{kind.name} {hides} something from its players: games are solved if their players see everything."


def zero_sum_game_refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses all but zero-sum games of perfect information that are paid at the end."""
    return open_game_refusal(kind) or general_sum_refusal(kind)


def open_game_refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses intermediate rewards or hidden information; None for all other games."""
    return rewards_refusal(kind) or hidden_refusal(kind)
