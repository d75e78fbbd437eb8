"""Whether a game whose objective is a chance gains something on the way all the same, so that its value is none."""

from typing import Any

import numpy as np

from komi.compile.compiled import CompiledGame
from komi.compile.places import members, state_at
from komi.compile.rulebook import legal, outcomes, reward
from komi.compile.witness import note
from komi.errors import GameError
from komi.kind import gain_told, kind_of
from komi.model.states import StateSet


def check_chance(compiled: CompiledGame, rules: Any, states: StateSet) -> None:
    """See that nothing is gained on the way where the objective is a chance.

    Raises:
        GameError: if something is: the sentence names a state.
    """
    game = compiled.game
    if not game.has("reward") or kind_of(game, rules).rewards:
        return
    witness = np.zeros(len(states.layout.lows) + 1, np.int64)
    gained = float(compiled.kernels[find_gain](rules, states.layout, states.keys, witness))
    if gained != 0.0:
        state = game.module.State(*map(int, witness[:-1]))
        written = game.write(rules, state)
        raise GameError(f"{gain_told(game, rules, state, int(witness[-1]), gained)} in {written}.", written)


def find_gain(rules: Any, layout: Any, keys: Any, witness: Any) -> float:
    """What is gained on the way from some state, which is noted with the action; 0 if nothing ever is."""
    for _, place in members(keys):
        state = state_at(layout, keys, place)
        for action in legal(rules, state):
            for probability, after, _ in outcomes(rules, state, action):
                gained = reward(rules, state, action, after)
                if probability > 0.0 and gained != 0.0:
                    note(state, action, witness)
                    return gained
    return 0.0
