"""Searches for a field that grows without bound, for games with more reachable states than can be stored.

Two games are played greedily: one always takes the outcome that raises the largest field most, the other the one that
lowers the smallest field most. A bounded field makes such a game reach its bound; if a field still sets records after
thousands of turns, it is reported as unbounded. `possible` counts as a bound.
"""

import random
from dataclasses import dataclass
from typing import Any

from komi.rules.interpreter import Interpreter
from komi.typing import State

TURNS = 20_000  # of a greedy game


@dataclass(frozen=True)
class UnboundedField:
    """A field that appears unbounded: its name, and a state with an extreme value of it."""

    field: str
    state: State


def find_unbounded_field(interpreter: Interpreter) -> UnboundedField | None:
    """Find a field that grows or falls for as long as play continues, or None."""
    for sign in (1, -1):
        farthest, is_growing = _play_greedily(interpreter, sign)
        if is_growing:
            position = max(range(len(farthest)), key=lambda i: sign * farthest[i])
            if not _has_bound(interpreter, farthest, position, sign):
                return UnboundedField(farthest._fields[position], farthest)
    return None


def _play_greedily(interpreter: Interpreter, sign: int) -> tuple[Any, bool]:
    """Return the most extreme state of a greedy game, and whether it was reached in the last tenth of the turns."""
    rng = random.Random(0)
    state = farthest = interpreter.start()
    reached = 0
    for turn in range(TURNS):
        afters = [after for after in _successors(interpreter, state) if not interpreter.is_over(after)]
        if not afters:
            break
        state = max(afters, key=lambda after: (*_extremity(after, sign), rng.random()))
        if _extremity(state, sign)[0] > _extremity(farthest, sign)[0]:
            farthest, reached = state, turn
    return farthest, reached > TURNS * 9 // 10


def _successors(interpreter: Interpreter, state: State) -> list[Any]:
    moves = interpreter.moves(state)
    return [after for move in moves for probability, after, _ in move.outcomes if probability > 0.0]


def _extremity(state: State, sign: int) -> tuple[int, int]:
    """Return the most extreme field, signed, and the signed sum of all fields, which breaks ties."""
    return max(sign * field for field in state), sign * sum(state)


def _has_bound(interpreter: Interpreter, state: State, position: int, sign: int) -> bool:
    """Return whether `possible` rejects values of the field near the end of the 62-bit range."""
    if not interpreter.game.has("possible"):
        return False
    field = state._fields[position]
    far = (state._replace(**{field: sign * ((1 << 62) - step)}) for step in range(64))
    return not any(interpreter.game.possible(interpreter.rules, after) for after in far)
