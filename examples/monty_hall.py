"""Monty Hall: pick one of three doors, the host opens another one with a goat; stay, or switch?"""

from typing import NamedTuple

from komi.bitset import count
from komi.game import CHANCE

players = 1
PLACE, PICK, OPEN, DECIDE, OVER = range(5)


class Rules(NamedTuple):
    doors: int = 3
    opened: int = 1  # doors with a goat that the host opens


class State(NamedTuple):
    step: int = PLACE  # what comes next
    car: int = 0  # the door with the car; 0 for the player, who does not see it
    picked: int = 0  # the door of the player; 0 before the first choice
    opened: int = 0  # open doors, as bits


def limits(rules):
    return Rules(doors=(3, 6), opened=(1, rules.doors - 2))


def start(rules):
    return State()


def elements(rules):
    return {"opened": tuple(f"door-{door}" for door in range(1, rules.doors + 1))}


def view(rules, state):
    return state._replace(car=0)


def action_count(rules):
    return rules.doors


def label(rules, state, action):
    if state.step == DECIDE:
        return f"stay with door {action + 1}" if action + 1 == state.picked else f"switch to door {action + 1}"
    return f"door {action + 1}"


def legal(rules, state):
    if state.step == PLACE or state.step == OPEN:
        yield CHANCE
        return
    for door in range(rules.doors):
        if not state.opened >> door & 1:
            yield door


def outcomes(rules, state, action):
    if state.step == PLACE:
        for door in range(rules.doors):
            yield 1 / rules.doors, state._replace(step=PICK, car=door + 1), 0
    elif state.step == PICK:
        yield 1.0, state._replace(step=OPEN, picked=action + 1), 0
    elif state.step == OPEN:
        goats = rules.doors - 1 - (state.picked != state.car)
        sets = 1
        for number in range(rules.opened):
            sets = sets * (goats - number) // (number + 1)
        for doors in range(1 << rules.doors):
            taken = doors >> (state.car - 1) & 1 or doors >> (state.picked - 1) & 1
            if count(doors) == rules.opened and not taken:
                yield 1 / sets, state._replace(step=DECIDE, opened=doors), 0
    else:
        yield 1.0, state._replace(step=OVER, picked=action + 1), 0


def over(rules, state):
    return state.step == OVER


def payoff(rules, state):
    return 1.0 if state.picked == state.car else 0.0


def objective(rules):
    return "chance of winning the car"


def stay(rules, state):
    """Keep the first door."""
    return state.picked - 1 if state.step == DECIDE else 0


policies = (stay,)
