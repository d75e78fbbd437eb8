"""Whether the values of a solution keep the Bellman equation, the rules run as they stand.

v(s) = max over actions of sum of p (v(s') or, if the turn passes, 1 - v(s')): true values keep it, so
values that are each off by at most E keep it to 2E.
"""

from functools import cache
from itertools import islice
from typing import Any

from komi.interpreted import Interpreter
from komi.solver.solution import Solution
from komi.walk import Walk

ROUNDING = 1e-12
SYMMETRIC = 500  # states whose images are looked at: those that play cannot reach have to be solved


def check(solution: Solution, interpreter: Interpreter, walked: Walk) -> None:
    """Note the first state walked whose value differs from what its actions are worth by more than it may."""
    file, within = interpreter.game.file.name, 2 * solution.error_bound + ROUNDING
    value = cache(lambda state: solution.value(tuple(state)))

    def worth(probability: float, after: Any, passes: int) -> float:
        return probability * (1.0 - value(after) if passes % 2 else value(after))

    for state, moves in walked.items():
        if moves:
            best = max(sum(worth(*outcome) for outcome in move.outcomes) for move in moves)
            if not abs(best - value(state)) <= within:
                message = f"{file}: the solution says {value(state)}, its own outcomes {best}"
                interpreter.note("value", message, state)
    for state in islice(walked, SYMMETRIC) if interpreter.game.has("symmetries") else ():
        for image in interpreter.game.part("symmetries")(interpreter.rules, state):
            if not abs(value(image) - value(state)) <= within:
                message = f"{file}: {interpreter.written(image)}, one of its 'symmetries', is not worth the same"
                interpreter.note("symmetries", message, state)
                return
