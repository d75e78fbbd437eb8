"""State enumeration with interpreted rules: all reachable states if they are few, otherwise a sample."""

import random
from collections import deque
from collections.abc import Iterable, Iterator
from math import inf
from types import MappingProxyType
from typing import Any

from komi.errors import GameError
from komi.rules.game import Game
from komi.rules.interpreter import ENDLESS, LABELS, Interpreter, Move
from komi.typing import Outcome, Rules, State

MAX_PLIES = 1000  # maximum number of states in one random game
TRIAL_STATES = 50  # nearest states, and sampled states, in which the rules must terminate
TRIAL_OUTCOMES = 2000  # approximate limit on the outcomes of these states
MAX_EARLIER = 1000  # states to search for the first one in which a player chooses
PROBES = 20  # random games from which the number of histories is estimated
ENOUGH = 1e12  # an estimate of so many histories is not refined
PLIES_PER_STATE = 20  # limit on the plies of all random games for each requested state

StateMoves = dict[Any, list[Move]]
"""States with their moves; a state where the game is over has none."""

NO_MOVES: StateMoves = MappingProxyType({})  # type: ignore[assignment]


def first_choice(game: Game, rules: Rules) -> State:
    """Return the first state of play in which a player chooses between actions; the initial state if none is near."""
    start = game.part("start")(rules)
    queue, known = [start], {start}
    for state in queue:  # it grows meanwhile
        actions = list(game.part("legal")(rules, state))
        if len(actions) > 1:
            return state
        for action in actions:
            for probability, after, _ in game.outcomes(rules, state, action):
                is_new = probability > 0.0 and after not in known and not game.part("over")(rules, after)
                if is_new and len(known) < MAX_EARLIER:
                    known.add(after)
                    queue.append(after)
    return start


def explore(
    interpreter: Interpreter, max_states: int, max_outcomes: float = inf, known: StateMoves = NO_MOVES
) -> tuple[StateMoves, bool]:
    """Enumerate the reachable states breadth-first, up to a limit.

    Args:
        interpreter: calls the rules.
        max_states: the maximum number of states.
        max_outcomes: the approximate maximum number of outcomes.
        known: states whose moves are already known.

    Returns:
        The states, and whether they are all reachable states.
    """
    start = interpreter.start()
    if start is None:
        return {}, False
    moves_of: StateMoves = {start: []}
    queue = deque([start])
    outcomes = 0
    while queue:
        if outcomes > max_outcomes:
            return moves_of, False
        state = queue.popleft()
        if interpreter.is_over(state):
            continue
        moves_of[state] = known.get(state) or interpreter.moves(state)
        outcomes += _outcome_count(moves_of[state])
        for after in _successors(moves_of[state]):
            if after not in moves_of:
                if len(moves_of) == max_states:
                    return moves_of, False
                moves_of[after] = []
                queue.append(after)
    return moves_of, True


def sample_states(
    interpreter: Interpreter,
    max_states: int,
    seed: int = 0,
    max_outcomes: float = inf,
    known: StateMoves = NO_MOVES,
) -> StateMoves:
    """Sample states by playing random games.

    Args:
        interpreter: calls the rules.
        max_states: the maximum number of states; there are fewer if random play rarely reaches new ones.
        seed: the seed of the random numbers.
        max_outcomes: the approximate maximum number of outcomes.
        known: states whose moves are already known.
    """
    start = interpreter.start()
    outcomes = 0
    moves_of: StateMoves = {}
    if start is None:
        return moves_of
    generator = random.Random(seed)
    plies = 0
    while plies < max_states * PLIES_PER_STATE:
        for state in _game(start, moves_of, generator):
            plies += 1
            if state not in moves_of:
                if len(moves_of) == max_states or outcomes > max_outcomes:
                    return moves_of
                moves_of[state] = known.get(state) or ([] if interpreter.is_over(state) else interpreter.moves(state))
                outcomes += 0 if known.get(state) else _outcome_count(moves_of[state])
    return moves_of


def _outcome_count(moves: list[Move]) -> int:
    return sum(len(move.outcomes) for move in moves)


def estimate_histories(interpreter: Interpreter, known: StateMoves) -> float:
    """Estimate the number of histories of a game from random games.

    The estimate is the mean over random games of the sums of the products of the numbers of outcomes (D. E. Knuth,
    "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975). A game ends as soon as it
    makes the estimate at least `ENOUGH`.

    Args:
        interpreter: calls the rules.
        known: states whose moves are already known.
    """
    generator = random.Random(0)
    total = 0.0
    for _ in range(PROBES):
        state, product = interpreter.start(), 1.0
        for _ in range(MAX_PLIES):
            total += product
            if state is None or total > PROBES * ENOUGH:
                break
            moves = known.get(state) or ([] if interpreter.is_over(state) else interpreter.moves(state))
            outcomes = [outcome for move in moves for outcome in move.outcomes if outcome[0] > 0.0]
            if not outcomes:
                break
            product *= len(outcomes)
            state = generator.choice(outcomes)[1]
    return total / PROBES


def check_first_states(game: Game, rules: Rules) -> StateMoves:
    """Verify that rules terminate before they are compiled, and that labels tell actions apart.

    Compiled code cannot be interrupted, and never reads labels.

    Returns:
        The states that were visited.

    Raises:
        GameError: if a rule does not terminate, or two legal actions have the same label, in the first states or in
            those of random play.
    """
    interpreter = Interpreter(game, rules)
    nearest, _ = explore(interpreter, TRIAL_STATES, TRIAL_OUTCOMES)
    played = sample_states(interpreter, TRIAL_STATES, max_outcomes=TRIAL_OUTCOMES, known=nearest)
    for kind in (ENDLESS, LABELS):
        if problem := interpreter.problems.get(kind):
            raise GameError(str(problem), problem.state)
    return nearest | played


def _game(state: State, moves_of: StateMoves, generator: random.Random) -> Iterator[Any]:
    for _ in range(MAX_PLIES):
        yield state
        moves = [move for move in moves_of[state] if move.outcomes]
        if not moves:
            return
        state = _sample_outcome(generator.choice(moves).outcomes, generator)


def _sample_outcome(outcomes: Iterable[Outcome], generator: random.Random) -> Any:
    outcomes = list(outcomes)
    weights = [max(probability, 0.0) for probability, _, _ in outcomes]
    return generator.choices(outcomes, weights if sum(weights) > 0 else None)[0][1]


def _successors(moves: list[Move]) -> Iterator[Any]:
    for move in moves:
        for _, after, _ in move.outcomes:
            yield after
