"""Whether the rules that a simulation plays by are sound, in states that it meets.

To look at all actions and outcomes of every state takes many times as long as to play on. So the rules are run as they
stand where play begins; then, compiled, a few games are looked at from beginning to end before each block is played.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from komi import walk
from komi.compile.rulebook import ask, legal, outcomes, over, pick, possible, start, view
from komi.compile.witness import note
from komi.errors import GameError
from komi.game import CHANCE, Game
from komi.interpreted import FAILED, Interpreter
from komi.simulation.steps import TOLERANCE, advance, is_legal
from komi.simulation.streams import STREAM_BITS, draw
from komi.walk import Walk

NEAR = 10  # states next to the start that are looked at interpreted,
PLAYED = 50  # and so many of random play

FIRST_GAMES, GAMES = 32, 2  # looked at compiled before the first block, and before each other
STEPS = 1 << 12  # of one of these games, at most


@lru_cache(16)
def check_beginning(game: Game, rules: Any) -> None:
    """See that the rules are sound where play begins, and in a few games, before anything is compiled.

    Raises:
        GameError: if they are not.
    """
    interpreter = Interpreter(game, rules)
    walked, _ = walk.explore(interpreter, NEAR)
    if not interpreter.problems:
        walked |= walk.play(interpreter, PLAYED)
    if not interpreter.problems and game.has("pick"):
        check_pick(interpreter, walked)
    if not interpreter.problems and game.has("sample"):
        check_sample(interpreter, walked)
    for problem in interpreter.problems.values():
        raise GameError(str(problem), problem.state)


def check_pick(interpreter: Interpreter, walked: Walk) -> None:
    """Note a state in which `pick` does not find the k-th of n legal actions in the middle of the k-th of n parts."""
    file = interpreter.game.file.name
    for state, moves in walked.items():
        actions = [move.action for move in moves]
        count = 0 if actions == [CHANCE] else len(actions)
        for place, action in enumerate(actions):
            picked = interpreter.ask("pick", state, (place + 0.5) / len(actions))
            if picked is not FAILED and picked != (count, action):
                interpreter.note("pick", f"{file}: 'pick' says {picked!r} for {(count, action)!r}", state)


def check_sample(interpreter: Interpreter, walked: Walk) -> None:
    """Note a state in which `sample` does not find an outcome in the middle of its part."""
    file = interpreter.game.file.name
    for state, moves in walked.items():
        for move in moves:
            total = 0.0
            for outcome in move.outcomes:
                probability = outcome[0]
                sampled = interpreter.ask("sample", state, move.action, total + probability / 2)
                if sampled is not FAILED and not is_same_outcome(sampled, outcome):
                    interpreter.note("sample", f"{file}: 'sample' does not find the outcomes in their order", state)
                total += probability


def is_same_outcome(one: Any, other: Any) -> bool:
    """Return whether two outcomes are the same but for rounding of their probabilities."""
    return abs(one[0] - other[0]) < 1e-12 and tuple(one[1:]) == tuple(other[1:])


def broken(game: Game, rules: Any, state: Any) -> GameError:
    """What is wrong in a state in which compiled rules are not sound."""
    interpreter = Interpreter(game, rules)
    if interpreter.is_over(state):
        interpreter.check_payoffs(state)
    else:
        interpreter.moves(state)
    for problem in interpreter.problems.values():
        return GameError(str(problem), problem.state)
    written = game.write(rules, state)
    return GameError(f"{game.file.name}: the rules are broken compiled, but not interpreted, in {written}.", written)


def meets_unsound(rules: Any, policies: Any, carried: Any, key: Any, games: Any, stop: Any, witness: Any) -> bool:
    """Look at every state of a few games; whether the rules are not sound in one, which the witness is told.

    Args:
        rules: the rules, words as numbers.
        policies: int64[seats], the number of the policy in each; 0 picks among the legal actions at random.
        carried: what these are given, as `ask` takes it.
        key: uint64, of the stream of random numbers.
        games: (first, one past the last), which say where in the stream to begin.
        stop: bool[1], set from outside to end early.
        witness: int64[fields + 2], is told the state.
    """
    seats, lucks = len(policies), np.empty(2)
    for game in range(games[0], games[1]):
        state, seat, place = start(rules), 0, game << STREAM_BITS
        for _ in range(STEPS):
            if stop[0] or over(rules, state):
                break
            if not is_sound(rules, state):
                note(state, -1, witness)
                return True
            draw(key, place, lucks)
            place += 2
            moves, action = pick(rules, state, lucks[0])
            if moves > 0 and policies[seat] > 0:
                action = ask(rules, view(rules, state), policies[seat], carried, lucks[0])
                if not is_legal(rules, state, action):  # the policy is to blame: playing will tell
                    break
            step = advance(rules, state, seat, seats, action, lucks[1])
            state, seat = step.after, step.seat
    return False


def is_sound(rules: Any, state: Any) -> bool:
    """Whether actions and outcomes are as they must be in a state where the game goes on."""
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
