"""Check that a game whose objective is a probability has no rewards, which its value would ignore."""

from typing import Any

from komi.compiling.compiled import CompiledGame
from komi.errors import GameError
from komi.graph.expanded_rules import GraphKernels
from komi.graph.lookup import StateIndex, members, state_at
from komi.graph.state_sets import StateSet
from komi.rules import enumeration
from komi.rules.interface import legal, outcomes, reward
from komi.rules.interpreter import FAILED, Interpreter
from komi.rules.kind import unexpected_reward
from komi.typing import Rules

FIRST_STATES = 1000  # checked by the interpreter if transient states inside rolls are not stored


def check_chance(compiled: CompiledGame, rules: Rules, states: StateSet) -> None:
    """Verify that no transition has a reward if the objective is a probability.

    Raises:
        GameError: if one has: the sentence names a state.
    """
    game = compiled.game
    if not game.has("reward") or game.counts_rewards(rules):
        return
    found = None
    if game.has("transient"):
        interpreter = Interpreter(game, rules)
        found = gain_met(interpreter, enumeration.explore(interpreter, FIRST_STATES)[0])
    if found is None:
        index, action, gained = GraphKernels(compiled)[find_gain](rules, states)
        if index < 0:
            return
        found = game.module.State(*states.fields(index)), action, gained
    state, action, gained = found
    written = game.write(rules, state)
    raise GameError(f"{unexpected_reward(game, rules, state, action, gained)} in {written}.", written)


def gain_met(interpreter: Interpreter, walked: enumeration.StateMoves) -> tuple[Any, int, float] | None:
    """Find a visited state and an action with a nonzero reward; return both and the reward, or None."""
    for state, moves in walked.items():
        for move in moves:
            for probability, after, _ in move.outcomes:
                gained = interpreter.call("reward", state, move.action, after)
                if gained is not FAILED and probability > 0.0 and gained != 0.0:
                    return state, move.action, gained
    return None


def find_gain(rules: Rules, states: StateIndex) -> Any:
    """Return the index of a state, an action in it and its reward, which is not 0; -1 and zeros if there is none."""
    for index, handle in members(states.keys):
        state = state_at(states, handle)
        for action in legal(rules, state):
            for probability, after, _ in outcomes(rules, state, action):
                gained = reward(rules, state, action, after)
                if probability > 0.0 and gained != 0.0:
                    return index, action, gained
    return -1, 0, 0.0
