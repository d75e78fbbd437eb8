"""Whether the rules say the same when they are asked again, after everything else has been asked of them."""

from itertools import islice

from komi.interpreted import Interpreter
from komi.walk import Walk

STATES = 500  # asked again
OUTCOMES = 5_000  # of theirs, about


def check(interpreter: Interpreter, walked: Walk) -> None:
    """Note a state walked in which the rules say something else than before."""
    outcomes = 0
    for state, moves in islice(walked.items(), STATES):
        if outcomes > OUTCOMES:
            return
        outcomes += sum(len(move.outcomes) for move in moves)
        ended = interpreter.is_over(state)
        if ended == bool(moves) or not (ended or interpreter.moves(state) == moves):
            message = f"{interpreter.game.file.name}: the rules give another answer when they are called again"
            interpreter.note("again", message, state)
            return
