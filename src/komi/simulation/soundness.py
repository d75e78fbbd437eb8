"""Checks that the rules of a simulated game are sound in the states visited.

A check of all actions and outcomes of every state takes many times as long as a playout. The rules are therefore
checked interpreted near the start, and compiled in a few complete games before each block is played.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from komi.arrays import I64
from komi.errors import GameError
from komi.game import CHANCE, MAX_PASSES, Game
from komi.policies.calls import Players
from komi.rules import enumeration
from komi.rules.enumeration import StateMoves
from komi.rules.interface import (
    VISITED,
    call_policy,
    legal,
    outcomes,
    over,
    pick,
    possible,
    record_witness,
    state_from,
    view,
)
from komi.rules.interpreter import FAILED, Interpreter
from komi.rules.steps import TOLERANCE, advance, is_legal, pay
from komi.simulation.playout import Deals, Interruption
from komi.streams import STREAM_BITS, draw
from komi.typing import Rules, State

NEAR_STATES = 10  # states next to the start that are checked interpreted,
PLAYED_STATES = 50  # and number of states of random play

FIRST_GAMES, GAMES = 32, 2  # games checked compiled before the first block, and before each other block
MAX_STEPS = 1 << 12  # of a checked game


@lru_cache(16)
def check_start(game: Game, rules: Rules) -> None:
    """Check that the rules are sound near the start and in a few games, before compilation.

    Raises:
        GameError: if they are not.
    """
    interpreter = Interpreter(game, rules)
    enumerated, _ = enumeration.explore(interpreter, NEAR_STATES)
    if not interpreter.problems:
        enumerated |= enumeration.sample_states(interpreter, PLAYED_STATES)
    if not interpreter.problems and game.has("pick"):
        check_pick(interpreter, enumerated)
    if not interpreter.problems and game.has("sample"):
        check_sample(interpreter, enumerated)
    for problem in interpreter.problems.values():
        raise GameError(str(problem), problem.state)


def check_pick(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report a state in which `pick` does not return the k-th of n actions for the middle of the k-th of n parts."""
    file = interpreter.game.file.name
    for state, moves in enumerated.items():
        actions = [move.action for move in moves]
        count = 0 if actions == [CHANCE] else len(actions)
        for number, action in enumerate(actions):
            picked = interpreter.call("pick", state, (number + 0.5) / len(actions))
            if picked is not FAILED and picked != (count, action):
                interpreter.record("pick", f"{file}: 'pick' returns {picked!r} instead of {(count, action)!r}", state)


def check_sample(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report a state in which `sample` does not return an outcome for the middle of its probability interval."""
    file = interpreter.game.file.name
    for state, moves in enumerated.items():
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


def unsound_rules_error(game: Game, rules: Rules, state: State) -> GameError:
    """Return the error that describes what is wrong in a state in which compiled rules are unsound."""
    interpreter = Interpreter(game, rules)
    if interpreter.is_over(state):
        interpreter.check_payoffs(state)
    else:
        interpreter.moves(state)
    for problem in interpreter.problems.values():
        return GameError(str(problem), problem.state)
    text = game.write(rules, state)
    return GameError(
        f"{game.file.name}: the compiled rules, but not the interpreted ones, are unsound in {text}.", text
    )


def find_unsound_state(
    rules: Rules, start: I64, players: Players, key: np.uint64, games: Deals, interruption: Interruption
) -> bool:
    """Check every state of a few games; return whether the rules are unsound in one, which the witness receives.

    Args:
        rules: the rules, with words encoded as numbers.
        start: int64[1, fields], the initial state.
        players: the policies of the seats.
        key: the key of the stream of random numbers.
        games: their numbers, which determine the positions in the stream.
        interruption: how to stop early; its witness is modified in place.
    """
    policies, data = players
    seats, numbers = len(policies), np.empty(2)
    payoffs = np.empty(seats)
    for game in range(games.first, games.end):
        state, seat, position = state_from(start, 0), 0, game << STREAM_BITS
        for _ in range(MAX_STEPS):
            record_witness(state, VISITED, interruption.witness)
            if interruption.stop[0]:
                break
            if over(rules, state):
                if not pay(rules, state, seat, payoffs):
                    record_witness(state, -1, interruption.witness)
                    return True
                break
            if not is_sound(rules, state):
                record_witness(state, -1, interruption.witness)
                return True
            draw(key, position, numbers)
            position += 2
            moves, action = pick(rules, state, numbers[0])
            if moves > 0 and policies[seat] > 0:
                action = call_policy(rules, view(rules, state), policies[seat], data, numbers[0])
                if not is_legal(rules, state, action):  # an error of the policy, which the playout reports
                    break
            step = advance(rules, state, seat, seats, action, numbers[1])
            state, seat = step.after, step.seat
    return False


def is_sound(rules: Rules, state: State) -> bool:
    """Return whether actions and outcomes are valid in a state that is not terminal."""
    actions = chance_moves = 0
    for action in legal(rules, state):
        actions += 1
        chance_moves += action == CHANCE
        total = 0.0
        for probability, after, passes in outcomes(rules, state, action):
            total += probability
            if not probability >= 0.0 or not 0 <= passes < MAX_PASSES:
                return False
            if not over(rules, after) and not possible(rules, after):
                return False
        if not abs(total - 1.0) <= TOLERANCE:
            return False
    return actions > 0 and (chance_moves == 0 or actions == 1)
