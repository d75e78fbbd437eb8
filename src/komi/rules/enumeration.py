"""State enumeration with interpreted rules: all reachable states if they are few, otherwise states of random play."""

import random
from collections import deque
from collections.abc import Iterable, Iterator
from math import inf
from types import MappingProxyType
from typing import Any

from komi.errors import GameError
from komi.game import Game
from komi.rules.interpreter import ENDLESS, Interpreter, Move, Outcome

TURNS = 1000  # maximum number of states in one game of random play
TRIED = 50  # number of nearest states, and of states of random play, that are searched for endless rules
TRIED_OUTCOMES = 2000
TURNS_FOR_EACH = 20  # maximum number of states visited in all games, for each state to find

Walk = dict[Any, list[Move]]
"""States with their moves; a state where the game is over has none."""

NONE: Walk = MappingProxyType({})  # type: ignore[assignment]


def explore(interpreter: Interpreter, most: int, most_outcomes: float = inf, known: Walk = NONE) -> tuple[Walk, bool]:
    """Enumerate the reachable states breadth-first, up to a limit.

    Args:
        interpreter: calls the rules.
        most: the maximum number of states.
        most_outcomes: the approximate maximum number of outcomes.
        known: states whose moves are already known.

    Returns:
        The states, and whether they are all that play can reach.
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
    """Collect states of random play.

    Args:
        interpreter: calls the rules.
        most: the maximum number of states; there are fewer if play rarely reaches new ones.
        seed: the seed of the random numbers.
        most_outcomes: the approximate maximum number of outcomes.
        known: states whose moves are already known.
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
    """Verify that rules terminate before they are compiled: compiled code cannot be interrupted.

    Returns:
        The states that were visited.

    Raises:
        GameError: if a rule does not terminate, in the first states or in those of random play.
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
