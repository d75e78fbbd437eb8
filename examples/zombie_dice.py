"""Zombie Dice: one turn of the game by Steve Jackson. Take brains, stop before the third shotgun blast.

Each throw has three dice: the footprints of the throw before, and new dice from the cup, drawn blindly. In the
published game the dice with brains go back into the cup when it runs out; here you must stop.
"""

from typing import NamedTuple

from komi.game import CHANCE

players = 1
actions = ("roll", "stop")
ROLL, STOP = range(2)
HAND = 3  # dice in a throw
BRAIN, FOOTPRINT, SHOTGUN = range(3)
FACES = ((3, 2, 1), (2, 2, 2), (1, 2, 3))  # of a green, a yellow and a red die: brains, footprints, shotguns


class Rules(NamedTuple):
    green: int = 6  # dice of each colour
    yellow: int = 4
    red: int = 3
    shotguns: int = 3  # that end the turn with nothing


class State(NamedTuple):
    green: int  # dice in the cup
    yellow: int
    red: int
    green_steps: int = 0  # dice that show footprints
    yellow_steps: int = 0
    red_steps: int = 0
    green_hand: int = 0  # dice with footprints that are still to be thrown again
    yellow_hand: int = 0
    red_hand: int = 0
    hand: int = 0  # dice of this throw still to come; 0: choose
    blasts: int = 0  # shotgun blasts
    done: int = 0  # 1: stopped


def limits(rules):
    return Rules(green=(0, 12), yellow=(0, 12), red=(0, 12), shotguns=(1, 6))


def objective(rules):
    return "expected brains"


def start(rules):
    return State(rules.green, rules.yellow, rules.red)


def domains(rules):
    cup = [range(number + 1) for number in rules[:3]]
    thrown = [range(min(number, HAND) + 1) for number in rules[:3]]
    return State(*cup, *thrown, *thrown, range(HAND + 1), blasts=range(rules.shotguns + HAND), done=range(2))


def legal(rules, state):
    if state.hand > 0:
        yield CHANCE
        return
    steps = state.green_steps + state.yellow_steps + state.red_steps
    if state.green + state.yellow + state.red + steps >= HAND:
        yield ROLL
    yield STOP


def outcomes(rules, state, action):
    if action == ROLL:
        yield 1.0, State(*state[:3], 0, 0, 0, *state[3:6], HAND, *state[10:]), 0
    elif action == STOP:
        yield 1.0, state._replace(done=1), 0
    else:
        again = state.green_hand + state.yellow_hand + state.red_hand > 0  # footprints are thrown first
        dice = state[6:9] if again else state[:3]
        for colour in range(3):
            for face in range(3):
                green, yellow, red = colour == 0, colour == 1, colour == 2
                steps = face == FOOTPRINT
                after = State(
                    state.green - (green and not again),
                    state.yellow - (yellow and not again),
                    state.red - (red and not again),
                    state.green_steps + (green and steps),
                    state.yellow_steps + (yellow and steps),
                    state.red_steps + (red and steps),
                    state.green_hand - (green and again),
                    state.yellow_hand - (yellow and again),
                    state.red_hand - (red and again),
                    state.hand - 1,
                    state.blasts + (face == SHOTGUN),
                    0,
                )
                if dice[colour] > 0:
                    yield dice[colour] / sum(dice) * FACES[colour][face] / 6, after, 0


def over(rules, state):
    return state.done == 1 or state.blasts >= rules.shotguns


def payoff(rules, state):
    return 0.0


def reward(rules, state, action, after):
    return float(_brains(rules, state)) if action == STOP else 0.0


def _brains(rules, state):
    """Return the number of dice that show brains: all that are neither in the cup nor show anything else."""
    return rules.green + rules.yellow + rules.red - sum(state[:6]) - state.blasts
