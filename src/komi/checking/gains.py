"""Checks that a game whose objective is a probability has no rewards along the way."""

from komi.rules.enumeration import Walk
from komi.rules.interpreter import Interpreter
from komi.rules.kind import counts_rewards, gain_told
from komi.solvers.reward_check import gain_met


def check(interpreter: Interpreter, walked: Walk) -> None:
    """Report a state in `walked` with a nonzero reward although the objective is a probability."""
    game, rules = interpreter.game, interpreter.rules
    if not game.has("reward") or counts_rewards(game, rules) or game.alone(rules) != rules:
        return
    found = gain_met(interpreter, walked)
    if found is not None:
        state, action, gained = found
        interpreter.note("gain", gain_told(game, rules, state, action, gained), state)
