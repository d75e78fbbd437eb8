"""Checks that the rules of a simulated game are sound in the states visited.

A check of all actions and outcomes of every state takes many times as long as a playout. The rules are therefore
checked interpreted near the start, and compiled in the states of a few games before each block is played.
"""

from functools import lru_cache
from typing import Any

from komi.arrays import I64
from komi.compiling.compiled import CompiledGame
from komi.errors import GameError
from komi.game import CHANCE
from komi.graph.expanded_rules import expand_states
from komi.rules import enumeration
from komi.rules.enumeration import StateMoves
from komi.rules.game import Game
from komi.rules.interface import VISITED
from komi.rules.interpreter import FAILED, Interpreter
from komi.typing import Rules, State

NEAR_STATES = 10  # states next to the start that are checked interpreted,
PLAYED_STATES = 50  # and number of states of random play


FIRST_GAMES, GAMES = 32, 2  # games of which the states are checked compiled before the first block, and the others,
MAX_VISITED = 1 << 12  # and number of these states


@lru_cache(16)
def check_start(game: Game, rules: Rules) -> None:
    """Check that the rules are sound near the start and in a few games, before compilation.

    Raises:
        GameError: if they are not.
    """
    interpreter = Interpreter(game, rules)
    enumerated, _ = enumeration.explore(interpreter, NEAR_STATES)
    if not interpreter.problems:
        enumerated |= enumeration.sample_states(interpreter, PLAYED_STATES)
    if not interpreter.problems and game.has("pick"):
        check_pick(interpreter, enumerated)
    if not interpreter.problems and game.has("sample"):
        check_sample(interpreter, enumerated)
    for problem in interpreter.problems.values():
        raise GameError(str(problem), problem.state)


def check_pick(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report a state in which `pick` does not return the k-th of n actions for the middle of the k-th of n parts."""
    file = interpreter.game.file.name
    for state, moves in enumerated.items():
        actions = [move.action for move in moves]
        count = 0 if actions == [CHANCE] else len(actions)
        for number, action in enumerate(actions):
            picked = interpreter.call("pick", state, (number + 0.5) / len(actions))
            if picked is not FAILED and picked != (count, action):
                interpreter.record("pick", f"{file}: 'pick' returns {picked!r} instead of {(count, action)!r}", state)


def check_sample(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report a state in which `sample` does not return an outcome for the middle of its probability interval."""
    file = interpreter.game.file.name
    for state, moves in enumerated.items():
        for move in moves:
            total = 0.0
            for outcome in move.outcomes:
                probability = outcome[0]
                sampled = interpreter.call("sample", state, move.action, total + probability / 2)
                if sampled is not FAILED and not is_same_outcome(sampled, outcome):
                    interpreter.record("sample", f"{file}: 'sample' does not return the outcomes in their order", state)
                total += probability


def is_same_outcome(one: Any, other: Any) -> bool:
    """Return whether two outcomes are the same but for rounding of their probabilities."""
    return abs(one[0] - other[0]) < 1e-12 and tuple(one[1:]) == tuple(other[1:])


def unsound_rules_error(game: Game, rules: Rules, state: State) -> GameError:
    """Return the error that describes what is wrong in a state in which compiled rules are unsound."""
    interpreter = Interpreter(game, rules)
    if interpreter.is_over(state):
        interpreter.check_payoffs(state)
    else:
        interpreter.moves(state)
    for problem in interpreter.problems.values():
        return GameError(str(problem), problem.state)
    text = game.write(rules, state)
    return GameError(
        f"{game.file.name}: the compiled rules, but not the interpreted ones, are unsound in {text}.", text
    )


def check_visited(compiled: CompiledGame, rules: Rules, visited: I64) -> None:
    """Check the rules in the states that games have visited.

    Args:
        compiled, rules: the game.
        visited: int64[rows, fields + 1], as a playout writes them.

    Raises:
        GameError: if the rules are broken in one of them.
    """
    visited = visited[visited[:, -1] == VISITED]
    try:
        for _ in expand_states(compiled, rules, visited):
            pass
    except GameError as error:
        interpreter = Interpreter(compiled.game, rules)
        for row in visited[:, :-1].tolist():
            interpreter.moves(compiled.game.module.State(*row))
            for problem in interpreter.problems.values():
                raise GameError(str(problem), problem.state) from None
        raise error from None
