"""Whether a game whose objective is a chance gains something on the way all the same."""

from komi.interpreted import FAILED, Interpreter
from komi.kind import counts_rewards, gain_told
from komi.walk import Walk


def check(interpreter: Interpreter, walked: Walk) -> None:
    """Note a state walked in which something is gained though the objective is a chance."""
    game, rules = interpreter.game, interpreter.rules
    if not game.has("reward") or counts_rewards(game, rules) or game.alone(rules) != rules:
        return
    for state, moves in walked.items():
        for move in moves:
            for probability, after, _ in move.outcomes:
                gained = interpreter.ask("reward", state, move.action, after)
                if gained is FAILED:
                    return
                if probability > 0.0 and gained != 0.0:
                    interpreter.note("gain", gain_told(game, rules, state, move.action, gained), state)
                    return
