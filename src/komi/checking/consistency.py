"""Checks that rules are consistent: with themselves when called again, with their objective, and with their values."""

from itertools import islice
from typing import Any

from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import Interpreter
from komi.rules.kind import unexpected_reward
from komi.solvers.solution import Solution
from komi.solvers.stochastic.reward_check import gain_met

MAX_REPEATED_STATES = 500  # evaluated again
MAX_REPEATED_OUTCOMES = 5_000  # of these states, approximately
MAX_OUTCOMES = 50_000  # to evaluate in Bellman equations, approximately
MAX_SYMMETRIC_STATES = 500  # whose images are compared: images that play cannot reach must be solved first


def check_determinism(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report a state in `enumerated` where the rules return other results than before."""
    again, outcomes = Interpreter(interpreter.game, interpreter.rules), 0
    for state, moves in islice(enumerated.items(), MAX_REPEATED_STATES):
        if outcomes > MAX_REPEATED_OUTCOMES:
            return
        outcomes += sum(len(move.outcomes) for move in moves)
        if again.is_over(state) == bool(moves) or (moves and again.moves(state) != moves):
            interpreter.problems.update(again.problems)
            message = f"{interpreter.game.file.name}: the rules return another result when they are called again"
            interpreter.record("again", message, state)
            return


def check_rewards(interpreter: Interpreter, enumerated: StateMoves) -> None:
    """Report a state in `enumerated` with a nonzero reward although the objective is a probability."""
    game, rules = interpreter.game, interpreter.rules
    if not game.has("reward") or game.counts_rewards(rules) or game.alone(rules) != rules:
        return
    found = gain_met(interpreter, enumerated)
    if found is not None:
        state, action, gained = found
        interpreter.record("gain", unexpected_reward(game, rules, state, action, gained), state)


def check_values(solution: Solution[Any], interpreter: Interpreter, enumerated: StateMoves) -> int:
    """Report the first state whose value violates its Bellman equation, or differs from that of a symmetric image.

    Returns:
        The number of states checked: all of them, or fewer if they have more than `MAX_OUTCOMES` outcomes.
    """
    seen = outcomes = 0
    for state, moves in enumerated.items():
        if outcomes > MAX_OUTCOMES:
            break
        seen += 1
        outcomes += sum(len(move.outcomes) for move in moves)
        broken = solution.bellman_violation(state, moves) if moves else None
        if broken is not None:
            value, best = broken
            file = interpreter.game.file.name
            interpreter.record("value", f"{file}: the solution gives {value}, but its outcomes give {best}", state)
            break
    _check_images(solution, interpreter, enumerated)
    return seen


def _check_images(solution: Solution[Any], interpreter: Interpreter, enumerated: StateMoves) -> None:
    file = interpreter.game.file.name
    for state in islice(enumerated, MAX_SYMMETRIC_STATES) if interpreter.game.has("symmetries") else ():
        for image in interpreter.game.part("symmetries")(interpreter.rules, state):
            if not solution.have_equal_values(image, state):
                message = f"{file}: {interpreter.write(image)}, one of its 'symmetries', has another value"
                interpreter.record("symmetries", message, state)
                return
