"""The second player guesses what the first has chosen, and learns more or less about it than the view seems to say."""

from typing import NamedTuple

from komi.game import CHANCE

players = 2
actions = tuple(f"action {number}" for number in range(40))
BY_ACTIONS, BY_CHANCE, AT_START = range(3)


class Rules(NamedTuple):
    way: int = BY_ACTIONS  # legal actions show the choice, or chance leads to the state in view, or play begins there
    last: int = 33  # with BY_ACTIONS, 31 * (31 * 0 + 0 + 1) + last + 1 is 31 * (31 * 0 + 1 + 1) + 2 + 1


class State(NamedTuple):
    step: int  # 0 the deal, 1 the choice, 2 the guess, 3 the end
    chosen: int = 0
    right: int = 0


def start(rules):
    return State(1) if rules.way == BY_ACTIONS else State(0) if rules.way == BY_CHANCE else State(2, 1)


def legal(rules, state):
    if state.step == 0:
        yield CHANCE
    elif state.step == 2 and rules.way == BY_ACTIONS:
        yield 1 if state.chosen == 2 else 0
        yield 2 if state.chosen == 2 else rules.last
    else:
        if state.step == 2 and rules.way == BY_CHANCE:
            yield 0
        yield 1
        yield 2


def outcomes(rules, state, action):
    if state.step == 0:
        yield 0.5, State(1), 0
        yield 0.5, State(2, 0), 1
    elif state.step == 1:
        yield 1.0, State(2, action), 1
    elif rules.way == BY_ACTIONS:
        yield 1.0, State(3, 0, int(action == 2 * (state.chosen - 1))), 1
    elif action == state.chosen or rules.way == BY_CHANCE:
        yield 1.0, State(3, 0, int(action == state.chosen)), 1
    else:
        yield 0.5, State(3), 1
        yield 0.5, State(1), 1


def over(rules, state):
    return state.step == 3


def payoff(rules, state):
    return 1.0 - state.right  # of the first player


def view(rules, state):
    return state._replace(chosen=int(rules.way == BY_ACTIONS)) if state.step == 2 else state
