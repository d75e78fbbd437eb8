"""Which states interpreted play comes to: all of them where they are few, those of random play where not."""

import random
from collections import deque
from collections.abc import Iterable, Iterator
from math import inf
from types import MappingProxyType
from typing import Any

from komi.errors import GameError
from komi.game import Game
from komi.interpreted import ENDLESS, Interpreter, Move, Outcome

TURNS = 1000  # of one game of random play, at most
TRIED = 50  # states, and so many of random play, in search of rules that do not end
TRIED_OUTCOMES = 2000
TURNS_FOR_EACH = 20  # in all, for each state that is looked for

Walk = dict[Any, list[Move]]
"""States with their moves; where the game is over there are none."""

NONE: Walk = MappingProxyType({})  # type: ignore[assignment]


def explore(interpreter: Interpreter, most: int, most_outcomes: float = inf, known: Walk = NONE) -> tuple[Walk, bool]:
    """All states that play can reach, and true; or the nearest ones, so many, and false.

    Args:
        interpreter: runs the rules.
        most: states to find.
        most_outcomes: outcomes to look at, about.
        known: states whose moves were looked at before.
    """
    start = interpreter.start()
    if start is None:
        return {}, False
    found: Walk = {start: []}
    waiting = deque([start])
    outcomes = 0
    while waiting:
        if outcomes > most_outcomes:
            return found, False
        state = waiting.popleft()
        if interpreter.is_over(state):
            continue
        found[state] = known.get(state) or interpreter.moves(state)
        outcomes += _size(found[state])
        for after in _following(found[state]):
            if after not in found:
                if len(found) == most:
                    return found, False
                found[after] = []
                waiting.append(after)
    return found, True


def play(
    interpreter: Interpreter,
    most: int,
    seed: int = 0,
    most_outcomes: float = inf,
    known: Walk = NONE,
) -> Walk:
    """States of random play: so many, or fewer if little new turns up.

    Args:
        interpreter: runs the rules.
        most: states to find.
        seed: of the random numbers.
        most_outcomes: outcomes to look at, about.
        known: states whose moves were looked at before.
    """
    start = interpreter.start()
    outcomes = 0
    found: Walk = {}
    if start is None:
        return found
    chance = random.Random(seed)
    turns = 0
    while turns < most * TURNS_FOR_EACH:
        for state in _game(start, found, chance):
            turns += 1
            if state not in found:
                if len(found) == most or outcomes > most_outcomes:
                    return found
                found[state] = known.get(state) or ([] if interpreter.is_over(state) else interpreter.moves(state))
                outcomes += 0 if known.get(state) else _size(found[state])
    return found


def _size(moves: list[Move]) -> int:
    return sum(len(move.outcomes) for move in moves)


def try_out(game: Game, rules: Any) -> Walk:
    """See that rules come to an end, before they are compiled: compiled code cannot be interrupted.

    Returns:
        The states that were looked at.

    Raises:
        GameError: if one does not, in the first states or in those of random play.
    """
    interpreter = Interpreter(game, rules)
    nearest, _ = explore(interpreter, TRIED, TRIED_OUTCOMES)
    played = play(interpreter, TRIED, most_outcomes=TRIED_OUTCOMES, known=nearest)
    problem = interpreter.problems.get(ENDLESS)
    if problem is not None:
        raise GameError(str(problem), problem.state)
    return nearest | played


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
