"""Hidden cards with payoffs drawn by a number: one player acts twice, the other once in between."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = ("left", "right")


class Rules(NamedTuple):
    drawn: int = 0  # the number from which the payoffs are drawn
    shown: int = 1  # whether the players see the opponent's actions
    recalls: int = 1  # whether the first player remembers the first action
    public: int = 1  # whether the players know the mover


class State(NamedTuple):
    own: int = 0  # the card of the player to move; 0 before the deal
    rival: int = 0
    mine: int = 0  # what the player to move has done: 0 nothing, else 1 and the action
    theirs: int = 0
    last: int = 0  # the last action of the first player, in the same way
    acted: int = 0  # the number of actions so far


def start(rules):
    return State()


def view(rules, state):
    return State(
        state.own,
        0,
        state.mine if rules.recalls else 0,
        state.theirs if rules.shown else 0,
        0,
        state.acted if rules.public else 2 * (state.acted == 2),
    )


def legal(rules, state):
    if state.own == 0:
        yield CHANCE
    else:
        yield 0
        yield 1


def outcomes(rules, state, action):
    if action == CHANCE:
        for first in (1, 2):
            for second in (1, 2):
                yield (1 + (first == second)) / 6, State(first, second), 0
    elif state.acted < 2:
        yield 1.0, State(state.rival, state.own, state.theirs, action + 1, 0, state.acted + 1), 1
    else:
        yield 1.0, state._replace(last=action + 1, acted=3), 0


def over(rules, state):
    return state.acted == 3


def payoff(rules, state):
    number = (((state.own * 3 + state.rival) * 3 + state.mine) * 3 + state.theirs) * 3 + state.last
    return (number * 7919 + rules.drawn * 104729 + number * number * 613) % 101 / 100
