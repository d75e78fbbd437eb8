"""Which states interpreted play comes to: all of them where they are few, those of random play where not."""

import random
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from komi.interpreted import Interpreter, Move, Outcome

TURNS = 1000  # of one game of random play, at most
TURNS_FOR_EACH = 20  # in all, for each state that is looked for

Walk = dict[Any, list[Move]]
"""States with their moves; where the game is over there are none."""


def explore(interpreter: Interpreter, most: int) -> tuple[Walk, bool]:
    """All states that play can reach, and true; or the nearest ones, so many, and false."""
    start = interpreter.start()
    if start is None:
        return {}, False
    found: Walk = {start: []}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        if interpreter.is_over(state):
            continue
        found[state] = interpreter.moves(state)
        for after in _following(found[state]):
            if after not in found:
                if len(found) == most:
                    return found, False
                found[after] = []
                waiting.append(after)
    return found, True


def play(interpreter: Interpreter, most: int, seed: int = 0) -> Walk:
    """States of random play: so many, or fewer if little new turns up."""
    start = interpreter.start()
    found: Walk = {}
    if start is None:
        return found
    chance = random.Random(seed)
    turns = 0
    while turns < most * TURNS_FOR_EACH:
        for state in _game(start, found, chance):
            turns += 1
            if state not in found:
                if len(found) == most:
                    return found
                found[state] = [] if interpreter.is_over(state) else interpreter.moves(state)
    return found


def _game(state: Any, found: Walk, chance: random.Random) -> Iterator[Any]:
    for _ in range(TURNS):
        yield state
        moves = [move for move in found[state] if move.outcomes]
        if not moves:
            return
        state = _drawn(chance.choice(moves).outcomes, chance)


def _drawn(outcomes: Iterable[Outcome], chance: random.Random) -> Any:
    outcomes = list(outcomes)
    weights = [max(probability, 0.0) for probability, _, _ in outcomes]
    return chance.choices(outcomes, weights if sum(weights) > 0 else None)[0][1]


def _following(moves: list[Move]) -> Iterator[Any]:
    for move in moves:
        for _, after, _ in move.outcomes:
            yield after
