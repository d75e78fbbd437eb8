"""Two-player play of Pig to 50 at a table of three: as if only the leader of the others, or the next, were there."""

import numpy as np

import komi

GOAL = 50
ROLL, HOLD = range(2)

pig = komi.solve("pig", goal=GOAL)
table = pig.optimal_play
ROLLS = np.zeros((GOAL, GOAL, GOAL + 6), np.bool_)
for index in range(table.states.size):
    ROLLS[table.states.fields(index)[:3]] = table.choices[index] == ROLL


def leader(rules, state):  # noqa: ARG001  a policy takes both
    """Optimal against the better of the two others, alone."""
    return ROLL if ROLLS[state.score, max(state.rival, state.rival2), state.turn] else HOLD


def next_player(rules, state):  # noqa: ARG001
    """Optimal against the next player, alone."""
    return ROLL if ROLLS[state.score, state.rival, state.turn] else HOLD
