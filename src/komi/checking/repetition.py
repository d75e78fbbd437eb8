"""Checks that the rules are deterministic: they return the same results when they are called again."""

from itertools import islice

from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import Interpreter

STATES = 500  # evaluated again
OUTCOMES = 5_000  # of these states, approximately


def check(interpreter: Interpreter, walked: StateMoves) -> None:
    """Report a state in `walked` where the rules return other results than before."""
    outcomes = 0
    for state, moves in islice(walked.items(), STATES):
        if outcomes > OUTCOMES:
            return
        outcomes += sum(len(move.outcomes) for move in moves)
        ended = interpreter.is_over(state)
        if ended == bool(moves) or not (ended or interpreter.moves(state) == moves):
            message = f"{interpreter.game.file.name}: the rules give another answer when they are called again"
            interpreter.record("again", message, state)
            return
