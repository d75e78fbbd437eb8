"""Whether a field of a state grows without an end, where play reaches more states than can be stored.

One game is played in which all outcomes are those that raise the largest field most, another in which they lower the
least one most. Where a field has an end, such a game comes to it; one that goes higher and higher after thousands of
turns shows that it has none in sight. What `possible` rules out ends a field too.
"""

import random
from dataclasses import dataclass
from typing import Any

from komi.interpreted import Interpreter

TURNS = 20_000  # of such a game


@dataclass(frozen=True)
class Growth:
    """A field without an end in sight: its name, and a state in which it has come far."""

    field: str
    state: Any


def endless(interpreter: Interpreter) -> Growth | None:
    """A field that grows, or falls, as long as play goes on; None if there is none."""
    for sign in (1, -1):
        farthest, late = _climbed(interpreter, sign)
        if late:
            place = max(range(len(farthest)), key=lambda i: sign * farthest[i])
            if not _has_bound(interpreter, farthest, place, sign):
                return Growth(farthest._fields[place], farthest)
    return None


def _climbed(interpreter: Interpreter, sign: int) -> tuple[Any, bool]:
    """The state of a game that has come farthest, and whether it was reached in the last tenth of the turns."""
    chance = random.Random(0)
    state = farthest = interpreter.start()
    reached = 0
    for turn in range(TURNS):
        afters = [after for after in _following(interpreter, state) if not interpreter.is_over(after)]
        if not afters:
            break
        state = max(afters, key=lambda after: (*_height(after, sign), chance.random()))
        if _height(state, sign)[0] > _height(farthest, sign)[0]:
            farthest, reached = state, turn
    return farthest, reached > TURNS * 9 // 10


def _following(interpreter: Interpreter, state: Any) -> list[Any]:
    moves = interpreter.moves(state)
    return [after for move in moves for probability, after, _ in move.outcomes if probability > 0.0]


def _height(state: Any, sign: int) -> tuple[int, int]:
    """How far the farthest field has come; and all together, for where that stands still."""
    return max(sign * field for field in state), sign * sum(state)


def _has_bound(interpreter: Interpreter, state: Any, place: int, sign: int) -> bool:
    """Whether `possible` rules out that the field goes on to where a machine word ends."""
    if not interpreter.game.has("possible"):
        return False
    field = state._fields[place]
    far = (state._replace(**{field: sign * ((1 << 62) - step)}) for step in range(64))
    return not any(interpreter.game.possible(interpreter.rules, after) for after in far)
