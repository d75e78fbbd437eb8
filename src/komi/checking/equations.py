"""Checks that the values of a solution satisfy the equation of their method, evaluated with the interpreted rules."""

from itertools import islice
from typing import Any

from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import Interpreter
from komi.solvers.solution import Solution

MAX_OUTCOMES = 50_000  # to evaluate, approximately
SYMMETRIC = 500  # states whose images are compared: images that play cannot reach must be solved first


def check(solution: Solution[Any], interpreter: Interpreter, walked: StateMoves) -> int:
    """Report the first state whose value violates its Bellman equation, or differs from that of a symmetric image.

    Returns:
        The number of states checked: all of them, or fewer if they have more than `MAX_OUTCOMES` outcomes.
    """
    seen = outcomes = 0
    for state, moves in walked.items():
        if outcomes > MAX_OUTCOMES:
            break
        seen += 1
        outcomes += sum(len(move.outcomes) for move in moves)
        broken = solution.bellman_violation(state, moves) if moves else None
        if broken is not None:
            value, best = broken
            file = interpreter.game.file.name
            interpreter.record("value", f"{file}: the solution says {value}, its own outcomes {best}", state)
            break
    _check_images(solution, interpreter, walked)
    return seen


def _check_images(solution: Solution[Any], interpreter: Interpreter, walked: StateMoves) -> None:
    file = interpreter.game.file.name
    for state in islice(walked, SYMMETRIC) if interpreter.game.has("symmetries") else ():
        for image in interpreter.game.part("symmetries")(interpreter.rules, state):
            if not solution.have_equal_values(image, state):
                message = f"{file}: {interpreter.write(image)}, one of its 'symmetries', is not worth the same"
                interpreter.record("symmetries", message, state)
                return
