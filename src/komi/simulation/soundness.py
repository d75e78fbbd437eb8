"""Checks that the rules of a simulated game are sound in the states visited.

A check of all actions and outcomes of every state takes many times as long as a playout. The rules are therefore
checked interpreted near the start, and compiled in a few complete games before each block is played.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from komi.errors import GameError
from komi.game import CHANCE, Game
from komi.rules import enumeration
from komi.rules.enumeration import StateMoves
from komi.rules.interface import call_policy, legal, outcomes, over, pick, possible, record_witness, start, view
from komi.rules.interpreter import FAILED, Interpreter
from komi.simulation.steps import TOLERANCE, advance, is_legal
from komi.simulation.streams import STREAM_BITS, draw

NEAR = 10  # states next to the start that are checked interpreted,
PLAYED = 50  # and number of states of random play

FIRST_GAMES, GAMES = 32, 2  # games checked compiled before the first block, and before each other block
STEPS = 1 << 12  # maximum per checked game


@lru_cache(16)
def check_beginning(game: Game, rules: Any) -> None:
    """Check that the rules are sound near the start and in a few games, before compilation.

    Raises:
        GameError: if they are not.
    """
    interpreter = Interpreter(game, rules)
    walked, _ = enumeration.explore(interpreter, NEAR)
    if not interpreter.problems:
        walked |= enumeration.sample_states(interpreter, PLAYED)
    if not interpreter.problems and game.has("pick"):
        check_pick(interpreter, walked)
    if not interpreter.problems and game.has("sample"):
        check_sample(interpreter, walked)
    for problem in interpreter.problems.values():
        raise GameError(str(problem), problem.state)


def check_pick(interpreter: Interpreter, walked: StateMoves) -> None:
    """Report a state in which `pick` does not return the k-th of n actions for the middle of the k-th of n parts."""
    file = interpreter.game.file.name
    for state, moves in walked.items():
        actions = [move.action for move in moves]
        count = 0 if actions == [CHANCE] else len(actions)
        for place, action in enumerate(actions):
            picked = interpreter.call("pick", state, (place + 0.5) / len(actions))
            if picked is not FAILED and picked != (count, action):
                interpreter.record("pick", f"{file}: 'pick' returns {picked!r} instead of {(count, action)!r}", state)


def check_sample(interpreter: Interpreter, walked: StateMoves) -> None:
    """Report a state in which `sample` does not return an outcome for the middle of its probability interval."""
    file = interpreter.game.file.name
    for state, moves in walked.items():
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


def broken(game: Game, rules: Any, state: Any) -> GameError:
    """Return the error that describes what is wrong in a state in which compiled rules are unsound."""
    interpreter = Interpreter(game, rules)
    if interpreter.is_over(state):
        interpreter.check_payoffs(state)
    else:
        interpreter.moves(state)
    for problem in interpreter.problems.values():
        return GameError(str(problem), problem.state)
    written = game.write(rules, state)
    return GameError(
        f"{game.file.name}: the compiled rules, but not the interpreted ones, are unsound in {written}.", written
    )


def meets_unsound(rules: Any, policies: Any, carried: Any, key: Any, games: Any, stop: Any, witness: Any) -> bool:
    """Check every state of a few games; return whether the rules are unsound in one, which `witness` receives.

    Args:
        rules: the rules, with words encoded as numbers.
        policies: int64[seats], the number of each seat's policy; 0 chooses a random legal action.
        carried: the policies' data, in the format of `call_policy`.
        key: uint64, key of the stream of random numbers.
        games: (first, one past the last), which determine the positions in the stream.
        stop: bool[1], set by another thread to stop early.
        witness: int64[fields + 2], receives the state.
    """
    seats, lucks = len(policies), np.empty(2)
    for game in range(games[0], games[1]):
        state, seat, place = start(rules), 0, game << STREAM_BITS
        for _ in range(STEPS):
            if stop[0] or over(rules, state):
                break
            if not is_sound(rules, state):
                record_witness(state, -1, witness)
                return True
            draw(key, place, lucks)
            place += 2
            moves, action = pick(rules, state, lucks[0])
            if moves > 0 and policies[seat] > 0:
                action = call_policy(rules, view(rules, state), policies[seat], carried, lucks[0])
                if not is_legal(rules, state, action):  # an error of the policy, which the playout reports
                    break
            step = advance(rules, state, seat, seats, action, lucks[1])
            state, seat = step.after, step.seat
    return False


def is_sound(rules: Any, state: Any) -> bool:
    """Return whether actions and outcomes are valid in a state that is not terminal."""
    actions = chances = 0
    for action in legal(rules, state):
        actions += 1
        chances += action == CHANCE
        total = 0.0
        for probability, after, passes in outcomes(rules, state, action):
            total += probability
            if not probability >= 0.0 or passes < 0:
                return False
            if not over(rules, after) and not possible(rules, after):
                return False
        if not abs(total - 1.0) <= TOLERANCE:
            return False
    return actions > 0 and (chances == 0 or actions == 1)
