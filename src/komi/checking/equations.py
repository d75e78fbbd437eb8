"""Whether the values of a solution keep the Bellman equation, the rules run as they stand.

v(s) = max over actions of sum of p (v(s') or, if the turn passes, 1 - v(s')): true values keep it, so
values that are each off by at most E keep it to 2E. Win, draw and loss, with the plies to the end, keep theirs
to the letter.
"""

from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

from komi.interpreted import Interpreter
from komi.methods.race.solution import Solution
from komi.methods.win_draw_loss.tablebase import Tablebase, Worth
from komi.walk import Walk

ROUNDING = 1e-12
SYMMETRIC = 500  # states whose images are looked at: those that play cannot reach have to be solved


def check(solution: Solution | Tablebase, interpreter: Interpreter, walked: Walk) -> None:
    """Note the first state walked whose value is not what its actions are worth, or not that of its images."""
    if isinstance(solution, Tablebase):
        _check_positions(solution, interpreter, walked)
    else:
        _check_values(solution, interpreter, walked)


def _check_values(solution: Solution, interpreter: Interpreter, walked: Walk) -> None:
    within = 2 * solution.error_bound + ROUNDING
    value = cache(lambda state: solution.value(tuple(state)))

    def worth(probability: float, after: Any, passes: int) -> float:
        return probability * (1.0 - value(after) if passes % 2 else value(after))

    def alike(one: float, other: float) -> bool:
        return abs(one - other) <= within

    for state, moves in walked.items():
        if moves:
            best = max(sum(worth(*outcome) for outcome in move.outcomes) for move in moves)
            if not alike(best, value(state)):
                _note_value(interpreter, state, value(state), best)
    _check_images(interpreter, walked, value, alike)


def _check_positions(tablebase: Tablebase, interpreter: Interpreter, walked: Walk) -> None:
    worth = cache(lambda state: tablebase.worth(tuple(state)))
    for state, moves in walked.items():
        if moves:
            best = next(iter(tablebase.actions(tuple(state)).values()))
            if best != worth(state):
                _note_value(interpreter, state, worth(state), best)
    _check_images(interpreter, walked, worth, Worth.__eq__)


def _note_value(interpreter: Interpreter, state: Any, value: object, best: object) -> None:
    file = interpreter.game.file.name
    interpreter.note("value", f"{file}: the solution says {value}, its own outcomes {best}", state)


def _check_images(
    interpreter: Interpreter, walked: Walk, value: Callable[[Any], Any], alike: Callable[[Any, Any], bool]
) -> None:
    file = interpreter.game.file.name
    for state in islice(walked, SYMMETRIC) if interpreter.game.has("symmetries") else ():
        for image in interpreter.game.part("symmetries")(interpreter.rules, state):
            if not alike(value(image), value(state)):
                message = f"{file}: {interpreter.written(image)}, one of its 'symmetries', is not worth the same"
                interpreter.note("symmetries", message, state)
                return
