"""Checks that a game whose objective is a probability has no rewards along the way."""

from komi.rules.enumeration import StateMoves
from komi.rules.interpreter import Interpreter
from komi.rules.kind import counts_rewards, unexpected_reward
from komi.solvers.reward_check import gain_met


def check(interpreter: Interpreter, walked: StateMoves) -> None:
    """Report a state in `walked` with a nonzero reward although the objective is a probability."""
    game, rules = interpreter.game, interpreter.rules
    if not game.has("reward") or counts_rewards(game, rules) or game.alone(rules) != rules:
        return
    found = gain_met(interpreter, walked)
    if found is not None:
        state, action, gained = found
        interpreter.record("gain", unexpected_reward(game, rules, state, action, gained), state)
